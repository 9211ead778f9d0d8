// A number with its noun, for people.
#pragma once

#include <concepts>
#include <string>

namespace bellmark::cli {

/// `1 cell`, `2 cells`.
std::string counted(std::integral auto count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace bellmark::cli
