// The steps of a search by pairs of blocks, and their counts.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/searches/distributed_bfs/block_search.hpp"
#include "algorithms/searches/distributed_bfs/step_log.hpp"

namespace bellmark::distributed_bfs {

enum PairsStep : std::size_t {
  kPlan,
  kEnumerate,
  kAssign,
  kAllGather,
  kExtract,
  kExchange,
  kWrite,
  kCopy
};

/// Names that formulas of steps use, and the numbers of ranks that pairs take.
Growth pairs_growth();

/// In the order of PairsStep. `copies`: a GPU searches.
std::vector<Step> pairs_steps(const SearchOptions& options, bool copies);

}  // namespace bellmark::distributed_bfs
