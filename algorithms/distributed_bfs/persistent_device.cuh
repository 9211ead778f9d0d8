// Breadth-first search by several GPUs of one host, one a rank, in one kernel each: between levels
// they read each other's bitmaps and wait for each other's word, and no host is asked. What goes
// along rows is that of bfs/persistent; this is what several of them need.
//
// A rank searches its block of the grid: rows it visits, columns that lead there, or the other way
// round. It keeps a bit for each row and each column of the block, visited before the level. What
// it finds it tells the owner of the vertex, whose piece has a bitmap of what the level found, by
// whomever: an atomic over the link for a word, and for a vertex the store of its predecessor (any
// that is a level above will do, so that nobody asks who wrote last). In a grid of one column a
// row's only finder is its owner, and nothing of this leaves the GPU bottom-up.
//
// A level then is:
//   exchange  a barrier over all GPUs, which adds up what was found. The last block of a GPU to
//             arrive writes 32 bytes to each rank, and every block waits for those of all.
//   gather    reads what the level found in the pieces of the block's rows and columns, over the
//             link, and adds it to the block's own bits; owners note the level.
//   search    the block, in either direction.
//
// Cost model, for n numbered vertices and R x C ranks: a barrier is an atomic a block, a write and
// its way over the link; a gather reads n / 8 (1 / R + 1 / C) bytes, of which some are the GPU's
// own, after the link's latency, and has a barrier over the device behind it. Measured on one and
// two H200s, 2^22 vertices each: 3.1 and 4.5 us for the one, 3 to 11 us for the other. So a level
// costs 7 to 15 us more than one of bfs/persistent. And a search costs some 180 us once, where
// there are two: the first gather takes 96 us, and what no level has in its log 133, 46 on one GPU.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "algorithms/bfs/persistent_device.cuh"
#include "algorithms/bfs/problem.hpp"
#include "algorithms/contract/warp.cuh"
#include "algorithms/distributed_bfs/persistent_layout.hpp"

namespace bellmark::distributed_bfs::persistent {

namespace cg = cooperative_groups;
namespace engine = bfs::persistent;

using gpu::kAllLanes;
using gpu::kWarp;

/// A lane of a warp waits for each.
inline constexpr unsigned kMostRanks = 32;
inline constexpr std::uint32_t kStripeWords = kStripe / kWarp;
static_assert(kStripeWords == kWarp, "a lane moves a word of a stripe");

using Count = unsigned long long;

/// Sums over a level, of one rank or of all. A vertex that several ranks have found top-down counts
/// as often: who was first they would learn by waiting for the owner's answer, microseconds for
/// each vertex; and all that rests on it is the direction.
struct Totals {
  Count vertex_count;
  Count arc_count;  ///< that leave them, of those found top-down: else nobody asks
};

/// What a rank tells another when it has ended a level. The epoch counts barriers, over all
/// searches: the last thing written.
struct Mail {
  Totals totals;
  unsigned long long epoch;
  unsigned long long unused;
};

/// What each rank's peer memory holds: where its parts begin. By an epoch % 3 for mails and a level
/// % 3 for bitmaps, because a rank may be a barrier ahead of those that still read.
struct PeerParts {
  std::size_t found;         ///< three bitmaps of the piece
  std::size_t predecessors;  ///< numbers in the whole graph
  std::size_t size;

  PeerParts() = default;
  explicit PeerParts(Vertex piece_size)
      : found(3 * kMostRanks * sizeof(Mail)),
        predecessors(found + std::size_t{3} * piece_size / 8),
        size(predecessors + std::size_t{piece_size} * sizeof(Vertex)) {}
};

/// One rank's own device memory beside arrays.
struct Control {
  unsigned long long epoch;
  unsigned long long arrived_count;  ///< blocks, at all barriers so far
  Totals found;                      ///< by this rank in the level; 0 between searches
  /// Of the lists that gather() makes for its own level, and exchange() empties behind it.
  engine::FrontierCounts frontier;
};

/// One line of the log of a recorded run: times by the device's global timer.
struct LevelRecord {
  std::uint64_t exchanged_ns;
  std::uint64_t gathered_ns;
  std::uint64_t searched_ns;  ///< by the last block
  std::uint64_t bottom_up;
  Count own_frontier_count;  ///< of this rank's vertices
};

struct Search {
  engine::DeviceRows rows;  ///< of the block; heads are columns
  Numbers row_numbers;
  Numbers column_numbers;
  Numbers all_numbers;
  std::uint32_t row_part;
  std::uint32_t column_part;
  std::uint32_t rank;
  std::uint32_t rank_count;
  std::uint32_t stripe_count;  ///< of a piece
  const std::uint32_t* row_sizes;
  const std::uint32_t* column_sizes;
  const std::uint32_t* column_degrees;
  std::byte* peers[kMostRanks];
  PeerParts parts;

