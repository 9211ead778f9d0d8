// Breadth-first search by the whole device: one cooperative kernel with a barrier over all its
// blocks between levels, top-down or bottom-up by the level (Beamer, Asanovic, Patterson:
// Direction-Optimizing Breadth-First Search, SC 2012). It is for graphs with few levels and wide
// frontiers.
//
// A search keeps a bit a vertex, `visited`, and predecessor and level of each visited vertex,
// written once. Nothing else is set up before a query: vertices that are not reached keep their old
// values.
//
// A vertex without a bit whose neighbour has one before a level is visited in this level: had the
// neighbour been visited earlier than in the last level, so had the vertex. Bottom-up therefore
// asks `visited` itself, and there is no bitmap of the frontier. It reads the bits from before the
// level and writes those after it to the other bitmap, a word a warp, without atomics.
//
// Cost model, for n vertices that have arcs.
//
// Bottom-up: n / 4 bytes of bitmaps (600 KB for Kronecker scale 22: in L2). Each unvisited vertex
// reads 4 bytes of its first head, in order (9.6 MB: 2.4 us from device memory). It reads the
// head's bit (L1 or L2: hubs are first heads, and by degree their bits share a few lines). It
// writes 8 bytes of predecessor and level, in order. Only a vertex that fails reads a sector of row
// offsets and one or two of heads, 64..96 bytes. In the widest level of four searches of Kronecker
// scale 19, these were 7, 7, 19 and 58 % of the vertices that were left, with 1.1..3.2 arcs each.
// So such a level is some 10 us, most of it latencies. Offsets and rows would be 40 bytes or more a
// vertex.
//
// Top-down: 4 bytes an arc, in order, a gathered bit an arc (150 G/s within L2), and an atomic for
// bits that were clear. Each new vertex takes a sector of row offsets, one of its predecessor and 4
// bytes of queue. 5 M arcs that find 1 M vertices would take 35 + 10 + 15 us. A level has one
// barrier, 1 us.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_layout.hpp"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/bfs/persistent_tree.cuh"

namespace bellmark::bfs::persistent {

namespace cg = cooperative_groups;

/// One line of the log that a recorded run keeps. All bits zero before it.
struct LevelRecord {
  std::uint64_t begin_ns;  ///< the device's global timer
  std::uint32_t bottom_up;
  std::uint32_t frontier_count;
};

struct DeviceControl {
  FrontierCounts frontiers[3];
  std::uint32_t visited_side;  ///< the bitmap that is the last
};

struct DeviceSearch {
  DeviceRows rows;
  Vertex vertex_count;
  std::uint32_t arc_count;
  Vertex source;
  bool symmetric;  ///< else never bottom-up
  std::uint64_t alpha;
  std::uint64_t beta;
  std::uint32_t* visited[2];  ///< bitmaps; bits beyond the last vertex are set
  DeviceTree tree;
  /// Two queues of vertex_count and two lists of piece_capacity, by the level's parity. They
  /// suffice: a vertex is queued once a search.
  Vertex* queues;
  HubPiece* pieces;
  std::uint32_t piece_capacity;
  DeviceControl* control;
  LevelRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
};
namespace detail {

inline __device__ std::uint32_t word_count(const DeviceSearch& search) {
  return (search.vertex_count + kWarp - 1) / kWarp;
}

inline __device__ FrontierLists lists_of(const DeviceSearch& search, unsigned level) {
  return {&search.control->frontiers[level % 3],
          search.queues + std::size_t{level % 2} * search.vertex_count,
          search.pieces + std::size_t{level % 2} * search.piece_capacity};
}

/// One warp's part in a level top-down. Whole warps call its functions.
class TopDown {
 public:
  __device__ TopDown(const DeviceSearch& search, std::uint32_t* visited, unsigned level,
                     WarpMemory& memory)
      : search_(search),
        visited_(visited),
        found_level_(level + 1),
        next_(search.rows, lists_of(search, level + 1), memory) {}

