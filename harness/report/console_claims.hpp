// Claims as a person reads them in the terminal: in short, or each with all that is known.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/report/claims.hpp"

namespace bellmark::report {

/// What papers claim, a short sentence each, by claim (`yasui2011/Y3`).
using Sentences = std::map<std::string, std::string>;

/// Two lines a claim, none wider than `columns` (of a log where there is no terminal): the verdict
/// with what was measured, and the claim's sentence. Then how many claims have each verdict, and
/// how to read more. "" without claims.
std::string console_claims(const std::vector<Json>& results, const Sentences& sentences,
                           std::optional<std::size_t> columns);

/// All that is known of the claims that `names` name, or of each where one of them is `all`. A name
/// is an id with or without the paper's key, in either case. Throws InputError on another.
std::string explained_claims(const std::vector<Json>& results, const Sentences& sentences,
                             const std::vector<std::string>& names,
                             std::optional<std::size_t> columns);

}  // namespace bellmark::report
