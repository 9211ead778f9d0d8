#include "harness/plan/plan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/location.hpp"
#include "harness/sinks/group.hpp"

namespace bellmark::plan {
namespace {

// Opening the graph, preparing, and the untimed certified pass cost about this many passes more.
constexpr double kOverheadPasses = 2.5;
constexpr double kProcessSeconds = 0.3;
constexpr double kEnergySeconds = 1.5;
constexpr std::uint64_t kFewestQueries = 2;
// Nothing is opened to make a plan: how many queries a file holds is not known.
constexpr std::uint64_t kAssumedFileQueries = 16;

void replace_axis(std::vector<Axis>& axes, const Axis& axis) {
  const auto found = std::ranges::find(axes, axis.first, &Axis::first);
  if (found != axes.end()) {
    found->second = axis.second;
  } else {
    axes.push_back(axis);
  }
}

Axis text_axis(std::string name, const std::vector<std::string>& values) {
  return {std::move(name), std::vector<AxisValue>(values.begin(), values.end())};
}

/// A pair of cores is known by its class, which is what claims speak of, and which a machine may
/// lack: cells keep the word, and resolve it for themselves.
bool is_pair(const std::string& word) { return word.starts_with("pair:"); }

/// `each:core` and the like become one value a place.
void expand_placements(std::vector<Axis>& axes, const machine::Topology& topology) {
  for (Axis& axis : axes) {
    if (axis.first != "placement") continue;
    std::vector<AxisValue> values;
    for (const AxisValue& value : axis.second) {
      if (is_pair(axis_text(value))) {
        values.push_back(value);
        continue;
      }
      for (const auto& placement : machine::expand(topology, axis_text(value))) {
        values.emplace_back(placement.word);
      }
    }
    axis.second = values;
  }
}

std::uint64_t planned_count(const QueryRule& rule) {
  if (rule.count > 0) return rule.count;
  return rule.kind == "list" ? std::max<std::uint64_t>(1, rule.list.size()) : kAssumedFileQueries;
}

std::string queries_cut(std::uint64_t left, const QueryRule& rule) {
  if (rule.count == 0) return "the first " + std::to_string(left) + " queries";
  return std::to_string(left) + " of " + std::to_string(rule.count) + " queries";
}

void apply_form_axes(Experiment& experiment, const Options& options) {
  if (options.form == "full") return;
  for (const Axis& axis : experiment.quick.axes) replace_axis(experiment.axes, axis);
  if (!experiment.quick.stand_in.empty()) experiment.stand_in = experiment.quick.stand_in;
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

/// The axes that the command line states.
std::vector<Axis> axes_of(const Options& options) {
  std::vector<Axis> axes;
  if (!options.graphs.empty()) axes.push_back(text_axis("graph", options.graphs));
  if (!options.placements.empty()) axes.push_back(text_axis("placement", options.placements));
  for (const Axis& axis : options.axes) replace_axis(axes, axis);
  return axes;
}

void apply_options(Experiment& experiment, const Options& options) {
  if (!options.variants.empty()) experiment.variants = options.variants;
  for (const Axis& axis : axes_of(options)) replace_axis(experiment.axes, axis);
  for (const std::string& group : options.counters) experiment.counters.push_back(group);
  if (options.query_count) experiment.queries.count = *options.query_count;
  if (options.seed) experiment.queries.seed = *options.seed;
  if (options.timeout_s) experiment.timeout_s = *options.timeout_s;
  if (!options.launcher.empty()) experiment.launcher = options.launcher;
}

bool mentions(const std::string& pattern, const std::string& axis) {
  return pattern.find('{' + axis + '}') != std::string::npos;
}

const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name) {
  const auto found = std::ranges::find(axes, name, &Axis::first);
  return found == axes.end() ? nullptr : &*found;
}

std::vector<std::string> texts_of(const std::vector<AxisValue>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const AxisValue& value : values) texts.push_back(axis_text(value));
  return texts;
}

bool name_regions(const std::vector<std::string>& graphs) {
  return std::ranges::all_of(graphs,
                             [](const auto& graph) { return graph.starts_with("region:"); });
}

/// What the command line has for this experiment. `-g` is for graphs, and of a paper's experiments
/// one may read regions of memory: it keeps its own.
Options options_for(const Experiment& experiment, const Options& options,
                    std::vector<std::string>& cuts) {
  const Axis* const own = find_axis(experiment.axes, "graph");
  if (options.graphs.empty() || own == nullptr || !name_regions(texts_of(own->second)) ||
      name_regions(options.graphs)) {
    return options;
  }
  cuts.emplace_back("-g: left out: this experiment reads regions of memory (region:bytes=N)");
  Options own_graphs = options;
  own_graphs.graphs.clear();
  return own_graphs;
}

/// Every axis that these patterns mention, and those that its values mention in their turn.
std::set<std::string> mentioned_in(std::vector<std::string> patterns,
                                   const std::vector<Axis>& axes) {
  std::set<std::string> names;
  while (!patterns.empty()) {
    const std::string pattern = std::move(patterns.back());
    patterns.pop_back();
    for (const auto& [name, values] : axes) {
      if (!mentions(pattern, name) || !names.insert(name).second) continue;
      for (const AxisValue& value : values) patterns.push_back(axis_text(value));
    }
  }
  return names;
}

std::set<std::string> mentioned_by_graphs(const std::vector<Axis>& axes) {
  const Axis* const graphs = find_axis(axes, "graph");
  return graphs == nullptr ? std::set<std::string>() : mentioned_in(texts_of(graphs->second), axes);
}

/// Axes that say where and how a variant runs; all others are keys of the variant.
bool is_of_run(const std::string& axis) {
  return axis == "graph" || axis == "placement" || axis == "processes" || axis == "ranks" ||
         axis == "frequency";
}

/// `{axis}` in a pattern takes the axis's value, which may mention other axes in its turn. `what`
/// names the pattern in errors.
std::string fill(const std::string& what, const std::string& pattern, const Json& axes,
                 std::size_t depth = 0) {
  if (depth > axes.size()) {
    throw InputError(what + " '" + pattern + "'", "it mentions itself",
                     "let axes mention each other in one direction only");
  }
  std::string text;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '{') {
      text += pattern[at++];
      continue;
    }
    const std::size_t end = pattern.find('}', at);
    const std::string name = pattern.substr(at + 1, end - at - 1);
    if (end == std::string::npos || !axes.contains(name)) {
      throw InputError(what + " '" + pattern + "'", "'{" + name + "}' names no axis",
                       "add it under [axes] or with -a " + name + "=...");
    }
    text += fill(what, axis_text(axes[name]), axes, depth + 1);
    at = end + 1;
  }
  return text;
}

