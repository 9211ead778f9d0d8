#include "base/text.hpp"

#include <algorithm>
#include <numeric>

namespace bellmark {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

/// A word of which every letter is another says nothing: `0` is not near to `pu`.
std::size_t largest_distance(std::string_view word) {
  if (word.empty()) return 0;
  return std::min(std::max<std::size_t>(2, word.size() / 3), word.size() - 1);
}

/// Every candidate at the least distance, in their order; none when all are too far.
std::vector<std::string> all_nearest(std::string_view word,
                                     const std::vector<std::string>& candidates,
                                     std::string_view (*part)(std::string_view)) {
  std::vector<std::string> best;
  std::size_t best_distance = largest_distance(word) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, part(candidate));
    if (distance > best_distance || distance > largest_distance(word)) continue;
    if (distance < best_distance) best.clear();
    best_distance = distance;
    best.push_back(candidate);
  }
  return best;
}

std::string_view whole(std::string_view text) { return text; }

std::string_view last_part(std::string_view text) {
  const std::size_t separator = text.find_last_of("/:");
  return separator == std::string_view::npos ? text : text.substr(separator + 1);
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string> near = all_nearest(word, candidates, whole);
  return near.empty() ? "" : near.front();
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (const std::string near = nearest(word, candidates); !near.empty()) {
    return "did you mean '" + near + "'?";
  }
  constexpr std::size_t kMostNear = 3;
  if (last_part(word) == word) {
    const auto near = all_nearest(word, candidates, last_part);
    if (!near.empty() && near.size() <= kMostNear) {
      return "did you mean '" + join(near, "' or '") + "'?";
    }
  }
  constexpr std::size_t kShown = 12;
  if (candidates.size() <= kShown) return "known: " + join(candidates, ", ");
  return "known: " + join({candidates.begin(), candidates.begin() + kShown}, ", ") + ", ...";
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text.append(separator);
    text.append(part);
  }
  return text;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; }, '?');
  return text;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace bellmark
