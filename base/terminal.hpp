// The terminal that a person looks at, and text that fits it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bellmark {

/// How many columns a line of the descriptor's terminal has, at this moment: a window can change.
/// Where the terminal doesn't say, or there is none, the variable COLUMNS does; else nothing.
std::optional<std::size_t> terminal_columns(int descriptor);

/// The width of short lines where there is no terminal, as in a log.
inline constexpr std::size_t kLogColumns = 80;

/// Columns that UTF-8 text takes on a terminal: two a wide character (Chinese, Japanese, Korean,
/// emoji), none a combining one.
std::size_t display_width(std::string_view text);

/// The longest beginning of UTF-8 text that takes `columns` at most, no character cut in two.
std::string_view first_columns(std::string_view text, std::size_t columns);

/// The text where it fits, else its beginning and an ellipsis, cut between words where that loses
/// little.
std::string cut_end(std::string_view text, std::size_t columns);

/// The text where it fits, else its beginning and its end with an ellipsis between them.
std::string cut_middle(std::string_view text, std::size_t columns);

/// `text` in lines of at most `columns`: the first after `head`, the others indented as far. A word
/// that is longer goes on in the next line behind a comma, and without one stands in a line of its
/// own.
std::string wrapped(std::string_view text, std::string_view head, std::size_t columns);

}  // namespace bellmark
