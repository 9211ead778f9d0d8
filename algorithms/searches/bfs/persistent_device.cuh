// Breadth-first search by the whole device: one cooperative kernel with a barrier over all its
// blocks between levels, top-down or bottom-up by the level (Beamer, Asanovic, Patterson:
// Direction-Optimizing Breadth-First Search, SC 2012). It is for graphs with few levels and wide
// frontiers.
//
// A search keeps a bit a vertex, `visited`, and a tree: predecessor and level of each visited
// vertex, written once. Nothing else is set up before a query: vertices that are not reached keep
// their old values. The answer in the graph's ids is gathered from the tree at the end, which tells
// by then of vertices that are not reached, too. So gathering reads one place a vertex and no bits.
//
// A vertex without a bit whose neighbour has one before a level is visited in this level: had the
// neighbour been visited earlier than in the last level, so had the vertex. Bottom-up therefore
// asks `visited` itself, and there is no bitmap of the frontier. It reads the bits from before the
// level and writes those after it to the other bitmap, a word a lane, without atomics. It goes
// along rows of entering arcs: those of a symmetric graph are its rows.
//
// Cost model, for n vertices that have arcs.
//
// Bottom-up: n / 4 bytes of bitmaps (600 KB for Kronecker scale 22: in L2). Each unvisited vertex
// reads 4 bytes of its first head, in order (9.6 MB: 2.4 us from device memory). It reads the
// head's bit (L1 or L2: hubs are first heads, and by degree their bits share a few lines). It
// writes 4 bytes of predecessor and level, in order. Only a vertex that fails reads 16 bytes of its
// next heads. If it fails there too, it reads its row. By count, 0.05 to 23 % of the vertices fail
// in the first such level of 13 searches of R-MAT graphs (scales 20, 22 and 24). At most 2.4 % fail
// after the next heads. Each of these reads is a wait, so they are made together: L2 is asked
// for all first heads of a warp beforehand, and vertices that fail are gathered over all its words.
//
// Top-down: 4 bytes an arc, in order, a gathered bit an arc (150 G/s within L2), and an atomic for
// bits that were clear. Each new vertex takes a mean degree (L2), a sector of its predecessor and 4
// bytes of queue; of these only the predecessor's sector where the next level is known to go
// bottom-up (unlisted_arcs). A next level that is top-down too reads a sector of row offsets. 5 M
// arcs that find 1 M vertices would take 35 + 10 + 15 us. A level has one barrier, 1 us, and a
// second one where it turns back to top-down.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_frontier.cuh"
#include "algorithms/searches/bfs/persistent_layout.hpp"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/bfs/persistent_search.cuh"
#include "algorithms/searches/bfs/persistent_tree.cuh"

namespace bellmark::bfs::persistent {

namespace cg = cooperative_groups;

namespace detail {

/// The form of a search: the lists of its frontiers, its end, and whether it counts its work. At
/// its end it gathers the answer from the tree, or leaves it to another kernel.
template <class AnyFrontier, bool gathers, class AnyTally>
struct Form {
  using Frontier = AnyFrontier;
  using Search = typename Frontier::Search;
  using Tally = AnyTally;  ///< gpu::WorkTally or gpu::NoTally
  using Memory = typename Frontier::Memory;
  using Counts = typename Frontier::Counts;
  /// It also finds the bits clear, and leaves others so.
  static constexpr bool kGathers = gathers;

  /// The tree that it writes.
  static __device__ const auto& tree(const Search& search) {
    if constexpr (gathers) {
      return search.packed;
    } else {
      return search.tree;
    }
  }
};

/// With at most this many unvisited vertices, a level or a queue that passes over the bitmap also
/// marks them as not reached. Later levels overwrite the marks of vertices that they find.
inline constexpr Vertex kFew = 1 << 16;

/// Marks the vertices of a word as not reached.
template <class Search>
__device__ void mark_unreached(const Search& search, std::uint32_t word, std::uint32_t bits) {
  for (; bits != 0; bits &= bits - 1) {
    search.packed.words[word * kWarp + lowest_bit(bits)] = PackedTree::kUnreached;
  }
}

/// One warp's part in a level top-down. Whole warps call its functions.
template <class Form>
class TopDown {
 public:
  using Search = typename Form::Search;
  using RowOffset = typename Search::RowOffset;

  /// `lists`: the next level may be top-down, too, and needs lists of its frontier and a sum of its
  /// arcs.
  __device__ TopDown(const Search& search, std::uint32_t* visited, unsigned level, bool lists,
                     typename Form::Memory& memory, typename Form::Tally& tally)
      : search_(search),
        tally_(tally),
        visited_(visited),
        found_level_(level + 1),
        lists_(lists),
        next_(Form::Frontier::queue(search, level + 1, memory)) {}

