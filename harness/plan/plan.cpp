#include "harness/plan/plan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/budget.hpp"
#include "harness/plan/cells.hpp"
#include "harness/plan/metric.hpp"
#include "harness/plan/shards.hpp"
#include "harness/plan/stand_ins.hpp"
#include "harness/plan/stated.hpp"
#include "harness/sinks/group.hpp"
#include "harness/sinks/profile.hpp"

namespace bellmark::plan {
namespace {

bool judges_phase_times(const Experiment& experiment) {
  const auto is_phase_time = [](const std::string& name) {
    if (name.empty()) return false;
    const Metric metric = parse_metric(name);
    return metric.source == Metric::Source::phase_log && metric.subject.ends_with("_ns");
  };
  return std::ranges::any_of(experiment.claims, [&](const Claim& claim) {
    if (claim.kind == ClaimKind::absolute) return false;
    return is_phase_time(claim.metric) ||
           std::ranges::any_of(claim.statements, [&](const Statement& statement) {
             return is_phase_time(statement.metric);
           });
  });
}

}  // namespace

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
  for (const std::string& profiler : experiment.profiles) sinks::check_profiler(profiler);
  plan.experiment = std::move(experiment);
  plan.block_count = plan.experiment.block_count;
  plan.phases_each_block = judges_phase_times(plan.experiment);
  make_cells(plan, topology);
  check_baseline(plan, stated);
  make_groups(plan);
  for (const std::string& group : plan.experiment.counters) {
    if (plan.experiment.launcher.empty() || sinks::counts_threads(group)) continue;
    plan.cuts.push_back("ranks: no counters '" + group + "', which see one process");
  }
  if (options.form == "smoke" && !(options.counters.empty() && options.profiles.empty())) {
    plan.cuts.emplace_back("smoke: no counters and no profiles");
  }
  if (!plan.experiment.launcher.empty() && !plan.experiment.profiles.empty()) {
    plan.cuts.emplace_back("ranks: no profiles, which see one process");
  }
  if (options.shard) {
    take_shard(plan, *options.shard);
  } else {
    fit_budget(plan);
  }
  // A budget may have cut queries, which are part of a cell's id.
  for (Cell& cell : plan.cells) cell.id = cell_id(cell, plan.experiment);
  plan.experiment.stand_in = stand_in_of(plan, stated, topology);
  classify_cells(plan, stated);
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
  constexpr std::uint64_t kUsual = 16;
  const Registry& registry = Registry::global();
  const bool has_one =
      registry.repeats(experiment.problem) || registry.asks_whole_input(experiment.problem);
  experiment.queries.count = has_one ? 1 : kUsual;
  experiment.quick.query_count = 4;
  experiment.quick.sample_count = 2;
  experiment.figure = {{"kind", "bars"}, {"title", "Time of one query"}};
  return experiment;
}

}  // namespace bellmark::plan
