// The steps of a search over a grid of ranks, by hosts or by GPUs, and their counts.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/searches/distributed_bfs/step_log.hpp"

namespace bellmark::distributed_bfs {

enum GridStep : std::size_t { kPlan, kExpand, kSearch, kFold, kTranspose, kPredecessors, kCopy };

/// The way in which owners get predecessors from the ranks that found them.
enum class Predecessors {
  asked_for,   ///< a question and an answer, each with its size before it
  all_at_once  ///< all predecessors that others may want
};

/// Names that formulas of steps use: the grid, and the bytes of a bitmap of all vertices.
Growth grid_growth();

/// In the order of GridStep. `copies`: a GPU searches, and hosts send.
std::vector<Step> grid_steps(Predecessors predecessors, bool copies);

}  // namespace bellmark::distributed_bfs
