// distributed-bfs/persistent: the numbers of vertices and the rows that its kernel reads, made in
// prepare(). Host code without CUDA, so that it is tested everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/gpu/host_device.hpp"
#include "algorithms/problems/bfs/by_degree.hpp"
#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"
#include "algorithms/problems/distributed_bfs/grid_ranks.hpp"
#include "base/paged_array.hpp"

namespace bellmark::distributed_bfs::persistent {

/// The number of vertices of a piece that have consecutive numbers in every part that the piece
/// belongs to. Their bits are a line of 128 bytes, which a warp moves at once.
inline constexpr Vertex kStripe = 1024;
/// The number of vertices whose bits are a word.
inline constexpr Vertex kWordVertices = 32;

/// A vertex by its piece, among those that are numbered together, and its place in the piece.
struct Place {
  std::uint32_t piece;
  Vertex position;
};

/// Numbers of the vertices of several pieces, dealt in stripes: the first stripe of each piece, the
/// second of each, and so on. A piece has its vertices with most arcs first, and so does the whole,
/// nearly: hubs share a few lines of a bitmap, and a row that ascends asks for them first.
class Numbers {
 public:
  Numbers() = default;
  explicit Numbers(std::uint32_t piece_count)
      : piece_count_(piece_count),
        inverse_(((std::uint64_t{1} << 32) + piece_count - 1) / piece_count) {}

  BELLMARK_HOST_DEVICE std::uint32_t piece_count() const { return piece_count_; }
  BELLMARK_HOST_DEVICE Vertex number(Place place) const {
    return (place.position / kStripe * piece_count_ + place.piece) * kStripe +
           place.position % kStripe;
  }
  /// Without a division: there are far fewer than 2^32 / piece_count stripes, and below that number
  /// the rounded inverse is exact.
  BELLMARK_HOST_DEVICE Place place(Vertex number) const {
    const std::uint32_t stripe = number / kStripe;
    const auto round = static_cast<std::uint32_t>(stripe * inverse_ >> 32);
    return {stripe - round * piece_count_, round * kStripe + number % kStripe};
  }

 private:
  std::uint32_t piece_count_ = 1;
  std::uint64_t inverse_ = 0;
};

/// The degree in the kernel's counts of the source's arcs; the largest number stands for all that
/// are larger.
std::uint32_t short_degree(Offset degree);

/// The block of a rank of the grid, rows and columns numbered by stripes, each over the pieces of
/// its part. All pieces have the same number of stripes, that of the longest. In a symmetric graph
/// vertices without arcs have no number, because no search meets them.
struct Layout {
  /// Collective. Throws UnmetError, at all ranks, where a block has more arcs or the graph more
  /// vertices than 32 bits number. O(m / P + n / R + n / C) of R x C ranks, by all threads that the
  /// process may use. Each row is sorted, too.
  Layout(const DistributedGraph& graph, const GridRanks& grid);

  Numbers rows;     ///< of the row part: a piece for each rank of the row
  Numbers columns;  ///< of the column part
  Numbers all;      ///< of the whole graph
  /// Of a piece.
  std::uint32_t stripe_count = 0;
  Vertex piece_size() const { return stripe_count * kStripe; }

  /// This rank's vertices by their positions, as indices in its piece. Vertices without a position
  /// are left out.
  std::vector<Vertex> originals;
  /// Positions by index in the piece; kNoVertex where a vertex has none.
  std::vector<Vertex> positions;
  /// The number of vertices of each piece that have positions.
  std::vector<std::uint32_t> row_sizes;
  std::vector<std::uint32_t> column_sizes;
  std::uint64_t vertex_count = 0;  ///< of all pieces

  PagedArray<std::uint32_t> row_offsets;  ///< by number; padding has no arcs
  PagedArray<Vertex> heads;               ///< numbers of columns; rows ascend
  /// For each word of columns, the mean number of arcs of one of them in the whole graph. They
  /// follow each other in their piece by degree, so that all have nearly the same number.
  PagedArray<std::uint32_t> mean_degrees;
  std::size_t column_count() const { return std::size_t{columns.piece_count()} * piece_size(); }
};

}  // namespace bellmark::distributed_bfs::persistent