/// Is it mentioned by a value of another axis, a graph's for instance?
bool is_mentioned(const std::string& axis, const std::vector<Axis>& axes) {
  return std::ranges::any_of(axes, [&](const Axis& other) {
    return std::ranges::any_of(
        other.second, [&](const AxisValue& value) { return mentions(axis_text(value), axis); });
  });
}

/// An axis that neither the variant's pattern nor another axis mentions is a key of the variant, so
/// that any key can be an axis.
std::string fill_variant(const std::string& pattern, const Json& axes,
                         const std::vector<Axis>& all) {
  std::string text = fill("variant", pattern, axes);
  char separator = text.find(':') == std::string::npos ? ':' : ',';
  for (const auto& [name, value] : axes.items()) {
    if (is_of_run(name)) continue;
    if (mentions(pattern, name) || is_mentioned(name, all)) continue;
    text += separator + name + "=" + axis_text(value);
    separator = ',';
  }
  return text;
}

std::vector<Json> cross(const std::vector<Axis>& axes) {
  std::vector<Json> points = {Json::object()};
  for (const auto& [name, values] : axes) {
    std::vector<Json> next;
    for (const Json& point : points) {
      for (const AxisValue& value : values) {
        next.push_back(point);
        next.back()[name] = value;
      }
    }
    points = std::move(next);
  }
  return points;
}

/// An experiment as its file states it: in the full form, and in the one that runs.
struct Stated {
  Experiment full;
  Experiment form;
};

/// A file's values of an axis, or what it says under [run] in its place; none where it says
/// nothing.
std::vector<std::string> values_of(const Experiment& file, const std::string& axis) {
  if (const Axis* const found = find_axis(file.axes, axis)) return texts_of(found->second);
  if (axis == "placement") return {file.placement};
  if (axis == "processes") return {std::to_string(file.process_count)};
  if (axis == "ranks") return {std::to_string(file.rank_count)};
  if (axis == "frequency") return {file.frequency};
  return {};
}

bool has(const std::vector<std::string>& values, const std::string& value) {
  return std::ranges::find(values, value) != values.end();
}

void add_once(std::vector<std::string>& values, const std::string& value) {
  if (!has(values, value)) values.push_back(value);
}

/// `2, 4`, `14..17`, or the first few where there are many.
std::string list_text(const std::vector<std::string>& values) {
  constexpr std::size_t kShortestRange = 3;
  constexpr std::size_t kShown = 4;
  const auto is_next = [](const std::string& value, const std::string& next) {
    const auto number = parse_integer(value);
    return number && parse_integer(next) == *number + 1;
  };
  if (values.size() >= kShortestRange &&
      std::ranges::adjacent_find(values, std::not_fn(is_next)) == values.end()) {
    return values.front() + ".." + values.back();
  }
  if (values.size() <= kShown) return join(values, ", ");
  return join({values.begin(), values.begin() + kShown - 1}, ", ") + ", ... (" +
         std::to_string(values.size()) + ")";
}

