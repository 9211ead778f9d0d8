#include "harness/run/result/gpu_summary.hpp"

#include <set>
#include <string>

#include "harness/run/protocol/optional_json.hpp"

namespace bellmark::run {
namespace {

void widen(Json& kept, const Json& value, bool greatest) {
  if (value.is_null()) return;
  if (kept.is_null() || (greatest ? value > kept : value < kept)) kept = value;
}

/// One state of the GPU, as machine::Gpus::state() has it.
void take_state(Json& summary, std::set<std::string>& throttles, const Json& state) {
  if (state.is_null()) return;
  for (const std::string clock : {"clock_sm_mhz", "clock_memory_mhz"}) {
    widen(summary[clock + "_low"], state.at(clock), false);
    widen(summary[clock + "_high"], state.at(clock), true);
  }
  widen(summary["temperature_c_high"], state.at("temperature_c"), true);
  for (const Json& missing : state.at("not_available")) {
    summary["reason"] =
        missing.at("key").get<std::string>() + ": " + missing.at("reason").get<std::string>();
  }
  if (state.at("throttle_reasons").is_null()) return;
  for (const Json& word : state.at("throttle_reasons")) throttles.insert(word);
  summary["throttle_reasons"] = throttles;
}

}  // namespace

Json summarise_gpu(const std::vector<std::optional<GpuReading>>& replicates) {
  Json summary;
  std::set<std::string> throttles;
  for (const std::optional<GpuReading>& gpu : replicates) {
    if (!gpu) continue;
    if (summary.is_null()) {
      summary = {{"index", nullptr},
                 {"name", nullptr},
                 {"pci_bus_id", nullptr},
                 {"clock_sm_mhz_low", nullptr},
                 {"clock_sm_mhz_high", nullptr},
                 {"clock_memory_mhz_low", nullptr},
                 {"clock_memory_mhz_high", nullptr},
                 {"temperature_c_high", nullptr},
                 {"throttle_reasons", nullptr},
                 {"reason", nullptr}};
    }
    if (gpu->index) summary["index"] = *gpu->index;
    if (gpu->name) summary["name"] = *gpu->name;
    if (gpu->pci_bus_id) summary["pci_bus_id"] = *gpu->pci_bus_id;
    if (gpu->reason) summary["reason"] = *gpu->reason;
    take_state(summary, throttles, gpu->before);
    take_state(summary, throttles, gpu->after);
  }
  return summary;
}

}  // namespace bellmark::run
