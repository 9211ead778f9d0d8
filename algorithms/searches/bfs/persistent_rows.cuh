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

/// Rows of a matrix, and the columns that they lead to. RowOffset: 32 bits where arcs are fewer
/// than 2^32.
template <class AnyRowOffset>
struct DeviceRowsOf {
  using RowOffset = AnyRowOffset;

  const RowOffset* row_offsets;
  const Vertex* heads;
  // For levels bottom-up.
  const Vertex* first_heads;
  const uint4* next_heads;  ///< next_heads() of the rows before longer_end
  Vertex longer_end;        ///< rows from here on have one arc, or none
};

using DeviceRows = DeviceRowsOf<std::uint32_t>;

namespace detail {

/// The rows that a warp gathers before it searches them, at most.
inline constexpr std::uint32_t kGatheredRows = 2 * kInFlight * kWarp;

/// A warp's own shared memory.
struct WarpMemory {
  alignas(8) Vertex buffer[kGatheredRows];  ///< of search_unvisited(), or of a gpu::WarpBuffer
  std::uint32_t found[kWarp];
};
static_assert(gpu::WarpBuffer<Vertex>::kSize <= kGatheredRows);
static_assert(kNextHeads == kInFlight && kNextHeads * sizeof(Vertex) == sizeof(uint4));

template <class Rows>
__device__ std::uint32_t degree_of(const Rows& rows, Vertex vertex) {
  return static_cast<std::uint32_t>(rows.row_offsets[vertex + 1] - rows.row_offsets[vertex]);
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
template <class VertexSum, class ArcSum>
__device__ void publish(BlockTotals& totals, VertexSum& vertex_sum, ArcSum& arc_sum,
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
  atomicAdd(&vertex_sum, VertexSum{block_vertices});
  atomicAdd(&arc_sum, ArcSum{block_arcs});
}

/// The rows of up to 32 vertices: a warp takes each long row, one after the other, and the arcs of
/// short ones side by side (Merrill, Garland, Grimshaw: Scalable GPU Graph Traversal, PPoPP 2012).
/// Whole warps call it. `visitor` gets visit<count>(tail, begin, stride, end): up to `count` arcs a
/// lane, `stride` apart, those before `end`.
template <class Rows, class Visitor>
__device__ void expand(const Rows& rows, Vertex vertex, bool active, Visitor& visitor) {
  using RowOffset = typename Rows::RowOffset;
  const unsigned lane = threadIdx.x % kWarp;
  RowOffset begin = 0;
  std::uint32_t degree = 0;
  if (active) {
    begin = rows.row_offsets[vertex];
    degree = static_cast<std::uint32_t>(rows.row_offsets[vertex + 1] - begin);
  }
  for (unsigned longer = __ballot_sync(kAllLanes, degree >= kWarp); longer != 0;
       longer &= longer - 1) {
    const unsigned owner = lowest_bit(longer);
    const Vertex tail = __shfl_sync(kAllLanes, vertex, owner);
    const RowOffset first = __shfl_sync(kAllLanes, begin, owner);
    const RowOffset end = first + __shfl_sync(kAllLanes, degree, owner);
    for (RowOffset at = first; at < end; at += kInFlight * kWarp) {
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
    const RowOffset row_begin = __shfl_sync(kAllLanes, begin, owner);
    const Vertex tail = __shfl_sync(kAllLanes, vertex, owner);
    const RowOffset at = row_begin + (i - (row_end - row_degree));
    visitor.template visit<1>(tail, at, 0, i < total ? at + 1 : 0);
  }
}

/// Deals a frontier's queue out to all warps evenly, for `visitor` as above. A warp takes 32
/// vertices while there are enough, and fewer otherwise, so that a small frontier still spreads
/// over the device.
template <class Rows, class Visitor>
__device__ void expand_queue(const Rows& rows, const Vertex* queue, std::uint32_t queue_count,
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
template <class Rows, class Tally>
__device__ Vertex visited_head(const Rows& rows, const std::uint32_t* visited,
                               typename Rows::RowOffset begin, std::uint32_t stride,
                               typename Rows::RowOffset end, Tally& tally) {
  Vertex heads[kInFlight];
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const typename Rows::RowOffset at = begin + i * stride;
    heads[i] = at < end ? rows.heads[at] : kNoHead;
    tally.look(at < end ? 1 : 0);
  }
  return first_visited(visited, heads);
}

/// A visited head from head `begin` of a row on, kNoHead where there is none or `begin` is the end.
/// Whole warps call it, a row a lane. Four arcs of a row are read at a time, and the whole warp
/// reads long rows.
template <class Rows, class Tally>
__device__ Vertex search_row(const Rows& rows, const std::uint32_t* visited,
                             typename Rows::RowOffset begin, typename Rows::RowOffset end,
                             Tally& tally) {
  using RowOffset = typename Rows::RowOffset;
  const unsigned lane = threadIdx.x % kWarp;
  Vertex found = kNoHead;
  for (unsigned longer = __ballot_sync(kAllLanes, end - begin > kWarp); longer != 0;
       longer &= longer - 1) {
    const unsigned owner = lowest_bit(longer);
    const RowOffset row_end = __shfl_sync(kAllLanes, end, owner);
    for (RowOffset at = __shfl_sync(kAllLanes, begin, owner); at < row_end;
         at += kInFlight * kWarp) {
      const Vertex mine = visited_head(rows, visited, at + lane, kWarp, row_end, tally);
      const unsigned finders = __ballot_sync(kAllLanes, mine != kNoHead);
      if (finders == 0) continue;
      const Vertex one = __shfl_sync(kAllLanes, mine, lowest_bit(finders));
      if (lane == owner) found = one;
      break;
    }
    if (lane == owner) begin = end;
  }
  while (begin < end && found == kNoHead) {
    found = visited_head(rows, visited, begin, 1, end, tally);
    begin += kInFlight;
  }
  __syncwarp();
  return found;
}

/// The words of a bitmap that a warp holds, one a lane, `stride` apart.
struct HeldWords {
  std::uint32_t base;  ///< that of the first lane
  std::uint32_t stride;

  __device__ std::uint32_t word(unsigned holder) const { return base + holder * stride; }
  /// A place is a bit of all that the warp holds: five bits for the word, five for the bit.
  __device__ Vertex vertex(std::uint32_t place) const {
    return word(place / kWarp) * kWarp + place % kWarp;
  }
};

/// Up to kInFlight words that a warp searches side by side.
struct ChosenWords {
  unsigned count = 0;
  unsigned holders = 0;  ///< five bits each

  /// Takes the first ones of `left`.
  __device__ explicit ChosenWords(unsigned& left) {
    for (; left != 0 && count < kInFlight; left &= left - 1) {
      holders |= lowest_bit(left) << 5 * count++;
    }
  }
  __device__ unsigned holder(unsigned i) const { return holders >> 5 * i & (kWarp - 1); }
};

/// Asks L2 for the first heads of all words in `wanted`. A lane asks for a sector, four lanes for a
/// word: its 32 heads are 128 bytes.
template <class Rows>
__device__ void prefetch_first_heads(const Rows& rows, const HeldWords& held,
                                     std::uint32_t word_count, unsigned wanted) {
  constexpr unsigned kSectors = 4;
  const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
  for (unsigned first = 0; first < kWarp; first += kWarp / kSectors) {
    const unsigned holder = first + lane / kSectors;
    const std::uint32_t word = held.word(holder);
    if ((wanted >> holder & 1) == 0 || word >= word_count) continue;
    gpu::prefetch(&rows.first_heads[word * kWarp + lane % kSectors * (kWarp / kSectors)]);
  }
}

/// Looks at the first heads of the rows of some words that are not visited. A lane takes a bit of
/// each word, and `own_visited` are the bits of the word that it holds. Calls reach(row, head) for
/// each row that it finds, and returns those of the lane's word. Gathers the places of other rows
/// in `memory`, after the `failed_count` that are there.
template <class Rows, class Reach, class Tally>
__device__ std::uint32_t search_first_heads(const Rows& rows, const HeldWords& held,
                                            const ChosenWords& chosen, std::uint32_t own_visited,
                                            const std::uint32_t* visited, WarpMemory& memory,
                                            std::uint32_t& failed_count, Reach reach,
                                            Tally& tally) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  Vertex heads[kInFlight];
  bool hit[kInFlight];
  std::uint32_t own_found = 0;
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const std::uint32_t bits = __shfl_sync(kAllLanes, own_visited, chosen.holder(i));
    const bool unvisited = i < chosen.count && (bits >> lane & 1) == 0;
    heads[i] =
        unvisited ? __ldcg(&rows.first_heads[held.word(chosen.holder(i)) * kWarp + lane]) : kNoHead;
    if (heads[i] != kNoHead) {
      tally.scan();
      tally.look();
    }
  }
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    hit[i] = heads[i] != kNoHead && (visited[heads[i] / kWarp] >> heads[i] % kWarp & 1) != 0;
  }
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const std::uint32_t place = chosen.holder(i) * kWarp + lane;
    const bool failed = !hit[i] && heads[i] != kNoHead && held.vertex(place) < rows.longer_end;
    if (hit[i]) reach(held.vertex(place), heads[i]);
    const unsigned failing = __ballot_sync(kAllLanes, failed);
    if (failed) memory.buffer[failed_count + __popc(failing & ((1u << lane) - 1))] = place;
    failed_count += static_cast<std::uint32_t>(__popc(failing));
    const unsigned hits = __ballot_sync(kAllLanes, hit[i]);
    if (lane == chosen.holder(i)) own_found |= hits;
  }
  return own_found;
}

