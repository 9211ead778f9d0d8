#include "harness/plan/stated.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/budget.hpp"
#include "harness/plan/cells.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

bool name_regions(const std::vector<std::string>& graphs) {
  return std::ranges::all_of(graphs,
                             [](const auto& graph) { return graph.starts_with("region:"); });
}

std::string flag_of_input(const Options& options) {
  return options.input_axis == "graph" ? "-g" : "-i";
}

/// True if the file's own axes have a cell for its baseline. The machine decides which places
/// exist.
bool states_baseline(const Experiment& file) {
  Selector baseline = file.baseline;
  std::erase_if(baseline.wanted, [](const Axis& axis) { return axis.first == "placement"; });
  return std::ranges::any_of(cross(file.axes), [&](const Json& axes) {
    return baseline.matches(axes) && exclude_of(file, axes) == nullptr;
  });
}

/// The baseline of `arity=4`, an axis, or of a variant: `sssp/boost-dijkstra`.
void take_baseline(const std::string& text, Experiment& experiment) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && text.find('/') > equals) {
    const Axis wanted = text_axis(text.substr(0, equals), {text.substr(equals + 1)});
    experiment.baseline.wanted.push_back(wanted);
    return;
  }
  const auto selections = Registry::global().select(text);
  if (selections.size() > 1 || !experiment.baseline_variant.empty()) {
    throw InputError("--baseline " + text, "names a second variant",
                     "name one (see: bellmark list -v '" + text + "')");
  }
  experiment.baseline_variant = selections.front().name();
}

/// Refuses a `--baseline`, and lists its valid values.
[[noreturn]] void refuse_baseline(const Plan& plan) {
  std::vector<std::string> variants;
  for (const Cell& cell : plan.cells) add_once(variants, cell.variant);
  std::string known = "variants are " + list_text(variants);
  for (const auto& [name, values] : plan.experiment.axes) {
    known += "; " + name + " is " + list_text(texts_of(values));
  }
  throw InputError("--baseline " + join(plan.options.baseline, " --baseline "), "no cell has it",
                   known);
}

}  // namespace

std::vector<std::string> values_of(const Experiment& file, const std::string& axis) {
  if (const Axis* const found = find_axis(file.axes, axis)) return texts_of(found->second);
  if (axis == "placement") return {file.placement};
  if (axis == "processes") return {std::to_string(file.process_count)};
  if (axis == "ranks") return {std::to_string(file.rank_count)};
  if (axis == "frequency") return {file.frequency};
  if (axis == "pages") return {machine::to_string(file.pages)};
  if (axis == "memory") return {machine::kSystemMemory};
  if (axis == "start") return {measure::to_string(measure::Start::as_left)};
  return {};
}

Options options_for(const Experiment& experiment, const Options& options,
                    std::vector<std::string>& cuts) {
  Options own_graphs = options;
  own_graphs.input_axis = Registry::global().input_axis(experiment.problem);
  const Axis* const own = find_input_axis(experiment.axes);
  if (options.graphs.empty() || own == nullptr || !name_regions(texts_of(own->second)) ||
      name_regions(options.graphs)) {
    return own_graphs;
  }
  cuts.emplace_back("-g: left out: this experiment reads regions of memory (region:bytes=N)");
  own_graphs.graphs.clear();
  return own_graphs;
}

void apply_form_axes(Experiment& experiment, const Options& options) {
  if (options.form == "full") return;
  for (const Axis& axis : experiment.quick.axes) replace_axis(experiment.axes, axis);
  if (!experiment.quick.stand_ins.empty()) experiment.stand_ins = experiment.quick.stand_ins;
}

void apply_options(Experiment& experiment, const Options& options) {
  if (!options.variants.empty()) experiment.variants = options.variants;
  for (const Axis& axis : axes_of(options)) replace_axis(experiment.axes, axis);
  for (const std::string& group : options.counters) experiment.counters.push_back(group);
  for (const std::string& profiler : options.profiles) experiment.profiles.push_back(profiler);
  if (options.energy) experiment.energy = true;
  if (options.query_count) experiment.queries.count = *options.query_count;
  if (options.seed) experiment.queries.seed = *options.seed;
  if (options.timeout_s) experiment.timeout_s = *options.timeout_s;
  if (!options.launcher.empty()) experiment.launcher = options.launcher;
  if (!options.pages.empty()) experiment.pages = machine::pages_of(options.pages);
  if (!options.baseline.empty()) experiment.baseline = {};
  for (const std::string& text : options.baseline) take_baseline(text, experiment);
}

