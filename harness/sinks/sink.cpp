// Opens the best source for a counter group.
#include "harness/sinks/sink.hpp"

#include "harness/sinks/papi.hpp"
#include "harness/sinks/software_events.hpp"

namespace bellmark::sinks {

std::unique_ptr<CounterSink> open_group(const std::string& name) {
  const Group group = load_group(name);
  std::unique_ptr<CounterSink> papi = open_papi(group);
  if (!papi->unavailable()) return papi;
  auto software = std::make_unique<SoftwareEvents>(group);
  if (!software->unavailable()) return software;
  return papi;
}

}  // namespace bellmark::sinks
