// Common parts of formulas for graphs: reads the `key=value` pairs, and refuses graphs that are too
// large for the machine, in time.
#pragma once

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace bellmark {

/// The `key=value` pairs in `pairs`. Each key must be known and be given once. Errors name
/// `reference`.
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

/// Throws MachineError if the machine has less memory. Without the check a process would be killed,
/// without a message.
void check_memory(const std::string& where, double needed_bytes);

}  // namespace bellmark
