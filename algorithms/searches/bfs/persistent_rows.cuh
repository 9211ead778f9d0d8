// The ways along a block's rows, in both directions: bfs/persistent and distributed-bfs/persistent
// share them. The cost models are in the files of their kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_layout.hpp"

namespace bellmark::bfs::persistent {

using gpu::kAllLanes;
using gpu::kWarp;
using gpu::lowest_bit;

inline constexpr unsigned kDeviceThreads = 512;
inline constexpr unsigned kBlocksPerProcessor = 2;
inline constexpr unsigned kInFlight = 4;  ///< independent reads a lane
inline constexpr std::uint32_t kHubDegree = 512;
inline constexpr std::uint32_t kPieceArcs = kDeviceThreads * kInFlight;

/// A part of a hub's row: arcs [index * kPieceArcs, ...).
struct HubPiece {
  Vertex vertex;
  std::uint32_t index;
};

/// The counts of one level's frontier. Read in its level, made in the one before, cleared in the
/// one after.
struct FrontierCounts {
  std::uint32_t vertex_count;
  std::uint32_t arc_count;  ///< 0 where bottom-up made it: nobody asks
  std::uint32_t queue_count;
  std::uint32_t piece_count;
};

/// Rows of a matrix, and the columns that they lead to.
struct DeviceRows {
  const std::uint32_t* row_offsets;
  const Vertex* heads;
  const Vertex* first_heads;
  Vertex longer_end;  ///< rows from here on have one arc, or none
};

namespace detail {

/// A warp's own shared memory.
struct WarpMemory {
  alignas(8) Vertex buffer[gpu::WarpBuffer<Vertex>::kSize];  ///< or pairs of them, half the number
  std::uint32_t found[kInFlight];
};
static_assert(kInFlight * kWarp <= gpu::WarpBuffer<Vertex>::kSize);

inline __device__ std::uint32_t degree_of(const DeviceRows& rows, Vertex vertex) {
  return rows.row_offsets[vertex + 1] - rows.row_offsets[vertex];
}

/// The places where a level's frontier is listed.
struct FrontierLists {
  FrontierCounts* counts;
  Vertex* queue;
  HubPiece* pieces;
};

/// One warp's additions to a frontier's queue and hub pieces. Whole warps call its functions.
class FrontierQueue {
 public:
  __device__ FrontierQueue(const DeviceRows& rows, FrontierLists lists, WarpMemory& memory)
      : rows_(rows),
        lists_(lists),
        queue_(memory.buffer, lists.queue, &lists.counts->queue_count) {}

  /// Adds a vertex and returns the number of its arcs; 0 where it isn't wanted.
  __device__ std::uint32_t add(Vertex vertex, bool wanted) {
    const std::uint32_t degree = wanted ? degree_of(rows_, vertex) : 0;
    const bool hub = degree >= kHubDegree;
    queue_.append(vertex, wanted && !hub);
    if (hub) {
      const std::uint32_t pieces = (degree + kPieceArcs - 1) / kPieceArcs;
      const std::uint32_t begin = atomicAdd(&lists_.counts->piece_count, pieces);
      for (std::uint32_t i = 0; i < pieces; ++i) lists_.pieces[begin + i] = {vertex, i};
    }
    return degree;
  }

  __device__ void flush() { queue_.flush(); }

