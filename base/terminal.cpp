#include "base/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace bellmark {

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  constexpr std::size_t kOtherwise = 100;
  const char* const variable = std::getenv("COLUMNS");
  if (variable == nullptr) return kOtherwise;
  const std::string_view text(variable);
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), columns);
  return error == std::errc() && end == text.end() && columns > 0 ? columns : kOtherwise;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  constexpr unsigned char kKind = 0xC0;
  constexpr unsigned char kContinues = 0x80;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & kKind) == kContinues) continue;
    if (count == 0) return text.substr(0, at);
    --count;
  }
  return text;
}

}  // namespace bellmark
