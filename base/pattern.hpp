// Extended regular expressions, as POSIX's <regex.h> has them. std::regex of GCC 12 recurses for
// each character of a text, so that a long one overflows the stack, and takes seconds to compile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bellmark {

/// The first of the longest matches of `pattern` in `text`, then its groups; empty without a match.
/// A dot matches a line end, too, and `^` and `$` are the text's ends. Throws Error(internal) on a
/// pattern that is none.
std::vector<std::string> find_pattern(const char* pattern, const std::string& text);

/// How many groups a pattern has; nothing for one that is none.
std::optional<std::size_t> group_count(const char* pattern);

}  // namespace bellmark
