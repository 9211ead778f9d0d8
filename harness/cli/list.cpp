// `bellmark list`: which variants there are, their keys, and which experiments and graphs.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "algorithms/contract/registry.hpp"
#include "base/text.hpp"
#include "graph/open.hpp"
#include "harness/cli/commands.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::cli {
namespace {

struct ListFlags {
  std::string variant;
  bool graphs = false;
  bool experiments = false;
};

void print_key(const Key& key) {
  std::cout << "  " << key.name << "=" << key.range_text() << "  [" << key.default_value << "]"
            << (key.unit.empty() ? "" : " " + key.unit)
            << (key.when == Key::When::run_time ? " run-time" : "")
            << (key.tunable ? " tunable" : "") << "  " << key.help << "\n";
}

/// Of a problem whose inputs are made from keys.
void print_inputs(const std::string& problem) {
  const std::vector<Key> keys = Registry::global().input_keys(problem);
  if (keys.empty()) return;
  std::cout << "inputs of " << problem << "\n";
  for (const Key& key : keys) print_key(key);
}

void print_family(const Family& family) {
  const Description& about = family.description();
  std::cout << family.name << "  (" << family.instances.size() << " built)\n  " << about.summary
            << "\n";
  if (!about.source.empty()) std::cout << "  source: " << about.source << "\n";
  for (const Key& key : about.keys) print_key(key);
  std::vector<std::string> needs;
  for (const Need need : about.needs) needs.push_back(to_string(need));
  if (!needs.empty()) std::cout << "  needs: " << join(needs, ", ") << "\n";
  for (const auto& [alias, settings] : about.aliases) {
    std::cout << "  alias " << alias << " = " << settings << "\n";
  }
}

void list(const ListFlags& flags) {
  plan::installed_programs();
  const Registry& registry = Registry::global();
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
  if (flags.variant.empty()) {
    for (const Family& family : registry.families()) print_family(family);
    for (const std::string& problem : registry.problems()) print_inputs(problem);
    for (const Family& family : registry.absent_families()) {
      const bool is_program = !family.description().program.empty();
      std::cout << family.name << (is_program ? "  (not here)\n  " : "  (not built)\n  ")
                << family.absence << "\n";
    }
    return;
  }
  for (const Selection& selection : registry.select(flags.variant)) {
    std::cout << selection.name() << "\n";
  }
}

}  // namespace

Command list_command() {
  return {"list",
          Registry::global().takes_graphs() ? "List variants, graphs and experiments"
                                            : "List variants and experiments",
          "Without options: every family with its keys, their values and [defaults].\n"
          "A name is problem/family:key=value,...; omitted keys take their defaults, `*` every "
          "value.\n\n"
          "  bellmark list\n"
          "  bellmark list -v 'sssp/dijkstra:arity=*'\n"
          "  bellmark list -v 'yasui2011:2-heap*'",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ListFlags>();
            app.add_option("-v,--variant", flags->variant,
                           "canonical names that a name, glob or alias means");
            if (Registry::global().takes_graphs()) {
              app.add_flag("--graphs", flags->graphs, "graphs found in the data folders");
            }
            app.add_flag("--experiments", flags->experiments,
                         "experiments that come with Bellmark");
            return [flags](const Argv&) {
              list(*flags);
              return ExitCode::ok;
            };
          }};
}

}  // namespace bellmark::cli