/// What became of the full form's values where the form or the command line has others.
void say_axes(const Stated& stated, const Experiment& experiment, const Options& options,
              std::vector<std::string>& cuts) {
  if (experiment.text.empty()) return;  // no file stated any
  for (const auto& [name, values] : experiment.axes) {
    const bool asked = find_axis(axes_of(options), name) != nullptr;
    if (asked ? find_axis(stated.form.axes, name) == nullptr
              : options.form == "full" || find_axis(stated.full.quick.axes, name) == nullptr) {
      continue;
    }
    const std::string by = !asked                                               ? options.form
                           : name == "graph" && !options.graphs.empty()         ? "-g"
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

/// Where the command line has other graphs, axes that nothing but the file's graphs mentioned go
/// with them: they would be taken for keys of the variant.
void drop_graph_axes(const Stated& stated, Experiment& experiment, const Options& options,
                     std::vector<std::string>& cuts) {
  const std::vector<Axis> asked = axes_of(options);
  if (find_axis(asked, "graph") == nullptr) return;
  std::set<std::string> loose = mentioned_by_graphs(stated.form.axes);
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
  cuts.push_back((options.graphs.empty() ? "-a graph: without " : "-g: without ") +
                 std::string(loose.size() == 1 ? "axis " : "axes ") +
                 join({loose.begin(), loose.end()}, ", ") +
                 ", which only the experiment's own graphs mention");
}

std::string rule_text(const QueryRule& rule) {
  std::string text = rule.kind + "/" + std::to_string(rule.count) + "/" +
                     std::to_string(rule.seed) + "/" + rule.file;
  for (const std::uint64_t id : rule.list) text += "," + std::to_string(id);
  return text;
}

std::string cell_id(const Cell& cell, const Experiment& experiment) {
  std::vector<std::string> parts = {cell.variant, experiment.problem, cell.graph,
                                    rule_text(experiment.queries),
                                    axis_text(cell.axes["placement"])};
  if (cell.process_count > 1) parts.push_back("processes=" + std::to_string(cell.process_count));
  if (!cell.launcher.empty()) parts.push_back("ranks=" + std::to_string(cell.rank_count));
  if (cell.frequency != machine::kUnchanged) parts.push_back("frequency=" + cell.frequency);
  const std::string text = join(parts, "\n");
  return hex64(digest64(std::as_bytes(std::span(text))));
}

/// Where a cell runs and how many of it at once; what this machine lacks becomes its `unmet`.
void place_cell(Cell& cell, const Experiment& experiment, const machine::Topology& topology) {
  const auto axis = [&](const char* name, const Json& otherwise) {
    return cell.axes.contains(name) ? cell.axes[name] : otherwise;
  };
  const std::string where = "experiment '" + experiment.id + "'";
  const auto count = [&](const std::string& name, std::uint64_t otherwise) {
    const Json value = axis(name.c_str(), otherwise);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
      throw InputError(where, name + " = " + axis_text(value) + " is no number from 1 on",
                       "write e.g. " + name + " = [1, 2]");
    }
    return value.get<std::size_t>();
  };
  cell.process_count = count("processes", experiment.process_count);
  cell.rank_count = count("ranks", experiment.rank_count);
  if (!experiment.launcher.empty()) {
    cell.launcher = launcher_words(experiment.launcher, cell.rank_count);
    if (cell.process_count > 1) {
      throw InputError(where, "processes at once can't be launched as ranks too",
                       "leave one of them out");
    }
  } else if (cell.rank_count > 1) {
    throw InputError(where,
                     "ranks = " + std::to_string(cell.rank_count) + ", but nothing launches them",
                     "add --launcher 'mpirun -n {ranks}' (or 'srun -n {ranks}'), or write it as "
                     "launcher under [run]");
  }
  cell.frequency = axis_text(axis("frequency", experiment.frequency));
  cell.placement = axis_text(cell.axes["placement"]);
  try {
    const machine::Placement placement = machine::expand(topology, cell.placement).front();
    cell.placement = placement.word;
    if (!placement.workers.empty() && placement.workers.size() < cell.process_count) {
      throw InputError(where,
                       std::to_string(cell.process_count) + " processes at once, but places for " +
                           std::to_string(placement.workers.size()) + " at '" + placement.word +
                           "'",
                       "name a place for each, e.g. pair:same-package or core:0-1");
    }
    cell.unmet = machine::frequency_absence(cell.frequency, machine::pus_of(placement));
  } catch (const UnmetError& error) {
    cell.unmet = error.what();
  }
}

/// What varies between the cells: axes with several values, and the variant when it isn't an axis.
void label_cells(std::vector<Cell>& cells) {
  std::map<std::string, std::vector<std::string>> values;
  std::vector<std::string> variants;
  const auto add = [](std::vector<std::string>& list, const std::string& value) {
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
  };
  for (const Cell& cell : cells) {
    for (const auto& [name, value] : cell.axes.items()) add(values[name], axis_text(value));
  }
  for (Cell& cell : cells) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : cell.axes.items()) {
      if (values[name].size() > 1) parts.push_back(name + "=" + axis_text(value));
    }
    cell.label = join(parts, ", ");
  }
  for (Cell& cell : cells) {
    const auto same = [&](const Cell& other) { return other.label == cell.label; };
    if (cell.label.empty() || std::ranges::count_if(cells, same) > 1) variants.push_back(cell.id);
  }
  for (Cell& cell : cells) {
    if (std::ranges::find(variants, cell.id) == variants.end()) continue;
    cell.label = cell.label.empty() ? cell.variant : cell.variant + ", " + cell.label;
  }
}

