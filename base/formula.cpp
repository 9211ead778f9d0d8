// Reads `key=value` pairs, and refuses graphs that are too large for the machine.
#include "base/formula.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.hpp"

namespace bellmark {

std::map<std::string, std::string> parse_keys(const std::string& reference, std::string_view pairs,
                                              const std::vector<std::string>& known,
                                              const std::vector<std::string>& needed) {
  std::map<std::string, std::string> values;
  for (const std::string& part : split(pairs, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (std::ranges::find(known, key) == known.end()) {
      throw InputError(reference, "unknown key '" + key + "'", suggestion(key, known));
    }
    if (equals == std::string::npos) {
      throw InputError(reference, "key '" + key + "' has no value", "write " + key + "=VALUE");
    }
    if (!values.emplace(key, part.substr(equals + 1)).second) {
      throw InputError(reference, "key '" + key + "' is given twice", "keep only one");
    }
  }
  for (const std::string& key : needed) {
    if (!values.contains(key)) {
      throw InputError(reference, "key '" + key + "' is missing", "add " + key + "=VALUE");
    }
  }
  return values;
}

std::string shortest(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

void check_memory(const std::string& where, double needed_bytes) {
  const double present =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed_bytes <= present) return;
  constexpr double kGibi = 1 << 30;
  throw MachineError(where,
                     "needs " + std::to_string(static_cast<std::uint64_t>(needed_bytes / kGibi)) +
                         " GiB of memory and the machine has " +
                         std::to_string(static_cast<std::uint64_t>(present / kGibi)),
                     "ask for less");
}

}  // namespace bellmark
