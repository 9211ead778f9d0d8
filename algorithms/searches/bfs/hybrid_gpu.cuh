// The levels of Hybrid-BFS on a GPU (hiragushi2013, section 3). First the kernels, which go along
// the rows of any block, then what bfs/hybrid-gpu and bfs/hybrid-cpu-gpu share: the class that owns
// what they work on where the block is the whole matrix. Nothing here knows the loop over levels.
//
// Sets of vertices are bitmaps, 32 vertices a word: a warp's lanes, and 1 MiB for 8 million
// vertices, so that what is tested an arc stays in the L2 cache.
//
// What the paper's pseudocode gets wrong and these kernels don't: Figures 1 and 2 add u to the next
// frontier where they mean v; Figure 2 asks whether u has a predecessor where it means whether u is
// in the frontier (Figures 4 and 6 do); Figure 4 ends a row at rows[v] + 1 instead of rows[v + 1].
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/warp.cuh"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "base/error.hpp"

namespace bellmark::bfs::hybrid_gpu {

using gpu::kAllLanes;
using gpu::kWarp;

inline constexpr unsigned kBlock = 256;
/// Bottom-up: threads of a block, each of which owns a word of the result.
inline constexpr unsigned kTileWords = 128;
/// Top-down: arcs that a block expands.
inline constexpr unsigned kTileArcs = 1024;
/// Arcs between the two phases: 8 bytes each, 32 MiB, written and read within the L2 cache (50 MB
/// on an H200). A level with more of them goes through both phases again and again.
inline constexpr unsigned kQueueArcs = 1u << 22;

/// Part of a bitmap: vertex v is bit v % 32 of word v / 32.
using Bits = std::uint32_t;
inline constexpr unsigned kWordBits = 32;
static_assert(kWordBits == kWarp);

/// Of the vertices reached so far, and of the arcs that leave them.
struct Counts {
  unsigned long long vertex_count;
  unsigned long long arc_count;
};

/// What the kernels of a level read and write. Top-down the frontier is of rows, and `visited`,
/// `next` and `predecessors` of columns; bottom-up it is the other way round. kCounts: the matrix
/// is its own mirror, so that rows and columns are the same vertices and have their arcs counted.
template <class RowOffset, bool kCounts = true>
struct LevelView {
  Vertex row_count;
  std::uint32_t row_word_count;   ///< of a bitmap of rows
  std::uint32_t next_word_count;  ///< of `next`
  const RowOffset* row_offsets;
  const Vertex* heads;
  const Bits* high_degree;  ///< rows for a whole warp
  Bits* visited;            ///< bits beyond the last vertex are set
  const Bits* frontier;
  Bits* next;
  Vertex* predecessors;      ///< of visited vertices; others hold what an earlier search left
  Vertex first_predecessor;  ///< what the frontier's vertex 0 is called as a predecessor
  Counts* counts;            ///< null unless kCounts

