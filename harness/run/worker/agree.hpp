// Agreement between the ranks of a launched group, beside the search. One process alone agrees with
// itself. Everything here is collective.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark::run {

/// Every rank's text, in the order of ranks.
std::vector<std::string> texts_of_all(Communicator& ranks, const std::string& own);

/// The first rank's text that isn't empty; "" when all are.
std::string first_text(Communicator& ranks, const std::string& own);

/// The longest time of any rank.
std::int64_t longest_ns(Communicator& ranks, std::int64_t own_ns);

/// The text of all ranks when they say the same. Otherwise the first text that isn't empty, as
/// `rank N: text`; "" when all are empty.
std::string agreed_text(Communicator& ranks, const std::string& own);

}  // namespace bellmark::run
