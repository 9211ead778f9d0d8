// Breadth-first search by several GPUs of one host, one a rank, in one kernel each: between levels
// they read each other's bitmaps and wait for each other's word, and no host is asked. What goes
// along rows is that of bfs/persistent; this is what several of them need.
//
// A rank searches its block of the grid: rows it visits, columns that lead there, or the other way
// round. It keeps a bit for each row and each column of the block, visited before the level.
//
// Bottom-up it tells the owner of a vertex that it has found it: the owner's piece has a bitmap of
// what the level found, by whomever, which takes an atomic for a word, and a place for each
// vertex's predecessor (any that is a level above will do, so that nobody asks who wrote last) and
// level. In a grid of one column a row's only finder is its owner, and nothing leaves the GPU.
//
// Top-down it lists what it finds, with predecessors, in its own memory, and all others read that.
//
// A level then is:
//   exchange  a barrier over all GPUs, which adds up what was found. The last block of a GPU to
//             arrive writes 32 bytes to each rank, and every block waits for those of all.
//   gather    reads what the level found, over the link, and adds it to the block's own bits:
//             behind a level bottom-up the bitmaps of the pieces of the block's rows and columns,
//             behind one top-down the lists of all ranks, of which an owner keeps predecessors.
//   search    the block, in either direction.
//
// Cost model, for n numbered vertices and R x C ranks: a barrier is an atomic a block, a write and
// its way over the link. A gather of bitmaps reads n / 8 (1 / R + 1 / C) bytes, of which some are
// the GPU's own, after the link's latency; of lists 8 bytes a vertex; and either has a barrier over
// the device behind it. Medians on one and two H200s with 2^24 vertices each: a barrier takes 1.8
// and 2.3 us (3.6 on four), a gather of bitmaps 4.3 and 6.3, of short lists 2.5 to 4. Until the
// first barrier a search takes 7 us on one GPU, 8 on two, and 80 to 90 more when links have slept.
//
// Top-down an arc is 4 bytes in order and a gathered bit, a vertex an atomic on that bit and 8
// bytes of list; its degree is its word's, from a table that L2 holds. In levels of millions on two
// H200s a claim takes 42 to 46 ps of its rank's search, and then 23 to 25 of every rank's gather,
// because each reads all. (With claims written to their owners and degrees read at random, a level
// that now takes 50 us and its gather 54 took 180.)
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
using gpu::lowest_bit;

/// A lane of a warp waits for each.
inline constexpr unsigned kMostRanks = 32;
inline constexpr std::uint32_t kStripeWords = kStripe / kWarp;
static_assert(kWordVertices == kWarp);
static_assert(kStripeWords == kWarp, "a lane moves a word of a stripe");

using Count = unsigned long long;

/// Sums over a level, of one rank or of all. A vertex that several ranks have found top-down counts
/// as often: who was first they would learn by waiting for the owner's answer, microseconds for
/// each vertex; and all that rests on it is the direction.
struct Totals {
  Count vertex_count;
  Count arc_count;  ///< that leave them, nearly, of those found top-down: else nobody asks
};

/// What a rank tells another when it has ended a level. The epoch counts barriers, over all
/// searches: the last thing written.
struct Mail {
  Totals totals;
  unsigned long long epoch;
  unsigned long long listed_count;  ///< in the rank's list, of all levels so far
};

/// How a vertex was found. Of those found top-down by several ranks, any predecessor will do.
struct alignas(8) Visit {
  Vertex predecessor;  ///< its number in the whole graph
  Level level;
};

/// What a rank lists of a vertex that it finds top-down; both by their numbers in the whole graph.
struct alignas(8) Claim {
  Vertex vertex;
  Vertex predecessor;
};
static_assert(alignof(Claim) <= alignof(engine::detail::WarpMemory));
static_assert(gpu::WarpBuffer<Claim>::kSize * sizeof(Claim) <=
              sizeof(engine::detail::WarpMemory::buffer));

/// What each rank's peer memory holds: where its parts begin. By an epoch % 3 for mails and a level
/// % 3 for bitmaps, because a rank may be a barrier ahead of those that still read.
struct PeerParts {
  std::size_t found;   ///< three bitmaps of the piece
  std::size_t visits;  ///< of the piece
  std::size_t claims;  ///< what the rank found top-down, level behind level
  std::size_t size;

