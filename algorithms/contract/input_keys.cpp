#include "algorithms/contract/input_keys.hpp"

#include <algorithm>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

constexpr const char* kAllDefaults = "default";

}  // namespace

Settings input_settings(const std::string& reference, const std::vector<Key>& keys) {
  const std::string where = "input '" + reference + "'";
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const Key& key : keys) names.push_back(key.name);
  const bool names_keys = !reference.empty() && reference != kAllDefaults;
  const Settings given = names_keys ? Settings::parse(reference) : Settings();
  for (const auto& [name, value] : given.entries()) {
    const auto key = std::ranges::find(keys, name, &Key::name);
    if (key == keys.end()) {
      throw InputError(where, "it has no key '" + name + "'",
                       names.empty() ? "leave it out" : suggestion(name, names));
    }
    if (const std::string refusal = key->refuse(value); !refusal.empty()) {
      throw InputError(where, refusal);
    }
  }
  Settings settings;
  for (const Key& key : keys) {
    settings.set(key.name, given.has(key.name) ? given.get(key.name) : key.default_value);
  }
  return settings;
}

Facts key_facts(std::string_view problem, const std::string& reference,
                const std::vector<Key>& keys) {
  const Settings settings = input_settings(reference, keys);
  Facts facts = {{"digest", Digest().add(problem).add("\n").add(settings.text()).hex()}};
  for (const auto& [name, value] : settings.entries()) {
    const auto number = parse_integer(value);
    facts.emplace_back(name, number ? FactValue(*number) : FactValue(value));
  }
  return facts;
}

std::string default_reference(const std::vector<Key>& keys) {
  return keys.empty() ? kAllDefaults : input_settings(kAllDefaults, keys).text();
}

}  // namespace bellmark