  // Top-down.
  unsigned arc_bits;           ///< that count all arcs: how `places` is divided
  unsigned long long* places;  ///< taken in the list: vertices << arc_bits | their arcs
  Vertex* listed;              ///< rows of the frontier that have arcs, ascending in `arc_begins`
  RowOffset* arc_begins;       ///< arcs of those listed before
  uint2* queue;                ///< arcs of the frontier as {head, tail}
};

template <class RowOffset, bool kCounts>
__device__ Offset arc_count_of(const LevelView<RowOffset, kCounts>& view, Vertex v) {
  return view.row_offsets[v + 1] - view.row_offsets[v];
}

/// Bits of word `word` that stand for no vertex.
__device__ inline Bits bits_beyond(Vertex vertex_count, std::uint32_t word) {
  const std::uint64_t begin = std::uint64_t{word} * kWordBits;
  if (begin >= vertex_count) return ~Bits{0};
  const std::uint64_t inside = vertex_count - begin;
  return inside >= kWordBits ? 0 : ~Bits{0} << inside;
}

__device__ inline bool contains(const Bits* set, Vertex v) {
  return (__ldg(&set[v / kWordBits]) >> (v % kWordBits) & 1) != 0;
}

/// The sum of `value` over the threads before this one, and over the whole block, which takes part.
/// Once a kernel for each T: its shared memory is not handed back.
template <unsigned kThreads, class T>
__device__ T scan_block(T value, T& total) {
  __shared__ T warp_sums[kThreads / kWarp];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  T sum = value;
  for (unsigned i = 1; i < kWarp; i *= 2) {
    const T before = __shfl_up_sync(kAllLanes, sum, i);
    if (lane >= i) sum += before;
  }
  if (lane == kWarp - 1) warp_sums[warp] = sum;
  __syncthreads();
  T before = 0;
  total = 0;
  for (unsigned i = 0; i < kThreads / kWarp; ++i) {
    if (i == warp) before = total;
    total += warp_sums[i];
  }
  return before + sum - value;
}

template <class T>
__device__ T sum_of_warp(T value) {
  for (unsigned i = kWarp / 2; i > 0; i /= 2) value += __shfl_xor_sync(kAllLanes, value, i);
  return value;
}

/// Adds what the block's threads found: two atomics a block, none when it found nothing. The whole
/// block takes part, once a kernel.
template <unsigned kThreads>
__device__ void add_counts(Counts& counts, unsigned vertex_count, unsigned long long arc_count) {
  __shared__ unsigned vertex_sums[kThreads / kWarp];
  __shared__ unsigned long long arc_sums[kThreads / kWarp];
  vertex_count = sum_of_warp(vertex_count);
  arc_count = sum_of_warp(arc_count);
  if (threadIdx.x % kWarp == 0) {
    vertex_sums[threadIdx.x / kWarp] = vertex_count;
    arc_sums[threadIdx.x / kWarp] = arc_count;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long vertices = 0;
  unsigned long long arcs = 0;
  for (unsigned i = 0; i < kThreads / kWarp; ++i) {
    vertices += vertex_sums[i];
    arcs += arc_sums[i];
  }
  if (vertices == 0) return;
  atomicAdd(&counts.vertex_count, vertices);
  atomicAdd(&counts.arc_count, arcs);
}

/// Made once: a warp a word.
template <class RowOffset, bool kCounts>
__global__ void __launch_bounds__(kBlock)
    high_degree_kernel(LevelView<RowOffset, kCounts> view, Bits* high_degree,
                       std::uint32_t threshold) {
  const std::uint64_t v = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  const bool high = v < view.row_count && arc_count_of(view, static_cast<Vertex>(v)) >= threshold;
  const Bits bits = __ballot_sync(kAllLanes, high);
  const std::uint64_t word = v / kWordBits;
  if (threadIdx.x % kWarp == 0 && word < view.row_word_count) high_degree[word] = bits;
}

/// Nothing but the source is visited, and it is the frontier. A thread a word.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    begin_kernel(LevelView<RowOffset> view, Bits* frontier, Vertex source) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  if (word >= view.row_word_count) return;
  const Bits bit = word == source / kWordBits ? Bits{1} << source % kWordBits : 0;
  view.visited[word] = bits_beyond(view.row_count, word) | bit;
  frontier[word] = bit;
  if (bit == 0) return;
  view.predecessors[source] = kNoVertex;
  *view.counts = {1, arc_count_of(view, source)};
}

/// What is in the list.
struct Listed {
  std::uint32_t vertex_count;
  Offset arc_count;
};

template <class RowOffset, bool kCounts>
__device__ Listed listed(const LevelView<RowOffset, kCounts>& view) {
  const unsigned long long places = *view.places;
  return {static_cast<std::uint32_t>(places >> view.arc_bits),
          places & ((1ull << view.arc_bits) - 1)};
}

/// Top-down, before its two phases: words [first_word, last_word) of the frontier's bitmap become a
/// list of vertices with the places of their arcs in the queue (section 3.1 adds this step to
/// Merrill's form, as frontiers come as bitmaps). A thread a word; a block prefix scan, and one
/// atomic takes the places of a block's vertices and of their arcs together, so that both ascend in
/// the list. Rows without arcs are left out: the places of the others differ.
///
/// Also clears `next`, which the second phase adds to.
template <class RowOffset, bool kCounts>
__global__ void __launch_bounds__(kBlock)
    list_kernel(LevelView<RowOffset, kCounts> view, std::uint32_t first_word,
                std::uint32_t last_word) {
  __shared__ unsigned long long block_place;
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  Bits bits = 0;
  if (word >= first_word && word < last_word) bits = view.frontier[word];
  if (word < view.next_word_count) view.next[word] = 0;
  unsigned long long mine = 0;
  for (Bits rest = bits; rest != 0; rest &= rest - 1) {
    const Vertex v = word * kWordBits + static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
    const Offset arc_count = arc_count_of(view, v);
    if (arc_count > 0) mine += (1ull << view.arc_bits) + arc_count;
  }
  unsigned long long total = 0;
  unsigned long long place = scan_block<kBlock>(mine, total);
  if (total == 0) return;
  if (threadIdx.x == 0) block_place = atomicAdd(view.places, total);
  __syncthreads();
  place += block_place;
  for (Bits rest = bits; rest != 0; rest &= rest - 1) {
    const Vertex v = word * kWordBits + static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
    const Offset arc_count = arc_count_of(view, v);
    if (arc_count == 0) continue;
    const std::uint64_t i = place >> view.arc_bits;
    view.listed[i] = v;
    view.arc_begins[i] = static_cast<RowOffset>(place & ((1ull << view.arc_bits) - 1));
    place += (1ull << view.arc_bits) + arc_count;
  }
}

/// The last i < size for which begins(i) <= place; begins(0) is.
template <class Begins>
__device__ std::uint32_t last_before(std::uint32_t size, Offset place, Begins begins) {
  std::uint32_t first = 0;
  while (size > 1) {
    const std::uint32_t half = size / 2;
    if (begins(first + half) <= place) first += half;
    size -= half;
  }
  return first;
}

/// Arcs that a thread of a tile has.
inline constexpr unsigned kThreadArcs = kTileArcs / kBlock;

/// Goes along arcs `tile`, ... of the listed vertices, kTileArcs of them as far as there are so
/// many. A block finds their vertices by binary search, so that rows of any length load all threads
/// alike; it takes part as a whole, and passes a barrier before its next tile. Calls
/// visit(i, head, tail) for arc i * kBlock + threadIdx.x of the tile.
///
/// Cost: 4 bytes an arc read in runs as long as the rows; at most 8 (16 with wide offsets) a listed
/// vertex and tile.
template <class RowOffset, bool kCounts, class Visit>
__device__ void expand_tile(const LevelView<RowOffset, kCounts>& view, const Listed& list,
                            Offset tile, Visit visit) {
  __shared__ std::uint32_t starts[kTileArcs];  // of the vertices' arcs within the tile
  const std::uint32_t first =
      last_before(list.vertex_count, tile, [&](std::uint32_t i) { return view.arc_begins[i]; });

  // No two begin at the same place: there are no more of them than arcs.
  std::uint32_t loaded = 0;
  bool more = true;
  while (more && loaded < kTileArcs) {
    const std::uint64_t i = std::uint64_t{first} + loaded + threadIdx.x;
    std::uint32_t start = kTileArcs;
    if (i < list.vertex_count) {
      const Offset begin = view.arc_begins[i];
      if (begin < tile + kTileArcs) start = begin > tile ? static_cast<unsigned>(begin - tile) : 0;
    }
    starts[loaded + threadIdx.x] = start;
    loaded += kBlock;
    more = __syncthreads_and(start < kTileArcs) != 0;
  }

  const Offset left = list.arc_count - tile;
  const unsigned size = left < kTileArcs ? static_cast<unsigned>(left) : kTileArcs;
#pragma unroll
  for (unsigned i = 0; i < kThreadArcs; ++i) {
    const unsigned a = i * kBlock + threadIdx.x;
    if (a >= size) break;
    const std::uint32_t listed_at =
        first + last_before(loaded, a, [&](std::uint32_t start) { return starts[start]; });
    const Vertex tail = view.listed[listed_at];
    const Offset arc = view.row_offsets[tail] + (tile + a - view.arc_begins[listed_at]);
    visit(i, __ldg(&view.heads[arc]), tail);
  }
}

/// Top-down, first phase (Merrill, Garland, Grimshaw 2011: expansion): arcs `queue_begin`, ... of
/// the listed vertices into the queue, 8 bytes an arc. A block has a tile.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    expand_kernel(LevelView<RowOffset> view, Offset queue_begin) {
  const Listed list = listed(view);
  const Offset tile = queue_begin + std::uint64_t{blockIdx.x} * kTileArcs;
  if (tile >= list.arc_count) return;
  uint2* const queue = view.queue + (tile - queue_begin);
  expand_tile(view, list, tile, [&](unsigned i, Vertex head, Vertex tail) {
    queue[i * kBlock + threadIdx.x] = {head, tail};
  });
}

