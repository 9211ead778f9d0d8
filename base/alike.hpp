// Texts that differ only in their numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellmark {

/// True if the texts differ only in their numbers: `2 of 4 GiB` and `3.5 of 4 GiB`.
bool are_alike(std::string_view a, std::string_view b);

/// Each text once, in order. The first of alike texts stands for all: `for 7 % of the time (and 2
/// alike, with other numbers)`.
std::vector<std::string> once_each(const std::vector<std::string>& texts);

}  // namespace bellmark
