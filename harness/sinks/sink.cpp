// Opens the best source for a counter group.
#include "harness/sinks/sink.hpp"

#include <algorithm>
#include <cstdlib>

#include "harness/sinks/cupti_ranges.hpp"
#include "harness/sinks/papi.hpp"
#include "harness/sinks/recorded.hpp"
#include "harness/sinks/software_events.hpp"

namespace bellmark::sinks {

void add_readings(std::vector<Reading>& total, const std::vector<Reading>& readings) {
  if (total.empty()) {
    total = readings;
    return;
  }
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (total[i].value && readings[i].value) {
      *total[i].value += *readings[i].value;
      for (std::size_t t = 0; t < total[i].by_thread.size(); ++t) {
        total[i].by_thread[t] += readings[i].by_thread.at(t);
      }
    } else if (total[i].value) {
      total[i] = readings[i];
    }
  }
}

std::vector<RatioReading> ratio_readings(const Group& group, const std::vector<Reading>& total) {
  std::vector<RatioReading> readings;
  for (const EventRatio& ratio : group.ratios) {
    RatioReading reading{ratio.name, std::nullopt, "nothing was counted"};
    const auto numerator = std::ranges::find(total, ratio.numerator, &Reading::name);
    const auto denominator = std::ranges::find(total, ratio.denominator, &Reading::name);
    if (numerator != total.end() && denominator != total.end()) {
      if (!numerator->value) {
        reading.reason = numerator->reason;
      } else if (!denominator->value) {
        reading.reason = denominator->reason;
      } else if (*denominator->value == 0) {
        reading.reason = ratio.denominator + " is 0";
      } else {
        reading = {
            ratio.name,
            static_cast<double>(*numerator->value) / static_cast<double>(*denominator->value), ""};
      }
    }
    readings.push_back(reading);
  }
  return readings;
}

std::unique_ptr<CounterSink> open_group(const std::string& name, const Threads& threads) {
  const Group group = load_group(name);
  if (group.source == "cupti") return open_cupti_ranges(group);
  if (const char* const recording = std::getenv("BELLMARK_RECORDED_EVENTS")) {
    return open_recorded(group, read_recording(recording), threads);
  }
  std::unique_ptr<CounterSink> papi = open_papi(group, threads);
  if (!papi->unavailable()) return papi;
  auto software = std::make_unique<SoftwareEvents>(group, threads);
  if (!software->unavailable()) return software;
  return papi;
}

}  // namespace bellmark::sinks
