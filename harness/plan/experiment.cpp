#include "harness/plan/experiment.hpp"

#include <algorithm>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/plan/claim_reader.hpp"
#include "harness/plan/experiment_keys.hpp"
#include "harness/plan/metric.hpp"
#include "harness/plan/program_reader.hpp"
#include "harness/plan/toml_table.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

/// The plotting scripts read the table unchanged. Its contents are checked here, before hours of
/// measuring.
Json parse_figure(const Table& table) {
  table.only(kFigureKeys);
  Json figure = table.json();
  const auto metric = figure.find("metric");
  if (metric == figure.end() || !metric->is_string()) return figure;
  const std::string where = table.where_key("metric");
  if (is_drawable(parse_metric(metric->get<std::string>(), where))) return figure;
  throw InputError(
      where, "'" + metric->get<std::string>() + "' can't be drawn",
      "figures show wall_ns, memory, and of a phase log phase_count or a column's sum, "
      "mean or largest");
}

/// The id names the folder of the runs, and must stay below their root folder.
bool names_folder(const std::string& id) {
  const std::filesystem::path path(id);
  return !id.empty() && path.is_relative() && path.has_filename() &&
         path.lexically_normal().string() == id && *path.begin() != ".." && *path.begin() != ".";
}

void read_workload(const Table& root, Experiment& experiment) {
  const auto workload = root.table("workload");
  if (!workload) throw root.missing("workload");
  workload->only(kWorkloadKeys);
  experiment.problem = workload->required<std::string>("problem");
  const auto queries = workload->table("queries");
  if (!queries && Registry::global().asks_whole_input(experiment.problem)) {
    experiment.queries = {Registry::global().default_queries(experiment.problem), 1};
    return;
  }
  if (!queries) throw workload->missing("queries");
  queries->only(kQueryKeys);
  experiment.queries.kind = queries->required<std::string>("kind");
  const bool counted = experiment.queries.kind != "list" && experiment.queries.kind != "file";
  experiment.queries.count = queries->count("count", kMostQueries).value_or(counted ? 1 : 0);
  const std::int64_t seed = queries->optional<std::int64_t>("seed").value_or(42);
  if (seed < 0) {
    throw InputError(queries->where_key("seed"), "key 'workload.queries.seed' must be 0 or more",
                     "raise it");
  }
  experiment.queries.seed = static_cast<std::uint64_t>(seed);
  experiment.queries.file = queries->optional<std::string>("file").value_or("");
  experiment.queries.list = queries->counts("list");
}

void read_run(const Table& run, const std::vector<std::string>& axes, Experiment& experiment) {
  run.only(kRunKeys);
  if (auto v = run.optional<std::string>("placement")) experiment.placement = *v;
  if (auto v = run.count("processes", kMostProcesses)) experiment.process_count = *v;
  if (auto v = run.count("ranks", kMostRanks)) experiment.rank_count = *v;
  if (auto v = run.optional<std::string>("launcher")) experiment.launcher = *v;
  if (auto v = run.optional<std::string>("frequency")) experiment.frequency = *v;
  if (auto v = run.optional<std::string>("pages")) experiment.pages = machine::pages_of(*v);
  if (auto v = run.optional<bool>("diagnose")) experiment.diagnose = *v;
  if (auto v = run.count("block_count", kMostBlocks)) {
    experiment.block_count = *v;
    experiment.states_block_count = true;
  }
  if (auto v = run.count("sample_count", kMostSamples)) experiment.sample_count = *v;
  if (auto v = run.seconds("seconds_per_process")) experiment.seconds_per_process = *v;
  if (auto v = run.seconds("timeout_s")) experiment.timeout_s = *v;
  if (auto v = run.optional<bool>("memory")) experiment.memory = *v;
  if (auto v = run.optional<bool>("energy")) experiment.energy = *v;
  experiment.counters = run.strings("counters");
  experiment.profiles = run.strings("profiles");
  experiment.baseline = run.selector("baseline", axes);
}