 private:
  const DeviceRows& rows_;
  FrontierLists lists_;
  gpu::WarpBuffer<Vertex> queue_;
};

/// A block's finds in a level: one atomic a block on the shared counts, not one a warp.
struct BlockTotals {
  std::uint32_t vertex_count;
  std::uint32_t arc_count;
};

/// Adds to counters that all blocks share, of any width. All threads of a block call it, and a
/// barrier over the device follows.
template <class Count>
__device__ void publish(BlockTotals& totals, Count& vertex_sum, Count& arc_sum,
                        std::uint32_t vertex_count, std::uint32_t arc_count) {
  const std::uint32_t vertices = __reduce_add_sync(kAllLanes, vertex_count);
  const std::uint32_t arcs = __reduce_add_sync(kAllLanes, arc_count);
  if (threadIdx.x % kWarp == 0 && vertices != 0) {
    atomicAdd(&totals.vertex_count, vertices);
    atomicAdd(&totals.arc_count, arcs);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  // Exchanged, not read: a compiler hoists a plain read above the test, where every thread makes it
  // beside this one's write.
  const std::uint32_t block_vertices = atomicExch(&totals.vertex_count, 0);
  const std::uint32_t block_arcs = atomicExch(&totals.arc_count, 0);
  if (block_vertices == 0) return;
  atomicAdd(&vertex_sum, Count{block_vertices});
  atomicAdd(&arc_sum, Count{block_arcs});
}

/// The rows of up to 32 vertices: a warp takes each long row, one after the other, and the arcs of
/// short ones side by side (Merrill, Garland, Grimshaw: Scalable GPU Graph Traversal, PPoPP 2012).
/// Whole warps call it. `visitor` gets visit<count>(tail, begin, stride, end): up to `count` arcs a
/// lane, `stride` apart, those before `end`.
template <class Visitor>
__device__ void expand(const DeviceRows& rows, Vertex vertex, bool active, Visitor& visitor) {
  const unsigned lane = threadIdx.x % kWarp;
  std::uint32_t begin = 0;
  std::uint32_t degree = 0;
  if (active) {
    begin = rows.row_offsets[vertex];
    degree = rows.row_offsets[vertex + 1] - begin;
  }
  for (unsigned longer = __ballot_sync(kAllLanes, degree >= kWarp); longer != 0;
       longer &= longer - 1) {
    const unsigned owner = lowest_bit(longer);
    const Vertex tail = __shfl_sync(kAllLanes, vertex, owner);
    const std::uint32_t first = __shfl_sync(kAllLanes, begin, owner);
    const std::uint32_t end = first + __shfl_sync(kAllLanes, degree, owner);
    for (std::uint32_t at = first; at < end; at += kInFlight * kWarp) {
      visitor.template visit<kInFlight>(tail, at + lane, kWarp, end);
    }
  }
  const std::uint32_t mine = degree < kWarp ? degree : 0;
  const std::uint32_t ends = gpu::inclusive_sum(mine);
  const std::uint32_t total = __shfl_sync(kAllLanes, ends, kWarp - 1);
  for (std::uint32_t first = 0; first < total; first += kWarp) {
    const std::uint32_t i = first + lane;
    unsigned owner = 0;  // the number of rows that end at or before arc i
    for (unsigned step = kWarp / 2; step > 0; step /= 2) {
      if (__shfl_sync(kAllLanes, ends, owner + step - 1) <= i) owner += step;
    }
    const std::uint32_t row_end = __shfl_sync(kAllLanes, ends, owner);
    const std::uint32_t row_degree = __shfl_sync(kAllLanes, mine, owner);
    const std::uint32_t row_begin = __shfl_sync(kAllLanes, begin, owner);
    const Vertex tail = __shfl_sync(kAllLanes, vertex, owner);
    const std::uint32_t at = row_begin + (i - (row_end - row_degree));
    visitor.template visit<1>(tail, at, 0, i < total ? at + 1 : 0);
  }
}

/// Deals a frontier's queue out to all warps evenly, for `visitor` as above. A warp takes 32
/// vertices while there are enough, and fewer otherwise, so that a small frontier still spreads
/// over the device.
template <class Visitor>
__device__ void expand_queue(const DeviceRows& rows, const Vertex* queue, std::uint32_t queue_count,
                             Visitor& visitor) {
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint32_t share = min(kWarp, (queue_count + warp_count - 1) / warp_count);
  for (std::uint32_t first = warp * share; first < queue_count; first += warp_count * share) {
    const bool active = lane < share && first + lane < queue_count;
    expand(rows, active ? __ldcg(&queue[first + lane]) : Vertex{0}, active, visitor);
  }
}

/// Deals the frontier's queue and pieces out to all warps evenly, for `visitor` as above; no row
/// that a warp gets has more than kHubDegree arcs.
template <class Visitor>
__device__ void expand_frontier(const DeviceRows& rows, FrontierLists lists, Visitor& visitor) {
  const std::uint32_t piece_count = __ldcg(&lists.counts->piece_count);
  const std::uint32_t queue_count = __ldcg(&lists.counts->queue_count);
  for (std::uint32_t i = blockIdx.x; i < piece_count; i += gridDim.x) {
    const Vertex hub = __ldcg(&lists.pieces[i].vertex);
    const std::uint32_t begin =
        rows.row_offsets[hub] + __ldcg(&lists.pieces[i].index) * kPieceArcs + threadIdx.x;
    visitor.template visit<kInFlight>(
        hub, begin, kDeviceThreads,
        min(rows.row_offsets[hub + 1], begin - threadIdx.x + kPieceArcs));
  }
  expand_queue(rows, lists.queue, queue_count, visitor);
}

/// The first head that was visited; kNoHead when none was.
inline __device__ Vertex first_visited(const std::uint32_t* visited,
                                       const Vertex (&heads)[kInFlight]) {
  std::uint32_t words[kInFlight];
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    words[i] = heads[i] != kNoHead ? visited[heads[i] / kWarp] : 0;
  }
  Vertex found = kNoHead;
#pragma unroll
  for (unsigned i = kInFlight; i-- > 0;) {
    if ((words[i] >> heads[i] % kWarp & 1) != 0) found = heads[i];
  }
  return found;
}

/// The first visited one of up to kInFlight heads, `stride` apart and before `end`.
inline __device__ Vertex visited_head(const DeviceRows& rows, const std::uint32_t* visited,
                                      std::uint32_t begin, std::uint32_t stride,
                                      std::uint32_t end) {
  Vertex heads[kInFlight];
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const std::uint32_t at = begin + i * stride;
    heads[i] = at < end ? rows.heads[at] : kNoHead;
  }
  return first_visited(visited, heads);
}

/// The number of rows that a lane searches side by side: each is a chain of three accesses to
/// memory. Two, and rows of one arc passed over, take 0.88 to 0.98 of the time of one, in wide
/// levels of Kronecker scales 24 and 25.
inline constexpr unsigned kRowsInFlight = 2;

/// A visited head beyond the first of each vertex's row, kNoHead where there is none or the vertex
/// is kNoHead. Whole warps call it. Four arcs of a row are read at a time, and the whole warp reads
/// the rest of long rows.
inline __device__ void search_rows(const DeviceRows& rows, const std::uint32_t* visited,
                                   const Vertex (&vertices)[kRowsInFlight],
                                   Vertex (&found)[kRowsInFlight]) {
  const unsigned lane = threadIdx.x % kWarp;
  std::uint32_t begins[kRowsInFlight];
  std::uint32_t ends[kRowsInFlight];
#pragma unroll
  for (unsigned row = 0; row < kRowsInFlight; ++row) {
    const bool wanted = vertices[row] != kNoHead;
    begins[row] = wanted ? rows.row_offsets[vertices[row]] + 1 : 0;
    ends[row] = wanted ? rows.row_offsets[vertices[row] + 1] : 0;
  }
  Vertex heads[kRowsInFlight][kInFlight];
#pragma unroll
  for (unsigned row = 0; row < kRowsInFlight; ++row) {
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      heads[row][i] = begins[row] + i < ends[row] ? rows.heads[begins[row] + i] : kNoHead;
    }
  }
#pragma unroll
  for (unsigned row = 0; row < kRowsInFlight; ++row) {
    found[row] = first_visited(visited, heads[row]);
  }
#pragma unroll
  for (unsigned row = 0; row < kRowsInFlight; ++row) {
    std::uint32_t begin = min(begins[row] + kInFlight, ends[row]);
    const std::uint32_t end = found[row] == kNoHead ? ends[row] : begin;
    for (unsigned longer = __ballot_sync(kAllLanes, end - begin > kWarp); longer != 0;
         longer &= longer - 1) {
      const unsigned owner = lowest_bit(longer);
      const std::uint32_t row_end = __shfl_sync(kAllLanes, end, owner);
      for (std::uint32_t at = __shfl_sync(kAllLanes, begin, owner); at < row_end;
           at += kInFlight * kWarp) {
        const Vertex mine = visited_head(rows, visited, at + lane, kWarp, row_end);
        const unsigned finders = __ballot_sync(kAllLanes, mine != kNoHead);
        if (finders == 0) continue;
        const Vertex one = __shfl_sync(kAllLanes, mine, lowest_bit(finders));
        if (lane == owner) found[row] = one;
        break;
      }
      if (lane == owner) begin = end;
    }
    while (begin < end && found[row] == kNoHead) {
      found[row] = visited_head(rows, visited, begin, 1, end);
      begin += kInFlight;
    }
    __syncwarp();
  }
}

