// The text in the terminal after a run.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// One result: its cells with times, ratios and validation, its counters, and the parts that were
/// left out. Lines have at most `columns`, or are whole where there is no terminal. Several results
/// have the same notes on the machine: notes in `said` are left out, and printed notes are added to
/// it.
std::string console_result(const Json& result, std::set<std::string>& said,
                           std::optional<std::size_t> columns);

/// The meaning of the words and figures in the tables; "" where nothing was measured.
std::string console_legend(const std::vector<Json>& results, std::optional<std::size_t> columns);

}  // namespace bellmark::report
