#include "harness/cli/complete.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "harness/cli/help.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::cli {
namespace {

using Candidates = std::vector<Candidate>;

Candidates of_words(const std::vector<std::string>& words) {
  Candidates list;
  for (const std::string& word : words) list.push_back({word, {}});
  return list;
}

void add_keys(const Family& family, const std::string& before, Candidates& list) {
  for (const Key& key : family.description().keys) {
    list.push_back({before + key.name + "=", key.help});
  }
}

/// `begun` is `sssp/dijkstra:arity=4,queue=h`: keys of the family, or values of the last key.
Candidates settings_of(const std::string& begun) {
  const std::size_t colon = begun.find(':');
  const std::vector<Family>& families = Registry::global().families();
  const auto family = std::ranges::find(families, begun.substr(0, colon), &Family::name);
  if (family == families.end()) return {};
  const std::size_t last = begun.find_last_of(":,") + 1;
  const std::size_t equals = begun.find('=', last);
  Candidates list;
  if (equals == std::string::npos) {
    add_keys(*family, begun.substr(0, last), list);
  } else if (const Key* key = family->key(begun.substr(last, equals - last)); key != nullptr) {
    for (const std::string& value : key->choices) {
      list.push_back({begun.substr(0, equals + 1) + value, {}});
    }
  }
  return list;
}

/// Problems, then families of the problem, then keys and values.
Candidates variants(const std::string& begun, bool with_problems) {
  if (begun.find(':') != std::string::npos && begun.find('/') < begun.find(':')) {
    return settings_of(begun);
  }
  Candidates list;
  const Registry& registry = Registry::global();
  for (const Family& family : registry.families()) {
    list.push_back({family.name, family.description().summary});
    for (const auto& [alias, settings] : family.description().aliases) {
      if (begun.find(':') != std::string::npos) list.push_back({alias, settings});
    }
  }
  if (with_problems) {
    for (const std::string& problem : registry.problems()) {
      list.push_back({problem, registry.summary(problem)});
    }
  }
  return list;
}

Candidates graphs() {
  Candidates list = of_words(catalogued_graphs());
  for (const Generator& generator : generators()) {
    list.push_back({generator.name + ":", generator.text});
  }
  return list;
}

/// From the names of files and folders, which are not opened.
Candidates experiments() {
  Candidates list;
  for (const auto& file : plan::find_experiments("")) {
    std::filesystem::path name;
    for (const auto& part : file) name = part == "experiments" ? "" : name / part;
    name.replace_extension();
    list.push_back({name.string(), {}});
    const std::string folder = name.parent_path().string();
    const bool is_new = std::ranges::find(list, folder, &Candidate::word) == list.end();
    if (is_new && !folder.empty()) list.push_back({folder, {}});
  }
  return list;
}

Candidates axes() {
  Candidates list = {
      {"graph=", {}}, {"placement=", {}}, {"pages=", {}}, {"memory=", {}}, {"ranks=", {}}};
  for (const Family& family : Registry::global().families()) {
    for (const Key& key : family.description().keys) {
      const bool is_new = std::ranges::find(list, key.name + "=", &Candidate::word) == list.end();
      if (is_new) list.push_back({key.name + "=", key.help});
    }
  }
  return list;
}

/// Values of an option or an argument, by its name.
Candidates values(const CLI::Option& option, const std::string& begun) {
  if (const auto choices = choices_of(option); !choices.empty()) return of_words(choices);
  const std::vector<std::string>& names = option.get_lnames();
  const std::string name = names.empty() ? option.get_name() : names.front();
  if (name == "variant") return variants(begun, false);
  if (name == "name") return variants(begun, true);
  if (name == "graph" || name == "input" || name == "REF" || name == "FORMULA" || name == "roads" ||
      name == "time")
    return graphs();
  if (name == "experiment") return experiments();
  if (name == "axis") return axes();
  if (name == "placement") {
    return of_words({"core:", "pu:", "numa:", "package:", "each:core",
                     "near:gpu:", "spread:", "compact:", "scatter:", "pair:shared-l2",
                     "pair:shared-l3", "pair:same-package", "pair:other-package", "class:core",
                     "class:pair", "none"});
  }
  if (name == "pages") return of_words({"huge", "reserved", "small", "system"});
  if (name == "memory") {
    return of_words({"first-touch", "interleave", "local", "numa:", "system"});
  }
  if (name == "profile") return of_words({"perf", "callgrind", "nsys", "ncu"});
  if (name == "strategy") return of_words({"ladder", "grid"});
  if (name == "objective") return of_words({"time", "energy", "memory"});
  return {};
}

const CLI::Option* find_option(const CLI::App& app, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional() && option->check_name(name)) return option;
  }
  return nullptr;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto named = app.get_subcommands([&](const CLI::App* command) {
    return command->get_name() == name && !command->get_group().empty();
  });
  return named.empty() ? nullptr : named.front();
}

Candidates options(const CLI::App& app) {
  Candidates list;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) {
      list.push_back({"--" + name, option->get_description()});
    }
  }
  return list;
}

Candidates commands(const CLI::App& app) {
  Candidates list;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    list.push_back({command->get_name(), command->get_description()});
  }
  return list;
}

/// The argument at this index. The last one if it takes many.
const CLI::Option* argument(const CLI::App& app, std::size_t index) {
  const CLI::Option* last = nullptr;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    last = option;
    if (index < static_cast<std::size_t>(option->get_items_expected_max())) break;
    --index;
  }
  return last;
}

/// The place of the last word.
struct Place {
  const CLI::App* command = nullptr;
  const CLI::Option* option = nullptr;  ///< the option of this value
  std::size_t argument_count = 0;       ///< before it
};

Place place_of_last(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (place.option != nullptr) {
      place.option = nullptr;
    } else if (words[i].starts_with('-')) {
      const CLI::Option* option = find_option(*place.command, words[i]);
      const bool is_open = option != nullptr && words[i].find('=') == std::string::npos;
      if (is_open && option->get_items_expected_max() > 0) place.option = option;
    } else if (const CLI::App* below = find_command(*place.command, words[i])) {
      place.command = below;
    } else {
      ++place.argument_count;
    }
  }
  return place;
}

Candidates all_at(const Place& place, const std::string& begun) {
  if (place.option != nullptr) return values(*place.option, begun);
  if (begun.starts_with('-')) {
    const std::size_t equals = begun.find('=');
    if (equals == std::string::npos) return options(*place.command);
    const CLI::Option* const option = find_option(*place.command, begun);
    if (option == nullptr) return {};
    Candidates list = values(*option, begun.substr(equals + 1));
    for (Candidate& candidate : list) {
      candidate.word = begun.substr(0, equals + 1) + candidate.word;
    }
    return list;
  }
  Candidates list = commands(*place.command);
  if (!list.empty()) return list;
  const CLI::Option* const option = argument(*place.command, place.argument_count);
  return option == nullptr ? Candidates() : values(*option, begun);
}

}  // namespace

std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string begun = words.empty() ? "" : words.back();
  Candidates list = all_at(place_of_last(app, words), begun);
  std::erase_if(list,
                [&](const Candidate& candidate) { return !candidate.word.starts_with(begun); });
  // A candidate is a line, and its help may have several.
  for (Candidate& candidate : list) std::ranges::replace(candidate.text, '\n', ' ');
  return list;
}

}  // namespace bellmark::cli