/// What leaves these axes out; null when they stay.
const Exclude* exclude_of(const Experiment& experiment, const Json& axes) {
  const auto found = std::ranges::find_if(
      experiment.excludes, [&](const Exclude& exclude) { return exclude.where.matches(axes); });
  return found == experiment.excludes.end() ? nullptr : &*found;
}

void make_cells(Plan& plan, const machine::Topology& topology) {
  Experiment& experiment = plan.experiment;
  const auto has_axis = [&](const char* name) {
    return std::ranges::find(experiment.axes, name, &Axis::first) != experiment.axes.end();
  };
  if (!has_axis("graph")) {
    throw InputError("experiment '" + experiment.id + "'", "no graph to run on",
                     "add graph = [...] under [axes] or name one with -g");
  }
  if (!has_axis("placement")) {
    replace_axis(experiment.axes, text_axis("placement", {experiment.placement}));
  }
  expand_placements(experiment.axes, topology);

  std::vector<std::size_t> excluded(experiment.excludes.size(), 0);
  for (const Json& axes : cross(experiment.axes)) {
    if (const Exclude* const exclude = exclude_of(experiment, axes); exclude != nullptr) {
      ++excluded[static_cast<std::size_t>(exclude - experiment.excludes.data())];
      continue;
    }
    const std::string graph = fill("graph", axis_text(axes["graph"]), axes);
    for (const std::string& pattern : experiment.variants) {
      for (const Selection& selection :
           Registry::global().select(fill_variant(pattern, axes, experiment.axes))) {
        if (selection.family->problem() != experiment.problem) {
          throw InputError("variant '" + selection.name() + "'",
                           "does not answer problem '" + experiment.problem + "'",
                           "name a variant of " + experiment.problem + "/");
        }
        Cell cell;
        cell.variant = selection.name();
        cell.pattern = pattern;
        cell.axes = axes;
        cell.graph = graph;
        place_cell(cell, experiment, topology);
        if (cell.unmet.empty()) cell.unmet = selection.refuse_ranks(cell.rank_count);
        cell.needs_cuda = selection.needs(Need::cuda);
        cell.batch = selection.family->description().batch;
        cell.id = cell_id(cell, experiment);
        if (std::ranges::find(plan.cells, cell.id, &Cell::id) == plan.cells.end()) {
          plan.cells.push_back(std::move(cell));
        }
      }
    }
  }
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    if (excluded[i] == 0) continue;
    plan.cuts.push_back("excluded: " + experiment.excludes[i].where.text() + " (" +
                        experiment.excludes[i].why + ")");
  }
  if (plan.cells.empty()) {
    throw InputError("experiment '" + experiment.id + "'", "no cells are left",
                     "look at its axes and excludes");
  }
  label_cells(plan.cells);
}

void make_groups(Plan& plan) {
  plan.groups.clear();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const Cell& cell = plan.cells[i];
    const auto same = [&](const Group& group) {
      return group.graph == cell.graph && group.placement == cell.placement &&
             group.frequency == cell.frequency && group.launcher == cell.launcher &&
             group.process_count == 1 && cell.process_count == 1;
    };
    const auto found = std::ranges::find_if(plan.groups, same);
    if (found != plan.groups.end()) {
      found->cells.push_back(i);
    } else {
      plan.groups.push_back({cell.graph,
                             cell.placement,
                             cell.process_count,
                             cell.rank_count,
                             cell.launcher,
                             cell.frequency,
                             {i}});
    }
  }
}

