// Results as a trace in Chrome's format, which Perfetto and chrome://tracing open.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// A process for each cell, with these tracks: the median time of a query; its phases on average;
/// the levels or rounds of each query whose phase log is kept whole, by each of the log's clocks;
/// GPU kernels and copies, summed over a pass; the time of each rank. A result holds durations, and
/// not when they began. So a track's slices follow one another in the order in which they came.
/// Times are in microseconds, as in the format.
Json trace(const std::vector<Json>& results);

}  // namespace bellmark::report
