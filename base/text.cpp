#include "base/text.hpp"

#include <algorithm>
#include <cctype>
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

/// Bytes of the UTF-8 character at the front, 0 when there is none (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
  };
  const auto in = [&](std::size_t i, unsigned least, unsigned most) {
    return byte(i) >= least && byte(i) <= most;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return in(1, 0x80, 0xbf) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool second = in(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second && in(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool second = in(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

/// A byte of a character that is not its first.
bool continues(std::string_view text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
}

/// C0, DEL, and C1, which some terminals obey as well.
bool is_control(std::string_view character) {
  if (character.size() == 1)
    return (character[0] >= '\0' && character[0] < ' ') || character[0] == '\x7f';
  return character >= "\u0080" && character <= "\u009f";
}

/// A word whose letters all differ is never near: `0` is not near to `pu`.
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
  if (!near.empty()) return near.front();
  // The beginning of only one word stands for that word: `kron` is `kronecker`.
  constexpr std::size_t kLeastBegun = 3;
  if (word.size() < kLeastBegun) return "";
  const auto is_begun = [&](const std::string& candidate) { return candidate.starts_with(word); };
  if (std::ranges::count_if(candidates, is_begun) != 1) return "";
  return *std::ranges::find_if(candidates, is_begun);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
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
  return "";
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (std::string question = did_you_mean(word, candidates); !question.empty()) return question;
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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_length(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(character.size());
    if (size > 0 && !is_control(character)) {
      out += character;
      continue;
    }
    for (std::size_t at = 0; at < character.size(); ++at) {
      const auto byte = static_cast<unsigned char>(character[at]);
      out.append("\\x") += kDigits[byte >> 4];
      out += kDigits[byte & 0xF];
    }
  }
  return out;
}

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view kLeftOut = " ... ";
  std::string whole = escaped(text);
  if (whole.size() <= most) return whole;
  // The cut keeps the message's words after a field.
  const std::size_t kept = most > kLeftOut.size() ? most - kLeftOut.size() : 0;
  std::size_t tail = whole.size() - kept / 3;
  std::size_t head = kept - kept / 3;
  while (head > 0 && continues(whole, head)) --head;
  while (tail < whole.size() && continues(whole, tail)) ++tail;
  return whole.substr(0, head).append(kLeftOut).append(whole, tail);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // The next run of digits, without its leading zeros, or the next other byte.
  const auto take = [&](std::string_view& text) {
    std::size_t size = 0;
    while (size < text.size() && is_digit(text[size])) ++size;
    std::string_view run = text.substr(0, size == 0 ? 1 : size);
    text.remove_prefix(run.size());
    while (size > 1 && run.size() > 1 && run.front() == '0') run.remove_prefix(1);
    return run;
  };
  while (!a.empty() && !b.empty()) {
    const std::string_view x = take(a);
    const std::string_view y = take(b);
    if (is_digit(x.front()) && is_digit(y.front()) && x.size() != y.size()) {
      return x.size() < y.size();
    }
    if (x != y) return x < y;
  }
  return a.size() < b.size();
}

std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./:=,+^%@-").find(char(c)) != std::string::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace bellmark
