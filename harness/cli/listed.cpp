#include "harness/cli/listed.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "harness/cli/help.hpp"

namespace bellmark::cli {
namespace {

using Json = nlohmann::ordered_json;

Json key_json(const Key& key) {
  return {{"name", key.name},
          {"default", key.default_value},
          {"values", key.range_text()},
          {"unit", key.unit},
          {"when", key.when == Key::When::run_time ? "run-time" : "compile-time"},
          {"tunable", key.tunable},
          {"summary", key.help}};
}

Json keys_json(const std::vector<Key>& keys) {
  Json list = Json::array();
  for (const Key& key : keys) list.push_back(key_json(key));
  return list;
}

Json family_json(const Family& family) {
  const Description& about = family.description();
  Json needs = Json::array();
  for (const Need need : about.needs) needs.push_back(to_string(need));
  Json aliases = Json::object();
  for (const auto& [alias, settings] : about.aliases) aliases[alias] = settings;
  return {{"name", family.name},
          {"problem", family.problem()},
          {"summary", about.summary},
          {"source", about.source},
          {"program", about.program},
          {"absence", family.absence},
          {"built_count", family.absence.empty() ? family.instances.size() : 0},
          {"needs", needs},
          {"keys", keys_json(typical_first(about.keys))},
          {"aliases", aliases}};
}

Json option_json(const CLI::Option& option) {
  return {{"name", option.get_name(option.get_positional(), !option.get_positional())},
          {"positional", option.get_positional()},
          {"takes_value", option.get_items_expected_max() > 0},
          {"needed", option.get_required()},
          {"default", option.get_default_str()},
          {"choices", choices_of(option)},
          {"summary", option.get_description()}};
}

}  // namespace

std::vector<Key> typical_first(std::vector<Key> keys) {
  // Clang 14 can't read std::ranges::stable_partition of this standard library.
  std::stable_partition(keys.begin(), keys.end(),
                        [](const Key& key) { return key.choices.size() != 1; });
  return keys;
}

Json listed_families() {
  const Registry& registry = Registry::global();
  Json problems = Json::array();
  for (const std::string& problem : registry.problems()) {
    problems.push_back({{"name", problem},
                        {"summary", registry.summary(problem)},
                        {"input_keys", keys_json(registry.input_keys(problem))}});
  }
  Json families = Json::array();
  for (const Family& family : registry.families()) families.push_back(family_json(family));
  for (const Family& family : registry.absent_families()) families.push_back(family_json(family));
  return {{"problems", problems}, {"families", families}};
}

Json listed_commands(const CLI::App& app) {
  Json list = Json::array();
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    Json options = Json::array();
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_group().empty()) options.push_back(option_json(*option));
    }
    const auto help = std::dynamic_pointer_cast<HelpFormatter>(command->get_formatter());
    list.push_back({{"name", command->get_name()},
                    {"group", command->get_group()},
                    {"summary", command->get_description()},
                    {"notes", command->get_footer()},
                    {"examples", help ? help->examples() : std::vector<std::string>()},
                    {"options", options},
                    {"commands", listed_commands(*command)}});
  }
  return list;
}

}  // namespace bellmark::cli
