// Parts of an elimination's tree that threads work on apart.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/searches/customisable_hierarchy/elimination.hpp"

namespace bellmark::customisable_hierarchy {

/// Every vertex is in one run or in `top`. All ancestors of a run's vertices are in the same run or
/// in `top`.
struct Subtrees {
  std::vector<std::pair<Vertex, Vertex>>
      runs;                 ///< of whole subtrees: first, and one after the last
  std::vector<Vertex> top;  ///< the vertices above all runs, ascending
};

/// About so many runs, each of at most 1 / task_count of the vertices; everything is in one run for
/// task_count 1. O(n).
Subtrees make_subtrees(const Elimination& tree, std::size_t task_count);

}  // namespace bellmark::customisable_hierarchy
