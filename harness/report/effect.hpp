// The measured effect of a claim, in words with numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/report/claims.hpp"

namespace bellmark::report {

/// The first row with the claim's outcome, beside the paper's value: `k=4 takes 0.890 [0.876,
/// 0.903] of the time of k=2; the paper 1.13`. If that is wider than `columns`, the numbers come
/// first and names are cut. "" if no row explains the outcome, because nothing was measured or
/// could be judged.
std::string effect_of(const ClaimRow& claim, std::size_t columns);

/// Every row of a verdict's part, beside the paper's value and with its outcome. The first is the
/// head.
std::vector<std::vector<std::string>> rows_of(const Json& part);

}  // namespace bellmark::report
