// Claims to verdicts: pure functions of an experiment's claims and its result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/experiment.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// The verdict on figures that are shown beside the paper's and never judged.
inline const std::string kShown = "shown";

/// The verdict on a claim that only checks the purpose of the stand-in.
inline const std::string kCheck = "check of the stand-in";

/// The pairs of cells (ids: numerator, denominator) whose ratios the claims need. `cells` is the
/// result's `cells` array, or anything with `id` and `axes`.
std::vector<std::pair<std::string, std::string>> needed_pairs(
    const std::vector<plan::Claim>& claims, const Json& cells);

/// One entry of the result's `verdicts` for each claim id, with parts in the order of the file. The
/// rules are in docs/explain/how-claims-are-judged.md. A claim takes its weakest row.
Json judge(const plan::Experiment& experiment, const Json& result);

/// True if more blocks may decide a row that these verdicts leave open. Rows over queries are the
/// same in every block.
bool wants_blocks(const Json& verdicts);

/// Cells (ids) to measure again on fresh blocks: the paper's value of an argmin, and the value that
/// was faster. That value was chosen as the fastest of many.
std::vector<std::string> cells_to_confirm(const plan::Experiment& experiment, const Json& result);

/// The weaker of two verdicts: not reproduced, inconclusive, not testable here, direction only,
/// reproduced. A check of the stand-in yields to them, and `shown` to all.
std::string weakest(const std::string& a, const std::string& b);

}  // namespace bellmark::verdict
