// The data of the whole device's kernel of bfs/persistent: its arrays, its counts, the log of a
// recorded run. persistent_device.cuh has the kernel, with its cost model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/bfs/persistent_tree.cuh"

namespace bellmark::bfs::persistent {

/// One line of the log that a recorded run keeps. All bits zero before it.
struct LevelRecord {
  std::uint64_t begin_ns;  ///< the device's global timer
  std::uint32_t bottom_up;
  std::uint32_t frontier_count;
};

/// A hub of a frontier. Its row is spans of kSpanArcs arcs each, numbered from `first_span` on over
/// all hubs of the frontier.
struct alignas(8) Hub {
  Vertex vertex;
  std::uint32_t first_span;
};

/// Like FrontierCounts, of a frontier in spans: one sector, which a thread reads at once.
struct alignas(32) SpanCounts {
  std::uint32_t vertex_count;
  std::uint32_t arc_count;  ///< nearly; 0 where bottom-up made it
  std::uint32_t queue_count;
  std::uint32_t unused;
  /// Hubs in the higher half, their spans in the lower: one atomic gives hubs their places, and
  /// they ascend by their spans.
  unsigned long long hubs;
};

/// The same with arcs in 64 bits.
struct alignas(32) WideSpanCounts {
  std::uint32_t vertex_count;
  std::uint32_t queue_count;
  unsigned long long arc_count;
  unsigned long long hubs;
};

template <class RowOffset>
using SpanCountsOf = std::conditional_t<sizeof(RowOffset) == 4, SpanCounts, WideSpanCounts>;

template <class RowOffset>
struct DeviceControl {
  FrontierCounts frontiers[3];
  SpanCountsOf<RowOffset> span_frontiers[3];
  std::uint32_t visited_side;     ///< the bitmap that is the last search's last
  std::uint32_t arrivals_before;  ///< of blocks at barriers, in all searches before this one
  // All blocks wait on a line of its own.
  alignas(128) std::uint32_t arrived_count;
};

/// RowOffset: that of DeviceRowsOf.
template <class AnyRowOffset>
struct DeviceSearch {
  using RowOffset = AnyRowOffset;

  DeviceRowsOf<RowOffset> rows;  ///< for levels top-down
  /// For levels bottom-up: the same where the graph is symmetric.
  DeviceRowsOf<RowOffset> entering;
  Vertex vertex_count;
  RowOffset arc_count;
  Vertex source;
  bool turns;  ///< it has entering rows; else it never goes bottom-up
  std::uint64_t alpha;
  /// After a level top-down from a frontier with so many arcs the next one goes bottom-up, and
  /// needs no lists.
  std::uint64_t unlisted_arcs;
  std::uint64_t beta;
  std::uint64_t stay_below;
  std::uint32_t* visited[2];  ///< bitmaps; bits beyond the last vertex are set
  DeviceTree tree;            ///< of a search that leaves its answer to another kernel
  PackedTree packed;          ///< of one that gathers it
  /// Two queues of vertex_count, by the level's parity. They suffice: a vertex is queued once a
  /// search. So are the lists of hubs below.
  Vertex* queues;
  HubPiece* pieces;  ///< two lists of piece_capacity; null in spans
  std::uint32_t piece_capacity;
  Hub* hubs;                          ///< two lists of hub_end; null in pieces
  Vertex hub_end;                     ///< vertices below are hubs
  const std::uint32_t* mean_degrees;  ///< of the vertices of a word, rounded down
  // Of a search that gathers its answer; else null.
  Visit* answer;            ///< by the graph's ids
  const Vertex* originals;  ///< the ids, by number
  const Vertex* numbers;    ///< by id; vertex_count or more for none
  Vertex original_count;
  DeviceControl<RowOffset>* control;
  LevelRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
  gpu::WorkSums* work;  ///< not read by a kernel with NoTally
};

namespace detail {

template <class Search>
__device__ std::uint32_t word_count(const Search& search) {
  return (search.vertex_count + kWarp - 1) / kWarp;
}

/// The bits of a word that stand for no vertex: they count as visited.
template <class Search>
__device__ std::uint32_t padding_of(const Search& search, std::uint32_t word) {
  const std::uint32_t last_bits = search.vertex_count % kWarp;
  const bool padded = word == word_count(search) - 1 && last_bits != 0;
  return padded ? ~std::uint32_t{0} << last_bits : 0;
}

}  // namespace detail
}  // namespace bellmark::bfs::persistent
