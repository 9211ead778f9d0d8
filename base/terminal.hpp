// The user's terminal, and text that fits it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bellmark {

/// The number of columns of the descriptor's terminal at this moment: a window can change. If the
/// terminal doesn't say, or there is none, the variable COLUMNS counts; else nothing.
std::optional<std::size_t> terminal_columns(int descriptor);

/// The width of short lines if there is no terminal, as in a log.
inline constexpr std::size_t kLogColumns = 80;

/// Columns of UTF-8 text on a terminal: two for each wide character (Chinese, Japanese, Korean,
/// emoji), none for a combining one.
std::size_t display_width(std::string_view text);

/// The longest beginning of UTF-8 text that takes `columns` at most. No character is cut in two.
std::string_view first_columns(std::string_view text, std::size_t columns);

/// The text if it fits. Otherwise its beginning and an ellipsis, cut between words if that loses
/// little.
std::string cut_end(std::string_view text, std::size_t columns);

/// The text if it fits. Otherwise its beginning and its end, with an ellipsis between them.
std::string cut_middle(std::string_view text, std::size_t columns);

/// `text` in lines of at most `columns`: the first after `head`, the others with an equal indent. A
/// longer word breaks after a comma, and without one it stands in a line of its own.
std::string wrapped(std::string_view text, std::string_view head, std::size_t columns);

}  // namespace bellmark
