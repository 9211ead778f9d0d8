#include "base/pattern.hpp"

#include <regex.h>

#include "base/error.hpp"

namespace bellmark {

std::vector<std::string> find_pattern(const char* pattern, const std::string& text) {
  regex_t compiled;
  if (regcomp(&compiled, pattern, REG_EXTENDED) != 0) {
    throw Error(ExitCode::internal, pattern, "is not a regular expression");
  }
  std::vector<regmatch_t> matches(compiled.re_nsub + 1);
  const bool found = regexec(&compiled, text.c_str(), matches.size(), matches.data(), 0) == 0;
  regfree(&compiled);
  std::vector<std::string> parts;
  if (!found) return parts;
  for (const regmatch_t& match : matches) {
    // A group that took no part has -1.
    const bool is_there = match.rm_so >= 0;
    const auto size = static_cast<std::size_t>(match.rm_eo - match.rm_so);
    parts.push_back(is_there ? text.substr(static_cast<std::size_t>(match.rm_so), size) : "");
  }
  return parts;
}

std::optional<std::size_t> group_count(const char* pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern, REG_EXTENDED) != 0) return std::nullopt;
  const std::size_t count = compiled.re_nsub;
  regfree(&compiled);
  return count;
}

}  // namespace bellmark
