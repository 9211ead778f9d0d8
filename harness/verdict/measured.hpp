// The value of a metric for one cell, or its ratio between two, with the interval that decides.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/measure/statistics.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

struct Measured {
  std::optional<double> value;
  std::optional<measure::Interval> interval;
  std::string missing;     ///< why there is no value or no interval
  std::string doubt = {};  ///< why nothing is judged by the value: doubt_of() the cells
};

/// The metric `metric` (plan/metric.hpp) of one entry of the result's `cells`. What differs from
/// query to query is the median over the queries with its order-statistic interval; what is exact
/// has itself as interval.
Measured measure_cell(const Json& result, const Json& cell, const std::string& metric);

/// The metric of `numerator` / that of `denominator`: times and memory paired by block, phase logs
/// by query (median over queries, sign-test interval).
Measured measure_ratio(const Json& result, const Json& numerator, const Json& denominator,
                       const std::string& metric);

/// Gives every measured value of a result's `verdicts` its `unit`: that of its metric, or "" of a
/// ratio, a count or a share. Verdicts of older results have none.
void add_units(Json& verdicts);

}  // namespace bellmark::verdict
