// What a person reads in the terminal after a run.
#pragma once

#include <string>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// One result: its cells with times, ratios and validation, and what was left out.
std::string console_result(const Json& result);

/// The table of claims over all results, with reasons.
std::string console_claims(const std::vector<Json>& results);

}  // namespace bellmark::report
