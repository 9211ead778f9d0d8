#include "harness/verdict/decidable.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/rows.hpp"

namespace bellmark::verdict {

std::vector<ClaimRows> rows_of_claims(const plan::Plan& plan) {
  Json cells = Json::array();
  for (const plan::Cell& cell : plan.cells) cells.push_back({{"id", cell.id}, {"axes", cell.axes}});
  std::vector<ClaimRows> all;
  for (const plan::Claim& claim : plan.experiment.claims) {
    if (claim.kind == plan::ClaimKind::absolute) continue;
    auto own = std::ranges::find(all, claim.id, &ClaimRows::id);
    if (own == all.end()) own = all.insert(own, {claim.id});
    own->count += row_count(claim, cells);
    own->needs_blocks = own->needs_blocks || needs_blocks(claim);
  }
  std::erase_if(all, [](const ClaimRows& rows) { return !rows.needs_blocks; });
  return all;
}

std::optional<double> blocks_for_effects(const plan::Experiment& experiment, const std::string& id,
                                         double log_deviation) {
  std::optional<double> most;
  for (const plan::Claim& claim : experiment.claims) {
    if (claim.id != id) continue;
    for (const StatedEffect& effect : stated_effects(claim)) {
      const auto blocks = blocks_to_decide(effect.value, log_deviation, effect.range);
      if (blocks) most = std::max(most.value_or(0), *blocks);
    }
  }
  return most;
}

plan::Plan plan_to_decide(const plan::Experiment& experiment, const plan::Options& options,
                          const machine::Topology& topology) {
  // Every shard needs the blocks of the whole plan.
  plan::Options unsharded = options;
  unsharded.shard.reset();
  plan::Plan plan = plan::make_plan(experiment, options, topology);
  const std::vector<ClaimRows> rows =
      rows_of_claims(options.shard ? plan::make_plan(experiment, unsharded, topology) : plan);
  if (options.until_decided && rows.empty()) {
    throw InputError("--until-decided",
                     "experiment '" + experiment.id + "' judges no claim by its blocks",
                     "leave it out");
  }
  if (rows.empty() || plan.options.form == "smoke") return plan;
  const auto& most = *std::ranges::max_element(rows, {}, &ClaimRows::count);
  const std::size_t needed = blocks_for(most.count);
  std::size_t blocks = experiment.block_count;
  if (!experiment.states_block_count) blocks = std::max(blocks, needed);
  if (options.until_decided) blocks = std::max(blocks, kLooks[0]);
  if (blocks < needed) {
    throw InputError(place_of(experiment, "run.block_count"),
                     std::to_string(blocks) + " blocks can't contradict claim " + most.id +
                         " with " + std::to_string(most.count) + " rows",
                     "ask for " + std::to_string(needed) + ", or leave block_count out");
  }
  if (blocks == plan.block_count) return plan;
  plan::Experiment decidable = experiment;
  decidable.block_count = blocks;
  return plan::make_plan(std::move(decidable), options, topology);
}

}  // namespace bellmark::verdict
