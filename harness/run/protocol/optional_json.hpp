// Values that may be missing, as JSON: null where there is none.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bellmark::run {

/// null for nothing.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// Nothing for null and for a missing key.
template <class T>
void get_optional(const nlohmann::ordered_json& json, const char* key, std::optional<T>& value) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) {
    value.reset();
  } else {
    value = found->template get<T>();
  }
}

/// An object's pairs, in their order.
template <class T>
nlohmann::ordered_json object_of(const std::vector<std::pair<std::string, T>>& pairs) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : pairs) json[name] = value;
  return json;
}

template <class T>
std::vector<std::pair<std::string, T>> pairs_of(const nlohmann::ordered_json& object) {
  std::vector<std::pair<std::string, T>> pairs;
  for (const auto& [name, value] : object.items())
    pairs.emplace_back(name, value.template get<T>());
  return pairs;
}

}  // namespace bellmark::run
