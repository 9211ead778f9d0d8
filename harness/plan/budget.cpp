#include "harness/plan/budget.hpp"

#include <algorithm>

namespace bellmark::plan {
namespace {

// Opening the graph, preparing, and the untimed certified pass cost about this many passes more.
constexpr double kOverheadPasses = 2.5;
constexpr double kProcessSeconds = 0.3;
constexpr double kEnergySeconds = 1.5;
constexpr std::uint64_t kFewestQueries = 2;
// The pass of visits asks each query twice, and its certificates cost about as much again.
constexpr double kVisitPasses = 3;
// Nothing is opened to make a plan: how many queries a file holds is not known.
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
  seconds += kProcessSeconds * static_cast<double>(plan.groups.size()) +
             cells * kVisitPasses * kAssumedQuerySeconds * static_cast<double>(kVisitedQueries);
  if (experiment.memory) seconds += blocks * cells * (kProcessSeconds + pass);
  const auto on_gpu = std::ranges::count_if(plan.cells, &Cell::needs_cuda);
  seconds += static_cast<double>(on_gpu) * (kEnergySeconds + kOverheadPasses * pass);
  return seconds;
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