  Vertex source;  ///< its position, at its owner; elsewhere, and where it has none, kNoHead
  std::uint32_t source_degree;
  bool symmetric;  ///< else never bottom-up
  std::uint64_t alpha;
  std::uint64_t beta;
  std::uint64_t vertex_count;  ///< of the whole graph, numbered
  std::uint64_t arc_count;     ///< of the whole graph

  std::uint32_t* row_visited;
  std::uint32_t* column_visited;
  Level* levels;  ///< by position, of visited vertices
  Vertex* queue;
  engine::HubPiece* pieces;
  Control* control;
  LevelRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
};

namespace detail {

/// A word of a bitmap that other GPUs write or read meanwhile, or did before the barrier: not from
/// this multiprocessor's L1.
inline __device__ std::uint32_t read_shared(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
inline __device__ unsigned long long read_acquire(const unsigned long long* value) {
  unsigned long long read;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(read) : "l"(value) : "memory");
  return read;
}
inline __device__ void write_release(unsigned long long* place, unsigned long long value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(place), "l"(value) : "memory");
}

inline __device__ Mail* mail_of(const Search& search, unsigned to, unsigned long long epoch,
                                unsigned from) {
  return reinterpret_cast<Mail*>(search.peers[to]) + epoch % 3 * kMostRanks + from;
}
inline __device__ std::uint32_t* found_of(const Search& search, std::uint32_t owner,
                                          unsigned level) {
  return reinterpret_cast<std::uint32_t*>(search.peers[owner] + search.parts.found) +
         std::size_t{level % 3} * search.stripe_count * kStripeWords;
}
inline __device__ Vertex* predecessors_of(const Search& search, std::uint32_t owner) {
  return reinterpret_cast<Vertex*>(search.peers[owner] + search.parts.predecessors);
}
/// Of piece `piece` of the row part, or of the column part.
inline __device__ std::uint32_t row_owner(const Search& search, std::uint32_t piece) {
  return search.row_part * search.row_numbers.piece_count() + piece;
}
inline __device__ std::uint32_t column_owner(const Search& search, std::uint32_t piece) {
  return search.column_part * search.column_numbers.piece_count() + piece;
}

/// Bits of a word that stand for no vertex: they count as visited.
inline __device__ std::uint32_t padding(const Numbers& numbers, const std::uint32_t* sizes,
                                        std::uint32_t word) {
  const Place first = numbers.place(word * kWarp);
  const std::uint32_t size = sizes[first.piece];
  if (first.position >= size) return ~std::uint32_t{0};
  return size - first.position >= kWarp ? 0 : ~std::uint32_t{0} << (size - first.position);
}

/// Clears bits and makes the source what the level before the first has found.
inline __device__ void begin(const Search& search) {
  const std::uint32_t thread = blockIdx.x * engine::kDeviceThreads + threadIdx.x;
  const std::uint32_t thread_count = gridDim.x * engine::kDeviceThreads;
  const std::uint32_t piece_words = search.stripe_count * kStripeWords;
  const std::uint32_t row_words = piece_words * search.row_numbers.piece_count();
  const std::uint32_t column_words = piece_words * search.column_numbers.piece_count();
  for (std::uint32_t word = thread; word < row_words; word += thread_count) {
    search.row_visited[word] = padding(search.row_numbers, search.row_sizes, word);
  }
  for (std::uint32_t word = thread; word < column_words; word += thread_count) {
    search.column_visited[word] = padding(search.column_numbers, search.column_sizes, word);
  }
  for (std::uint32_t word = thread; word < piece_words; word += thread_count) {
    const bool has_source = search.source != engine::kNoHead && word == search.source / kWarp;
    found_of(search, search.rank, 0)[word] = has_source ? 1u << search.source % kWarp : 0;
    found_of(search, search.rank, 1)[word] = 0;
    found_of(search, search.rank, 2)[word] = 0;
  }
  if (thread != 0) return;
  search.control->frontier = {};
  if (search.source != engine::kNoHead) search.control->found = {1, search.source_degree};
}

/// A barrier over all GPUs; returns what all ranks have found since the last. All threads of all
/// blocks call it. What any of them wrote before, all see behind it.
inline __device__ Totals exchange(const Search& search, unsigned long long epoch, unsigned level,
                                  Totals& shared_totals) {
  Control& control = *search.control;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    const unsigned long long arrived = atomicAdd(&control.arrived_count, 1ull) + 1;
    if (arrived % gridDim.x == 0) {
      __threadfence();
      if (search.records != nullptr && level > 0 && level <= search.record_capacity) {
        search.records[level - 1].searched_ns = gpu::global_timer();
      }
      if (search.records != nullptr && level < search.record_capacity) {
        search.records[level].own_frontier_count = 0;
      }
      const Totals own = {atomicExch(&control.found.vertex_count, 0ull),
                          atomicExch(&control.found.arc_count, 0ull)};
      // The frontier has been searched; nobody adds to the next one before this rank's mail.
      control.frontier = {};
      for (unsigned to = 0; to < search.rank_count; ++to) {
        mail_of(search, to, epoch, search.rank)->totals = own;
      }
      for (unsigned to = 0; to < search.rank_count; ++to) {
        write_release(&mail_of(search, to, epoch, search.rank)->epoch, epoch);
      }
    }
  }
  if (threadIdx.x < kWarp) {
    Totals sum = {0, 0};
    if (threadIdx.x < search.rank_count) {
      const Mail* const mail = mail_of(search, search.rank, epoch, threadIdx.x);
      while (read_acquire(&mail->epoch) != epoch) {
      }
      sum = {__ldcv(&mail->totals.vertex_count), __ldcv(&mail->totals.arc_count)};
    }
    for (unsigned i = kWarp / 2; i > 0; i /= 2) {
      sum.vertex_count += __shfl_xor_sync(kAllLanes, sum.vertex_count, i);
      sum.arc_count += __shfl_xor_sync(kAllLanes, sum.arc_count, i);
    }
    if (threadIdx.x == 0) shared_totals = sum;
  }
  __syncthreads();
  const Totals totals = shared_totals;
  __syncthreads();  // the next exchange writes it
  return totals;
}