/// Cells, by index, that ratios tie together: each with what it is compared with.
std::vector<std::vector<std::size_t>> comparison_groups(const Plan& plan) {
  // A baseline has itself for a baseline: it shares all axes with itself.
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> group_of;  // by the baseline's id
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const std::string& baseline = plan.baseline_of(plan.cells[i]).id;
    const auto [known, is_new] = group_of.try_emplace(baseline, groups.size());
    if (is_new) groups.emplace_back();
    groups[known->second].push_back(i);
  }
  return groups;
}

/// The cells of each shard, in the plan's order. The largest groups are dealt first, each to the
/// shard that has fewest cells.
std::vector<std::vector<std::size_t>> deal_shards(const Plan& plan, std::size_t count) {
  const auto size_of = [](const std::vector<std::size_t>& cells) { return cells.size(); };
  auto groups = comparison_groups(plan);
  std::ranges::stable_sort(groups, std::greater<>(), size_of);
  std::vector<std::vector<std::size_t>> shards(count);
  for (const auto& group : groups) {
    auto& shard = *std::ranges::min_element(shards, {}, size_of);
    shard.insert(shard.end(), group.begin(), group.end());
  }
  for (auto& shard : shards) std::ranges::sort(shard);
  return shards;
}

Plan part_of(const Plan& plan, const std::vector<std::size_t>& cells) {
  Plan part = plan;
  part.cells.clear();
  for (const std::size_t i : cells) part.cells.push_back(plan.cells[i]);
  make_groups(part);
  return part;
}

double estimate(const Plan& plan) {
  const Experiment& experiment = plan.experiment;
  const double pass = kAssumedQuerySeconds * static_cast<double>(planned_count(experiment.queries));
  const double sampled =
      std::max(pass, std::min(pass * static_cast<double>(experiment.sample_count),
                              experiment.seconds_per_process));
  const double cells = static_cast<double>(plan.cells.size());
  const double blocks = static_cast<double>(plan.block_count);
  double seconds = blocks * cells * (sampled + kOverheadPasses * pass) +
                   blocks * kProcessSeconds * static_cast<double>(plan.groups.size());
  seconds += cells * kOverheadPasses * pass * (1 + static_cast<double>(experiment.counters.size()));
  if (experiment.memory) seconds += blocks * cells * (kProcessSeconds + pass);
  const auto on_gpu = std::ranges::count_if(plan.cells, &Cell::needs_cuda);
  seconds += static_cast<double>(on_gpu) * (kEnergySeconds + kOverheadPasses * pass);
  return seconds;
}

/// Queries go first, then samples; blocks stay, because they carry the interval.
void fit_budget(Plan& plan) {
  plan.estimated_s = estimate(plan);
  if (!plan.options.budget_s || plan.estimated_s <= *plan.options.budget_s) return;
  Experiment& experiment = plan.experiment;
  const QueryRule asked = experiment.queries;
  const std::size_t samples = experiment.sample_count;
  while (estimate(plan) > *plan.options.budget_s &&
         planned_count(experiment.queries) > kFewestQueries) {
    experiment.queries.count = std::max(kFewestQueries, planned_count(experiment.queries) * 3 / 4);
  }
  while (estimate(plan) > *plan.options.budget_s && experiment.sample_count > 1) {
    experiment.sample_count = experiment.sample_count / 2;
  }
  if (experiment.queries.count != asked.count) {
    plan.cuts.push_back("budget: " + queries_cut(experiment.queries.count, asked));
  }
  if (experiment.sample_count < samples) {
    plan.cuts.push_back("budget: at most " + std::to_string(experiment.sample_count) + " of " +
                        std::to_string(samples) + " samples a process");
  }
  plan.estimated_s = estimate(plan);
  if (plan.estimated_s > *plan.options.budget_s) {
    plan.cuts.emplace_back("budget: not kept; fewer cells or a larger --budget would");
  }
}

/// Leaves a shard's cells. Queries are part of what a cell is: they are the same in all shards, and
/// fit the budget in each.
void take_shard(Plan& plan, const Shard& shard) {
  const auto shards = deal_shards(plan, shard.count);
  // With fewer queries another shard may be the longest: each is fitted to what the last one left.
  Plan fitted = part_of(plan, shards.front());
  for (const auto& cells : shards) {
    if (cells.empty()) break;  // so are those after it
    Plan part = part_of(plan, cells);
    part.experiment = fitted.experiment;
    part.cuts = fitted.cuts;
    fit_budget(part);
    fitted = std::move(part);
  }
  const std::size_t cell_count = plan.cells.size();
  plan = part_of(plan, shards[shard.index - 1]);
  plan.experiment = fitted.experiment;
  plan.cuts = fitted.cuts;
  plan.estimated_s = estimate(plan);
  plan.cuts.push_back("shard " + shard.text() + ": " + std::to_string(plan.cells.size()) + " of " +
                      std::to_string(cell_count) + " cells" +
                      (plan.cells.empty() ? "; those that are compared stay together, which leaves "
                                            "nothing for this one"
                                          : ""));
}

