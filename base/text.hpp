// Small text helpers shared by every layer: suggestions, globs, splitting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellmark {

/// The candidate nearest to `word` by edit distance, or "" when none is near enough to help.
/// Letters count as equal in either case.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// `did you mean 'x'?` when a candidate is near, or its last part behind a '/' or ':', otherwise
/// `known: a, b, c` (shortened).
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// Shell-like match: `*` is any run of characters, `?` any one character.
bool glob_match(std::string_view pattern, std::string_view text);

/// Splits at every `separator`; "" gives no parts.
std::vector<std::string> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Whether the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// One line of UTF-8: control characters and bytes that are no UTF-8 become `\xNN`. Text of a
/// file's own choosing must not steer the terminal, and JSON takes nothing else. Escaped twice is
/// the same.
std::string escaped(std::string_view text);

/// The same, fit for a message: of what is longer than `most` bytes the middle is left out.
std::string printable(std::string_view text, std::size_t most);

/// Does `a` come before `b` when runs of digits are read as numbers: Y2 before Y11?
bool natural_less(std::string_view a, std::string_view b);

/// A word as a shell reads it: in quotes where it has more than letters, digits and plain signs.
std::string shell_word(const std::string& word);

/// Without leading and trailing blanks.
std::string_view trim(std::string_view text);

}  // namespace bellmark