/// The gathered rows that a lane looks at side by side. With four of them, registers spill.
inline constexpr unsigned kRowsInFlight = 2;

/// Looks at the next heads of the rows gathered, kRowsInFlight rows a lane side by side. Calls
/// reach(row, head) for each row that it finds, and adds it to memory.found. The places of the rest
/// stay in the buffer where their rows may be longer. Returns their number.
template <class Rows, class Reach, class Tally>
__device__ std::uint32_t search_next_heads(const Rows& rows, const HeldWords& held,
                                           std::uint32_t gathered_count,
                                           const std::uint32_t* visited, WarpMemory& memory,
                                           Reach reach, Tally& tally) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t left_count = 0;
  for (std::uint32_t first = 0; first < gathered_count; first += kRowsInFlight * kWarp) {
    std::uint32_t places[kRowsInFlight];
    uint4 heads[kRowsInFlight];
#pragma unroll
    for (unsigned i = 0; i < kRowsInFlight; ++i) {
      const std::uint32_t at = first + i * kWarp + lane;
      const bool active = at < gathered_count;
      places[i] = active ? memory.buffer[at] : 0;
      heads[i] = active ? __ldcs(&rows.next_heads[held.vertex(places[i])])
                        : make_uint4(kNoHead, kNoHead, kNoHead, kNoHead);
      for (const Vertex head : {heads[i].x, heads[i].y, heads[i].z, heads[i].w}) {
        tally.look(head != kNoHead ? 1 : 0);
      }
    }
    __syncwarp();  // the places are read, and others take theirs
#pragma unroll
    for (unsigned i = 0; i < kRowsInFlight; ++i) {
      const Vertex head = first_visited(visited, {heads[i].x, heads[i].y, heads[i].z, heads[i].w});
      if (head != kNoHead) {
        reach(held.vertex(places[i]), head);
        atomicOr(&memory.found[places[i] / kWarp], 1u << places[i] % kWarp);
      }
      const bool is_left = head == kNoHead && heads[i].w != kNoHead;
      const unsigned leaving = __ballot_sync(kAllLanes, is_left);
      if (is_left) memory.buffer[left_count + __popc(leaving & ((1u << lane) - 1))] = places[i];
      left_count += static_cast<std::uint32_t>(__popc(leaving));
    }
  }
  return left_count;
}

