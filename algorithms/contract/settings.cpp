#include "algorithms/contract/settings.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Settings Settings::parse(std::string_view text) {
  Settings settings;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key(trim(std::string_view(part).substr(0, equals)));
    if (equals == std::string::npos || key.empty()) {
      throw InputError("settings '" + std::string(text) + "'", "'" + part + "' is no key=value",
                       "write for example arity=4,queue=heap");
    }
    if (settings.has(key)) {
      throw InputError("settings '" + std::string(text) + "'", "key '" + key + "' is given twice",
                       "give it once");
    }
    settings.set(key, trim(std::string_view(part).substr(equals + 1)));
  }
  return settings;
}

const std::string* Settings::find(std::string_view key) const {
  for (const Entry& entry : entries_) {
    if (entry.first == key) return &entry.second;
  }
  return nullptr;
}

const std::string& Settings::get(std::string_view key) const {
  if (const std::string* value = find(key)) return *value;
  throw InputError("settings", "key '" + std::string(key) + "' is missing", "give it a value");
}

std::int64_t Settings::integer(std::string_view key) const {
  const std::string& value = get(key);
  if (const auto parsed = parse_integer(value)) return *parsed;
  throw InputError("key '" + std::string(key) + "'", "'" + value + "' is no integer",
                   "write a whole number");
}

double Settings::number(std::string_view key) const {
  const std::string& value = get(key);
  char* end = nullptr;
  const double parsed = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0' || !std::isfinite(parsed)) {
    throw InputError("key '" + std::string(key) + "'", "'" + value + "' is no number",
                     "write a number such as 0.5");
  }
  return parsed;
}

void Settings::set(std::string_view key, std::string_view value) {
  for (Entry& entry : entries_) {
    if (entry.first == key) {
      entry.second = value;
      return;
    }
  }
  entries_.emplace_back(key, value);
}

std::string Settings::text() const {
  std::string text;
  for (const Entry& entry : entries_) {
    if (!text.empty()) text += ',';
    text.append(entry.first).append("=").append(entry.second);
  }
  return text;
}

}  // namespace bellmark
