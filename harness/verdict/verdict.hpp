// Claims to verdicts: pure functions of an experiment's claims and its result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/experiment.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// The verdict on what is shown beside the paper's figures and never judged.
inline const std::string kShown = "shown";

/// The pairs of cells (ids: numerator, denominator) whose ratios the claims need. `cells` is the
/// result's `cells` array, or anything with `id` and `axes`.
std::vector<std::pair<std::string, std::string>> needed_pairs(
    const std::vector<plan::Claim>& claims, const Json& cells);

/// One entry of the result's `verdicts` for each claim id, parts in the spec's order. The rules:
///
/// | kind    | reproduced                  | direction only          | not reproduced          |
/// |---------|-----------------------------|-------------------------|-------------------------|
/// | ratio   | interval excludes 1 on the  | excludes 1 on the       | excludes 1 on the other |
/// |         | paper's side and meets the  | paper's side            | side                    |
/// |         | paper's range               |                         |                         |
/// | order   | every adjacent pair agrees  | some straddle 1, none   | one pair contradicts    |
/// |         |                             | contradicts             |                         |
/// | argmin  | the paper's value is best,  | a neighbour on the axis | neither                 |
/// |         | or SAME as the best         | is                      |                         |
/// | trend,  | every inequality holds by   | the directions hold,    | a direction is          |
/// | shape   | interval                    | sizes don't             | contradicted            |
///
/// Anything else is inconclusive, and so is what times of a disturbed cell would decide; `absolute`
/// is shown. A claim takes its weakest part.
Json judge(const plan::Experiment& experiment, const Json& result);

/// The weaker of two verdicts: not reproduced, inconclusive, not testable here, direction only,
/// reproduced; `shown` yields to all.
std::string weakest(const std::string& a, const std::string& b);

}  // namespace bellmark::verdict
