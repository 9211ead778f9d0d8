#include "harness/plan/budget.hpp"

#include <algorithm>
#include <set>

#include "graph/expected_size.hpp"

namespace bellmark::plan {
namespace {

// For each vertex and arc of a graph: the mean over variants.
constexpr double kSsspNs = 20;
constexpr double kP2pNs = 8;
constexpr double kBfsNs = 2;
constexpr double kPrepareNs = 10;
constexpr double kCertificateNs = 15;

constexpr double kProcessSeconds = 0.05;
constexpr double kEnergySeconds = 1.5;
constexpr double kOtherSeconds = 0.01;  ///< any work on an input that is not a graph
constexpr double kUsualSize = 1e6;      ///< of a graph that isn't here: New York's
constexpr double kUsualOpenNs = 60;

// The worker's value (run/worker/cell.cpp).
constexpr double kLongPassSeconds = 2;
constexpr double kCheckedQueries = 16;

constexpr std::uint64_t kFewestQueries = 2;
// The pass of visits asks each query twice, and its certificates take about the time of one more
// pass.
constexpr double kVisitPasses = 3;
// A plan opens nothing, so the number of queries in a file is unknown.
constexpr std::uint64_t kAssumedFileQueries = 16;

}  // namespace

std::uint64_t planned_count(const QueryRule& rule) {
  if (rule.count > 0) return rule.count;
  return rule.kind == "list" ? std::max<std::uint64_t>(1, rule.list.size()) : kAssumedFileQueries;
}

std::string queries_cut(std::uint64_t left, const QueryRule& rule) {
  if (rule.count == 0) return "the first " + std::to_string(left) + " queries";
  return std::to_string(left) + " of " + std::to_string(rule.count) + " queries";
}

namespace {

/// The work of the runs on one graph, estimated before it is opened. Times are of one core of an
/// AMD EPYC (Zen 4).
struct Work {
  double open_s = 0;
  double prepare_s = 0;
  double query_s = 0;
  double certificate_s = 0;  ///< of one answer
};

Work work_on(const std::string& graph, const std::string& problem) {
  const auto known = expected_size(graph);
  if (!known && problem != "sssp" && problem != "p2p" && problem != "bfs") {
    return {kOtherSeconds, 0, kOtherSeconds, kOtherSeconds};
  }
  const ExpectedSize size = known.value_or(ExpectedSize{kUsualSize, kUsualOpenNs});
  const double count = size.count * 1e-9;
  Work work{size.open_ns_each * count, kPrepareNs * count, kSsspNs * count, kCertificateNs * count};
  if (problem == "p2p") {
    work.query_s = kP2pNs * count;
    work.certificate_s = kSsspNs * count;  // a search of its own, from every source
  } else if (problem == "bfs" || problem == "distributed-bfs") {
    work.query_s = kBfsNs * count;
  }
  return work;
}

/// A worker's time for the cells of a group, in each of its passes.
struct GroupSeconds {
  double process = 0;
  double timed = 0;
  double instrumented = 0;  ///< one pass over the queries with instruments, of all cells
  double visits = 0;        ///< in a process of their own
  double memory = 0;        ///< in a process a cell
};

GroupSeconds seconds_of(const Experiment& experiment, const Group& group, double cells) {
  const Work work = work_on(group.graph, experiment.problem);
  const double queries = static_cast<double>(planned_count(experiment.queries));
  const double pass = work.query_s * queries;
  // If a pass takes long, only the first queries are checked.
  const double checked = std::min(pass, std::max(kLongPassSeconds, work.query_s * kCheckedQueries));
  const double ready = work.prepare_s + checked;
  const double sampled =
      std::max(pass, std::min(pass * static_cast<double>(experiment.sample_count),
                              experiment.seconds_per_process));
  GroupSeconds seconds;
  seconds.process = kProcessSeconds + work.open_s;
  seconds.timed = cells * (ready + sampled + work.certificate_s);
  seconds.instrumented = cells * (ready + pass);
  seconds.memory = cells * (seconds.process + work.prepare_s + pass + work.certificate_s);
  seconds.visits =
      seconds.process + cells * kVisitPasses * work.query_s * static_cast<double>(kVisitedQueries);
  return seconds;
}

}  // namespace

double estimate(const Plan& plan) {
  const Experiment& experiment = plan.experiment;
  const double blocks = static_cast<double>(plan.block_count);
  const bool is_timed_only = plan.options.form == "smoke";
  constexpr double kPhasePasses = 3;  // without phases, with them, and with counts of work
  const double instruments =
      kPhasePasses + static_cast<double>(experiment.counters.size() + experiment.profiles.size());
  const double queries = static_cast<double>(planned_count(experiment.queries));
  std::set<std::string> graphs;
  double seconds = 0;
  for (const Group& group : plan.groups) {
    const auto cells = std::ranges::count_if(
        group.cells, [&](std::size_t cell) { return plan.cells[cell].unmet.empty(); });
    if (cells == 0) continue;  // there is no such place here
    GroupSeconds each = seconds_of(experiment, group, static_cast<double>(cells));
    if (group.twice) each.timed *= static_cast<double>(cells + 1) / static_cast<double>(cells);
    const Work work = work_on(group.graph, experiment.problem);
    if (graphs.insert(group.graph).second) {  // probed, and every query certified once
      seconds += each.process + work.open_s + work.certificate_s * queries;
    }
    seconds += blocks * (each.process + each.timed);
    if (is_timed_only || group.process_count > 1) continue;
    seconds += each.visits;
    seconds += (instruments - kPhasePasses + 1) * each.process + instruments * each.instrumented;
    if (plan.phases_each_block) {
      seconds += (blocks - 1) * (each.process + kPhasePasses * each.instrumented);
    }
    if (experiment.memory) seconds += blocks * each.memory;
    if (experiment.energy) {
      seconds +=
          blocks * (each.process + each.instrumented + static_cast<double>(cells) * kEnergySeconds);
    }
  }
  if (experiment.energy) return seconds;
  const auto on_gpu = std::ranges::count_if(plan.cells, &Cell::needs_cuda);
  return seconds + static_cast<double>(on_gpu) * kEnergySeconds;
}

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

}  // namespace bellmark::plan
