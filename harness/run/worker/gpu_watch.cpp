// The GPU under a replicate: what it does before and after, and the energy that it took.
#include "harness/run/worker/gpu_watch.hpp"

#include <algorithm>
#include <set>

namespace bellmark::run {
namespace {

/// The counter moves every 20 to 100 ms, and its readings lag by as much. Both readings are taken
/// with the same work going on around them, so the lag cancels on average; over a second what is
/// left of it is some percent.
constexpr double kSpanSeconds = 1;
constexpr double kWarmSeconds = 0.25;

struct Repeated {
  std::size_t pass_count = 0;
  double seconds = 0;
};

/// Whole passes until `seconds` are over, one at least.
Repeated repeat(const std::function<void()>& pass, double seconds, measure::Clock& clock) {
  const std::int64_t begin = clock.now_ns();
  Repeated repeated;
  while (repeated.pass_count == 0 || repeated.seconds < seconds) {
    pass();
    ++repeated.pass_count;
    repeated.seconds = static_cast<double>(clock.now_ns() - begin) * 1e-9;
  }
  return repeated;
}

}  // namespace

GpuWatch::GpuWatch(const machine::Gpus& gpus, const machine::Told<std::string>& pci_bus_id)
    : gpus_(gpus) {
  if (!pci_bus_id.value) {
    reason_ = pci_bus_id.reason;
  } else if (gpus.count() == 0) {
    reason_ = gpus.absence();
  } else {
    gpu_ = gpus.find(*pci_bus_id.value);
    if (!gpu_) reason_ = "NVML shows no GPU at " + *pci_bus_id.value + ", where CUDA runs";
  }
}

void GpuWatch::start() {
  json_ = {{"index", nullptr},  {"name", nullptr},  {"pci_bus_id", nullptr},
           {"before", nullptr}, {"after", nullptr}, {"reason", gpu_ ? Json() : Json(reason_)}};
  if (!gpu_) return;
  const Json facts = gpus_.facts(*gpu_);
  for (const char* key : {"index", "name", "pci_bus_id"}) json_[key] = facts.at(key);
  json_["before"] = gpus_.state(*gpu_);
}

Json GpuWatch::finish() {
  if (gpu_) json_["after"] = gpus_.state(*gpu_);
  return json_;
}

machine::Told<double> GpuWatch::energy_j() const {
  if (!gpu_) return {std::nullopt, reason_};
  return gpus_.energy_j(*gpu_);
}

Json summarise_gpu(const std::vector<Json>& replicates) {
  Json summary;
  std::set<std::string> throttles;
  const auto widen = [&](const std::string& key, const Json& value, bool greatest) {
    if (value.is_null()) return;
    Json& kept = summary[key];
    if (kept.is_null() || (greatest ? value > kept : value < kept)) kept = value;
  };
  for (const Json& replicate : replicates) {
    if (replicate.is_null()) continue;
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
    for (const char* key : {"index", "name", "pci_bus_id"}) {
      if (!replicate.at(key).is_null()) summary[key] = replicate.at(key);
    }
    if (!replicate.at("reason").is_null()) summary["reason"] = replicate.at("reason");
    for (const char* when : {"before", "after"}) {
      const Json& state = replicate.at(when);
      if (state.is_null()) continue;
      for (const std::string clock : {"clock_sm_mhz", "clock_memory_mhz"}) {
        widen(clock + "_low", state.at(clock), false);
        widen(clock + "_high", state.at(clock), true);
      }
      widen("temperature_c_high", state.at("temperature_c"), true);
      for (const Json& missing : state.at("not_available")) {
        summary["reason"] =
            missing.at("key").get<std::string>() + ": " + missing.at("reason").get<std::string>();
      }
      if (state.at("throttle_reasons").is_null()) continue;
      for (const Json& word : state.at("throttle_reasons")) throttles.insert(word);
      summary["throttle_reasons"] = throttles;
    }
  }
  return summary;
}

Json energy_of_pass(const std::function<void()>& pass, std::size_t query_count,
                    measure::Clock& clock, const std::function<machine::Told<double>()>& energy_j) {
  const auto unknown = [](const std::string& reason) {
    return Json{{"gpu_energy_j", nullptr},
                {"gpu_power_w", nullptr},
                {"span_s", nullptr},
                {"pass_count", nullptr},
                {"reason", reason}};
  };
  if (const auto offered = energy_j(); !offered.value) return unknown(offered.reason);
  repeat(pass, kWarmSeconds, clock);
  const auto before = energy_j();
  const Repeated repeated = repeat(pass, kSpanSeconds, clock);
  const auto after = energy_j();
  for (const auto* reading : {&before, &after}) {
    if (!reading->value) return unknown(reading->reason);
  }
  const double joules = *after.value - *before.value;
  if (joules <= 0) return unknown("the energy counter did not move during the pass");
  const double queries = static_cast<double>(repeated.pass_count * query_count);
  return {{"gpu_energy_j", joules / queries},
          {"gpu_power_w", joules / repeated.seconds},
          {"span_s", repeated.seconds},
          {"pass_count", repeated.pass_count},
          {"reason", nullptr}};
}

}  // namespace bellmark::run