void drop_graph_axes(const Stated& stated, Experiment& experiment, const Options& options,
                     std::vector<std::string>& cuts) {
  const std::vector<Axis> asked = axes_of(options);
  if (find_input_axis(asked) == nullptr) return;
  std::set<std::string> loose = mentioned_by_inputs(stated.form.axes);
  std::erase_if(loose, [&](const std::string& name) {
    return is_of_run(name) || find_axis(asked, name) != nullptr;
  });
  std::vector<std::string> patterns = experiment.variants;
  for (const auto& [name, values] : experiment.axes) {
    if (loose.contains(name)) continue;
    for (const AxisValue& value : values) patterns.push_back(axis_text(value));
  }
  for (const std::string& name : mentioned_in(patterns, experiment.axes)) loose.erase(name);
  if (loose.empty()) return;
  std::erase_if(experiment.axes, [&](const Axis& axis) { return loose.contains(axis.first); });
  cuts.push_back((options.graphs.empty() ? "-a " + options.input_axis : flag_of_input(options)) +
                 ": without " + std::string(loose.size() == 1 ? "axis " : "axes ") +
                 join({loose.begin(), loose.end()}, ", ") +
                 ", which only the experiment's own graphs mention");
}

void say_axes(const Stated& stated, const Experiment& experiment, const Options& options,
              std::vector<std::string>& cuts) {
  if (experiment.text.empty()) return;  // no file stated any
  for (const auto& [name, values] : experiment.axes) {
    const bool asked = find_axis(axes_of(options), name) != nullptr;
    if (asked ? find_axis(stated.form.axes, name) == nullptr
              : options.form == "full" || find_axis(stated.full.quick.axes, name) == nullptr) {
      continue;
    }
    const std::string by = !asked                                           ? options.form
                           : is_input_axis(name) && !options.graphs.empty() ? flag_of_input(options)
                           : name == "placement" && !options.placements.empty() ? "-c"
                                                                                : "-a";
    const std::vector<std::string> full = values_of(stated.full, name);
    const std::vector<std::string> now = texts_of(values);
    if (std::ranges::any_of(now, [&](const std::string& value) { return !has(full, value); })) {
      cuts.push_back(by + ": " + name + " " + list_text(now) +
                     (full.empty() ? ", of which the full form says nothing"
                                   : " instead of " + list_text(full)));
      continue;
    }
    const auto kept =
        std::ranges::count_if(full, [&](const auto& value) { return has(now, value); });
    if (static_cast<std::size_t>(kept) == full.size()) continue;
    cuts.push_back(by + ": " + std::to_string(kept) + " of " + std::to_string(full.size()) +
                   " values of axis " + name);
  }
}

void apply_form_effort(Experiment& experiment, const Options& options,
                       std::vector<std::string>& cuts) {
  const QuickForm& quick = experiment.quick;
  if (options.form != "full") {
    const bool asked = options.query_count.has_value();  // the command line wins
    if (!asked && quick.query_count && *quick.query_count < planned_count(experiment.queries)) {
      cuts.push_back(options.form + ": " + queries_cut(*quick.query_count, experiment.queries));
      experiment.queries.count = *quick.query_count;
    }
    experiment.sample_count = quick.sample_count.value_or(experiment.sample_count);
    experiment.seconds_per_process =
        quick.seconds_per_process.value_or(experiment.seconds_per_process);
  }
  if (options.form == "smoke") {
    cuts.emplace_back("smoke: 1 block of 1 sample: no interval, no verdict");
    experiment.block_count = 1;
    experiment.sample_count = 1;
  }
}

void check_baseline(Plan& plan, const Stated& stated) {
  const Selector& baseline = plan.experiment.baseline;
  if (!plan.baselines().empty()) return;
  if (!plan.options.baseline.empty()) refuse_baseline(plan);
  if (baseline.empty()) return;
  if (!states_baseline(stated.full) && !states_baseline(stated.form)) {
    std::string known;
    for (const auto& [name, values] : baseline.wanted) {
      const std::vector<std::string> own = values_of(stated.full, name);
      if (std::ranges::any_of(texts_of(values), [&](auto& value) { return has(own, value); })) {
        continue;
      }
      known = "; " + name + " is " + list_text(own);
    }
    throw InputError("experiment '" + plan.experiment.id + "'",
                     "no cell is its baseline, " + baseline.text() + known,
                     "write values of its axes as baseline under [run], or leave it out");
  }
  plan.cuts.push_back("baseline: no cell has " + baseline.text() +
                      "; each graph's first takes its place");
}

}  // namespace bellmark::plan