/// The word of `visited` that v is in. Most heads have been visited: a value that is no longer true
/// costs an atomic, and no more.
template <class RowOffset, bool kCounts>
__device__ Bits visited_near(const LevelView<RowOffset, kCounts>& view, Vertex v) {
  return *static_cast<volatile const Bits*>(&view.visited[v / kWordBits]);
}

/// Top-down: `head` becomes `next` unless it is visited, and whoever is first writes its
/// predecessor. The bitmap is updated exactly, by atomics: Merrill's form lets duplicates pass, but
/// bottom-up levels need an exact bitmap (section 3.1). Returns whether this thread was first.
template <class RowOffset, bool kCounts>
__device__ bool reach(const LevelView<RowOffset, kCounts>& view, Vertex head, Vertex tail) {
  const std::uint32_t word = head / kWordBits;
  const Bits bit = Bits{1} << head % kWordBits;
  if ((atomicOr(&view.visited[word], bit) & bit) != 0) return false;
  atomicOr(&view.next[word], bit);
  view.predecessors[head] = view.first_predecessor + tail;
  return true;
}

/// Top-down, second phase (contraction): heads that nobody has visited become `next`.
///
/// Cost: 8 bytes an arc from the L2 cache and a random word of the bitmap; a found vertex takes two
/// atomics, its row's offsets and its predecessor.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    contract_kernel(LevelView<RowOffset> view, Offset queue_begin) {
  const Offset arc_count = listed(view).arc_count;
  const Offset left = arc_count > queue_begin ? arc_count - queue_begin : 0;
  const unsigned size = left < kQueueArcs ? static_cast<unsigned>(left) : kQueueArcs;
  unsigned found_count = 0;
  unsigned long long found_arc_count = 0;
  for (unsigned i = blockIdx.x * kBlock + threadIdx.x; i < size; i += gridDim.x * kBlock) {
    const auto [head, tail] = view.queue[i];
    if ((visited_near(view, head) >> head % kWordBits & 1) != 0) continue;
    if (!reach(view, head, tail)) continue;
    ++found_count;
    found_arc_count += arc_count_of(view, head);
  }
  add_counts<kBlock>(*view.counts, found_count, found_arc_count);
}

