#include "base/terminal.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>

namespace bellmark {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

struct Character {
  std::size_t size;   ///< in bytes
  std::size_t width;  ///< in columns
};

struct Span {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr Span kCombining[] = {
    {0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
constexpr Span kWide[] = {
    {0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <std::size_t kCount>
bool is_in(const Span (&spans)[kCount], std::uint32_t code) {
  return std::ranges::any_of(
      spans, [&](const Span& span) { return span.first <= code && code <= span.last; });
}

/// The first character of text that isn't empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  constexpr unsigned kPayload = 0x3F;
  std::uint32_t code = byte(0);
  std::size_t size = 1;
  if (code >= 0xC0) {
    code &= code >= 0xF0 ? 0x07U : code >= 0xE0 ? 0x0FU : 0x1FU;
    for (; size < text.size() && (byte(size) & 0xC0U) == 0x80U; ++size) {
      code = (code << 6) | (byte(size) & kPayload);
    }
  }
  return {size, is_in(kCombining, code) ? 0U : is_in(kWide, code) ? 2U : 1U};
}

/// The longest end of the text that takes `columns` at most.
std::string_view last_columns(std::string_view text, std::size_t columns) {
  std::size_t width = display_width(text);
  while (width > columns) {
    const Character first = first_character(text);
    width -= first.width;
    text.remove_prefix(first.size);
  }
  return text;
}

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* const variable = std::getenv("COLUMNS");
  if (variable == nullptr) return std::nullopt;
  const std::string_view text(variable);
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), columns);
  if (error != std::errc() || end != text.end() || columns == 0) return std::nullopt;
  return columns;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character first = first_character(text);
    width += first.width;
    text.remove_prefix(first.size);
  }
  return width;
}

std::string_view first_columns(std::string_view text, std::size_t columns) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character next = first_character(text.substr(at));
    width += next.width;
    if (width > columns) return text.substr(0, at);
    at += next.size;
  }
  return text;
}

std::string cut_end(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  constexpr std::size_t kLittle = 16;  // bytes of a word that may go
  std::string_view kept = first_columns(text, columns - 1);
  const std::size_t blank = kept.rfind(' ');
  if (text[kept.size()] != ' ' && blank != std::string_view::npos && blank > 0 &&
      kept.size() - blank <= kLittle) {
    kept = kept.substr(0, blank);
  }
  kept = kept.substr(0, kept.find_last_not_of(" ,;:/") + 1);
  return std::string(kept).append(kEllipsis);
}

std::string cut_middle(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  const std::size_t tail = (columns - 1) / 2;
  return std::string(first_columns(text, columns - 1 - tail))
      .append(kEllipsis)
      .append(last_columns(text, tail));
}

std::string wrapped(std::string_view text, std::string_view head, std::size_t columns) {
  std::string out;
  std::string line;
  std::string indent(head);
  const std::size_t indent_width = display_width(head);
  const auto append = [&](std::string_view piece, std::string_view separator) {
    const std::size_t width =
        indent_width + display_width(line) + separator.size() + display_width(piece);
    if (!line.empty() && width > columns) {
      line.erase(line.find_last_not_of(' ') + 1);
      out.append(indent).append(line).append("\n");
      line.clear();
      indent.assign(indent_width, ' ');
    }
    line.append(line.empty() ? "" : separator).append(piece);
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    std::string_view separator = " ";
    // A word too long for a line, such as a variant's name, breaks between its settings.
    while (indent_width + display_width(word) > columns && word.find(',') < word.size() - 1) {
      const std::size_t piece = word.find(',') + 1;
      append(word.substr(0, piece), separator);
      word.remove_prefix(piece);
      separator = "";
    }
    append(word, separator);
    begin = end + 1;
  }
  return line.empty() ? out : out + indent + line + "\n";
}

}  // namespace bellmark
