// What results mean for the exit code of a command.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// What a result's unmeasured cells mean for the exit code.
ExitCode code_of(const Json& result);

/// Exit code of several outcomes at once: the most urgent in the documented order
/// 130, 1, 7, 3, 4, 5, 6; 77 only when nothing else was measured.
ExitCode most_urgent(const std::vector<ExitCode>& codes);

/// What `--strict` makes of verdicts: regression, inconclusive or ok.
ExitCode strict_code(const std::vector<Json>& results);

}  // namespace bellmark::run
