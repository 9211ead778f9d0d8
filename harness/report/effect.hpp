// What was measured of a claim, in words with numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/report/claims.hpp"

namespace bellmark::report {

/// The first row with the claim's outcome, beside the paper's: `k=4 takes 0.890 [0.876, 0.903] of
/// the time of k=2; the paper 1.13`. Where that is wider than `columns` the numbers come first, and
/// names are cut. "" where no row says why: nothing was measured, or nothing could be judged.
std::string effect_of(const ClaimRow& claim, std::size_t columns);

/// Every row of a verdict's part, beside the paper's and with its outcome; the first is the head.
std::vector<std::vector<std::string>> rows_of(const Json& part);

}  // namespace bellmark::report
