#include "base/alike.hpp"

#include <algorithm>
#include <set>

namespace bellmark {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text with `#` in place of every number and its fraction.
std::string without_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      out += text[i];
      continue;
    }
    while (i + 1 < text.size() &&
           (is_digit(text[i + 1]) ||
            (text[i + 1] == '.' && i + 2 < text.size() && is_digit(text[i + 2])))) {
      ++i;
    }
    out += '#';
  }
  return out;
}

}  // namespace

bool are_alike(std::string_view a, std::string_view b) {
  return without_numbers(a) == without_numbers(b);
}

std::vector<std::string> once_each(const std::vector<std::string>& texts) {
  std::vector<std::string> firsts;
  std::vector<std::set<std::string>> alike;
  for (const std::string& text : texts) {
    const auto known = std::ranges::find_if(
        firsts, [&](const std::string& first) { return are_alike(first, text); });
    if (known == firsts.end()) {
      firsts.push_back(text);
      alike.push_back({text});
    } else {
      alike[static_cast<std::size_t>(known - firsts.begin())].insert(text);
    }
  }
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (alike[i].size() == 1) continue;
    firsts[i] += " (and " + std::to_string(alike[i].size() - 1) + " alike, with other numbers)";
  }
  return firsts;
}

}  // namespace bellmark
