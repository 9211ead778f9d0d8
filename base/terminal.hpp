// The terminal that a person looks at.
#pragma once

#include <cstddef>
#include <string_view>

namespace bellmark {

/// How many characters a line of standard error's terminal holds, at this moment: a window can
/// change. Where the terminal doesn't say, the variable COLUMNS does; else it is 100.
std::size_t terminal_columns();

/// The first characters of UTF-8 text, none of them cut in two.
std::string_view first_characters(std::string_view text, std::size_t count);

}  // namespace bellmark
