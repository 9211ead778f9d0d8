// Extended regular expressions of POSIX's <regex.h>. std::regex of GCC 12 recurses for each
// character of a text, so that a long text overflows the stack. It also takes seconds to compile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bellmark {

/// The first of the longest matches of `pattern` in `text`, then its groups; empty without a match.
/// A dot also matches a line end, and `^` and `$` are the text's ends. Throws Error(internal) on an
/// invalid pattern.
std::vector<std::string> find_pattern(const char* pattern, const std::string& text);

/// The number of groups in a pattern; nothing for an invalid one.
std::optional<std::size_t> group_count(const char* pattern);

}  // namespace bellmark
