// The kernels of Hybrid-BFS on a GPU (hiragushi2013, section 3), which go along the rows of any
// block. Nothing here knows the loop over levels. They are compiled once: device_levels.cu launches
// them where the block is the whole matrix, distributed_bfs/device_block.cu where it is a part.
//
// Faults of the paper's pseudocode that these kernels don't have. Figures 1 and 2 add u to the next
// frontier where they mean v. Figure 2 asks whether u has a predecessor where it means whether u is
// in the frontier (Figures 4 and 6 do). Figure 4 ends a row at rows[v] + 1 instead of rows[v + 1].
#pragma once

#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/hybrid_gpu.cuh"
#include "algorithms/searches/bfs/hybrid_gpu_device.cuh"

namespace bellmark::bfs::hybrid_gpu {

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
  if (view.levels != nullptr) view.levels[source] = 0;
  *view.counts = {1, arc_count_of(view, source)};
}

/// The content of the list.
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
/// list of vertices with the places of their arcs in the queue. Section 3.1 adds this step to
/// Merrill's form, as frontiers come as bitmaps. A thread takes a word, and a block makes a prefix
/// scan. One atomic takes the places of a block's vertices and of their arcs together, so that both
/// ascend in the list. Rows without arcs are left out, so that no two places are the same.
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

/// The last i < size for which begins(i) <= place; begins(0) is at most `place`.
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

/// Goes along arcs `tile`, ... of the listed vertices, at most kTileArcs of them. A block finds
/// their vertices by binary search, so that rows of any length load all threads alike. It takes
/// part as a whole, and passes a barrier before its next tile. Calls visit(i, head, tail) for arc i
/// * kBlock + threadIdx.x of the tile.
///
/// Cost: 4 bytes an arc read in runs as long as the rows; at most 8 (16 with wide offsets) a listed
/// vertex and tile.
template <class RowOffset, bool kCounts, class Visit>
__device__ void expand_tile(const LevelView<RowOffset, kCounts>& view, const Listed& list,
                            Offset tile, Visit visit) {
  __shared__ std::uint32_t starts[kTileArcs];  // of the vertices' arcs within the tile
  const std::uint32_t first =
      last_before(list.vertex_count, tile, [&](std::uint32_t i) { return view.arc_begins[i]; });

  // No two begin at the same place: there are at most as many as arcs.
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
/// the listed vertices go into the queue, 8 bytes an arc. A block has a tile.
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

/// The word of `visited` that v is in. Most heads have been visited: an outdated value costs an
/// atomic, and no more.
template <class RowOffset, bool kCounts>
__device__ Bits visited_near(const LevelView<RowOffset, kCounts>& view, Vertex v) {
  return *static_cast<volatile const Bits*>(&view.visited[v / kWordBits]);
}

/// Top-down: `head` becomes `next` unless it is visited, and the first thread writes its
/// predecessor. The bitmap is updated exactly, by atomics. Merrill's form lets duplicates pass, but
/// bottom-up levels need an exact bitmap (section 3.1). Returns whether this thread was first.
template <class RowOffset, bool kCounts>
__device__ bool reach(const LevelView<RowOffset, kCounts>& view, Vertex head, Vertex tail) {
  const std::uint32_t word = head / kWordBits;
  const Bits bit = Bits{1} << head % kWordBits;
  if ((atomicOr(&view.visited[word], bit) & bit) != 0) return false;
  atomicOr(&view.next[word], bit);
  view.predecessors[head] = view.first_predecessor + tail;
  write_level(view, head);
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

/// Top-down, both phases at once, for a host that doesn't know how many arcs leave the frontier.
/// Blocks take tiles in turn until there are no more. The arcs between the phases stay in
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
/// prefix scan (Figure 6), those of high degree in front. A warp takes each of these: it reads its
/// row coalesced and stops by a vote (Figure 4). A thread takes each of the others. Then owners
/// gather the results of their vertices.
///
/// In Figure 4 a warp serves the 32 words of its own threads only. Here the block's warps share all
/// of its words, which evens out the rows of high degree. Both forms are one kernel: they read the
/// same words, and write the same.
///
/// Cost: 12 bytes a word of 32 vertices. An unvisited vertex takes 8 bytes of row offsets. Each of
/// its steps takes a sector of heads (a thread) or a line (a warp). Each head takes a random word
/// of the frontier. A step is a chain of two latencies, which the other warps hide. Blocks hold 8
/// KiB: as many fit as their threads allow.
///
/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole block's.
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
  // Called by the one thread that found it.
  const auto found = [&](unsigned i, Vertex head, [[maybe_unused]] RowOffset arc_count) {
    const Vertex v = tile * kWordBits + candidates[i];
    view.predecessors[v] = view.first_predecessor + head;
    write_level(view, v);
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

/// Adds the first `size` words of the CPU's finds to `next`. `next` holds the GPU's finds or, where
/// `has_own` is false, nothing yet. `from_cpu` collects the vertices that the CPU alone found. A
/// thread a word.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    merge_kernel(LevelView<RowOffset> view, const Bits* received, Bits* from_cpu,
                 std::uint32_t size, bool has_own) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  unsigned found_count = 0;
  unsigned long long found_arc_count = 0;
  if (word < size) {
    const Bits own = has_own ? view.next[word] : 0;
    const Bits fresh = received[word] & ~own;
    view.next[word] = own | fresh;
    if (fresh != 0) {
      view.visited[word] |= fresh;
      from_cpu[word] |= fresh;
      found_count = static_cast<unsigned>(__popc(fresh));
    }
    for (Bits rest = fresh; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
      const Vertex v = word * kWordBits + bit;
      found_arc_count += arc_count_of(view, v);
      write_level(view, v);
    }
  }
  add_counts<kBlock>(*view.counts, found_count, found_arc_count);
}

/// Predecessors of the vertices in `from_cpu`, read over the bus where they lie: 4 bytes a vertex.
/// The reads are coalesced where a vertex's neighbours are wanted too, as most are in the CPU's
/// rows.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    fetch_predecessors_kernel(LevelView<RowOffset> view, const Bits* from_cpu,
                              const Vertex* predecessors) {
  const std::uint64_t v = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (v >= view.row_count || !contains(from_cpu, static_cast<Vertex>(v))) return;
  view.predecessors[v] = predecessors[v];
}

}  // namespace bellmark::bfs::hybrid_gpu
