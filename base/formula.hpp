// What graphs that are named by `key=value` pairs share: reading the pairs, and refusing in time
// what the machine can't hold.
#pragma once

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace bellmark {

/// The `key=value` pairs in `pairs`, each known and given once; `reference` stands in errors.
std::map<std::string, std::string> parse_keys(const std::string& reference, std::string_view pairs,
                                              const std::vector<std::string>& known,
                                              const std::vector<std::string>& needed);

template <class T>
T parse_number(std::string_view text, const std::string& where, const char* expected) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(where, "'" + std::string(text) + "' is not " + expected, "correct the value");
  }
  return value;
}

/// The shortest text that reads back as the same number.
std::string shortest(double value);

/// Asking for more than the machine has would end in a killed process, not in a message: throws
/// MachineError.
void check_memory(const std::string& where, double needed_bytes);

}  // namespace bellmark
