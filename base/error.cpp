#include "base/error.hpp"

#include "base/text.hpp"

namespace bellmark {

std::string Error::compose(std::string_view where, std::string_view what, std::string_view remedy) {
  constexpr std::size_t kLongest = 600;
  constexpr std::size_t kLongestRemedy = 2000;  // it may list what there is to choose from
  std::string text;
  if (!where.empty()) text.append(printable(where, kLongest)).append(": ");
  text.append(printable(what, kLongest));
  if (!remedy.empty()) text.append("; ").append(printable(remedy, kLongestRemedy));
  return text;
}

}  // namespace bellmark
