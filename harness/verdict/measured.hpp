// The value of a metric for one cell, or its ratio between two, with the deciding interval.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/statistics.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

struct Measured {
  std::optional<double> value;
  std::optional<measure::Interval> interval;
  std::string missing;              ///< why there is no value or no interval
  std::string doubt = {};           ///< why the value judges nothing: doubt_of() the cells
  std::vector<double> values = {};  ///< by block or query; none if exact
  bool is_time = false;
  std::vector<std::size_t> blocks = {};  ///< of `values`, where they are known
};

/// The metric `metric` (plan/metric.hpp) of one entry of the result's `cells`. A metric that
/// differs from query to query is the median over the queries, with its order-statistic interval.
/// An exact metric is its own interval.
Measured measure_cell(const Json& result, const Json& cell, const std::string& metric);

/// The metric of `numerator` / that of `denominator`. Times and memory are paired by block, phase
/// logs by query (median over queries, sign-test interval).
Measured measure_ratio(const Json& result, const Json& numerator, const Json& denominator,
                       const std::string& metric);

/// True if the metric's interval is over blocks. Facts and accounted memory are exact. Counts of
/// phases are the same in each block, and their interval is over queries.
bool is_over_blocks(const std::string& metric);

/// One ratio over another: the quotient in each block if both have the same blocks. Otherwise it
/// comes from the outer bounds of both intervals, which is wide, and safe.
Measured quotient(const Measured& a, const Measured& b);

/// The mean of several ratios: in each block the arithmetic mean of theirs, with blocks paired by
/// their index. For exact ratios it is the mean itself.
Measured mean_of(const std::vector<Measured>& ratios);

/// The growth of a metric from the least to the largest `places` of the cells. In each block (or
/// query) that all cells have, a straight line is fitted to the logarithms. Needs two cells and
/// places above 0.
Measured measure_growth(const Json& result, const std::vector<const Json*>& cells,
                        const std::vector<double>& places, const std::string& metric);

/// Gives every measured value of a result's `verdicts` its `unit`: that of its metric, or "" for a
/// ratio, a count or a share. Verdicts of older results have none.
void add_units(Json& verdicts);

}  // namespace bellmark::verdict
