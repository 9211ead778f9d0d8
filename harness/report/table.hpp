// Results as CSV and Markdown, for spreadsheets and pages.
#pragma once

#include <string>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// One line a cell, nanoseconds and bytes; the first line names the columns. Empty fields are what
/// was not measured, the last two say why.
std::string csv(const std::vector<Json>& results);

/// Claims and cells as Markdown tables.
std::string markdown(const std::vector<Json>& results);

}  // namespace bellmark::report
