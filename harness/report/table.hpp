// Results as CSV and Markdown, for spreadsheets and pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// What tells a file of each kind from any other.
inline constexpr std::string_view kCsvBegin = "experiment,cell";
inline constexpr std::string_view kMarkdownBegin = "## ";

/// One line a cell, nanoseconds and bytes; the first line names the columns. Empty fields are what
/// was not measured, the last two say why.
std::string csv(const std::vector<Json>& results);

/// Claims and cells as Markdown tables.
std::string markdown(const std::vector<Json>& results);

}  // namespace bellmark::report
