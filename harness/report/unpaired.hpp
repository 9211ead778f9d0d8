// A comparison of the times of two runs.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/measure/statistics.hpp"

namespace bellmark::report {

/// The ratio of medians of two `wall_ns` from different runs, which share no blocks. It lies
/// between the extremes that the two intervals allow. That is wider than a paired interval, but
/// honest.
measure::Ratio unpaired_ratio(const nlohmann::ordered_json& before,
                              const nlohmann::ordered_json& after);

}  // namespace bellmark::report
