// Small text helpers shared by every layer: suggestions, globs, splitting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellmark {

/// The candidate nearest to `word` by edit distance, or "" when none is near enough to help. Upper
/// and lower case letters are equal.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// `did you mean 'x'?` when a candidate is near, or its last part after a '/' or ':'. Otherwise "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// did_you_mean(), or `known: a, b, c` (shortened) where no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// Shell-like match: `*` is any run of characters, `?` any one character.
bool glob_match(std::string_view pattern, std::string_view text);

/// Splits at every `separator`; "" gives no parts.
std::vector<std::string> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// True if the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// One line of UTF-8: control characters and bytes that are not UTF-8 become `\xNN`. A file's text
/// must not control the terminal, and JSON allows only UTF-8. A second escape changes nothing.
std::string escaped(std::string_view text);

/// escaped() for a message: in text longer than `most` bytes the middle is left out.
std::string printable(std::string_view text, std::size_t most);

/// True if `a` comes before `b` when runs of digits count as numbers: Y2 before Y11.
bool natural_less(std::string_view a, std::string_view b);

/// A word for a shell: in quotes if it has more than letters, digits and plain signs.
std::string shell_word(const std::string& word);

/// Without leading and trailing blanks.
std::string_view trim(std::string_view text);

}  // namespace bellmark
