// Results as a trace in Chrome's format, which Perfetto and chrome://tracing open.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// A process a cell, and in it a track for each of: the median time of a query; its phases on
/// average; the levels or rounds of each query whose phase log is kept whole, by each of the log's
/// clocks; GPU kernels and copies, summed over a pass; the time of each rank. A result holds how
/// long things took, and not when they began: a track's slices lie one behind the other, in the
/// order in which they came. Times are in microseconds, as the format has them.
Json trace(const std::vector<Json>& results);

}  // namespace bellmark::report
