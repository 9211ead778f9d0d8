#include "harness/plan/shards.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/budget.hpp"
#include "harness/plan/cells.hpp"

namespace bellmark::plan {
namespace {

/// Cells, by index, that ratios tie together: each with the cell that it is compared with.
std::vector<std::vector<std::size_t>> comparison_groups(const Plan& plan) {
  // A baseline is its own baseline: it shares all axes with itself.
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
/// shard with the fewest cells.
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

}  // namespace

void take_shard(Plan& plan, const Shard& shard) {
  const auto shards = deal_shards(plan, shard.count);
  // With fewer queries another shard may be the longest, so each shard is fitted to the queries
  // that the last one left.
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

}  // namespace bellmark::plan
