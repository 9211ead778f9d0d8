// Plans whose blocks can decide what their claims say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::verdict {

/// The blocks after which a run until it is decided looks at its claims, each time at 0.05 / 3.
inline constexpr std::size_t kLooks[] = {8, 16, 32};

/// The rows of each claim id of a plan that blocks decide, in the order of the file. What is exact,
/// or judged over queries, needs none.
struct ClaimRows {
  std::string id;
  std::size_t count = 0;  ///< of all that the claim judges
  bool needs_blocks = false;
};
std::vector<ClaimRows> rows_of_claims(const plan::Plan& plan);

/// About how many blocks would show the paper's effects of a claim id, if they are exactly there
/// and blocks spread by this standard deviation of logarithms: the most that one of them needs.
/// Nothing where the paper gives no size.
std::optional<double> blocks_for_effects(const plan::Experiment& experiment, const std::string& id,
                                         double log_deviation);

/// make_plan() with as many blocks as can contradict each claim after Holm's correction, where the
/// experiment doesn't state them. Throws InputError as make_plan() does, where stated blocks are
/// too few, and where a run until it is decided has no claim. A smoke run keeps its one block.
plan::Plan plan_to_decide(const plan::Experiment& experiment, const plan::Options& options,
                          const machine::Topology& topology);

}  // namespace bellmark::verdict