  PeerParts() = default;
  /// A rank finds each of its columns once, and may own the source beside them.
  PeerParts(Vertex piece_size, std::size_t column_count)
      : found(3 * kMostRanks * sizeof(Mail)),
        visits(found + std::size_t{3} * piece_size / 8),
        claims(visits + std::size_t{piece_size} * sizeof(Visit)),
        size(claims + (column_count + 1) * sizeof(Claim)) {}
};

/// One rank's own device memory beside arrays.
struct Control {
  unsigned long long epoch;
  unsigned long long arrived_count;  ///< blocks, at all barriers so far
  Totals found;                      ///< by this rank in the level; 0 between searches
  std::uint32_t listed_count;        ///< by this rank in the search
  /// Of the lists that gather() makes for its own level, and exchange() empties behind it.
  engine::FrontierCounts frontier;
};

/// Of a recorded run. Times are the device's global timer's.
struct SearchRecord {
  std::uint64_t begun_ns;  ///< by the first block
  std::uint64_t level_count;
};

/// One line of its log.
struct LevelRecord {
  std::uint64_t exchanged_ns;
  std::uint64_t gathered_ns;
  std::uint64_t searched_ns;  ///< by the last block
  std::uint64_t bottom_up;
  Count read_count;  ///< of what other ranks listed; kNoList where bitmaps were read
};
inline constexpr Count kNoList = ~Count{0};

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
  const std::uint32_t* mean_degrees;  ///< of the columns of a word
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
  Vertex* queue;
  engine::HubPiece* pieces;
  Control* control;
  LevelRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  SearchRecord* record;
};

