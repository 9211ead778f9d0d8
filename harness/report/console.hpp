// What a person reads in the terminal after a run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// One result: its cells with times, ratios and validation, counters, and what was left out.
std::string console_result(const Json& result);

/// The same among several. Notes on the machine are all alike: those in `said` are left out, and
/// what is printed is added to it.
std::string console_result(const Json& result, std::set<std::string>& said);

/// What the words and figures in the tables mean; "" where nothing was measured.
std::string console_legend(const std::vector<Json>& results);

/// The table of claims over all results, with reasons.
std::string console_claims(const std::vector<Json>& results);

}  // namespace bellmark::report
