// The counts of `--counters`, for the console and for Markdown.
#pragma once

#include <string>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

struct CounterTable {
  /// The first row is the head: a column for each counter that some cell has. Empty without
  /// counters.
  std::vector<std::vector<std::string>> rows;
  /// Counters that no cell has, each with its reason.
  std::vector<std::string> absent;
};

/// The counters of a result, per pass over the queries.
CounterTable counter_table(const Json& result);

}  // namespace bellmark::report
