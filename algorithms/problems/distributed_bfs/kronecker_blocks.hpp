// The blocks of a Kronecker graph, made where they will lie.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/parallel/communicator.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/distributed_bfs/partition.hpp"
#include "graph/kronecker_edges.hpp"

namespace bellmark::distributed_bfs {

/// A rank's blocks, in the order of Partition::blocks().
struct MadeBlocks {
  std::vector<bfs::Block> blocks;
  std::vector<std::unique_ptr<Offset[]>> list_counts;  ///< arcs of the list, by block and row
};

/// Collective: each rank draws its share of the first `edge_count` edges, in rounds of
/// `round_edge_count` or fewer. It sends their arcs to the ranks of their blocks, one round while
/// it draws the next. Costs are DistributedGraph::open()'s.
MadeBlocks make_kronecker_blocks(const KroneckerEdges& edges, std::uint64_t edge_count,
                                 const Partition& partition, Communicator& ranks,
                                 std::uint64_t round_edge_count);

}  // namespace bellmark::distributed_bfs