namespace detail {

/// A word of a bitmap that other GPUs write or read meanwhile, or did before the barrier: not from
/// this multiprocessor's L1.
inline __device__ std::uint32_t read_shared(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
inline __device__ Claim read_shared(const Claim* claim) {
  Claim read;
  asm volatile("ld.relaxed.sys.global.v2.u32 {%0, %1}, [%2];"
               : "=r"(read.vertex), "=r"(read.predecessor)
               : "l"(claim)
               : "memory");
  return read;
}
inline __device__ unsigned long long read_acquire(const unsigned long long* value) {
  unsigned long long read;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(read) : "l"(value) : "memory");
  return read;
}
inline __device__ void write_shared(unsigned long long* place, unsigned long long value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" : : "l"(place), "l"(value) : "memory");
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
inline __device__ Visit* visits_of(const Search& search, std::uint32_t owner) {
  return reinterpret_cast<Visit*>(search.peers[owner] + search.parts.visits);
}
inline __device__ Claim* claims_of(const Search& search, std::uint32_t rank) {
  return reinterpret_cast<Claim*>(search.peers[rank] + search.parts.claims);
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

/// Reaches every other GPU by three lines for each 1,024 vertices of a piece, up to thousands, so
/// over all lanes of its links unless the graph is small: those sleep after some idle time (an
/// H200's NVLink: 20 ms don't put it to sleep, 300 ms do), and what comes first takes some 100 us
/// longer. A lane that a barrier's mail would not have woken would wake in the first gather, and
/// take as long again. An atomic that changes nothing is waited for by nobody, as a read would be.
inline __device__ void wake_links(const Search& search) {
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  if (threadIdx.x % kWarp != 0 || warp >= 3 * search.stripe_count) return;
  for (std::uint32_t owner = 0; owner < search.rank_count; ++owner) {
    if (owner != search.rank) atomicOr_system(found_of(search, owner, 0) + warp * kStripeWords, 0u);
  }
}

/// Clears bits, and lists the source as what the level before the first has found.
inline __device__ void begin(const Search& search) {
  wake_links(search);
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
    found_of(search, search.rank, 0)[word] = 0;
    found_of(search, search.rank, 1)[word] = 0;
    found_of(search, search.rank, 2)[word] = 0;
  }
  if (thread != 0) return;
  const bool has_source = search.source != engine::kNoHead;
  search.control->frontier = {};
  search.control->listed_count = has_source ? 1 : 0;
  if (!has_source) return;
  search.control->found = {1, search.source_degree};
  claims_of(search, search.rank)[0] = {search.all_numbers.number({search.rank, search.source}),
                                       kNoVertex};
}

/// What a block keeps from level to level, in shared memory: a level's loops need all registers,
/// and most of all predicates. (With flags in registers, and the lanes of a scan by their tests,
/// heads were read two at a time instead of four: the widest level took 17 % longer.)
struct State {
  unsigned long long epoch;  ///< of the last barrier
  /// Of vertices that are not visited; what bottom-up levels visit is not taken off.
  std::uint64_t unvisited_arc_count;
  bool ended;
  bool bottom_up;
  bool listed;     ///< found top-down; else the level's bitmaps are read
  bool bits_left;  ///< of the level before, in the piece's bitmap
  /// What ranks listed in the level, one behind the other: where that of each ends, and where it
  /// begins in the rank's list. Nothing of it holds where `listed` is false.
  Count listed_ends[kMostRanks];
  std::uint32_t listed_begins[kMostRanks];
  Totals found[kMostRanks];
};

/// Whether this block is the GPU's last at the barrier. One thread of a block.
inline __device__ bool arrives_last(const Search& search) {
  __threadfence_system();
  return (atomicAdd(&search.control->arrived_count, 1ull) + 1) % gridDim.x == 0;
}

/// Tells all ranks that this one has ended the level before. One thread of a rank.
inline __device__ void tell(const Search& search, unsigned long long epoch, unsigned level) {
  Control& control = *search.control;
  __threadfence();
  if (search.records != nullptr && level > 0 && level <= search.record_capacity) {
    search.records[level - 1].searched_ns = gpu::global_timer();
  }
  const Totals own = {atomicExch(&control.found.vertex_count, 0ull),
                      atomicExch(&control.found.arc_count, 0ull)};
  // The frontier has been searched; nobody adds to the next one before this rank's mail.
  control.frontier = {};
  const unsigned long long listed_count = __ldcg(&control.listed_count);
#pragma unroll 1
  for (unsigned to = 0; to < search.rank_count; ++to) {
    Mail* const mail = mail_of(search, to, epoch, search.rank);
    mail->totals = own;
    mail->listed_count = listed_count;
  }
  // One for all: each waits until what was written over the links has arrived.
  __threadfence_system();
#pragma unroll 1
  for (unsigned to = 0; to < search.rank_count; ++to) {
    write_shared(&mail_of(search, to, epoch, search.rank)->epoch, epoch);
  }
}

/// Waits for the mail of rank threadIdx.x.
inline __device__ void read_mail(const Search& search, unsigned long long epoch, State& state) {
  const Mail* const mail = mail_of(search, search.rank, epoch, threadIdx.x);
  while (read_acquire(&mail->epoch) != epoch) {
  }
  const Totals found = {__ldcv(&mail->totals.vertex_count), __ldcv(&mail->totals.arc_count)};
  state.found[threadIdx.x] = found;
  state.listed_begins[threadIdx.x] =
      static_cast<std::uint32_t>(__ldcv(&mail->listed_count) - found.vertex_count);
}

/// What is done about the level whose mails have come. One thread of a block; all of all ranks
/// decide the same.
inline __device__ void decide(const Search& search, State& state) {
  Totals frontier = {0, 0};
#pragma unroll 1
  for (unsigned rank = 0; rank < search.rank_count; ++rank) {
    frontier.vertex_count += state.found[rank].vertex_count;
    frontier.arc_count += state.found[rank].arc_count;
    state.listed_ends[rank] = frontier.vertex_count;
  }
  state.ended = frontier.vertex_count == 0;
  state.bits_left = !state.listed;
  state.listed = !state.bottom_up;
  if (state.bottom_up) {
    state.bottom_up = frontier.vertex_count * search.beta >= search.vertex_count;
  } else {
    std::uint64_t& unvisited = state.unvisited_arc_count;
    unvisited -= frontier.arc_count < unvisited ? frontier.arc_count : unvisited;
    // As alpha * arcs > unvisited, which 64 bits may not hold.
    state.bottom_up =
        search.symmetric && search.alpha > 0 && frontier.arc_count > unvisited / search.alpha;
  }
}

/// A barrier over all GPUs; tells what all ranks have found since the last. All threads of all
/// blocks call it. What any of them wrote before, all see behind it.
inline __device__ void exchange(const Search& search, unsigned level, State& state) {
  __syncthreads();
  if (threadIdx.x < kWarp) {
    const unsigned long long epoch = state.epoch + 1;
    if (threadIdx.x == 0 && arrives_last(search)) tell(search, epoch, level);
    if (threadIdx.x < search.rank_count) read_mail(search, epoch, state);
    __syncwarp();
    if (threadIdx.x == 0) {
      state.epoch = epoch;
      decide(search, state);
    }
  }
  __syncthreads();
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

/// The words of its bits among those of the block.
inline __device__ std::uint32_t* visited_in(const Search& search, const GatheredStripe& stripe) {
  return (stripe.of_rows ? search.row_visited : search.column_visited) + stripe.first_word;
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

  for (std::uint32_t first = warp; first < stripe_count; first += kInFlight * warp_count) {
    std::uint32_t words[kInFlight];
    std::uint32_t visited[kInFlight];
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      words[i] = 0;
      if (first + i * warp_count >= stripe_count) continue;
      const GatheredStripe stripe = gathered_stripe(search, first + i * warp_count);
      words[i] =
          read_shared(found_of(search, stripe.owner, level) + stripe.position / kWarp + lane);
      visited[i] = visited_in(search, stripe)[lane];
    }
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      if (first + i * warp_count >= stripe_count) continue;
      const GatheredStripe stripe = gathered_stripe(search, first + i * warp_count);
      if (words[i] != 0) visited_in(search, stripe)[lane] = visited[i] | words[i];
      if (!stripe.of_rows) {
        words[i] = 0;  // only rows are queued
        continue;
      }
      if (stripe.owner == search.rank) {
        to_clear[stripe.position / kWarp + lane] = 0;
      }
    }
    if (!top_down) continue;
    // Bits are few as a rule, so that lanes take one each of their own words, not all of one word.
    for (;;) {
      bool found = false;
      Vertex row = 0;
#pragma unroll
      for (unsigned i = 0; i < kInFlight; ++i) {
        if (found || words[i] == 0) continue;
        found = true;
        row = (first + i * warp_count) * kStripe + lane * kWarp + lowest_bit(words[i]);
        words[i] &= words[i] - 1;
      }
      if (!__any_sync(kAllLanes, found)) break;
      frontier.add(row, found);
    }
  }
  frontier.flush();
}

/// As gather(), of what ranks listed in the level: a thread takes claims, four under way together.
/// Several ranks may have listed the same vertex; its owner keeps what it meets first. What is left
/// of the level before in bitmaps is cleared, as gather() does.
inline __device__ void gather_listed(const Search& search, const State& state, unsigned level,
                                     engine::detail::WarpMemory& memory) {
  constexpr unsigned kInFlight = engine::kInFlight;
  const std::uint32_t thread_count = gridDim.x * engine::kDeviceThreads;
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  if (state.bits_left) {
    std::uint32_t* const to_clear = found_of(search, search.rank, level + 2);
    for (std::uint32_t word = warp * kWarp + lane; word < search.stripe_count * kStripeWords;
         word += thread_count) {
      to_clear[word] = 0;
    }
  }
  engine::detail::FrontierQueue frontier(
      search.rows, {&search.control->frontier, search.queue, search.pieces}, memory);
  const Count count = state.listed_ends[search.rank_count - 1];
  const std::uint32_t rows_first = row_owner(search, 0);
  const std::uint32_t columns_first = column_owner(search, 0);
  for (Count first = warp * kWarp; first < count; first += kInFlight * thread_count) {
    Claim claims[kInFlight];
    bool is_own[kInFlight];  // whose column this rank has marked as it found it
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      const Count at = first + i * thread_count + lane;
      claims[i].vertex = kNoVertex;
      is_own[i] = false;
      if (at >= count) continue;
      std::uint32_t rank = 0;
      while (at >= state.listed_ends[rank]) ++rank;
      const Count before = rank == 0 ? 0 : state.listed_ends[rank - 1];
      claims[i] = read_shared(claims_of(search, rank) + state.listed_begins[rank] + (at - before));
      is_own[i] = rank == search.rank && level != 0;
    }
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      bool is_new = false;  // as a row of the block
      Vertex row = 0;
      if (claims[i].vertex != kNoVertex) {
        const Place place = search.all_numbers.place(claims[i].vertex);
        if (!is_own[i] && place.piece - columns_first < search.column_numbers.piece_count()) {
          const Vertex column =
              search.column_numbers.number({place.piece - columns_first, place.position});
          atomicOr(&search.column_visited[column / kWarp], 1u << column % kWarp);
        }
        if (place.piece - rows_first < search.row_numbers.piece_count()) {
          row = search.row_numbers.number({place.piece - rows_first, place.position});
          const std::uint32_t bit = 1u << row % kWarp;
          is_new = (atomicOr(&search.row_visited[row / kWarp], bit) & bit) == 0;
        }
        if (is_new && place.piece == search.rank) {
          visits_of(search, search.rank)[place.position] = {claims[i].predecessor, level};
        }
      }
      if (!state.bottom_up) frontier.add(row, is_new);
    }
  }
  frontier.flush();
}