/// The words of a bitmap that a warp searches side by side, of 32 that its lanes hold, `stride`
/// apart.
struct HeldWords {
  std::uint32_t base;  ///< that of the first lane
  std::uint32_t stride;
  unsigned count = 0;    ///< up to kInFlight
  unsigned holders = 0;  ///< five bits each

  __device__ void add(unsigned holder) { holders |= holder << 5 * count++; }
  __device__ unsigned holder(unsigned i) const { return holders >> 5 * i & (kWarp - 1); }
  __device__ std::uint32_t word(unsigned i) const { return base + holder(i) * stride; }
};

/// Looks for a visited head of the rows of `words` that are not visited. A lane takes a bit of each
/// word, and `own_visited` are the bits of the word that it holds. Rows whose first head was not
/// visited are gathered, so that whole warps search the rest of them. Calls reach(row, head) for
/// each row that it finds, and returns those of the lane's word.
///
/// This function has more than 60 lines: the rows gathered and the words held stay in registers.
template <class Reach>
__device__ std::uint32_t search_words(const DeviceRows& rows, const HeldWords& words,
                                      std::uint32_t own_visited, const std::uint32_t* visited,
                                      WarpMemory& memory, Reach reach) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  Vertex heads[kInFlight];
  bool hit[kInFlight];
  std::uint32_t own_found = 0;
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const std::uint32_t bits = __shfl_sync(kAllLanes, own_visited, words.holder(i));
    const bool unvisited = i < words.count && (bits >> lane & 1) == 0;
    heads[i] = unvisited ? __ldcg(&rows.first_heads[words.word(i) * kWarp + lane]) : kNoHead;
  }
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    hit[i] = heads[i] != kNoHead && (visited[heads[i] / kWarp] >> heads[i] % kWarp & 1) != 0;
  }
  std::uint32_t failed_count = 0;
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const Vertex vertex = words.word(i) * kWarp + lane;
    const bool failed = !hit[i] && heads[i] != kNoHead && vertex < rows.longer_end;
    if (hit[i]) reach(vertex, heads[i]);
    const unsigned failing = __ballot_sync(kAllLanes, failed);
    if (failed) {
      memory.buffer[failed_count + __popc(failing & ((1u << lane) - 1))] = i * kWarp + lane;
    }
    failed_count += static_cast<std::uint32_t>(__popc(failing));
    const unsigned hits = __ballot_sync(kAllLanes, hit[i]);
    if (lane == words.holder(i)) own_found |= hits;
  }
  if (failed_count == 0) return own_found;
  if (lane < kInFlight) memory.found[lane] = 0;
  __syncwarp();
  for (std::uint32_t first = lane; first < failed_count + lane; first += kRowsInFlight * kWarp) {
    Vertex vertices[kRowsInFlight];
    Vertex row_heads[kRowsInFlight];
#pragma unroll
    for (unsigned row = 0; row < kRowsInFlight; ++row) {
      const std::uint32_t at = first + row * kWarp;
      const std::uint32_t place = at < failed_count ? memory.buffer[at] : 0;
      vertices[row] =
          at < failed_count ? words.word(place / kWarp) * kWarp + place % kWarp : kNoHead;
    }
    search_rows(rows, visited, vertices, row_heads);
#pragma unroll
    for (unsigned row = 0; row < kRowsInFlight; ++row) {
      if (row_heads[row] == kNoHead) continue;
      reach(vertices[row], row_heads[row]);
      const std::uint32_t place = memory.buffer[first + row * kWarp];
      atomicOr(&memory.found[place / kWarp], 1u << place % kWarp);
    }
  }
  __syncwarp();
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    if (lane == words.holder(i)) own_found |= memory.found[i];
  }
  __syncwarp();
  return own_found;
}

