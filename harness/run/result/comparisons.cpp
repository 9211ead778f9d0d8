#include "harness/run/result/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/measure/statistics.hpp"
#include "harness/run/result/cells.hpp"
#include "harness/verdict/diagnosis.hpp"
#include "harness/verdict/doubt.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::run {
namespace {

Json comparison_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                     const Json& cells, std::size_t a, std::size_t b) {
  std::vector<double> logs;
  std::vector<double> ratios;
  std::vector<std::size_t> blocks;
  for (const Block& block : records[a].blocks) {
    const auto other = std::ranges::find(records[b].blocks, block.index, &Block::index);
    if (other == records[b].blocks.end()) continue;
    logs.push_back(measure::block_log_ratio(block.samples.step_ns, other->samples.step_ns,
                                            block.process == other->process));
    ratios.push_back(std::exp(logs.back()));
    blocks.push_back(block.index);
  }
  if (logs.empty()) return nullptr;
  const measure::Ratio ratio = measure::ratio_over_blocks(logs);
  std::set<std::string> shared = shared_places(records[a]);
  shared.merge(shared_places(records[b]));
  Json reason;
  if (!ratio.interval) {
    reason = "fewer than 6 blocks: no 95 % interval";
  } else if (!shared.empty()) {
    reason = "ranks share " + *shared.begin() + ": they wait for each other";
  } else if (const std::string doubt = verdict::doubt_of({&cells.at(a), &cells.at(b)});
             !doubt.empty()) {
    reason = doubt;
  }
  const measure::Outcome outcome = reason.is_null()
                                       ? measure::judge(ratio.interval, plan.options.least_ratio)
                                       : measure::Outcome::unclear;
  Json comparison = {{"a", plan.cells[a].id},
                     {"b", plan.cells[b].id},
                     {"ratio", ratio.value},
                     {"ci95_low", ratio.interval ? Json(ratio.interval->low) : Json()},
                     {"ci95_high", ratio.interval ? Json(ratio.interval->high) : Json()},
                     {"block_ratios", ratios},
                     {"blocks", blocks},
                     {"outcome", to_string(outcome)},
                     {"reason", reason}};
  if (plan.options.least_ratio) comparison["least_ratio"] = *plan.options.least_ratio;
  return comparison;
}

}  // namespace

Json comparisons_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                      const Json& cells) {
  const auto index_of = [&](const std::string& id) {
    return static_cast<std::size_t>(std::ranges::find(plan.cells, id, &plan::Cell::id) -
                                    plan.cells.begin());
  };
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const auto add = [&](std::size_t a, std::size_t b) {
    const std::pair pair(a, b);
    if (a != b && std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
  };
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    add(i, index_of(plan.baseline_of(plan.cells[i]).id));
  }
  for (const auto& [a, b] : verdict::needed_pairs(plan.experiment.claims, cells)) {
    add(index_of(a), index_of(b));
  }
  if (plan.experiment.diagnose) {
    for (const auto& [a, b] : verdict::diagnosis_pairs(cells)) add(index_of(a), index_of(b));
  }
  Json comparisons = Json::array();
  for (const auto& [a, b] : pairs) {
    if (records[a].failed || records[b].failed) continue;
    Json comparison = comparison_json(plan, records, cells, a, b);
    if (!comparison.is_null()) comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

}  // namespace bellmark::run