/// Top-down, both phases at once, for a host that doesn't know how many arcs leave the frontier:
/// blocks take tiles in turn until there are no more, and what is between the phases stays in
/// registers. A thread has all words of its arcs on the way before it looks at the first.
///
/// Cost: that of both phases, less the queue's 16 bytes an arc.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    expand_and_contract_kernel(LevelView<RowOffset, false> view) {
  const Listed list = listed(view);
  const std::uint64_t step = std::uint64_t{gridDim.x} * kTileArcs;
  for (Offset tile = std::uint64_t{blockIdx.x} * kTileArcs; tile < list.arc_count; tile += step) {
    uint2 arcs[kThreadArcs];
    Bits visited[kThreadArcs];
    for (unsigned i = 0; i < kThreadArcs; ++i) visited[i] = ~Bits{0};
    expand_tile(view, list, tile, [&](unsigned i, Vertex head, Vertex tail) {
      arcs[i] = {head, tail};
      visited[i] = visited_near(view, head);
    });
#pragma unroll
    for (unsigned i = 0; i < kThreadArcs; ++i) {
      if (visited[i] == ~Bits{0}) continue;
      const auto [head, tail] = arcs[i];
      if ((visited[i] >> head % kWordBits & 1) == 0) reach(view, head, tail);
    }
    __syncthreads();
  }
}

