// What the ranks of a launched group tell each other beside the search: one process alone asks
// nobody. Everything here is collective.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark::run {

/// Every rank's text, in their order.
std::vector<std::string> texts_of_all(Communicator& ranks, const std::string& own);

/// The first rank's that isn't empty; "" when all are.
std::string first_text(Communicator& ranks, const std::string& own);

/// The longest that any rank took.
std::int64_t longest_ns(Communicator& ranks, std::int64_t own_ns);

/// What ranks say of one thing: the text of all when they say the same, else the first that isn't
/// empty as `rank N: text`; "" when all are.
std::string agreed_text(Communicator& ranks, const std::string& own);

}  // namespace bellmark::run
