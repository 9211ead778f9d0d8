// The names of an enumeration's values, in files and messages.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark {

/// A table of every value with its name. A look-up takes O(values).
template <class Enum, std::size_t count>
struct EnumNames {
  std::array<std::pair<Enum, const char*>, count> names;

  /// "" for a value that the table lacks.
  std::string name_of(Enum value) const {
    for (const auto& [known, name] : names) {
      if (known == value) return name;
    }
    return {};
  }

  /// Nothing for a word that is not a name.
  std::optional<Enum> value_of(std::string_view word) const {
    for (const auto& [value, name] : names) {
      if (word == name) return value;
    }
    return {};
  }

  std::vector<std::string> all() const {
    std::vector<std::string> words;
    for (const auto& [value, name] : names) words.emplace_back(name);
    return words;
  }
};

}  // namespace bellmark