/// A text alone, one table, or a table for each part of the graphs.
std::vector<StandIn> read_stand_ins(const Table& table) {
  constexpr const char* kKey = "stand_in";
  std::vector<StandIn> stand_ins;
  if (table.is_string(kKey)) {
    const auto text = table.required<std::string>(kKey);
    if (!text.empty()) stand_ins.push_back({.text = text});
    return stand_ins;
  }
  for (const Table& row : table.one_or_more(kKey)) {
    row.only(kStandInKeys);
    const auto name = row.required<std::string>("class");
    const auto known = stand_in_class_of(name);
    if (!known) {
      throw InputError(row.where_key("class"), "'" + name + "' is not a class of stand-ins",
                       suggestion(name, stand_in_class_names()));
    }
    StandIn stand_in{row.required<std::string>("text"), known, row.strings("graphs"),
                     row.strings("variants")};
    if ((known == StandInClass::other_program) == stand_in.variants.empty()) {
      throw InputError(row.where_key("class"),
                       "class '" + name + "' " +
                           (stand_in.variants.empty() ? "without variants" : "with variants"),
                       "name variants of the class 'other program', and of that class alone");
    }
    stand_ins.push_back(std::move(stand_in));
  }
  return stand_ins;
}

QuickForm read_quick(const Table& quick) {
  quick.only(kQuickKeys);
  QuickForm form;
  form.query_count = quick.count("query_count", kMostQueries);
  form.sample_count = quick.count("sample_count", kMostSamples);
  form.seconds_per_process = quick.seconds("seconds_per_process");
  form.stand_ins = read_stand_ins(quick);
  if (const auto table = quick.table("axes")) form.axes = table->axes();
  return form;
}

/// A list if the file has several; null when it has none.
Json read_figures(const Table& root, bool has_several) {
  Json figures;
  if (has_several) {
    for (const Table& figure : root.tables("figure")) figures.push_back(parse_figure(figure));
  } else if (const auto figure = root.table("figure")) {
    figures = parse_figure(*figure);
  }
  return figures;
}

}  // namespace

bool Selector::matches(const Json& axes) const {
  return std::ranges::all_of(wanted, [&](const Axis& axis) {
    if (!axes.contains(axis.first)) return false;
    const std::string actual = axis_text(axes[axis.first]);
    return std::ranges::any_of(axis.second,
                               [&](const AxisValue& value) { return axis_text(value) == actual; });
  });
}

std::string Selector::text() const {
  std::string text;
  for (const auto& [axis, values] : wanted) {
    if (!text.empty()) text += ", ";
    text += axis + " = ";
    for (const AxisValue& value : values) {
      if (&value != &values.front()) text += "|";
      text += axis_text(value);
    }
  }
  return text;
}

std::string axis_text(const AxisValue& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Experiment parse_experiment(const std::string& text, const std::string& name, Rules rules) {
  const toml::table parsed = parse_toml(text, name);
  const Table root(parsed, name, "");
  root.only(kRootKeys);
  Experiment experiment;
  experiment.name = name;
  experiment.text = text;
  experiment.id = root.required<std::string>("id");
  if (!names_folder(experiment.id)) {
    throw InputError(root.where_key("id"), "id '" + experiment.id + "' can't name a folder",
                     "write words parted by '/', for example yasui2011/T4");
  }
  experiment.title = root.optional<std::string>("title").value_or(experiment.id);
  if (const auto paper = root.table("paper")) {
    paper->only(kPaperKeys);
    experiment.paper_key = paper->required<std::string>("key");
    experiment.paper_item = paper->required<std::string>("item");
    experiment.paper_query_count = paper->count("queries", kMostQueries);
  }
  experiment.variants = root.strings("variants");
  if (experiment.variants.empty()) throw root.missing("variants");
  experiment.stand_ins = read_stand_ins(root);

  read_workload(root, experiment);
  if (const auto table = root.table("axes")) experiment.axes = table->axes();
  std::vector<std::string> axes = {Registry::global().input_axis(experiment.problem), "placement"};
  for (const Axis& axis : experiment.axes) add_once(axes, axis.first);
  for (const Table& row : root.tables("exclude")) {
    row.only(kExcludeKeys);
    experiment.excludes.push_back({row.selector("where", axes), row.required<std::string>("why")});
  }
  if (const auto run = root.table("run")) read_run(*run, axes, experiment);
  if (const auto quick = root.table("quick")) experiment.quick = read_quick(*quick);
  experiment.programs = read_programs(root, name);
  experiment.program_files = root.strings("programs");
  experiment.figure = read_figures(root, parsed["figure"].is_array());
  for (const Table& claim : root.tables("claim")) {
    experiment.claims.push_back(read_claim(claim, axes, rules));
  }
  return experiment;
}

}  // namespace bellmark::plan