  /// Up to `count` arcs a lane, `stride` apart, those before `end`.
  template <unsigned count>
  __device__ void visit(Vertex tail, std::uint32_t begin, std::uint32_t stride, std::uint32_t end) {
    Vertex heads[count];
    bool found[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t at = begin + i * stride;
      heads[i] = at < end ? __ldcs(&search_.rows.heads[at]) : kNoHead;
    }
    // From L2: a line in L1 would miss the bits that other multiprocessors set in this level, and
    // cost an atomic for each of them.
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      found[i] =
          heads[i] != kNoHead && (__ldcg(&visited_[heads[i] / kWarp]) >> heads[i] % kWarp & 1) == 0;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (!found[i]) continue;
      const std::uint32_t bit = 1u << heads[i] % kWarp;
      found[i] = (atomicOr(&visited_[heads[i] / kWarp], bit) & bit) == 0;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (!__any_sync(kAllLanes, found[i])) continue;
      if (found[i]) {
        search_.tree.set(heads[i], tail, found_level_);
        ++vertex_count_;
      }
      arc_count_ += next_.add(heads[i], found[i]);
    }
  }

  __device__ void flush() { next_.flush(); }
  /// The number of vertices that this lane has found.
  __device__ std::uint32_t vertex_count() const { return vertex_count_; }
  __device__ std::uint32_t arc_count() const { return arc_count_; }

 private:
  const DeviceSearch& search_;
  std::uint32_t* visited_;
  Level found_level_;
  FrontierQueue next_;
  std::uint32_t vertex_count_ = 0;
  std::uint32_t arc_count_ = 0;
};

inline __device__ void top_down_level(const DeviceSearch& search, std::uint32_t* visited,
                                      unsigned level, WarpMemory& memory, BlockTotals& totals) {
  TopDown searching(search, visited, level, memory);
  expand_frontier(search.rows, lists_of(search, level), searching);
  searching.flush();
  FrontierCounts& counts = search.control->frontiers[(level + 1) % 3];
  publish(totals, counts.vertex_count, counts.arc_count, searching.vertex_count(),
          searching.arc_count());
}

/// A level bottom-up, from `visited` to `visited_next`.
inline __device__ void bottom_up_level(const DeviceSearch& search, const std::uint32_t* visited,
                                       std::uint32_t* visited_next, unsigned level,
                                       WarpMemory& memory, BlockTotals& totals) {
  const std::uint32_t found_count = search_unvisited(
      search.rows, word_count(search), visited, visited, memory,
      [&](Vertex vertex, Vertex head) { search.tree.set(vertex, head, level + 1); },
      [&](std::uint32_t word, std::uint32_t before, std::uint32_t found) {
        visited_next[word] = before | found;
        return static_cast<std::uint32_t>(__popc(found));
      });
  FrontierCounts& counts = search.control->frontiers[(level + 1) % 3];
  publish(totals, counts.vertex_count, counts.arc_count, found_count, 0);
}

/// Queues the vertices that the last level, bottom-up, has found: bits that are not in
/// `visited_last`. A lane reads a word.
inline __device__ void queue_found(const DeviceSearch& search, const std::uint32_t* visited,
                                   const std::uint32_t* visited_last, unsigned level,
                                   WarpMemory& memory) {
  const std::uint32_t words = word_count(search);
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  FrontierQueue frontier(search.rows, lists_of(search, level), memory);
  for (std::uint32_t base = warp * kWarp; base < words; base += warp_count * kWarp) {
    const std::uint32_t word = base + lane;
    std::uint32_t found = word < words ? visited[word] & ~visited_last[word] : 0;
    // Bits are few (beta), so that lanes take one each of their own words, not all of one word.
    for (; __any_sync(kAllLanes, found != 0); found &= found - 1) {
      frontier.add(word * kWarp + lowest_bit(found), found != 0);
    }
  }
  frontier.flush();
}

/// Clears the bits of the first bitmap and makes the source the frontier of level 0.
inline __device__ void begin_search(const DeviceSearch& search, WarpMemory& memory) {
  const std::uint32_t thread = blockIdx.x * kDeviceThreads + threadIdx.x;
  const std::uint32_t words = word_count(search);
  for (std::uint32_t word = thread; word < words; word += gridDim.x * kDeviceThreads) {
    std::uint32_t bits = 0;
    if (word == search.source / kWarp) bits = 1u << search.source % kWarp;
    const std::uint32_t last_bits = search.vertex_count % kWarp;
    if (word == words - 1 && last_bits != 0) bits |= ~std::uint32_t{0} << last_bits;
    search.visited[0][word] = bits;
  }
  if (thread >= kWarp) return;
  DeviceControl& control = *search.control;
  if (thread == 0) {
    control.frontiers[0] = {};
    control.frontiers[1] = {};  // level 0 clears the third
  }
  __syncwarp();
  FrontierQueue frontier(search.rows, lists_of(search, 0), memory);
  const std::uint32_t degree = frontier.add(search.source, thread == 0);
  frontier.flush();
  if (thread == 0) {
    control.frontiers[0].vertex_count = 1;
    control.frontiers[0].arc_count = degree;
  }
}

}  // namespace detail

