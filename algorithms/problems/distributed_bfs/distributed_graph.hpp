// A graph of which every rank holds its blocks of the adjacency matrix, and no rank holds all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/parallel/communicator.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/distributed_bfs/partition.hpp"
#include "graph/graph.hpp"

namespace bellmark::distributed_bfs {

/// This rank's blocks, and the facts of the whole graph that all ranks know. Copies share the
/// blocks. The communicator must outlive it. Lengths are left out: a breadth-first search doesn't
/// ask for them.
class DistributedGraph {
 public:
  /// Edges that a rank draws before it sends their arcs: 64 MiB.
  static constexpr std::uint64_t kRoundEdges = std::uint64_t{1} << 22;

  DistributedGraph() = default;

  /// Collective. A Kronecker graph is made where it will lie. Each rank draws its share of the
  /// edges, in rounds of round_edge_count or fewer, and sends their arcs to the ranks of their
  /// blocks. It sends one round while it draws the next. The blocks are the same as those of
  /// make_kronecker(). It takes O(edges / P) time, by all threads that the process may use, and
  /// O(edges / P + rows) memory a rank. That is 8 bytes for each arc that the rank gets, and 4 more
  /// while arcs become rows; 16 for each row of its blocks; and 40 for each edge of a round.
  ///
  /// Every rank opens any other graph (pages of a mapped file are shared) and lets it go when its
  /// blocks are copied. Throws the errors of open_graph() and of Partition, and InputError where
  /// row offsets of a mapped file lead out of it.
  static DistributedGraph open(const std::string& reference, Communicator& ranks,
                               PartitionKind kind = PartitionKind::grid,
                               std::uint64_t round_edge_count = kRoundEdges);

  /// Collective: the blocks of a graph that every rank has, and the facts of its edge list.
  static DistributedGraph of(const Graph& graph, Communicator& ranks,
                             PartitionKind kind = PartitionKind::grid);

  /// Collective: rank 0 opens the graph's reference again, and checks the whole file. Throws
  /// InputError there, and the others don't go on. O(n + m).
  void verify(const std::string& reference) const;

  /// Collective, of a graph that has its blocks: the same graph in this partition. The blocks stay
  /// the same where the partition has the same ones. Whole rows of a grid whose rows ascend are put
  /// together from the parts that the ranks of its row have. That takes O(m / P) time, and 4 bytes
  /// for each arc that comes, beside those of the new block. Else it is made again.
  DistributedGraph dealt_as(PartitionKind kind) const;

  Communicator& ranks() const { return *ranks_; }
  const Partition& partition() const { return *partition_; }
  Vertex vertex_count() const { return partition_->vertex_count(); }
  /// Of the whole graph.
  Offset arc_count() const { return arc_count_; }
  bool symmetric() const { return symmetric_; }
  /// Every row of every block ascends.
  bool sorted_rows() const { return sorted_rows_; }
  const std::string& provenance() const { return provenance_; }

  /// This rank's blocks, in the order of Partition::blocks().
  const std::vector<bfs::Block>& blocks() const { return blocks_; }
  /// Of this copy alone; the others keep them.
  void drop_blocks() { blocks_.clear(); }
  /// Arcs that leave each vertex of this rank's pieces, piece by piece.
  const std::vector<Offset>& degrees() const { return degrees_; }
  /// The number of edges in the list that the graph was made from, where it lacks some of them:
  /// loops and duplicates count here.
  std::optional<std::uint64_t> edge_list_edge_count() const { return edge_list_edge_count_; }
  /// Where there is such a list: for each vertex of this rank's pieces, the number of edges' ends
  /// at it. A loop has two.
  const std::vector<Offset>& edge_list_degrees() const { return edge_list_degrees_; }

 private:
  DistributedGraph(Communicator& ranks, PartitionKind kind, Vertex n)
      : ranks_(&ranks), partition_(std::make_shared<Partition>(kind, n, ranks.size())) {}

  DistributedGraph with_whole_rows() const;
  void find_counts();
  /// Collective: this rank's share of Graph::edge_list_degrees(), which is empty where the graph
  /// lacks no edge of a list.
  void take_edge_list(std::span<const std::uint32_t> degrees);
  /// Collective: for each vertex of this rank's pieces the sum of count(block, row) over all blocks
  /// that have its row.
  template <class Count>
  std::vector<Offset> sum_of_rows(Count count) const;

  Communicator* ranks_ = nullptr;
  std::shared_ptr<const Partition> partition_;
  std::function<DistributedGraph(PartitionKind)> make_;
  std::string provenance_;
  Offset arc_count_ = 0;
  bool symmetric_ = true;
  bool sorted_rows_ = true;
  std::vector<bfs::Block> blocks_;
  std::vector<Offset> degrees_;
  std::optional<std::uint64_t> edge_list_edge_count_;
  std::vector<Offset> edge_list_degrees_;
};

}  // namespace bellmark::distributed_bfs