/// One warp's part in a level top-down: columns that the block's own bits don't have are claimed
/// there, so that a rank lists a vertex once.
class TopDown {
 public:
  __device__ TopDown(const Search& search, engine::detail::WarpMemory& memory)
      : search_(search),
        claims_(reinterpret_cast<Claim*>(memory.buffer), claims_of(search, search.rank),
                &search.control->listed_count) {}

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
    std::uint32_t degrees[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      degrees[i] = found[i] ? search_.mean_degrees[heads[i] / kWarp] : 0;
    }
    Place above = search_.row_numbers.place(tail);
    above.piece = row_owner(search_, above.piece);
    const Vertex predecessor = search_.all_numbers.number(above);
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (!__any_sync(kAllLanes, found[i])) continue;
      Claim claim = {0, predecessor};
      if (found[i]) {
        Place place = search_.column_numbers.place(heads[i]);
        place.piece = column_owner(search_, place.piece);
        claim.vertex = search_.all_numbers.number(place);
        ++vertex_count_;
      }
      claims_.append(claim, found[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) arc_count_ += degrees[i];
  }

  __device__ void flush() { claims_.flush(); }
  __device__ std::uint32_t vertex_count() const { return vertex_count_; }
  __device__ std::uint32_t arc_count() const { return arc_count_; }