/// Do the file's own axes have a cell for its baseline? Which places there are is the machine's.
bool states_baseline(const Experiment& file) {
  Selector baseline = file.baseline;
  std::erase_if(baseline.wanted, [](const Axis& axis) { return axis.first == "placement"; });
  return std::ranges::any_of(cross(file.axes), [&](const Json& axes) {
    return baseline.matches(axes) && exclude_of(file, axes) == nullptr;
  });
}

/// A baseline without a cell must not be another one in silence.
void check_baseline(Plan& plan, const Stated& stated) {
  const Selector& baseline = plan.experiment.baseline;
  if (baseline.empty() || !plan.find(baseline).empty()) return;
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

/// The graphs that these axes name; none where one of them isn't there.
std::set<std::string> graphs_of(const std::vector<Axis>& axes) {
  const std::set<std::string> names = mentioned_by_graphs(axes);
  std::vector<Axis> part;
  for (const Axis& axis : axes) {
    if (axis.first == "graph" || names.contains(axis.first)) part.push_back(axis);
  }
  if (find_axis(part, "graph") == nullptr) return {};
  try {
    std::set<std::string> graphs;
    for (const Json& point : cross(part)) {
      graphs.insert(fill("graph", axis_text(point["graph"]), point));
    }
    return graphs;
  } catch (const InputError&) {  // the command line gives it
    return {};
  }
}

/// The stand-ins that the file has for those of its graphs that are measured, and what else is.
std::vector<std::string> stand_ins_of_graphs(const Plan& plan, const Stated& stated) {
  const std::set<std::string> full = graphs_of(stated.full.axes);
  const std::set<std::string> form = graphs_of(stated.form.axes);
  if (full.empty() && form.empty()) return {stated.form.stand_in};
  std::vector<std::string> others;
  std::vector<std::string> own;
  for (const Cell& cell : plan.cells) {
    if (form.contains(cell.graph)) {
      add_once(own, stated.form.stand_in);
    } else if (full.contains(cell.graph)) {
      add_once(own, stated.full.stand_in);
    } else {
      add_once(others, cell.graph);
    }
  }
  if (others.empty()) return own;
  own.insert(own.begin(), list_text(others) + " instead of the experiment's " +
                              (full.size() == 1 ? "graph" : "graphs"));
  return own;
}

std::vector<std::string> stand_ins_of_axes(const Plan& plan, const Stated& stated,
                                           const machine::Topology& topology) {
  std::vector<std::string> texts;
  const std::set<std::string> of_graphs = mentioned_by_graphs(plan.experiment.axes);
  for (const auto& [name, values] : axes_of(plan.options)) {
    // Graphs were named, those that other axes make as well.
    if (name == "graph" || of_graphs.contains(name)) continue;
    std::vector<Axis> axes = stated.full.axes;
    for (const Axis& axis : stated.form.axes) axes.push_back(axis);
    // Where nothing but [run] says where it runs, the place is the machine's, not the experiment's.
    if (name == "placement" && find_axis(axes, name) == nullptr) continue;
    std::vector<std::string> own = values_of(stated.full, name);
    for (const std::string& value : values_of(stated.form, name)) own.push_back(value);
    if (name == "placement") {
      for (const std::string& word : std::vector(own)) {
        try {
          for (const auto& place : machine::expand(topology, word)) own.push_back(place.word);
        } catch (const Error&) {  // no such place here
        }
      }
    }
    std::vector<std::string> others;
    for (const Cell& cell : plan.cells) {
      const std::string value = axis_text(cell.axes[name]);
      if (!has(own, value)) add_once(others, value);
    }
    if (others.empty()) continue;
    texts.push_back(
        name + " = " + list_text(others) +
        (own.empty() ? ", of which the experiment says nothing" : " instead of the experiment's"));
  }
  return texts;
}

/// Of the variants that the command line names, those that the file doesn't have.
std::vector<std::string> other_variants(const Plan& plan, const Stated& stated) {
  if (plan.options.variants.empty()) return {};
  std::set<std::string> own;
  for (const Experiment* file : {&stated.full, &stated.form}) {
    for (const Json& axes : cross(file->axes)) {
      for (const std::string& pattern : file->variants) {
        try {
          for (const auto& selection :
               Registry::global().select(fill_variant(pattern, axes, file->axes))) {
            own.insert(selection.name());
          }
        } catch (const InputError&) {  // the command line may give what it lacks
        }
      }
    }
  }
  std::vector<std::string> others;
  for (const Cell& cell : plan.cells) {
    if (!own.contains(cell.variant) && !has(stated.full.variants, cell.pattern)) {
      add_once(others, cell.pattern);
    }
  }
  return others;
}

/// What was measured in place of what the paper did, by the file, and in place of what the file
/// states, by the command line.
std::string stand_in_of(const Plan& plan, const Stated& stated, const machine::Topology& topology) {
  if (stated.full.text.empty()) return stated.form.stand_in;
  std::vector<std::string> texts = stand_ins_of_graphs(plan, stated);
  std::erase(texts, "");
  const auto add = [&](const std::vector<std::string>& more) {
    texts.insert(texts.end(), more.begin(), more.end());
  };
  add(stand_ins_of_axes(plan, stated, topology));
  if (const auto variants = other_variants(plan, stated); !variants.empty()) {
    add({list_text(variants) + " instead of the experiment's variants"});
  }
  return join(texts, "; ");
}

Json shard_json(const std::optional<Shard>& shard) {
  if (!shard) return nullptr;
  return {{"index", shard->index}, {"count", shard->count}};
}

std::vector<Axis> axes_from_json(const Json& json) {
  std::vector<Axis> axes;
  for (const auto& [name, values] : json.items()) {
    axes.emplace_back(name, values.get<std::vector<AxisValue>>());
  }
  return axes;
}

template <class T>
Json nullable(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> from_nullable(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<T>();
}

AxisValue parse_value(const std::string& text) {
  if (const auto number = parse_integer(text)) return *number;
  return text;
}

}  // namespace

Json Options::to_json() const {
  Json axes_json = Json::object();
  for (const auto& [name, values] : axes) axes_json[name] = values;
  return {{"form", form},
          {"variants", variants},
          {"graphs", graphs},
          {"placements", placements},
          {"axes", axes_json},
          {"counters", counters},
          {"query_count", nullable(query_count)},
          {"seed", nullable(seed)},
          {"budget_s", nullable(budget_s)},
          {"timeout_s", nullable(timeout_s)},
          {"launcher", launcher},
          {"shard", shard_json(shard)},
          {"force", force}};
}

Options Options::from_json(const Json& json) {
  Options options;
  options.form = json.at("form").get<std::string>();
  options.variants = json.at("variants").get<std::vector<std::string>>();
  options.graphs = json.at("graphs").get<std::vector<std::string>>();
  options.placements = json.at("placements").get<std::vector<std::string>>();
  options.axes = axes_from_json(json.at("axes"));
  options.counters = json.at("counters").get<std::vector<std::string>>();
  options.query_count = from_nullable<std::uint64_t>(json.at("query_count"));
  options.seed = from_nullable<std::uint64_t>(json.at("seed"));
  options.budget_s = from_nullable<double>(json.at("budget_s"));
  options.timeout_s = from_nullable<double>(json.at("timeout_s"));
  options.launcher = json.value("launcher", "");
  if (const Json shard = json.value("shard", Json()); !shard.is_null()) {
    options.shard = {shard.at("index").get<std::size_t>(), shard.at("count").get<std::size_t>()};
  }
  options.force = json.at("force").get<bool>();
  return options;
}

std::vector<const Cell*> Plan::find(const Selector& selector) const {
  std::vector<const Cell*> found;
  for (const Cell& cell : cells) {
    if (selector.matches(cell.axes)) found.push_back(&cell);
  }
  return found;
}

const Cell& Plan::baseline_of(const Cell& cell) const {
  std::vector<const Cell*> candidates;
  if (!experiment.baseline.empty()) candidates = find(experiment.baseline);
  if (candidates.empty()) {
    for (const Cell& first : cells) {
      if (std::ranges::none_of(candidates, [&](auto* c) { return c->graph == first.graph; })) {
        candidates.push_back(&first);
      }
    }
  }
  const auto shared = [&](const Cell* candidate) {
    int count = 0;
    for (const auto& [name, value] : cell.axes.items()) {
      count += candidate->axes.at(name) == value ? 1 : 0;
    }
    return count;
  };
  return **std::ranges::max_element(candidates, {}, shared);
}

Plan make_plan(Experiment experiment, const Options& given, const machine::Topology& topology) {
  Plan plan;
  plan.options = options_for(experiment, given, plan.cuts);
  const Options& options = plan.options;
  Stated stated{experiment, {}};
  apply_form_axes(experiment, options);
  stated.form = experiment;
  apply_options(experiment, options);
  drop_graph_axes(stated, experiment, options, plan.cuts);
  say_axes(stated, experiment, options, plan.cuts);
  apply_form_effort(experiment, options, plan.cuts);
  for (const std::string& group : experiment.counters) sinks::check_group(group);
  plan.experiment = std::move(experiment);
  plan.block_count = plan.experiment.block_count;
  make_cells(plan, topology);
  check_baseline(plan, stated);
  make_groups(plan);
  if (!plan.experiment.launcher.empty() && !plan.experiment.counters.empty()) {
    plan.cuts.emplace_back("ranks: no counters, which see one process");
  }
  if (options.shard) {
    take_shard(plan, *options.shard);
  } else {
    fit_budget(plan);
  }
  // A budget may have cut queries, which are part of what a cell is.
  for (Cell& cell : plan.cells) cell.id = cell_id(cell, plan.experiment);
  plan.experiment.stand_in = stand_in_of(plan, stated, topology);
  plan.stop_rule.sample_count = plan.experiment.sample_count;
  plan.stop_rule.seconds = plan.experiment.seconds_per_process;
  return plan;
}

Experiment adhoc_experiment(const std::vector<std::string>& variants) {
  if (variants.empty()) {
    throw InputError("variants", "none named", "name some with -v (see: bellmark list)");
  }
  Experiment experiment;
  experiment.id = "adhoc";
  experiment.title = "Variants named on the command line";
  experiment.variants = variants;
  experiment.problem = Registry::global().select(variants.front()).front().family->problem();
  experiment.queries.kind = "default";
  experiment.queries.count = 16;
  experiment.quick.query_count = 4;
  experiment.quick.sample_count = 2;
  experiment.figure = {{"kind", "bars"}, {"title", "Time of one query"}};
  return experiment;
}

std::vector<std::string> launcher_words(const std::string& launcher, std::size_t rank_count) {
  constexpr std::string_view kRanks = "{ranks}";
  std::vector<std::string> words = split(launcher, ' ');
  std::erase(words, "");
  bool counts = false;
  for (std::string& word : words) {
    for (std::size_t at; (at = word.find(kRanks)) != std::string::npos; counts = true) {
      word.replace(at, kRanks.size(), std::to_string(rank_count));
    }
  }
  if (counts) return words;
  throw InputError("launcher '" + launcher + "'", "it doesn't say how many ranks to start",
                   "write {ranks} where their number goes, e.g. 'mpirun -n {ranks}'");
}

double parse_duration(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr double kLongest = 1e9;  // clocks count 290 years of nanoseconds
  if (text.empty() || end == text.c_str() || factor == 0 || !(value > 0) ||
      !(value * factor <= kLongest)) {
    throw InputError("duration '" + text + "'", "not understood", "write for example 90s, 8m, 1h");
  }
  return value * factor;
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = parse_integer(text.substr(0, slash));
  const auto count =
      slash == std::string::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  constexpr std::int64_t kMostShards = 100'000;
  if (!index || !count || *index < 1 || *index > *count || *count > kMostShards) {
    throw InputError("--shard " + text, "is no part of a whole",
                     "write which of how many, counted from 1: --shard 2/4");
  }
  return {static_cast<std::size_t>(*index), static_cast<std::size_t>(*count)};
}

Axis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name(trim(std::string_view(text).substr(0, equals)));
  const auto refuse = [&](const std::string& why) {
    return InputError("axis '" + text + "'", why,
                      "write key=2,4,8 or key=[first:last:step] or key=[first:last:x2]");
  };
  if (equals == std::string::npos || name.empty()) throw refuse("no key=values");
  const std::string values(trim(std::string_view(text).substr(equals + 1)));
  Axis axis{name, {}};
  if (!values.starts_with('[')) {
    for (const std::string& value : split(values, ',')) axis.second.push_back(parse_value(value));
    if (axis.second.empty()) throw refuse("no values");
    return axis;
  }
  if (!values.ends_with(']')) throw refuse("'[' without ']'");
  const auto parts = split(values.substr(1, values.size() - 2), ':');
  if (parts.size() < 2 || parts.size() > 3) throw refuse("a range has two or three parts");
  const bool times = parts.size() == 3 && parts[2].starts_with('x');
  const auto first = parse_integer(parts[0]);
  const auto last = parse_integer(parts[1]);
  const auto step =
      parts.size() == 3 ? parse_integer(times ? parts[2].substr(1) : parts[2]) : std::optional(1L);
  if (!first || !last || !step) throw refuse("a range is made of whole numbers");
  if (*step < (times ? 2 : 1) || *first > *last || (times && *first < 1)) {
    throw refuse("the range would never end or is empty");
  }
  constexpr std::size_t kMostValues = 10'000;
  for (std::int64_t value = *first;; value = times ? value * *step : value + *step) {
    axis.second.emplace_back(value);
    if (axis.second.size() > kMostValues) throw refuse("more than 10000 values");
    // Asked before the next value is made, which may not fit.
    const auto left = static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(value);
    const bool over = times ? value > *last / *step : left < static_cast<std::uint64_t>(*step);
    if (over) return axis;
  }
}

}  // namespace bellmark::plan