/// Looks for a visited head of every row whose bit in `row_visited` is clear. A lane holds a word.
/// The warp searches the words that have such rows, four side by side: in late levels few have any.
/// Calls reach(row, head) for each row that it finds. For all words, one lane calls finish(word,
/// bits before, bits found), which returns the number of new ones. Returns the lane's sum of these.
template <class Reach, class Finish>
__device__ std::uint32_t search_unvisited(const DeviceRows& rows, std::uint32_t word_count,
                                          const std::uint32_t* row_visited,
                                          const std::uint32_t* visited, WarpMemory& memory,
                                          Reach reach, Finish finish) {
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t found_count = 0;
  for (std::uint32_t base = warp; base < word_count; base += kWarp * warp_count) {
    const std::uint32_t own_word = base + lane * warp_count;
    const std::uint32_t own_visited =
        own_word < word_count ? row_visited[own_word] : ~std::uint32_t{0};
    std::uint32_t own_found = 0;
    for (unsigned left = __ballot_sync(kAllLanes, ~own_visited != 0); left != 0;) {
      HeldWords words{.base = base, .stride = warp_count};
      for (; left != 0 && words.count < kInFlight; left &= left - 1) words.add(lowest_bit(left));
      own_found |= search_words(rows, words, own_visited, visited, memory, reach);
    }
    if (own_word < word_count) found_count += finish(own_word, own_visited, own_found);
  }
  return found_count;
}

}  // namespace detail
}  // namespace bellmark::bfs::persistent
