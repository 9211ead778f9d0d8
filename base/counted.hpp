// A number with its noun, for people.
#pragma once

#include <concepts>
#include <string>

namespace bellmark {

/// `1 cell`, `2 cells`. `plural` is for a noun that takes more than an s.
std::string counted(std::integral auto count, const std::string& noun,
                    const std::string& plural = "") {
  const std::string many = plural.empty() ? noun + "s" : plural;
  return std::to_string(count) + " " + (count == 1 ? noun : many);
}

}  // namespace bellmark
