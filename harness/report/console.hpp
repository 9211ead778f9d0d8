// What a person reads in the terminal after a run.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// One result: its cells with times, ratios and validation, counters, and what was left out, in
/// lines of at most `columns`, or whole lines where there is no terminal. Notes on the machine are
/// alike among several results: those in `said` are left out, and what is printed is added to it.
std::string console_result(const Json& result, std::set<std::string>& said,
                           std::optional<std::size_t> columns);

/// What the words and figures in the tables mean; "" where nothing was measured.
std::string console_legend(const std::vector<Json>& results, std::optional<std::size_t> columns);

}  // namespace bellmark::report
