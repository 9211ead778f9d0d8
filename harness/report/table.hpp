// Results as CSV and Markdown, for spreadsheets and pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// The beginning of each kind of file, which no other file has.
inline constexpr std::string_view kCsvBegin = "experiment,cell";
inline constexpr std::string_view kMarkdownBegin = "## ";

/// One line for each cell, in nanoseconds and bytes. The first line names the columns. A field is
/// empty if its value was not measured, and the columns of `not_measured` say why.
std::string csv(const std::vector<Json>& results);

/// Claims and cells as Markdown tables.
std::string markdown(const std::vector<Json>& results);

}  // namespace bellmark::report
