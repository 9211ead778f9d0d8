// The partition of a distributed search: the blocks of the adjacency matrix that each rank holds,
// and the vertices that it owns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "algorithms/problems/bfs/block.hpp"
#include "graph/graph.hpp"

namespace bellmark::distributed_bfs {

using bfs::VertexRange;

/// The ways in which the adjacency matrix is dealt to P ranks. grid and pairs are partitions in two
/// dimensions, so that a rank speaks to O(sqrt(P)) others.
enum class PartitionKind {
  /// R x C blocks, one a rank, for any P = R C, with R >= C as near to each other as they can be. A
  /// row that is cut up less finds its neighbour sooner, bottom-up. Rank r C + c holds the block of
  /// row part r and column part c.
  grid,
  /// B x B blocks, two a rank, for P = B^2 / 2 with B a power of 2: P = 2^(2n + 1) (hiragushi2013,
  /// section 4.1). Blocks (i, j) and (j, i) are on the same rank (section 2.4). They are each
  /// other's transpose where the graph is symmetric. The diagonal's blocks go two and two.
  pairs,
  /// A grid of P x 1: no row is cut up, and a rank speaks to all others. The grid of a prime number
  /// of ranks is such a grid.
  rows,
};
std::string to_string(PartitionKind kind);

/// Vertices are cut into pieces, in order. Pieces are whole words of a bitmap (64 vertices), and as
/// equal as these allow. So the bitmaps of pieces, one after the other, are the bitmap of their
/// union. Small graphs leave pieces empty. Part i of the rows is a run of pieces, as is part j of
/// the columns. The ranks whose blocks are of one part are a group. Each member owns one of the
/// part's pieces: the m-th member the m-th piece.
///
///         rows                         columns                      pieces
///   grid  R parts, groups of C ranks   C parts, groups of R ranks   P: rank k owns piece k
///   rows  as a grid of R = P, C = 1
///   pairs B parts, groups of B ranks   the same parts and groups    2 P: a rank owns two
///
/// In a grid a column group's m-th member doesn't own its part's m-th piece. Rank r C + c folds
/// piece c R + r there, and folder() and owner() lead there and back. O(P) memory.
class Partition {
 public:
  /// The partition of an n x n matrix. Throws UnmetError when the kind can't be made of so many
  /// ranks.
  Partition(PartitionKind kind, Vertex n, std::size_t rank_count);
  /// The text of that error; "" when there is none.
  static std::string refuse(PartitionKind kind, std::size_t rank_count);

  PartitionKind kind() const { return kind_; }
  /// Whether the kind deals the same blocks to the same ranks: a grid whose number of ranks is
  /// prime is one of rows.
  bool is_also(PartitionKind kind) const;
  Vertex vertex_count() const { return n_; }
  std::size_t rank_count() const { return blocks_.size(); }

  std::size_t row_part_count() const { return row_groups_.size(); }
  std::size_t column_part_count() const { return column_groups_.size(); }
  VertexRange row_part(std::size_t i) const;
  VertexRange column_part(std::size_t j) const;
  std::size_t row_part_of(Vertex v) const { return piece_of(v) / row_groups_[0].size(); }
  std::size_t column_part_of(Vertex v) const { return piece_of(v) / column_groups_[0].size(); }
  /// The ranks that hold a block of row part i, or of column part j, ascending.
  const std::vector<std::size_t>& row_group(std::size_t i) const { return row_groups_[i]; }
  const std::vector<std::size_t>& column_group(std::size_t j) const { return column_groups_[j]; }

  std::size_t piece_count() const { return row_groups_.size() * row_groups_[0].size(); }
  VertexRange piece(std::size_t k) const;
  std::size_t piece_of(Vertex v) const;
  /// The rank that owns the vertices of piece k.
  std::size_t owner(std::size_t k) const {
    return row_groups_[k / row_groups_[0].size()][k % row_groups_[0].size()];
  }
  std::size_t owner_of(Vertex v) const { return owner(piece_of(v)); }
  /// The pieces that a rank owns, ascending.
  const std::vector<std::size_t>& pieces(std::size_t rank) const { return pieces_[rank]; }
  /// The rank at piece k's place in its column group: the same as owner(k) where groups of rows and
  /// columns are the same.
  std::size_t folder(std::size_t k) const {
    return column_groups_[k / column_groups_[0].size()][k % column_groups_[0].size()];
  }

  /// A block by its part of the rows and its part of the columns.
  struct BlockPlace {
    std::size_t row_part;
    std::size_t column_part;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
  };
  /// The blocks that a rank holds. In a grid it holds one. In pairs it holds (i, j) with i < j and
  /// then (j, i), or (i, i) and (i + 1, i + 1).
  const std::vector<BlockPlace>& blocks(std::size_t rank) const { return blocks_[rank]; }
  struct Holder {
    std::size_t rank;
    std::size_t index;  ///< among its blocks
  };
  Holder holder(std::size_t row_part, std::size_t column_part) const {
    return holders_[row_part * column_groups_.size() + column_part];
  }

 private:
  void deal_grid(std::size_t rank_count, std::size_t column_part_count);
  void deal_pairs(std::size_t rank_count);
  VertexRange pieces_from(std::size_t first, std::size_t count) const;

  PartitionKind kind_;
  Vertex n_;
  std::vector<std::vector<BlockPlace>> blocks_;
  std::vector<Holder> holders_;
  std::vector<std::vector<std::size_t>> row_groups_;
  std::vector<std::vector<std::size_t>> column_groups_;
  std::vector<std::vector<std::size_t>> pieces_;
};

}  // namespace bellmark::distributed_bfs
