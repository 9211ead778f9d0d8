// Plans with enough blocks to decide their claims.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::verdict {

/// The numbers of blocks after which a run until decided looks at its claims, each time at 0.05 /
/// 3.
inline constexpr std::size_t kLooks[] = {8, 16, 32};

/// The rows of each claim id of a plan that blocks decide, in the order of the file. Rows that are
/// exact, or judged over queries, need no blocks.
struct ClaimRows {
  std::string id;
  std::size_t count = 0;  ///< of all that the claim judges
  bool needs_blocks = false;
};
std::vector<ClaimRows> rows_of_claims(const plan::Plan& plan);

/// The approximate number of blocks that would show the paper's effects of a claim id. It assumes
/// that the effects are exactly there, and that the logarithms of blocks have this standard
/// deviation. Of several effects, the largest number counts. Nothing where the paper gives no size.
std::optional<double> blocks_for_effects(const plan::Experiment& experiment, const std::string& id,
                                         double log_deviation);

/// make_plan() with enough blocks to contradict each claim after Holm's correction, unless the
/// experiment states their number. Throws InputError as make_plan() does. Also throws when stated
/// blocks are too few, and when a run until decided has no claim. A smoke run keeps its one block.
plan::Plan plan_to_decide(const plan::Experiment& experiment, const plan::Options& options,
                          const machine::Topology& topology);

}  // namespace bellmark::verdict
