// The parts of the scanner that a good line never reaches, and the loading of blocks.
#include "graph/scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

/// A byte in a form for a one-line message.
std::string printable(char c) {
  if (c >= ' ' && c <= '~') return std::string("'") + c + "'";
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "byte 0x%02x", static_cast<unsigned char>(c));
  return text.data();
}

}  // namespace

std::string shown(std::string_view word) {
  constexpr std::size_t kShown = 24;
  return escaped(word.substr(0, kShown)) + (word.size() > kShown ? "..." : "");
}

std::string_view Scanner::take_word() {
  const char* next = at_;
  while (!is_blank_or_end(*next)) ++next;
  const std::string_view word(at_, static_cast<std::size_t>(next - at_));
  at_ = skip_blanks(next);
  return word;
}

std::int32_t Scanner::take_scaled(double factor, const char* what) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::string_view word = take_word();
  if (word.empty()) fail(std::string(what) + " is missing", "the line ends too early");
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
    fail(std::string(what) + " '" + shown(word) + "' is not a number", "write one, such as 0.25");
  }
  const double magnitude = std::max(std::round(std::abs(value * factor)), value == 0 ? 0.0 : 1.0);
  // Also for a number that no double holds, and for one that is not finite.
  if (error != std::errc() || !(magnitude <= kMost)) {
    fail(std::string(what) + " " + shown(word) + " is out of range when it is scaled",
         "scale by a smaller factor: lengths are less than 2^31");
  }
  return static_cast<std::int32_t>(std::copysign(magnitude, value));
}

const char* Scanner::scan_many_digits(const char* p, std::uint64_t& value) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  for (; *p >= '0' && *p <= '9'; ++p) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    value = value > (kMost - digit) / 10 ? kMost : value * 10 + digit;
  }
  return p;
}

bool Scanner::load_block() {
  char* const begin = block_.data();
  const auto kept = static_cast<std::size_t>(filled_ - at_);
  if (kept > 0) std::memmove(begin, at_, kept);
  at_ = begin;
  for (std::size_t filled = kept;;) {
    if (filled == kBlockBytes) {
      ++line_;
      fail("line is longer than " + std::to_string(kBlockBytes) + " bytes", "is this a text file?");
    }
    const std::size_t count = input_.read({begin + filled, kBlockBytes - filled});
    if (count == 0 && filled > 0) block_[filled] = '\n';
    const std::size_t readable = filled + (count == 0 && filled > 0 ? 1 : count);
    filled_ = begin + readable;
    // Only the new bytes can hold the last line end.
    const std::string_view fresh(begin + filled, readable - filled);
    if (const std::size_t last = fresh.rfind('\n'); last != std::string_view::npos) {
      end_ = fresh.data() + last + 1;
      return true;
    }
    if (count == 0) {
      end_ = at_;
      return false;
    }
    filled = readable;
  }
}

void Scanner::fail(std::string_view what, std::string_view remedy) const {
  // An empty file has no line, but an editor shows one.
  const std::uint64_t line = std::max<std::uint64_t>(line_, 1);
  throw InputError(input_.name() + ":" + std::to_string(line), what, remedy);
}

void Scanner::fail_letter(char letter, char expected) const {
  fail("unknown kind of line, beginning with " + printable(letter),
       "lines here begin with c, p or " +
           (expected == '\0' ? "a number" : std::string(1, expected)));
}

void Scanner::fail_number(std::int64_t least, std::uint64_t most, const char* what,
                          const char* of_fraction) const {
  const std::string range = std::to_string(least) + ".." + std::to_string(most);
  if (*at_ == '\n') fail(std::string(what) + " is missing", "the line ends too early");
  const char* next = at_;
  if (*next == '-') ++next;
  while (*next >= '0' && *next <= '9') ++next;
  if (!is_blank_or_end(*next)) {
    if (of_fraction != nullptr && (*next == '.' || *next == 'e' || *next == 'E')) {
      const char* end = next;
      while (!is_blank_or_end(*end)) ++end;
      fail(std::string(what) + " " + shown({at_, end}) + " is not whole", of_fraction);
    }
    fail(std::string(what) + " has " + printable(*next) + " in it",
         "write a whole number in " + range);
  }
  constexpr std::size_t kShown = 24;
  const auto size = static_cast<std::size_t>(next - at_);
  fail(std::string(what) + " " + std::string(at_, std::min(size, kShown)) +
           (size > kShown ? "..." : "") + " is out of range",
       "it must be in " + range);
}

void Scanner::fail_joined() const {
  fail(printable(at_[1]) + " right after the letter " + printable(*at_),
       "write a blank between them");
}

void Scanner::fail_rest() const {
  fail("unexpected " + printable(*at_) + " after the last field", "remove the rest of the line");
}

}  // namespace bellmark