  /// Up to `count` arcs a lane, `stride` apart, those before `end`.
  template <unsigned count>
  __device__ void visit(Vertex tail, RowOffset begin, std::uint32_t stride, RowOffset end) {
    Vertex heads[count];
    bool found[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      const RowOffset at = begin + i * stride;
      heads[i] = at < end ? __ldcs(&search_.rows.heads[at]) : kNoHead;
      tally_.look(at < end ? 1 : 0);
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      // In level 0 a search may meet its source before the bit is set.
      const bool asked = heads[i] != kNoHead && !(Form::kGathers && heads[i] == tail);
      found[i] = asked && (read_bits(&visited_[heads[i] / kWarp]) >> heads[i] % kWarp & 1) == 0;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (!found[i]) continue;
      const std::uint32_t bit = 1u << heads[i] % kWarp;
      found[i] = (atomicOr(&visited_[heads[i] / kWarp], bit) & bit) == 0;
      tally_.try_atomic(found[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (found[i]) {
        Form::tree(search_).set(heads[i], tail, found_level_);
        ++vertex_count_;
      }
      if (!lists_ || !__any_sync(kAllLanes, found[i])) continue;
      arc_count_ += next_.add(heads[i], found[i]);
    }
  }

  /// Ends the level: lists the vertices found, and publishes the counts of them and their arcs.
  __device__ void publish(BlockTotals& totals) {
    next_.flush();
    auto* const counts = Form::Frontier::counts(search_, found_level_);
    detail::publish(totals, counts->vertex_count, counts->arc_count, vertex_count_, arc_count_);
  }

 private:
  /// A word of bits that other multiprocessors set meanwhile, from L2: a line in L1 would miss
  /// these bits, and cost an atomic for each of them. Relaxed, as nothing else rests on a bit: the
  /// barrier after the level has the fence for all that was written.
  static __device__ std::uint32_t read_bits(std::uint32_t* word) {
    return cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>(*word).load(
        cuda::memory_order_relaxed);
  }

  const Search& search_;
  typename Form::Tally& tally_;
  std::uint32_t* visited_;
  Level found_level_;
  bool lists_;
  typename Form::Frontier::Queue next_;
  std::uint32_t vertex_count_ = 0;  ///< that this lane has found
  std::uint32_t arc_count_ = 0;
};

template <class Form>
__device__ void top_down_level(const typename Form::Search& search, std::uint32_t* visited,
                               unsigned level, const typename Form::Counts& frontier, bool lists,
                               typename Form::Memory& memory, BlockTotals& totals,
                               typename Form::Tally& tally) {
  TopDown<Form> searching(search, visited, level, lists, memory, tally);
  Form::Frontier::expand(search, level, frontier, searching);
  searching.publish(totals);
}

/// A level bottom-up, from `visited` to `visited_next`. `marks`: it marks the vertices that are
/// left.
template <class Form>
__device__ void bottom_up_level(const typename Form::Search& search, const std::uint32_t* visited,
                                std::uint32_t* visited_next, unsigned level, bool marks,
                                WarpMemory& memory, BlockTotals& totals,
                                typename Form::Tally& tally) {
  const std::uint32_t found_count = search_unvisited(
      search.entering, word_count(search), visited, visited, memory,
      [&](Vertex vertex, Vertex head) { Form::tree(search).set(vertex, head, level + 1); },
      [&](std::uint32_t word, std::uint32_t before, std::uint32_t found) {
        visited_next[word] = before | found;
        if (marks) mark_unreached(search, word, ~(before | found));
        return static_cast<std::uint32_t>(__popc(found));
      },
      tally);
  auto* const counts = Form::Frontier::counts(search, level + 1);
  publish(totals, counts->vertex_count, counts->arc_count, found_count, 0);
}

/// Queues the vertices that the last level, bottom-up, has found: bits that are not in
/// `visited_last`. A lane reads a word. `marks`: it marks the unvisited vertices.
template <class Frontier>
__device__ void queue_found(const typename Frontier::Search& search, const std::uint32_t* visited,
                            const std::uint32_t* visited_last, unsigned level, bool marks,
                            typename Frontier::Memory& memory) {
  const std::uint32_t words = word_count(search);
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  auto frontier = Frontier::queue(search, level, memory);
  for (std::uint32_t base = warp * kWarp; base < words; base += warp_count * kWarp) {
    const std::uint32_t word = base + lane;
    const std::uint32_t bits = word < words ? visited[word] : ~std::uint32_t{0};
    std::uint32_t found = word < words ? bits & ~visited_last[word] : 0;
    if (marks) mark_unreached(search, word, ~bits);
    // Bits are few (beta), so that lanes take one each of their own words, not all of one word.
    for (; __any_sync(kAllLanes, found != 0); found &= found - 1) {
      const Vertex vertex = word * kWarp + lowest_bit(found);
      frontier.add(vertex, found != 0);
    }
  }
  frontier.flush();
}

/// Clears the bits of the first bitmap and makes the source the frontier of level 0.
template <class Frontier>
__device__ void begin_search(const typename Frontier::Search& search,
                             typename Frontier::Memory& memory) {
  const std::uint32_t thread = blockIdx.x * kDeviceThreads + threadIdx.x;
  const std::uint32_t words = word_count(search);
  for (std::uint32_t word = thread; word < words; word += gridDim.x * kDeviceThreads) {
    std::uint32_t bits = 0;
    if (word == search.source / kWarp) bits = 1u << search.source % kWarp;
    search.visited[0][word] = bits | padding_of(search, word);
  }
  if (thread >= kWarp) return;
  auto* const counts = Frontier::counts(search, 0);
  if (thread == 0) {
    *counts = {};
    *Frontier::counts(search, 1) = {};  // level 0 clears the third
  }
  __syncwarp();
  auto frontier = Frontier::queue(search, 0, memory);
  const std::uint32_t degree = frontier.add(search.source, thread == 0);
  frontier.flush();
  if (thread == 0) {
    counts->vertex_count = 1;
    counts->arc_count = degree;
  }
}

/// Level 0 of a search that finds all bits clear, as the search before left them, and so needs no
/// barrier before it. All warps take arcs of the source.
template <class Form>
__device__ void search_source(const typename Form::Search& search, std::uint32_t* visited,
                              bool lists, typename Form::Memory& memory, BlockTotals& totals,
                              typename Form::Tally& tally) {
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  if (warp == 0 && threadIdx.x == 0) {
    *Form::Frontier::counts(search, 2) = {};
    atomicOr(&visited[search.source / kWarp], 1u << search.source % kWarp);
    search.packed.set(search.source, search.packed.no_predecessor(), 0);
    tally.scan();
  }
  TopDown<Form> searching(search, visited, 0, lists, memory, tally);
  using RowOffset = typename Form::Search::RowOffset;
  const RowOffset row = search.rows.row_offsets[search.source];
  const RowOffset end = search.rows.row_offsets[search.source + 1];
  for (RowOffset at = row + warp * kSpanArcs; at < end; at += warp_count * kSpanArcs) {
    searching.template visit<kInFlight>(search.source, at + threadIdx.x % kWarp, kWarp, end);
  }
  searching.publish(totals);
}

/// The pairs of ids that a lane has in flight.
inline constexpr unsigned kPairs = 2;

/// The numbers of a lane's pairs of ids: 32 apart, so that a warp reads and writes whole sectors.
struct GatheredPairs {
  uint2 numbers[kPairs];

  template <class Search>
  __device__ void read(const Search& search, std::uint32_t first, std::uint32_t pair_count) {
    const auto pairs = reinterpret_cast<const uint2*>(search.numbers);
#pragma unroll
    for (unsigned i = 0; i < kPairs; ++i) {
      const std::uint32_t pair = first + i * kWarp;
      numbers[i] = pair < pair_count ? __ldcs(&pairs[pair]) : make_uint2(kNoVertex, kNoVertex);
    }
  }
};

/// The word of a number in the tree.
template <class Search>
__device__ std::uint32_t word_of(const Search& search, Vertex number) {
  return number < search.vertex_count ? search.packed.words[number] : PackedTree::kUnreached;
}

/// The answer to an id, from its number and the word of that.
template <class Search>
__device__ Visit answer_of(const Search& search, Vertex number, std::uint32_t word) {
  const Visit visit = search.packed.visit(number, word);
  if (visit.predecessor == kNoVertex) return visit;
  return {__ldg(&search.originals[visit.predecessor]), visit.level};
}

/// Makes the answer from the tree, by ids in order.
///
/// Cost model: 12 bytes an id, in order, and the words of vertices that have arcs. Vertices of a
/// degree are numbered by their ids. So the ids that a multiprocessor has under way ask for runs of
/// words, and L1 holds them: nearly all bytes of their sectors are used. By count, scale 24 moves
/// 0.24 GB, which is 60 us of DRAM. To write in the order of numbers would touch a sector of 32
/// bytes for each 8.
template <class Search>
__device__ void gather_answer(const Search& search) {
  const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
  const std::uint32_t warp = blockIdx.x * (kDeviceThreads / kWarp) + threadIdx.x / kWarp;
  const std::uint32_t pair_count = search.original_count / 2;
  const std::uint32_t step = warp_count * kPairs * kWarp;
  const auto answers = reinterpret_cast<uint4*>(search.answer);
  std::uint32_t first = warp * kPairs * kWarp + threadIdx.x % kWarp;
  GatheredPairs next;
  next.read(search, first, pair_count);
  for (; first < pair_count; first += step) {
    const GatheredPairs pairs = next;
    uint2 words[kPairs];
#pragma unroll
    for (unsigned i = 0; i < kPairs; ++i) {
      words[i] =
          make_uint2(word_of(search, pairs.numbers[i].x), word_of(search, pairs.numbers[i].y));
    }
    next.read(search, first + step, pair_count);
#pragma unroll
    for (unsigned i = 0; i < kPairs; ++i) {
      if (first + i * kWarp >= pair_count) break;
      const Visit one = answer_of(search, pairs.numbers[i].x, words[i].x);
      const Visit two = answer_of(search, pairs.numbers[i].y, words[i].y);
      __stcs(&answers[first + i * kWarp],
             make_uint4(one.predecessor, one.level, two.predecessor, two.level));
    }
  }
  if (warp != 0 || threadIdx.x != 0 || search.original_count % 2 == 0) return;
  const Vertex last = search.original_count - 1;
  const Vertex number = search.numbers[last];
  search.answer[last] = answer_of(search, number, word_of(search, number));
}

/// Marks all vertices that are not visited.
template <class Search>
__device__ void mark_all_unreached(const Search& search, const std::uint32_t* visited) {
  const std::uint32_t words = word_count(search);
  const std::uint32_t thread_count = gridDim.x * kDeviceThreads;
  for (std::uint32_t word = blockIdx.x * kDeviceThreads + threadIdx.x; word < words;
       word += thread_count) {
    mark_unreached(search, word, ~visited[word]);
  }
}

/// Clears a bitmap for the next search.
template <class Search>
__device__ void clear_bits(const Search& search, std::uint32_t* bits) {
  const std::uint32_t words = word_count(search);
  const std::uint32_t thread_count = gridDim.x * kDeviceThreads;
  for (std::uint32_t word = blockIdx.x * kDeviceThreads + threadIdx.x; word < words;
       word += thread_count) {
    bits[word] = padding_of(search, word);
  }
}

/// Bits that a level bottom-up passes over in the time of one vertex that it looks at in vain.
inline constexpr Vertex kBitsPerLook = 45;

/// A barrier over all blocks. `arrivals`: of all blocks, at all barriers of all searches so far.
/// The release has the writes of a block before its threads met, the acquire those of all blocks.
/// One thread then calls ask(), for what all threads of its block need: thousands of warps would
/// wait for each other at one sector of L2.
template <class Search, class Ask>
__device__ void meet(const Search& search, std::uint32_t& arrivals, Ask ask) {
  __syncthreads();
  arrivals += gridDim.x;
  if (threadIdx.x == 0) {
    const cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device> arrived(
        search.control->arrived_count);
    arrived.fetch_add(1, cuda::memory_order_release);
    // The comparison is right when the counts pass 2^32, too.
    while (static_cast<std::int32_t>(arrived.load(cuda::memory_order_acquire) - arrivals) < 0) {
    }
    ask();
  }
  __syncthreads();
}

/// Whether a level after one bottom-up goes top-down: its frontier is small, and another pass dear.
/// An estimate from logs of an H200: a pass takes 0.44 ps for each bit and some 20 for each
/// unvisited vertex, beside 3 us. A small level top-down takes 5 us, and 2.5 before it for the
/// queue and a barrier.
template <class Search>
__device__ bool goes_back(const Search& search, std::uint64_t frontier_count,
                          Vertex unvisited_count) {
  return frontier_count * search.beta < search.vertex_count &&
         unvisited_count + search.vertex_count / kBitsPerLook >= search.stay_below;
}

}  // namespace detail

/// Launched cooperatively, in blocks of kDeviceThreads. Every thread decides the same from the same
/// counts, which nobody changes while they are read.
///
/// A search that gathers its answer finds the first bits clear, and level 1's counts. It leaves
/// those of the next search so. Its barrier is detail::meet().
template <class Form>
__global__ void __launch_bounds__(kDeviceThreads, kBlocksPerProcessor)
    device_kernel(const typename Form::Search search) {
  using Frontier = typename Form::Frontier;
  const bool first_thread = blockIdx.x == 0 && threadIdx.x == 0;
  __shared__ typename Form::Memory memories[kDeviceThreads / kWarp];
  __shared__ detail::BlockTotals totals;
  [[maybe_unused]] __shared__ typename Form::Counts shared_counts;
  typename Form::Memory& memory = memories[threadIdx.x / kWarp];
  if (threadIdx.x == 0) totals = {0, 0};
  typename Form::Tally tally;

  std::uint32_t* visited = search.visited[0];
  std::uint32_t* other = search.visited[1];
  std::uint32_t arrivals = 0;
  if constexpr (Form::kGathers) {
    // A search reads these before its first barrier, and writes them after its last.
    arrivals = search.control->arrivals_before;
    if (search.control->visited_side == 0) {
      visited = search.visited[1];
      other = search.visited[0];
    }
  }
  // A barrier, and the frontier that a level has after it.
  const auto meet = [&](unsigned level) {
    if constexpr (Form::kGathers) {
      detail::meet(search, arrivals, [&] { shared_counts = Frontier::read(search, level); });
      return shared_counts;
    } else {
      cg::this_grid().sync();
      return Frontier::read(search, level);
    }
  };
  bool bottom_up = false;
  bool listed = true;   // the last level has listed what it found, or was bottom-up
  bool marked = false;  // the tree tells of the vertices that are left
  // The arcs of unvisited vertices, nearly: the ones that bottom-up levels visit stay in.
  std::uint64_t unvisited_arcs = search.arc_count;
  Vertex unvisited_count = search.vertex_count;
  unsigned level = 0;
  if constexpr (Form::kGathers) {
    if (first_thread && search.records != nullptr) {
      search.records[0] = {gpu::global_timer(), 0, 1};
      *search.record_count = 1;
    }
    __syncthreads();  // the block's totals are 0
    const std::uint32_t degree = detail::degree_of(search.rows, search.source);
    listed = degree < search.unlisted_arcs;
    detail::search_source<Form>(search, visited, listed, memory, totals, tally);
    unvisited_arcs -= degree;
    --unvisited_count;
    level = 1;
  } else {
    detail::begin_search<Frontier>(search, memory);
  }

  for (;; ++level) {
    typename Form::Counts counts = meet(level);
    const std::uint64_t frontier_count = counts.vertex_count;
    const bool recorded =
        first_thread && search.records != nullptr && level < search.record_capacity;
    if (recorded) {
      search.records[level].begin_ns = gpu::global_timer();
      search.records[level].frontier_count = static_cast<std::uint32_t>(frontier_count);
      *search.record_count = level + 1;
    }
    // These are cleared before the end, too, because the next search may begin without a barrier.
    // Nobody has asked for them since the last one.
    if (first_thread) *Frontier::counts(search, level + 2) = {};
    if (frontier_count == 0) break;
    unvisited_count -= counts.vertex_count;
    const bool marks = Form::kGathers && unvisited_count <= detail::kFew;

    if (!bottom_up) {
      const std::uint64_t frontier_arcs = counts.arc_count;
      unvisited_arcs -= min(frontier_arcs, unvisited_arcs);
      bottom_up = !listed || (search.turns && frontier_arcs * search.alpha > unvisited_arcs);
      listed = frontier_arcs < search.unlisted_arcs;
    } else if (detail::goes_back(search, frontier_count, unvisited_count)) {
      bottom_up = false;
      listed = true;
      detail::queue_found<Frontier>(search, visited, other, level, marks, memory);
      marked = marked || marks;
      counts = meet(level);
    }
    if (recorded) search.records[level].bottom_up = bottom_up ? 1 : 0;
    if (bottom_up) {
      detail::bottom_up_level<Form>(search, visited, other, level, marks, memory, totals, tally);
      marked = marked || marks;
      std::uint32_t* const before = visited;
      visited = other;
      other = before;
    } else {
      if (first_thread) tally.scan(static_cast<std::uint32_t>(frontier_count));
      detail::top_down_level<Form>(search, visited, level, counts, listed, memory, totals, tally);
    }
  }
  if constexpr (Form::kGathers) {
    if (!marked) {
      detail::mark_all_unreached(search, visited);
      meet(level);
    }
    detail::gather_answer(search);
    detail::clear_bits(search, other);
  }
  if (first_thread) {
    search.control->visited_side = visited == search.visited[0] ? 0 : 1;
    search.control->arrivals_before = arrivals;
  }
  tally.add_to(search.work);
}

}  // namespace bellmark::bfs::persistent
