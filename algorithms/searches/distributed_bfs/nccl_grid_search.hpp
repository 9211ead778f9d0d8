// A search over ranks in a grid, each with a GPU, whose bitmaps never leave the GPUs.
#pragma once

#include <memory>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"
#include "algorithms/searches/distributed_bfs/search.hpp"

namespace bellmark::distributed_bfs {

/// `graph` must be a grid, with each rank's block on the device that its thread uses now. The same
/// thread calls run() and extract() with that device. Threads and `overlap` don't matter. Throws
/// UnmetError where NCCL is absent or two ranks share a GPU, where a device's memory would not do,
/// and for `by_group` and `lists`. Throws MachineError where NCCL fails.
std::unique_ptr<Search> make_nccl_grid_search(const DistributedGraph& graph,
                                              const SearchOptions& options, RunContext& context);

}  // namespace bellmark::distributed_bfs