/// Bottom-up, words [first_word, last_word). A thread owns a word of `next` and of `visited`, so
/// that nothing there is atomic. The block lists its unvisited vertices in shared memory by a
/// prefix scan (Figure 6), those of high degree in front; these are a warp's each, which reads its
/// row coalesced and stops by a vote (Figure 4), the others a thread's. Then owners gather what
/// became of their vertices.
///
/// In Figure 4 a warp serves the 32 words of its own threads and nobody else's; here the block's
/// warps share out all that it has, which evens out the rows of high degree. Both forms are one
/// kernel: they read the same words, and write the same.
///
/// Cost: 12 bytes a word of 32 vertices. An unvisited vertex takes 8 bytes of row offsets, then per
/// step a sector of heads (a thread) or a line (a warp) and as many random words of the frontier: a
/// chain of two latencies a step, hidden by the other warps. Blocks hold 8 KiB: all that fit by
/// their threads.
template <class RowOffset, bool kCounts>
__global__ void __launch_bounds__(kTileWords)
    bottom_up_kernel(LevelView<RowOffset, kCounts> view, std::uint32_t first_word,
                     std::uint32_t last_word) {
  constexpr unsigned kWarps = kTileWords / kWarp;
  constexpr std::uint16_t kFound = 0x8000;
  static_assert(kTileWords * kWordBits <= kFound);
  __shared__ std::uint16_t candidates[kTileWords * kWordBits];  // by their number in the tile

  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const std::uint32_t tile = first_word + blockIdx.x * kTileWords;
  const std::uint32_t word = tile + thread;
  const bool inside = word < last_word;
  const Bits visited = inside ? view.visited[word] : ~Bits{0};
  const Bits high = inside ? ~visited & view.high_degree[word] : 0;
  const Bits low = ~visited & ~high;
  const auto high_mine = static_cast<unsigned>(__popc(high));
  const auto low_mine = static_cast<unsigned>(__popc(low));

  // Two sums in one scan: neither has more than 16 bits.
  unsigned both = 0;
  const unsigned places = scan_block<kTileWords>(high_mine << 16 | low_mine, both);
  const unsigned high_count = both >> 16;
  const unsigned count = high_count + (both & 0xffffu);
  const unsigned high_begin = places >> 16;
  const unsigned low_begin = high_count + (places & 0xffffu);
  const auto put = [&](unsigned place, Bits rest) {
    for (; rest != 0; rest &= rest - 1) {
      candidates[place++] =
          static_cast<std::uint16_t>(thread * kWordBits + __ffs(static_cast<int>(rest)) - 1);
    }
  };
  put(high_begin, high);
  put(low_begin, low);
  __syncthreads();

  [[maybe_unused]] unsigned found_count = 0;
  [[maybe_unused]] unsigned long long found_arc_count = 0;
  // By the one thread that found it.
  const auto found = [&](unsigned i, Vertex head, [[maybe_unused]] RowOffset arc_count) {
    view.predecessors[tile * kWordBits + candidates[i]] = view.first_predecessor + head;
    candidates[i] |= kFound;
    if constexpr (kCounts) {
      ++found_count;
      found_arc_count += arc_count;
    }
  };

  // Lanes fetch the row offsets of 32 vertices at once, which the warp then takes one by one.
  for (unsigned base = thread / kWarp; base < high_count; base += kWarps * kWarp) {
    RowOffset my_begin = 0;
    RowOffset my_end = 0;
    if (const unsigned i = base + kWarps * lane; i < high_count) {
      const Vertex v = tile * kWordBits + candidates[i];
      my_begin = view.row_offsets[v];
      my_end = view.row_offsets[v + 1];
    }
    for (unsigned j = 0; j < kWarp && base + kWarps * j < high_count; ++j) {
      const RowOffset begin = __shfl_sync(kAllLanes, my_begin, j);
      const RowOffset end = __shfl_sync(kAllLanes, my_end, j);
      for (RowOffset arc = begin; arc < end; arc += kWarp) {
        Vertex head = 0;
        bool hit = false;
        if (arc + lane < end) {
          head = __ldg(&view.heads[arc + lane]);
          hit = contains(view.frontier, head);
        }
        const unsigned hits = __ballot_sync(kAllLanes, hit);
        if (hits == 0) continue;
        if (lane + 1 == static_cast<unsigned>(__ffs(static_cast<int>(hits)))) {
          found(base + kWarps * j, head, end - begin);
        }
        break;
      }
    }
  }
  for (unsigned i = high_count + thread; i < count; i += kTileWords) {
    const Vertex v = tile * kWordBits + candidates[i];
    const RowOffset begin = view.row_offsets[v];
    const RowOffset end = view.row_offsets[v + 1];
    for (RowOffset arc = begin; arc < end; ++arc) {
      const Vertex head = __ldg(&view.heads[arc]);
      if (!contains(view.frontier, head)) continue;
      found(i, head, end - begin);
      break;
    }
  }
  __syncthreads();

  Bits reached = 0;
  const auto gather = [&](unsigned begin, unsigned size) {
    for (unsigned i = begin; i < begin + size; ++i) {
      const unsigned candidate = candidates[i];
      if ((candidate & kFound) != 0) reached |= Bits{1} << candidate % kWordBits;
    }
  };
  gather(high_begin, high_mine);
  gather(low_begin, low_mine);
  if (inside) {
    view.next[word] = reached;
    if (reached != 0) view.visited[word] = visited | reached;
  }
  if constexpr (kCounts) add_counts<kTileWords>(*view.counts, found_count, found_arc_count);
}

