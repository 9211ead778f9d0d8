// Claims in the terminal: in short, or each with all facts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/report/claims.hpp"

namespace bellmark::report {

/// The claims of papers, a short sentence for each claim (`yasui2011/Y3`).
using Sentences = std::map<std::string, std::string>;

/// Two lines for each claim, none wider than `columns` (or a log's width where there is no
/// terminal). They hold the verdict with the measured values, and the claim's sentence. Then the
/// number of claims with each verdict, and how to read more. "" without claims.
std::string console_claims(const std::vector<Json>& results, const Sentences& sentences,
                           std::optional<std::size_t> columns);

/// `  verdict: Y12 reproduced (quick)`: the verdicts that one result gives, for a run that goes on
/// with other experiments. "" without claims.
std::string console_verdicts(const Json& result, std::optional<std::size_t> columns);

/// All facts about the claims in `names`, or about each claim if a name is `all`. A name is an id
/// with or without the paper's key, in upper or lower case. Throws InputError on another name.
std::string explained_claims(const std::vector<Json>& results, const Sentences& sentences,
                             const std::vector<std::string>& names,
                             std::optional<std::size_t> columns);

}  // namespace bellmark::report
