// The exit code of a command, from its results.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// The exit code that follows from a result's unmeasured cells.
ExitCode code_of(const Json& result);

/// The exit code of several outcomes: the most urgent in the documented order 130, 1, 7, 3, 4, 5,
/// 6; 77 only when nothing else was measured.
ExitCode most_urgent(const std::vector<ExitCode>& codes);

/// The exit code of verdicts under `--strict`: regression, inconclusive or ok.
ExitCode strict_code(const std::vector<Json>& results);

}  // namespace bellmark::run
