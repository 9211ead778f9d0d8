// sssp/auto and p2p/auto.
#include "algorithms/searches/automatic/automatic.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/tuned.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/options.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/searches/label_correcting/potential.hpp"

namespace bellmark::automatic {
namespace {

/// Potentials save time from here on: 0.55 to 0.81 of it is left on the three of seven maps beyond
/// (New York by length and by travel time, Helsinki). Of the others two take 0.78 and 0.90 of the
/// time, and two, where roads wind, 1.06 and 1.19.
constexpr double kLeastReach = 0.46;

std::string with_separator(std::string text, char from, char to) {
  std::ranges::replace(text, from, to);
  return text;
}

Selection selection_of(const std::string& problem, const std::string& algorithm) {
  return Registry::global().select(problem + "/" + algorithm).front();
}

/// The settings without implied defaults. An instance is found by all of its compile-time keys.
Settings told(const Family& family, const Settings& settings) {
  Settings said;
  for (const auto& [name, value] : settings.entries()) {
    const Key* const key = family.key(name);
    const bool is_implied = key->implied && key->when == Key::When::run_time;
    if (!is_implied || value != key->default_value) said.set(name, value);
  }
  return said;
}

[[maybe_unused]] const bool registered = register_family<Sssp>() && register_family<P2p>();

}  // namespace

Choice choose(const Graph& graph) {
  if (label_correcting::has_skewed_lengths(graph)) return {"dijkstra", "skewed-lengths"};
  const label_correcting::AutoValues best = label_correcting::auto_values(graph);
  if (best.direction == label_correcting::Direction::push_pull) {
    return {"label-correcting", "dense-core"};
  }
  if (contracted::has_chains(graph)) return {"label-correcting", "chains", "contract=chains"};
  const bool short_rows = best.rows == label_correcting::Rows::four_slots;
  return {"label-correcting", short_rows ? "short-rows" : "long-rows"};
}

std::optional<Choice> choose_prepared(std::string_view problem, const Graph& graph) {
  if (prepared::folder().empty()) return std::nullopt;
  const auto is_there = [](const prepared::Identity& identity) {
    return std::filesystem::exists(prepared::path_of(identity));
  };
  if (problem == P2p::kName) {
    for (const std::size_t label_bits : {32, 64}) {
      if (is_there(contraction_hierarchy::identity(graph, label_bits))) {
        return Choice{"contraction-hierarchy", "prepared",
                      "distance=" + std::to_string(label_bits)};
      }
    }
  } else if (!customisable_hierarchy::labels_fit(graph)) {
    return std::nullopt;
  }
  if (is_there(customisable_hierarchy::identity(graph))) {
    return Choice{"customisable-hierarchy", "prepared-for-any-lengths"};
  }
  return std::nullopt;
}

Description describe(std::string_view problem) {
  std::vector<std::string> algorithms = {"auto", "dijkstra", "label-correcting",
                                         "customisable-hierarchy"};
  if (problem == P2p::kName) algorithms.emplace_back("contraction-hierarchy");
  Description description;
  description.name = std::string(problem) + "/auto";
  description.summary = "The fastest variant on similar graphs, chosen by measurements";
  description.source = "measured here: road graphs, grids, Kronecker graphs";
  description.keys = {
      at_run_time(word_key("algorithm", "auto", algorithms, "Family that answers")),
      implied(at_run_time(word_key("tuned", "no", {"no", "yes"},
                                   "yes: the chosen variant's settings that `bellmark tune` found "
                                   "better for this graph on this machine, if there are any"))),
      at_run_time(word_key("reason", "auto", {"auto"}, "Reason for the choice; results report it")),
      at_run_time(
          word_key("settings", "auto", {"auto"},
                   "Settings of the chosen family, separated by semicolons; results report them")),
  };
  description.needs = {Need::non_negative};
  return description;
}

Settings resolve(const std::string& problem, const Settings& settings, const Graph& graph,
                 const Workload& workload) {
  Choice choice{settings.get("algorithm"), "asked-for"};
  if (choice.algorithm == "auto") {
    const auto prepared = choose_prepared(problem, graph);
    choice = prepared ? *prepared : choose(graph);
  }
  // Two sides that meet settle far fewer vertices than one side that goes on to the target.
  if (problem == P2p::kName && choice.algorithm == "label-correcting") {
    choice.settings += (choice.settings.empty() ? "" : ",") + std::string("sides=both");
    if (label_correcting::mean_reach(graph) >= kLeastReach) {
      choice.settings += ",potential=coordinates";
    }
  }
  Selection selection = selection_of(
      problem, choice.algorithm + (choice.settings.empty() ? "" : ":") + choice.settings);
  if (settings.get("tuned") == "yes") {
    if (const auto better = tuned::better(selection.name(), graph.content_digest())) {
      selection = Registry::global().select(*better).front();
      choice.reason = "tuned";
    }
  }
  Settings chosen;
  find_instance(selection, workload, chosen);
  Settings resolved = settings;
  resolved.set("algorithm", choice.algorithm);
  resolved.set("reason", choice.reason);
  resolved.set("settings", with_separator(told(*selection.family, chosen).text(), ',', ';'));
  return resolved;
}

std::unique_ptr<BoundVariant> bind(const std::string& problem, Workload& workload,
                                   const Settings& resolved) {
  const Selection selection = selection_of(problem, resolved.get("algorithm"));
  const Settings chosen = Settings::parse(with_separator(resolved.get("settings"), ';', ','));
  const Instance* instance = selection.family->instance(chosen);
  if (instance == nullptr) {
    throw InputError(problem + "/auto", "'" + chosen.text() + "' was not built",
                     "configure with -DBELLMARK_INSTANCES=paper");
  }
  return instance->bind(workload, chosen);
}

}  // namespace bellmark::automatic
