// `bellmark list`: the variants and their keys, and the experiments and graphs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>

#include "algorithms/contract/registry.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "graph/open.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/listed.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::cli {
namespace {

constexpr std::size_t kColumns = 100;

struct ListFlags {
  std::string name;
  std::string variant;
  bool graphs = false;
  bool experiments = false;
  bool json = false;
};

std::string indented(const std::string& text, std::size_t blanks) {
  return wrapped(text, std::string(blanks, ' '), kColumns);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string own_name(const Family& family) { return family.name.substr(family.name.find('/') + 1); }

void print_key(const Key& key) {
  std::vector<std::string> marks;
  if (!key.unit.empty()) marks.push_back("in " + key.unit);
  if (key.when == Key::When::run_time) marks.emplace_back("run-time");
  if (key.tunable) marks.emplace_back("tunable");
  const std::string values = key.choices.empty() ? key.range_text() : join(key.choices, ", ");
  const std::string tail = marks.empty() ? "" : " (" + join(marks, ", ") + ")";
  const std::string head = "  " + padded(key.name + "=" + key.default_value, 22) + "  ";
  std::cout << wrapped(values + tail, head, kColumns) << indented(key.help, 6);
}

/// For a problem whose inputs are made from keys.
void print_inputs(const std::string& problem) {
  const std::vector<Key> keys = Registry::global().input_keys(problem);
  if (keys.empty()) return;
  std::cout << "\nKeys of its inputs with their defaults, and the values that they take:\n";
  for (const Key& key : keys) print_key(key);
}

void print_family(const Family& family) {
  const Description& about = family.description();
  std::cout << family.name << "\n" << indented(about.summary, 2);
  std::cout << "  " << counted(family.instances.size(), "variant") << " built\n";
  if (!about.source.empty()) std::cout << indented("Source: " + about.source, 2);
  std::vector<std::string> needs;
  for (const Need need : about.needs) needs.push_back(to_string(need));
  if (!needs.empty()) std::cout << "  Needs: " << join(needs, ", ") << "\n";
  if (!about.keys.empty())
    std::cout << "\nKeys with their defaults, and the values that they take:\n";
  for (const Key& key : typical_first(about.keys)) print_key(key);
  if (!about.aliases.empty()) std::cout << "\nNames in papers:\n";
  for (const auto& [alias, settings] : about.aliases) {
    std::cout << "  " << alias << " = " << settings << "\n";
  }
  std::cout << "\nTry: " << installation().name << " run -v " << family.name << " --smoke\n";
}

void print_absent(const Family& family) {
  const bool is_program = !family.description().program.empty();
  std::cout << family.name << (is_program ? "  (not here)\n" : "  (not built)\n")
            << indented(family.absence, 2);
}

void print_problem(const std::string& problem) {
  const Registry& registry = Registry::global();
  std::vector<std::string> absent;
  std::cout << problem << "\n";
  if (const std::string summary = registry.summary(problem); !summary.empty()) {
    std::cout << indented(summary, 2);
  }
  std::cout << "\nFamilies:\n";
  for (const Family& family : registry.families()) {
    if (family.problem() != problem) continue;
    std::cout << "  " << padded(own_name(family), 22) << "  " << family.description().summary
              << "\n";
  }
  for (const Family& family : registry.absent_families()) {
    if (family.problem() == problem) absent.push_back(own_name(family));
  }
  if (!absent.empty()) std::cout << "\nNot here:\n" << indented(join(absent, ", "), 2);
  print_inputs(problem);
  std::cout << "\nKeys of a family: " << installation().name << " list " << problem << "/FAMILY\n";
}

void print_problems() {
  const Registry& registry = Registry::global();
  for (const std::string& problem : registry.problems()) {
    std::vector<std::string> names;
    std::vector<std::string> not_built;
    std::size_t variant_count = 0;
    for (const Family& family : registry.families()) {
      if (family.problem() != problem) continue;
      names.push_back(own_name(family));
      variant_count += family.instances.size();
    }
    for (const Family& family : registry.absent_families()) {
      const bool is_ours = family.description().program.empty();
      if (is_ours && family.problem() == problem) not_built.push_back(own_name(family));
    }
    const std::string summary = registry.summary(problem);
    std::cout << padded(problem, 16) << " " << summary << (summary.empty() ? "" : "; ")
              << counted(variant_count, "variant") << "\n";
    if (!names.empty()) std::cout << indented(join(names, ", "), 17);
    if (!not_built.empty()) std::cout << indented("not built: " + join(not_built, ", "), 17);
  }
  const std::string name = installation().name;
  std::cout << "\nFamilies of a problem: " << name << " list PROBLEM\n"
            << "Keys of a family:      " << name << " list PROBLEM/FAMILY\n";
}

/// The meaning of a name: a problem, a family, or a pattern of variants.
void print_named(const std::string& name) {
  const Registry& registry = Registry::global();
  const std::vector<std::string> problems = registry.problems();
  if (std::ranges::find(problems, name) != problems.end()) return print_problem(name);
  const auto family = std::ranges::find(registry.families(), name, &Family::name);
  if (family != registry.families().end()) return print_family(*family);
  const auto absent = std::ranges::find(registry.absent_families(), name, &Family::name);
  if (absent != registry.absent_families().end()) return print_absent(*absent);
  if (name.find_first_of("/:*") == std::string::npos) {
    std::vector<std::string> known = problems;
    for (const Family& other : registry.families()) known.push_back(other.name);
    throw InputError("list", "no problem or family is called '" + name + "'",
                     suggestion(name, known));
  }
  for (const Selection& selection : registry.select(name)) std::cout << selection.name() << "\n";
}

void list(const ListFlags& flags) {
  plan::installed_programs();
  const Registry& registry = Registry::global();
  if (flags.json) {
    std::cout << listed_families().dump(2) << "\n";
    return;
  }
  if (flags.graphs) {
    for (const std::string& id : catalogued_graphs()) std::cout << id << "\n";
  }
  if (flags.experiments) {
    for (const auto& file : plan::find_experiments("")) {
      const plan::Experiment experiment = plan::read_experiment(file);
      std::cout << experiment.id << "  " << experiment.title << "  (" << file.string() << ")\n";
    }
  }
  if (flags.graphs || flags.experiments) return;
  if (!flags.variant.empty()) {
    for (const Selection& selection : registry.select(flags.variant)) {
      std::cout << selection.name() << "\n";
    }
  } else if (!flags.name.empty()) {
    print_named(flags.name);
  } else {
    print_problems();
  }
}

}  // namespace

Command list_command() {
  return {
      "list",
      Registry::global().takes_graphs()
          ? "List problems, families, variants, graphs and experiments"
          : "List problems, families, variants and experiments",
      "A variant's name is problem/family:key=value,...; omitted keys take their defaults, `*` "
      "every value.\n\n"
      "  bellmark list\n"
      "  bellmark list sssp/dijkstra\n"
      "  bellmark list sssp\n"
      "  bellmark list --experiments\n"
      "  bellmark list -v 'sssp/dijkstra:arity=*'\n"
      "  bellmark list -v 'yasui2011:2-heap*'",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<ListFlags>();
        app.add_option("name", flags->name,
                       "a problem (its families), a family (its keys), or a pattern of variants");
        app.add_option("-v,--variant", flags->variant,
                       "print the whole names of the variants that a name, glob or alias means");
        if (Registry::global().takes_graphs()) {
          app.add_flag("--graphs", flags->graphs, "list graphs in the data folders");
        }
        app.add_flag("--experiments", flags->experiments,
                     "list experiments that come with Bellmark");
        app.add_flag("--json", flags->json, "print problems and families for programs");
        return [flags](const Argv&) {
          list(*flags);
          return ExitCode::ok;
        };
      }};
}

}  // namespace bellmark::cli