/// Threads a block each, as blocks; one at least, since a launch of none is an error.
inline unsigned blocks_of(std::uint64_t threads, unsigned block) {
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (threads + block - 1) / block));
}

/// In pieces: the host never holds a second copy of all of them.
template <class RowOffset>
void upload_row_offsets(const Block& block, const gpu::DeviceArray<RowOffset>& row_offsets) {
  constexpr std::size_t kPiece = std::size_t{1} << 22;
  const std::span<const Offset> offsets = block.row_offsets();
  std::vector<RowOffset> piece;
  for (std::size_t begin = 0; begin < offsets.size(); begin += kPiece) {
    const std::size_t end = std::min(offsets.size(), begin + kPiece);
    piece.clear();
    for (std::size_t i = begin; i < end; ++i) piece.push_back(static_cast<RowOffset>(offsets[i]));
    gpu::check(cudaMemcpy(row_offsets.data() + begin, piece.data(),
                          piece.size() * sizeof(RowOffset), cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
}

/// Bits that count all arcs of a block, beside those of its rows in one number of 64. Throws
/// UnmetError when that doesn't do.
inline unsigned arc_bits_of(const Block& block, std::string_view family) {
  const Vertex n = block.rows().size();
  const auto arc_bits = static_cast<unsigned>(std::bit_width(block.arc_count()));
  if (static_cast<unsigned>(std::bit_width(n)) + arc_bits > 64) {
    throw UnmetError(family,
                     std::to_string(n) + " vertices and " + std::to_string(block.arc_count()) +
                         " arcs are more than its lists count in 64 bits together",
                     "use a search on CPU threads");
  }
  return arc_bits;
}

/// Sets and lists in device memory, and the steps of a level on a stream. In every step words
/// before `first_word` are somebody else's rows: nobody's without a partner.
template <class RowOffset>
class DeviceLevels {
 public:
  /// The block must be its own mirror. `threshold`: of section 3.2. `more_bytes`: device memory
  /// that the caller allocates beside this. Uploads may still be under way on return: end with
  /// cudaDeviceSynchronize(). Throws UnmetError when the memory would not do. O(n + m).
  void prepare(const Block& block, std::uint32_t threshold, std::uint64_t more_bytes,
               std::string_view family, RunContext& context) {
    const Vertex n = block.rows().size();
    const Offset m = block.arc_count();
    const unsigned arc_bits = arc_bits_of(block, family);
    const auto words = static_cast<std::uint32_t>((std::uint64_t{n} + 63) / 64 * 2);
    const Offset queue_size = std::min<Offset>(m, kQueueArcs);
    const std::uint64_t graph_bytes =
        (std::uint64_t{n} + 1) * sizeof(RowOffset) + m * sizeof(Vertex);
    const std::uint64_t bitmap_bytes = 4 * sizeof(Bits) * std::uint64_t{words};
    const std::uint64_t vertex_bytes = sizeof(Vertex) * std::uint64_t{n};
    const std::uint64_t list_bytes =
        (sizeof(Vertex) + sizeof(RowOffset)) * std::uint64_t{n} + sizeof(uint2) * queue_size;
    gpu::require_memory(graph_bytes + bitmap_bytes + vertex_bytes + list_bytes + more_bytes,
                        family);
    context.account("device graph", graph_bytes);
    context.account("device bitmaps", bitmap_bytes);
    context.account("device vertices", vertex_bytes);
    context.account("device lists", list_bytes);

    row_offsets_ = gpu::DeviceArray<RowOffset>(std::size_t{n} + 1);
    upload_row_offsets(block, row_offsets_);
    heads_ = gpu::DeviceArray<Vertex>(m);
    heads_.upload(block.heads());
    for (auto* bitmap : {&high_degree_, &visited_, &frontier_, &next_}) {
      *bitmap = gpu::DeviceArray<Bits>(words);
    }
    predecessors_ = gpu::DeviceArray<Vertex>(n);
    counts_ = gpu::DeviceArray<Counts>(1);
    places_ = gpu::DeviceArray<unsigned long long>(1);
    listed_ = gpu::DeviceArray<Vertex>(n);
    arc_begins_ = gpu::DeviceArray<RowOffset>(n);
    queue_ = gpu::DeviceArray<uint2>(queue_size);
    fetched_ = gpu::PinnedArray<Counts>(1);
    contract_blocks_ = 8 * static_cast<unsigned>(gpu::properties().multiProcessorCount);
    vertex_count_ = n;
    arc_bits_ = arc_bits;
    high_degree_kernel<<<blocks_of(n, kBlock), kBlock>>>(view(), high_degree_.data(), threshold);
    gpu::check_launch("high_degree");
  }

  std::uint32_t word_count() const { return static_cast<std::uint32_t>(visited_.size()); }
  const gpu::DeviceArray<Bits>& next() const { return next_; }

  void begin(Vertex source, cudaStream_t stream) {
    begin_kernel<<<blocks_of(word_count(), kBlock), kBlock, 0, stream>>>(view(), frontier_.data(),
                                                                         source);
    gpu::check_launch("begin");
  }

  /// From the frontier to `next`, all of which it writes. At most `arc_count` arcs leave the
  /// frontier.
  void top_down(std::uint32_t first_word, Offset arc_count, cudaStream_t stream) {
    gpu::check(cudaMemsetAsync(places_.data(), 0, places_.bytes(), stream), "cudaMemsetAsync");
    list_kernel<<<blocks_of(word_count(), kBlock), kBlock, 0, stream>>>(view(), first_word,
                                                                        word_count());
    gpu::check_launch("list");
    for (Offset begin = 0; begin < arc_count; begin += kQueueArcs) {
      const Offset size = std::min<Offset>(kQueueArcs, arc_count - begin);
      expand_kernel<<<blocks_of(size, kTileArcs), kBlock, 0, stream>>>(view(), begin);
      gpu::check_launch("expand");
      contract_kernel<<<std::min(contract_blocks_, blocks_of(size, kBlock)), kBlock, 0, stream>>>(
          view(), begin);
      gpu::check_launch("contract");
    }
  }

  /// Writes words from `first_word` on of `next`.
  void bottom_up(std::uint32_t first_word, cudaStream_t stream) {
    bottom_up_kernel<<<blocks_of(word_count() - first_word, kTileWords), kTileWords, 0, stream>>>(
        view(), first_word, word_count());
    gpu::check_launch("bottom_up");
  }

  /// Begins to fetch the counts: counts() has them when the stream is synchronised.
  void fetch_counts(cudaStream_t stream) {
    gpu::check(cudaMemcpyAsync(fetched_.data(), counts_.data(), counts_.bytes(),
                               cudaMemcpyDeviceToHost, stream),
               "cudaMemcpyAsync");
  }
  const Counts& counts() const { return fetched_[0]; }

  /// What was found is the frontier of the next level.
  void turn() { std::swap(frontier_, next_); }

  /// Predecessors of the last search, kNoVertex where it did not come. O(n).
  std::vector<Vertex> predecessors() const {
    std::vector<Vertex> predecessors(predecessors_.size());
    std::vector<Bits> visited(visited_.size());
    predecessors_.download(predecessors);
    visited_.download(visited);
    for (Vertex v = 0; v < predecessors.size(); ++v) {
      if ((visited[v / kWordBits] >> v % kWordBits & 1) == 0) predecessors[v] = kNoVertex;
    }
    return predecessors;
  }

  /// What the kernels take, for those of a partner too.
  LevelView<RowOffset> view() const {
    return {.row_count = vertex_count_,
            .row_word_count = word_count(),
            .next_word_count = word_count(),
            .row_offsets = row_offsets_.data(),
            .heads = heads_.data(),
            .high_degree = high_degree_.data(),
            .visited = visited_.data(),
            .frontier = frontier_.data(),
            .next = next_.data(),
            .predecessors = predecessors_.data(),
            .first_predecessor = 0,
            .counts = counts_.data(),
            .arc_bits = arc_bits_,
            .places = places_.data(),
            .listed = listed_.data(),
            .arc_begins = arc_begins_.data(),
            .queue = queue_.data()};
  }

 private:
  Vertex vertex_count_ = 0;
  unsigned arc_bits_ = 0;
  unsigned contract_blocks_ = 1;
  gpu::DeviceArray<RowOffset> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Bits> high_degree_;
  gpu::DeviceArray<Bits> visited_;
  gpu::DeviceArray<Bits> frontier_;
  gpu::DeviceArray<Bits> next_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<Counts> counts_;
  gpu::DeviceArray<unsigned long long> places_;
  gpu::DeviceArray<Vertex> listed_;
  gpu::DeviceArray<RowOffset> arc_begins_;
  gpu::DeviceArray<uint2> queue_;
  gpu::PinnedArray<Counts> fetched_;
};

}  // namespace bellmark::bfs::hybrid_gpu