/// Searches the rest of the rows gathered. Calls reach(row, head) for each row that it finds, and
/// adds it to memory.found.
template <class Rows, class Reach, class Tally>
__device__ void search_gathered(const Rows& rows, const HeldWords& held,
                                std::uint32_t gathered_count, const std::uint32_t* visited,
                                WarpMemory& memory, Reach reach, Tally& tally) {
  __syncwarp();
  const std::uint32_t left_count =
      search_next_heads(rows, held, gathered_count, visited, memory, reach, tally);
  __syncwarp();
  for (std::uint32_t first = 0; first < left_count; first += kWarp) {
    const std::uint32_t at = first + threadIdx.x % kWarp;
    const std::uint32_t place = at < left_count ? memory.buffer[at] : 0;
    typename Rows::RowOffset begin = 0;
    typename Rows::RowOffset end = 0;
    if (at < left_count) {
      begin = rows.row_offsets[held.vertex(place)] + 1 + kNextHeads;
      end = rows.row_offsets[held.vertex(place) + 1];
    }
    const Vertex head = search_row(rows, visited, begin, end, tally);
    if (head == kNoHead) continue;
    reach(held.vertex(place), head);
    atomicOr(&memory.found[place / kWarp], 1u << place % kWarp);
  }
  __syncwarp();
}

/// Looks for a visited head of every row whose bit in `row_visited` is clear. A lane holds a word.
/// The warp looks at the first heads of the words that have such rows, four side by side: in late
/// levels few have any. Rows whose first head was not visited are gathered over all words held, so
/// that few of them still make a whole warp's work. Calls reach(row, head) for each row that it
/// finds. For all words, one lane calls finish(word, bits before, bits found), which returns the
/// number of new ones. Returns the lane's sum of these.
template <class Rows, class Reach, class Finish, class Tally>
__device__ std::uint32_t search_unvisited(const Rows& rows, std::uint32_t word_count,
                                          const std::uint32_t* row_visited,
                                          const std::uint32_t* visited, WarpMemory& memory,
                                          Reach reach, Finish finish, Tally& tally) {
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t found_count = 0;
  for (std::uint32_t base = warp; base < word_count; base += kWarp * warp_count) {
    const HeldWords held{base, warp_count};
    const std::uint32_t own_word = held.word(lane);
    const std::uint32_t own_visited =
        own_word < word_count ? row_visited[own_word] : ~std::uint32_t{0};
    unsigned left = __ballot_sync(kAllLanes, ~own_visited != 0);
    prefetch_first_heads(rows, held, word_count, left);
    memory.found[lane] = 0;
    std::uint32_t own_found = 0;
    std::uint32_t failed_count = 0;
    while (left != 0) {
      own_found |= search_first_heads(rows, held, ChosenWords(left), own_visited, visited, memory,
                                      failed_count, reach, tally);
      if (failed_count + kInFlight * kWarp <= kGatheredRows && left != 0) continue;
      search_gathered(rows, held, failed_count, visited, memory, reach, tally);
      failed_count = 0;
    }
    own_found |= memory.found[lane];
    if (own_word < word_count) found_count += finish(own_word, own_visited, own_found);
  }
  return found_count;
}

}  // namespace detail
}  // namespace bellmark::bfs::persistent