/// A stripe of the block's rows or, behind them, of its columns.
struct GatheredStripe {
  bool of_rows;
  std::uint32_t first_word;  ///< in the bitmap of the block's rows or columns
  std::uint32_t owner;
  Vertex position;  ///< of its first vertex in the owner's piece
};

inline __device__ GatheredStripe gathered_stripe(const Search& search, std::uint32_t stripe) {
  const std::uint32_t row_stripes = search.stripe_count * search.row_numbers.piece_count();
  const bool of_rows = stripe < row_stripes;
  if (!of_rows) stripe -= row_stripes;
  const Place first =
      (of_rows ? search.row_numbers : search.column_numbers).place(stripe * kStripe);
  return {of_rows, stripe * kStripeWords,
          of_rows ? row_owner(search, first.piece) : column_owner(search, first.piece),
          first.position};
}

/// What was found becomes visited, and where the next level goes top-down its rows are queued. A
/// warp takes a stripe, a lane a word of it; four are under way together.
inline __device__ void gather(const Search& search, unsigned level, bool top_down,
                              engine::detail::WarpMemory& memory) {
  constexpr unsigned kInFlight = engine::kInFlight;
  const std::uint32_t warp_count = gridDim.x * (engine::kDeviceThreads / kWarp);
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint32_t stripe_count = search.stripe_count * (search.row_numbers.piece_count() +
                                                            search.column_numbers.piece_count());
  std::uint32_t* const to_clear = found_of(search, search.rank, level + 2);
  engine::detail::FrontierQueue frontier(
      search.rows, {&search.control->frontier, search.queue, search.pieces}, memory);

  const auto take_row_stripe = [&](const GatheredStripe& stripe, std::uint32_t word) {
    const bool own = stripe.owner == search.rank;
    if (own) to_clear[stripe.position / kWarp + lane] = 0;
    if (word != 0) search.row_visited[stripe.first_word + lane] |= word;
    if (own && search.records != nullptr && level < search.record_capacity) {
      const unsigned count = __reduce_add_sync(kAllLanes, static_cast<unsigned>(__popc(word)));
      if (lane == 0) atomicAdd(&search.records[level].own_frontier_count, Count{count});
    }
    if (!own && !top_down) return;
    for (unsigned any = __ballot_sync(kAllLanes, word != 0); any != 0; any &= any - 1) {
      const auto at = static_cast<std::uint32_t>(__ffs(static_cast<int>(any))) - 1;
      const bool found = (__shfl_sync(kAllLanes, word, static_cast<int>(at)) >> lane & 1) != 0;
      if (own && found) search.levels[stripe.position + at * kWarp + lane] = level;
      if (top_down) frontier.add((stripe.first_word + at) * kWarp + lane, found);
    }
  };

  for (std::uint32_t first = warp; first < stripe_count; first += kInFlight * warp_count) {
    std::uint32_t words[kInFlight];
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      words[i] = 0;
      if (first + i * warp_count >= stripe_count) continue;
      const GatheredStripe stripe = gathered_stripe(search, first + i * warp_count);
      words[i] =
          read_shared(found_of(search, stripe.owner, level) + stripe.position / kWarp + lane);
    }
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      if (first + i * warp_count >= stripe_count) continue;
      const GatheredStripe stripe = gathered_stripe(search, first + i * warp_count);
      if (stripe.of_rows) {
        take_row_stripe(stripe, words[i]);
      } else if (words[i] != 0) {
        search.column_visited[stripe.first_word + lane] |= words[i];
      }
    }
  }
  frontier.flush();
}

