// Line-wise scanning of large text files of numbers, fast enough to hide behind inflation.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.hpp"

namespace bellmark {

/// A word of a file, cut and escaped for a message.
std::string shown(std::string_view word);

/// Gives the lines of an input one after another, and the fields of a line by position. Within a
/// block every line ends in '\n', so that fields are scanned without a test for the end. A missing
/// last line end is added. Blanks are spaces, tabs and carriage returns.
class Scanner {
 public:
  explicit Scanner(Input& input) : input_(input), block_(kBlockBytes + kSlack) {}

  /// Moves to the next line that is not blank; false at the end of the input. The caller must go to
  /// the line's end by end_line() or skip_line().
  bool next_line() {
    for (;;) {
      if (at_ == end_ && !load_block()) return false;
      ++line_;
      at_ = skip_blanks(at_);
      if (*at_ != '\n') [[likely]]
        return true;
      ++at_;
    }
  }

  /// The next byte of the line, which is not taken; '\n' at its end.
  char first() const { return *at_; }

  /// Takes the first byte of the line, which must stand alone, and the blanks after it.
  char take_letter() {
    const char letter = *at_;
    if (!is_blank_or_end(at_[1])) [[unlikely]]
      fail_joined();
    at_ = skip_blanks(at_ + 1);
    return letter;
  }

  /// Takes a whole number in `least..most`. Errors name it `what`.
  std::uint64_t take_number(std::uint64_t least, std::uint64_t most, const char* what) {
    std::uint64_t value = 0;
    const char* next = scan_digits(at_, value);
    if (next == at_ || value < least || value > most || !is_blank_or_end(*next)) [[unlikely]] {
      fail_number(static_cast<std::int64_t>(least), most, what);
    }
    at_ = skip_blanks(next);
    return value;
  }

  /// Takes a whole number of less than 2^31 that may have a minus sign. `of_fraction` is the remedy
  /// for a fraction, if it is more than to write another number.
  std::int32_t take_signed(const char* what, const char* of_fraction = nullptr) {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    const bool is_negative = *at_ == '-';
    const char* const digits = is_negative ? at_ + 1 : at_;
    std::uint64_t value = 0;
    const char* next = scan_digits(digits, value);
    if (next == digits || value > kMost || !is_blank_or_end(*next)) [[unlikely]] {
      fail_number(-kMost, kMost, what, of_fraction);
    }
    at_ = skip_blanks(next);
    const auto magnitude = static_cast<std::int32_t>(value);
    return is_negative ? -magnitude : magnitude;
  }

  /// Takes a number, which may be a fraction, times `factor`. It is rounded to the nearest whole
  /// number (halves away from 0), and is at least 1 away from 0 unless it is 0. Less than 2^31.
  std::int32_t take_scaled(double factor, const char* what);

  /// Takes a run of bytes that are not blank; empty at the end of the line.
  std::string_view take_word();

  void end_line() {
    if (*at_ != '\n') [[unlikely]]
      fail_rest();
    ++at_;
  }
  void skip_line() { at_ = static_cast<const char*>(std::memchr(at_, '\n', end_ - at_)) + 1; }

  std::uint64_t line() const { return line_; }

  /// Throws InputError at the current line.
  [[noreturn]] void fail(std::string_view what, std::string_view remedy) const;
  [[noreturn]] void fail_letter(char letter, char expected) const;

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
  static constexpr std::size_t kSlack = 16;  // room for a last '\n' and reading 8 bytes at once

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static bool is_blank_or_end(char c) { return is_blank(c) || c == '\n'; }
  static const char* skip_blanks(const char* p) {
    while (is_blank(*p)) ++p;
    return p;
  }

  /// Reads a run of digits, 8 at a time in one register. A value too large for 64 bits comes out as
  /// the largest.
  static const char* scan_digits(const char* p, std::uint64_t& value) {
    static_assert(std::endian::native == std::endian::little, "digits are read as one number");
    std::uint64_t digits = 0;
    std::memcpy(&digits, p, 8);
    digits ^= 0x3030303030303030;  // digits become 0..9, anything else 10 or more
    // A carry out of a byte can only spoil bytes after the first that is not a digit.
    const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
    if (others == 0) [[unlikely]]
      return scan_many_digits(p, value);
    const int count = std::countr_zero(others) / 8;
    if (count == 0) return p;
    digits <<= 64 - 8 * count;  // leading zeros
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & 0x000000FF000000FF) * (100 + (std::uint64_t{1000000} << 32)) +
              (digits >> 16 & 0x000000FF000000FF) * (1 + (std::uint64_t{10000} << 32))) >>
             32;
    value = digits;
    return p + count;
  }

  static const char* scan_many_digits(const char* p, std::uint64_t& value);
  bool load_block();
  [[noreturn]] void fail_number(std::int64_t least, std::uint64_t most, const char* what,
                                const char* of_fraction = nullptr) const;
  [[noreturn]] void fail_joined() const;
  [[noreturn]] void fail_rest() const;

  Input& input_;
  std::vector<char> block_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;     // behind the last complete line
  const char* filled_ = nullptr;  // behind the last byte read
  std::uint64_t line_ = 0;
};

}  // namespace bellmark
