// The part of a level that a rank searches itself, on one GPU or two, with CPU threads beside them
// or without.
#pragma once

#include <memory>
#include <span>

#include "algorithms/searches/distributed_bfs/block_search.hpp"

namespace bellmark::distributed_bfs {

/// A MakeBlockSearch: block b is on the b-th of `gpu_count` devices, those that the process sees
/// first. With a `cpu_share` the CPU's threads take the first rows of each block, by that share of
/// its arcs. They search while the devices do. Throws UnmetError when there are fewer devices, or
/// their memory would not do, and MachineError when the system starts no more threads.
std::unique_ptr<BlockSearch> make_gpu_block_search(std::span<const bfs::Block> blocks,
                                                   std::span<const VertexRange> parts,
                                                   const SearchOptions& options,
                                                   RunContext& context);

}  // namespace bellmark::distributed_bfs