 private:
  const Search& search_;
  gpu::WarpBuffer<Claim> claims_;
  std::uint32_t vertex_count_ = 0;
  std::uint32_t arc_count_ = 0;
};

inline __device__ void top_down_level(const Search& search, engine::detail::WarpMemory& memory,
                                      engine::detail::BlockTotals& totals) {
  TopDown searching(search, memory);
  engine::detail::expand_frontier(
      search.rows, {&search.control->frontier, search.queue, search.pieces}, searching);
  searching.flush();
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
        visits_of(search, row_owner(search, place.piece))[place.position] = {
            search.all_numbers.number(above), level + 1};
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

/// Launched cooperatively by every rank, in blocks of engine::kDeviceThreads.
static __global__ void __launch_bounds__(engine::kDeviceThreads, engine::kBlocksPerProcessor)
    search_kernel(const Search search) {
  const cg::grid_group grid = cg::this_grid();
  const bool first_thread = blockIdx.x == 0 && threadIdx.x == 0;
  if (first_thread && search.records != nullptr) search.record->begun_ns = gpu::global_timer();
  detail::begin(search);
  __shared__ engine::detail::WarpMemory memories[engine::kDeviceThreads / kWarp];
  __shared__ engine::detail::BlockTotals block_totals;
  __shared__ detail::State state;
  engine::detail::WarpMemory& memory = memories[threadIdx.x / kWarp];
  if (threadIdx.x == 0) {
    block_totals = {0, 0};
    state.epoch = search.control->epoch;
    state.unvisited_arc_count = search.arc_count;
    state.bottom_up = false;
    state.listed = true;
  }
  for (unsigned level = 0;; ++level) {
    detail::exchange(search, level, state);
    const bool recorded =
        first_thread && search.records != nullptr && level < search.record_capacity;
    if (first_thread && search.records != nullptr) search.record->level_count = level;
    if (recorded) search.records[level].exchanged_ns = gpu::global_timer();
    if (state.ended) break;
    if (state.listed) {
      detail::gather_listed(search, state, level, memory);
    } else {
      detail::gather(search, level, !state.bottom_up, memory);
    }
    grid.sync();
    if (recorded) {
      search.records[level].gathered_ns = gpu::global_timer();
      search.records[level].bottom_up = state.bottom_up ? 1 : 0;
      search.records[level].read_count = state.listed ? state.listed_ends[search.rank_count - 1] -
                                                            state.found[search.rank].vertex_count
                                                      : kNoList;
    }
    if (state.bottom_up) {
      detail::bottom_up_level(search, level, memory, block_totals);
    } else {
      detail::top_down_level(search, memory, block_totals);
    }
  }
  if (first_thread) search.control->epoch = state.epoch;
}

}  // namespace bellmark::distributed_bfs::persistent
