// A sink with given readings, for tests of code that uses sinks.
#include "harness/sinks/fake.hpp"

#include <stdexcept>

namespace bellmark::sinks {

std::optional<std::string> FakeSink::unavailable() const {
  for (const Reading& reading : readings_) {
    if (reading.value) return std::nullopt;
  }
  return readings_.empty() ? "no readings were given" : readings_.front().reason;
}

void FakeSink::start() {
  if (is_running_) throw std::logic_error("fake sink: started twice");
  is_running_ = true;
  ++start_count_;
}

std::vector<Reading> FakeSink::stop() {
  if (!is_running_) throw std::logic_error("fake sink: stopped, but not started");
  is_running_ = false;
  return readings_;
}

}  // namespace bellmark::sinks