/// One warp's part in a level top-down: columns that the block's own bits don't have are claimed
/// there, so that a rank asks an owner once, and then at their owner.
class TopDown {
 public:
  __device__ TopDown(const Search& search, unsigned level) : search_(search), level_(level) {}

  /// As engine::detail::TopDown has it.
  template <unsigned count>
  __device__ void visit(Vertex tail, std::uint32_t begin, std::uint32_t stride, std::uint32_t end) {
    Vertex heads[count];
    bool found[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t at = begin + i * stride;
      heads[i] = at < end ? __ldcs(&search_.rows.heads[at]) : engine::kNoHead;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      found[i] = heads[i] != engine::kNoHead &&
                 (__ldcg(&search_.column_visited[heads[i] / kWarp]) >> heads[i] % kWarp & 1) == 0;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (!found[i]) continue;
      const std::uint32_t bit = 1u << heads[i] % kWarp;
      found[i] = (atomicOr(&search_.column_visited[heads[i] / kWarp], bit) & bit) == 0;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (found[i]) claim(heads[i], tail);
    }
  }

  __device__ std::uint32_t vertex_count() const { return vertex_count_; }
  __device__ std::uint32_t arc_count() const { return arc_count_; }

 private:
  /// Nothing of it is waited for. Ranks that find the same vertex write one predecessor or another.
  __device__ void claim(Vertex head, Vertex tail) {
    const Place place = search_.column_numbers.place(head);
    const std::uint32_t owner = column_owner(search_, place.piece);
    Place above = search_.row_numbers.place(tail);
    above.piece = row_owner(search_, above.piece);
    atomicOr_system(found_of(search_, owner, level_ + 1) + place.position / kWarp,
                    1u << place.position % kWarp);
    predecessors_of(search_, owner)[place.position] = search_.all_numbers.number(above);
    ++vertex_count_;
    arc_count_ += search_.column_degrees[head];
  }

  const Search& search_;
  unsigned level_;
  std::uint32_t vertex_count_ = 0;
  std::uint32_t arc_count_ = 0;
};

