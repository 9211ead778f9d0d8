// Times of two runs against each other.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/measure/statistics.hpp"

namespace bellmark::report {

/// Two runs at different times share no blocks: the ratio of medians, between the extremes that
/// the two intervals allow. Wider than a paired interval, and honest about it. Of two `wall_ns`.
measure::Ratio unpaired_ratio(const nlohmann::ordered_json& before,
                              const nlohmann::ordered_json& after);

}  // namespace bellmark::report
