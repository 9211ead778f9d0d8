#include "harness/tune/keys.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::tune {
namespace {

/// The key with the values that were built. Other values can't be tried.
Key with_built_values(Key key, const Family& family) {
  std::vector<std::string> built;
  for (const Instance& instance : family.instances) {
    if (!instance.description.instance.has(key.name)) continue;
    const std::string& value = instance.description.instance.get(key.name);
    if (std::ranges::find(built, value) == built.end()) built.push_back(value);
  }
  const auto number = [](const std::string& value) { return parse_integer(value).value_or(0); };
  if (key.choices.empty()) std::ranges::sort(built, {}, number);
  key.choices = built;
  return key;
}

std::vector<std::string> names_where(const Family& family, bool (*holds)(const Key&)) {
  std::vector<std::string> names;
  for (const Key& key : family.description().keys) {
    if (holds(key)) names.push_back(key.name);
  }
  return names;
}

}  // namespace

Selection select_one(const std::string& pattern) {
  const auto selections = Registry::global().select(pattern);
  if (selections.size() == 1) return selections.front();
  throw InputError("variant '" + pattern + "'",
                   "names " + std::to_string(selections.size()) + " variants; tune searches one",
                   "name one (see: bellmark list -v '" + pattern + "')");
}

bool is_compile_time(const Key& key) { return key.when == Key::When::compile_time; }

std::string tunable_text(const Family& family) {
  const auto tunable = names_where(family, [](const Key& key) { return key.tunable; });
  const auto built = names_where(family, is_compile_time);
  std::string text = tunable.empty() ? "it declares no key tunable" : "tunable are ";
  text += join(tunable, ", ");
  if (!built.empty()) text += "; compile-time keys can be named as well: " + join(built, ", ");
  return text;
}

std::vector<Key> keys_to_search(const Family& family, const std::string& named) {
  std::vector<std::string> names;
  for (const std::string& part : split(named, ',')) names.emplace_back(trim(part));
  if (names.empty()) names = names_where(family, [](const Key& key) { return key.tunable; });
  if (names.empty()) {
    throw InputError(family.name, tunable_text(family), "name keys with -p (see: bellmark list)");
  }
  std::vector<Key> keys;
  for (const std::string& name : names) {
    const Key* key = family.key(name);
    if (key == nullptr) {
      throw InputError("-p " + named, "'" + family.name + "' has no key '" + name + "'",
                       suggestion(name, names_where(family, [](const Key&) { return true; })));
    }
    if (!is_compile_time(*key) && !key->tunable) {
      throw InputError("-p " + named, "key '" + name + "' is not tunable", tunable_text(family));
    }
    if (std::ranges::find(keys, key->name, &Key::name) != keys.end()) {
      throw InputError("-p " + named, "key '" + name + "' is named twice", "name it once");
    }
    keys.push_back(is_compile_time(*key) ? with_built_values(*key, family) : *key);
  }
  return keys;
}

}  // namespace bellmark::tune