/// Launched cooperatively, in blocks of kDeviceThreads. Every thread decides the same from the same
/// counts, which nobody changes while they are read.
static __global__ void __launch_bounds__(kDeviceThreads, kBlocksPerProcessor)
    device_kernel(const DeviceSearch search) {
  const cg::grid_group grid = cg::this_grid();
  const bool first_thread = blockIdx.x == 0 && threadIdx.x == 0;
  __shared__ detail::WarpMemory memories[kDeviceThreads / kWarp];
  __shared__ detail::BlockTotals totals;
  detail::WarpMemory& memory = memories[threadIdx.x / kWarp];
  if (threadIdx.x == 0) totals = {0, 0};
  detail::begin_search(search, memory);
  grid.sync();

  std::uint32_t* visited = search.visited[0];
  std::uint32_t* other = search.visited[1];
  bool bottom_up = false;
  // The arcs of unvisited vertices; those that bottom-up levels visit are not taken off.
  std::uint64_t unvisited_arcs = search.arc_count;
  for (unsigned level = 0;; ++level) {
    const FrontierCounts& counts = search.control->frontiers[level % 3];
    const std::uint64_t frontier_count = __ldcg(&counts.vertex_count);
    const bool recorded =
        first_thread && search.records != nullptr && level < search.record_capacity;
    if (recorded) {
      search.records[level].begin_ns = gpu::global_timer();
      search.records[level].frontier_count = static_cast<std::uint32_t>(frontier_count);
      *search.record_count = level + 1;
    }
    if (frontier_count == 0) break;
    if (first_thread) search.control->frontiers[(level + 2) % 3] = {};

    if (!bottom_up) {
      const std::uint64_t frontier_arcs = __ldcg(&counts.arc_count);
      unvisited_arcs -= frontier_arcs;
      bottom_up = search.symmetric && frontier_arcs * search.alpha > unvisited_arcs;
    } else if (frontier_count * search.beta < search.vertex_count) {
      bottom_up = false;
      detail::queue_found(search, visited, other, level, memory);
      grid.sync();
    }
    if (recorded) search.records[level].bottom_up = bottom_up ? 1 : 0;
    if (bottom_up) {
      detail::bottom_up_level(search, visited, other, level, memory, totals);
      std::uint32_t* const before = visited;
      visited = other;
      other = before;
    } else {
      detail::top_down_level(search, visited, level, memory, totals);
    }
    grid.sync();
  }
  if (first_thread) search.control->visited_side = visited == search.visited[0] ? 0 : 1;
}

}  // namespace bellmark::bfs::persistent
