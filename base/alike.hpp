// Texts that say the same with other numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellmark {

/// Whether the texts differ in their numbers only: `2 of 4 GiB` and `3.5 of 4 GiB`.
bool are_alike(std::string_view a, std::string_view b);

/// Each text once, in their order. Of those that are alike the first stands for all: `for 7 % of
/// the time (and 2 alike, with other numbers)`.
std::vector<std::string> once_each(const std::vector<std::string>& texts);

}  // namespace bellmark