inline __device__ void top_down_level(const Search& search, unsigned level,
                                      engine::detail::BlockTotals& totals) {
  TopDown searching(search, level);
  engine::detail::expand_frontier(
      search.rows, {&search.control->frontier, search.queue, search.pieces}, searching);
  Totals& found = search.control->found;
  engine::detail::publish(totals, found.vertex_count, found.arc_count, searching.vertex_count(),
                          searching.arc_count());
}

inline __device__ void bottom_up_level(const Search& search, unsigned level,
                                       engine::detail::WarpMemory& memory,
                                       engine::detail::BlockTotals& totals) {
  const bool alone = search.row_numbers.piece_count() == 1;
  const std::uint32_t found_count = engine::detail::search_unvisited(
      search.rows, search.stripe_count * kStripeWords * search.row_numbers.piece_count(),
      search.row_visited, search.column_visited, memory,
      [&](Vertex row, Vertex column) {
        const Place place = search.row_numbers.place(row);
        Place above = search.column_numbers.place(column);
        above.piece = column_owner(search, above.piece);
        predecessors_of(search, row_owner(search, place.piece))[place.position] =
            search.all_numbers.number(above);
      },
      [&](std::uint32_t word, std::uint32_t, std::uint32_t found) -> std::uint32_t {
        if (found == 0) return 0;
        const Place place = search.row_numbers.place(word * kWarp);
        std::uint32_t* const owned =
            found_of(search, row_owner(search, place.piece), level + 1) + place.position / kWarp;
        if (alone) {
          *owned = found;
          return static_cast<std::uint32_t>(__popc(found));
        }
        return static_cast<std::uint32_t>(__popc(found & ~atomicOr_system(owned, found)));
      });
  Totals& found = search.control->found;
  engine::detail::publish(totals, found.vertex_count, found.arc_count, found_count, 0);
}

}  // namespace detail

/// Launched cooperatively by every rank, in blocks of engine::kDeviceThreads. Every thread of every
/// rank decides the same from the same totals.
static __global__ void __launch_bounds__(engine::kDeviceThreads, engine::kBlocksPerProcessor)
    search_kernel(const Search search) {
  const cg::grid_group grid = cg::this_grid();
  const bool first_thread = blockIdx.x == 0 && threadIdx.x == 0;
  __shared__ engine::detail::WarpMemory memories[engine::kDeviceThreads / kWarp];
  __shared__ engine::detail::BlockTotals block_totals;
  __shared__ Totals totals;
  engine::detail::WarpMemory& memory = memories[threadIdx.x / kWarp];
  if (threadIdx.x == 0) block_totals = {0, 0};
  unsigned long long epoch = search.control->epoch;
  detail::begin(search);

  bool bottom_up = false;
  // Arcs of vertices that are not visited; what bottom-up levels visit is not taken off.
  std::uint64_t unvisited_arcs = search.arc_count;
  for (unsigned level = 0;; ++level) {
    const Totals frontier = detail::exchange(search, ++epoch, level, totals);
    const bool recorded =
        first_thread && search.records != nullptr && level < search.record_capacity;
    if (recorded) {
      search.records[level].exchanged_ns = gpu::global_timer();
      *search.record_count = level;
    }
    if (frontier.vertex_count == 0) break;
    if (!bottom_up) {
      unvisited_arcs -= frontier.arc_count < unvisited_arcs ? frontier.arc_count : unvisited_arcs;
      // As alpha * arcs > unvisited, which 64 bits may not hold.
      bottom_up = search.symmetric && search.alpha > 0 &&
                  frontier.arc_count > unvisited_arcs / search.alpha;
    } else {
      bottom_up = frontier.vertex_count * search.beta >= search.vertex_count;
    }
    detail::gather(search, level, !bottom_up, memory);
    grid.sync();
    if (recorded) {
      search.records[level].gathered_ns = gpu::global_timer();
      search.records[level].bottom_up = bottom_up ? 1 : 0;
    }
    if (bottom_up) {
      detail::bottom_up_level(search, level, memory, block_totals);
    } else {
      detail::top_down_level(search, level, block_totals);
    }
  }
  if (first_thread) search.control->epoch = epoch;
}

}  // namespace bellmark::distributed_bfs::persistent
