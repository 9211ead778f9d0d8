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
// Where ranks have whole rows and the frontier many arcs, it has a list for each owner, who alone
// reads it, and then has a bitmap of what it was told, as behind a level bottom-up.
//
// A level then is:
//   exchange  a barrier over all GPUs, which adds up what was found. The last block of a GPU to
//             arrive writes 32 bytes to each rank, and every block waits for those of all.
//   gather    reads what the level found, over the link, and adds it to the block's own bits:
//             behind a level bottom-up the bitmaps of the pieces of the block's rows and columns,
//             behind one top-down the lists of all ranks, of which an owner keeps predecessors, or
//             those for itself and, behind another barrier, bitmaps.
//   search    the block, in either direction.
//
// Cost model, for n numbered vertices and R x C ranks: a barrier is an atomic a block, a write and
// its way over the link. A gather of bitmaps reads n / 8 (1 / R + 1 / C) bytes, of which some are
// the GPU's own, after the link's latency; of lists 8 bytes a vertex, or of those by owner 8 bytes
// an own one, a barrier and bitmaps; and each has a barrier over the device behind it. Medians on
// one and two H200s with 2^24 vertices each: a barrier takes 1.8 and 2.3 us (3.6 on four), a gather
// of bitmaps 4.3 and 6.3, of short lists 2.5 to 4. Until the first barrier a search takes 7 us on
// one GPU, 8 on two, and 80 to 90 more when links have slept.
//
// Top-down an arc is 4 bytes in order and a gathered bit, a vertex an atomic on that bit and 8
// bytes of list; its degree is its word's, from a table that L2 holds. In levels of millions on two
// H200s a claim takes 42 to 46 ps of its rank's search, and then 23 to 25 of every rank's gather,
// because each reads all; by owner 38, and 45 of its owner's gather, nearly half of them for a
// visit's 8 bytes at random. So a level that finds 10 M vertices by 13.6 M claims takes 257 and 306
// us in place of 299 and 363, and four ranks, two on each GPU, gather it in 340 us in place of 688:
// owners' bitmaps are (P - 1) / P n / 8 bytes of other ranks' memory, where the bits of columns
// that each rank has visited, (P - 1) n / 8, took 390. (With claims written to their owners and
// degrees read at random, a level that takes 50 us and its gather 54 took 180. The level of 10 M
// took 770 us, its gather 18, where ranks only marked what they found and looked for predecessors
// bottom-up: rows are read far.)
//
// What the loops of a level keep in registers from level to level, they lack: with a predicate and
// the two halves of an index more, levels took 1 % longer, though nothing was spilled.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/persistent_device.cuh"
#include "algorithms/searches/distributed_bfs/persistent_layout.hpp"

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
  /// In the rank's list, of all levels so far; or in its list for the other, of this level.
  unsigned long long listed_count;
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

/// Claims that a warp takes of a list by owner at once.
inline constexpr std::uint32_t kOwnerListPiece = 64;
static_assert(kWarp <= kOwnerListPiece);

/// What each rank's peer memory holds: where its parts begin. By an epoch % 3 for mails and a level
/// % 3 for bitmaps, because a rank may be a barrier ahead of those that still read.
struct PeerParts {
  std::size_t found;            ///< three bitmaps of the piece
  std::size_t visits;           ///< of the piece
  std::size_t claims;           ///< what the rank found top-down, level behind level
  std::size_t claims_by_owner;  ///< a list for each rank, of one level
  std::size_t owner_capacity;   ///< of such a list
  std::size_t size;

  PeerParts() = default;
  /// A rank finds each of its columns once, and may own the source beside them. `spare_count`: what
  /// a list for an owner has room for beside the piece; none of them with `owner_count` 0.
  PeerParts(Vertex piece_size, std::size_t column_count, std::size_t owner_count,
            std::size_t spare_count)
      : found(3 * kMostRanks * sizeof(Mail)),
        visits(found + std::size_t{3} * piece_size / 8),
        claims(visits + std::size_t{piece_size} * sizeof(Visit)),
        claims_by_owner(claims + (column_count + 1) * sizeof(Claim)),
        owner_capacity(piece_size + spare_count),
        size(claims_by_owner + owner_count * owner_capacity * sizeof(Claim)) {}
};

/// One rank's own device memory beside arrays.
struct Control {
  /// Of claims in the list for each rank, in the level. On lines of their own, because all warps
  /// count there.
  struct alignas(128) ListedCount {
    std::uint32_t value;  ///< 0 but in such a level
  };
  ListedCount listed_counts[kMostRanks];
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

/// What a level reads of the one before.
enum class Gathered : std::uint32_t {
  lists,           ///< of all ranks
  lists_by_owner,  ///< and, where there are several ranks, bitmaps of what owners read there
  bitmaps,
};

/// One line of its log.
struct LevelRecord {
  std::uint64_t exchanged_ns;
  std::uint64_t gathered_ns;
  std::uint64_t searched_ns;  ///< by the last block
  std::uint64_t bottom_up;
  Gathered gathered;
  Count read_count;  ///< of what other ranks listed; 0 where bitmaps were read
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
  const std::uint32_t* mean_degrees;  ///< of the columns of a word
  std::byte* peers[kMostRanks];
  PeerParts parts;

  Vertex source;  ///< its position, at its owner; elsewhere, and where it has none, kNoHead
  std::uint32_t source_degree;
  bool symmetric;  ///< else never bottom-up
  std::uint64_t alpha;
  std::uint64_t beta;
  std::uint64_t owner_lists;
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
inline __device__ Claim* claims_for(const Search& search, std::uint32_t rank, std::uint32_t owner) {
  return reinterpret_cast<Claim*>(search.peers[rank] + search.parts.claims_by_owner) +
         owner * search.parts.owner_capacity;
}
/// Of piece `piece` of the row part, or of the column part.
inline __device__ std::uint32_t row_owner(const Search& search, std::uint32_t piece) {
  return search.row_part * search.row_numbers.piece_count() + piece;
}
inline __device__ std::uint32_t column_owner(const Search& search, std::uint32_t piece) {
  return search.column_part * search.column_numbers.piece_count() + piece;
}

/// Four words of a bitmap, which a lane reads and writes at once: an eighth of a stripe.
inline constexpr std::uint32_t kQuadWords = 4;
inline constexpr std::uint32_t kQuadVertices = kQuadWords * kWarp;
inline constexpr std::uint32_t kStripeQuads = kStripeWords / kQuadWords;

/// Bits of four words that stand for no vertex: they count as visited.
inline __device__ uint4 padding(const Numbers& numbers, const std::uint32_t* sizes,
                                std::uint32_t quad) {
  const Place first = numbers.place(quad * kQuadVertices);
  const std::uint32_t size = sizes[first.piece];
  const std::uint32_t count = size > first.position ? size - first.position : 0;
  const auto behind = [count](std::uint32_t before) {
    if (count <= before) return ~std::uint32_t{0};
    return count >= before + kWarp ? 0 : ~std::uint32_t{0} << (count - before);
  };
  return {behind(0), behind(kWarp), behind(2 * kWarp), behind(3 * kWarp)};
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
  const std::uint32_t piece_quads = search.stripe_count * kStripeQuads;
  const std::uint32_t row_quads = piece_quads * search.row_numbers.piece_count();
  const std::uint32_t column_quads = piece_quads * search.column_numbers.piece_count();
  const auto row_visited = reinterpret_cast<uint4*>(search.row_visited);
  const auto column_visited = reinterpret_cast<uint4*>(search.column_visited);
  const auto found = reinterpret_cast<uint4*>(found_of(search, search.rank, 0));
  for (std::uint32_t quad = thread; quad < row_quads; quad += thread_count) {
    row_visited[quad] = padding(search.row_numbers, search.row_sizes, quad);
  }
  for (std::uint32_t quad = thread; quad < column_quads; quad += thread_count) {
    column_visited[quad] = padding(search.column_numbers, search.column_sizes, quad);
  }
  for (std::uint32_t quad = thread; quad < 3 * piece_quads; quad += thread_count) {
    found[quad] = {0, 0, 0, 0};
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
  std::uint64_t frontier_count;  ///< vertices, those that several ranks found as often
  bool recorded;                 ///< by this block
  bool ended;
  bool bottom_up;
  bool by_owner;        ///< the level lists what it finds by owner
  bool lists_by_owner;  ///< the level before did
  Gathered gathered;
  bool bits_left;  ///< of the level before, in the piece's bitmap
  /// What ranks listed in the level, one behind the other: where that of each ends, and where it
  /// begins in the rank's list. Nothing of it holds where bitmaps are gathered.
  Count listed_ends[kMostRanks];
  std::uint32_t listed_begins[kMostRanks];
  Totals found[kMostRanks];
};

/// Whether this block is the GPU's last at the barrier. One thread of a block.
inline __device__ bool arrives_last(const Search& search) {
  __threadfence_system();
  return (atomicAdd(&search.control->arrived_count, 1ull) + 1) % gridDim.x == 0;
}

/// Lets all ranks go on that wait for this one. One thread of a rank.
inline __device__ void signal(const Search& search, unsigned long long epoch) {
  // One for all: each waits until what was written over the links has arrived.
  __threadfence_system();
#pragma unroll 1
  for (unsigned to = 0; to < search.rank_count; ++to) {
    write_shared(&mail_of(search, to, epoch, search.rank)->epoch, epoch);
  }
}

/// For the mail of rank threadIdx.x.
inline __device__ const Mail* wait(const Search& search, unsigned long long epoch) {
  const Mail* const mail = mail_of(search, search.rank, epoch, threadIdx.x);
  while (read_acquire(&mail->epoch) != epoch) {
  }
  return mail;
}

/// Tells each rank how much is in the list for it. One thread of a rank.
inline __device__ void tell_owners(const Search& search, unsigned long long epoch) {
  for (unsigned to = 0; to < search.rank_count; ++to) {
    mail_of(search, to, epoch, search.rank)->listed_count =
        atomicExch(&search.control->listed_counts[to].value, 0u);
  }
}

/// Tells all ranks that this one has ended the level before. One thread of a rank.
inline __device__ void tell(const Search& search, unsigned long long epoch, unsigned level,
                            const State& state) {
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
  if (state.by_owner) tell_owners(search, epoch);
  signal(search, epoch);
}

/// Of rank threadIdx.x.
inline __device__ void read_mail(const Search& search, unsigned long long epoch, State& state) {
  const Mail* const mail = wait(search, epoch);
  const Totals found = {__ldcv(&mail->totals.vertex_count), __ldcv(&mail->totals.arc_count)};
  state.found[threadIdx.x] = found;
  state.listed_begins[threadIdx.x] =
      static_cast<std::uint32_t>(__ldcv(&mail->listed_count) - found.vertex_count);
}

/// What is in the lists for this rank. One thread of a block, which has waited for all mails.
inline __device__ void read_owner_lists(const Search& search, State& state) {
  Count end = 0;
  for (unsigned rank = 0; rank < search.rank_count; ++rank) {
    end += __ldcv(&mail_of(search, search.rank, state.epoch, rank)->listed_count);
    state.listed_ends[rank] = end;
    state.listed_begins[rank] = 0;
  }
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
  if (state.by_owner) read_owner_lists(search, state);
  state.ended = frontier.vertex_count == 0;
  state.bits_left = state.gathered != Gathered::lists;
  state.lists_by_owner = state.by_owner;
  state.gathered = state.bottom_up                           ? Gathered::bitmaps
                   : state.by_owner && search.rank_count > 1 ? Gathered::lists_by_owner
                                                             : Gathered::lists;
  const bool shrinks = frontier.vertex_count < state.frontier_count;
  state.frontier_count = frontier.vertex_count;
  if (state.bottom_up) {
    state.bottom_up = frontier.vertex_count * search.beta >= search.vertex_count;
  } else {
    std::uint64_t& unvisited = state.unvisited_arc_count;
    unvisited -= frontier.arc_count < unvisited ? frontier.arc_count : unvisited;
    // As alpha * arcs > unvisited, which 64 bits may not hold.
    state.bottom_up = search.symmetric && search.alpha > 0 && !shrinks &&
                      frontier.arc_count > unvisited / search.alpha;
  }
  state.by_owner = !state.bottom_up && search.owner_lists > 0 &&
                   frontier.arc_count > search.vertex_count / search.owner_lists;
}

/// A barrier over all GPUs; tells what all ranks have found since the last. All threads of all
/// blocks call it. What any of them wrote before, all see behind it.
inline __device__ void exchange(const Search& search, unsigned level, State& state) {
  __syncthreads();
  if (threadIdx.x < kWarp) {
    const unsigned long long epoch = state.epoch + 1;
    if (threadIdx.x == 0 && arrives_last(search)) tell(search, epoch, level, state);
    if (threadIdx.x < search.rank_count) read_mail(search, epoch, state);
    __syncwarp();
    if (threadIdx.x == 0) {
      state.epoch = epoch;
      decide(search, state);
    }
  }
  __syncthreads();
}

/// As exchange(), but within a level: nothing is told.
inline __device__ void meet(const Search& search, State& state) {
  __syncthreads();
  if (threadIdx.x < kWarp) {
    const unsigned long long epoch = state.epoch + 1;
    if (threadIdx.x == 0 && arrives_last(search)) {
      __threadfence();
      signal(search, epoch);
    }
    if (threadIdx.x < search.rank_count) wait(search, epoch);
    __syncwarp();
    if (threadIdx.x == 0) state.epoch = epoch;
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
inline __device__ void gather(const Search& search, const State& state, unsigned level,
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
    if (state.bottom_up) continue;
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

/// What is left of the level before in bitmaps, as gather() clears it.
inline __device__ void clear_left(const Search& search, const State& state, unsigned level) {
  if (!state.bits_left) return;
  const std::uint32_t thread = blockIdx.x * engine::kDeviceThreads + threadIdx.x;
  const std::uint32_t thread_count = gridDim.x * engine::kDeviceThreads;
  const auto to_clear = reinterpret_cast<uint4*>(found_of(search, search.rank, level + 2));
  for (std::uint32_t quad = thread; quad < search.stripe_count * kStripeQuads;
       quad += thread_count) {
    to_clear[quad] = {0, 0, 0, 0};
  }
}

/// Calls use(claim, whether this rank has found it) for what ranks listed in the level, for this
/// one or for all; all lanes call it, with kNoVertex where there is no claim. A thread takes
/// claims, four are under way together.
template <class Use>
__device__ void for_each_claim(const Search& search, const State& state, unsigned level, Use use) {
  constexpr unsigned kInFlight = engine::kInFlight;
  const std::uint32_t thread_count = gridDim.x * engine::kDeviceThreads;
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  const std::uint32_t lane = threadIdx.x % kWarp;
  const Count count = state.listed_ends[search.rank_count - 1];
  for (Count first = warp * kWarp; first < count; first += kInFlight * thread_count) {
    Claim claims[kInFlight];
    bool own[kInFlight];
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      const Count at = first + i * thread_count + lane;
      claims[i].vertex = kNoVertex;
      own[i] = false;
      if (at >= count) continue;
      std::uint32_t rank = 0;
      while (at >= state.listed_ends[rank]) ++rank;
      const Count before = rank == 0 ? 0 : state.listed_ends[rank - 1];
      const Claim* const list = state.lists_by_owner
                                    ? claims_for(search, rank, search.rank)
                                    : claims_of(search, rank) + state.listed_begins[rank];
      claims[i] = read_shared(list + (at - before));
      own[i] = rank == search.rank && level != 0;
    }
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) use(claims[i], own[i]);
  }
}

/// What ranks listed for this one: it keeps what it meets first, and says so in its bitmap.
inline __device__ void keep_owned(const Search& search, const State& state, unsigned level) {
  std::uint32_t* const found = found_of(search, search.rank, level);
  for_each_claim(search, state, level, [&](Claim claim, bool) {
    if (claim.vertex == kNoVertex) return;
    const Vertex position = search.all_numbers.place(claim.vertex).position;
    const std::uint32_t bit = 1u << position % kWarp;
    if ((atomicOr(&found[position / kWarp], bit) & bit) != 0) return;
    visits_of(search, search.rank)[position] = {claim.predecessor, level};
  });
}

/// As gather(), of what ranks listed in the level. Several may have listed the same vertex; its
/// owner keeps what it meets first.
inline __device__ void gather_listed(const Search& search, const State& state, unsigned level,
                                     engine::detail::WarpMemory& memory) {
  clear_left(search, state, level);
  engine::detail::FrontierQueue frontier(
      search.rows, {&search.control->frontier, search.queue, search.pieces}, memory);
  const std::uint32_t rows_first = row_owner(search, 0);
  const std::uint32_t columns_first = column_owner(search, 0);
  for_each_claim(search, state, level, [&](Claim claim, bool own) {
    bool is_new = false;  // as a row of the block
    Vertex row = 0;
    if (claim.vertex != kNoVertex) {
      const Place place = search.all_numbers.place(claim.vertex);
      if (!own && place.piece - columns_first < search.column_numbers.piece_count()) {
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
        visits_of(search, search.rank)[place.position] = {claim.predecessor, level};
      }
    }
    if (!state.bottom_up) frontier.add(row, is_new);
  });
  frontier.flush();
}

/// One warp's part of its rank's list.
class CommonList {
 public:
  __device__ CommonList(const Search& search, engine::detail::WarpMemory& memory)
      : search_(search),
        claims_(reinterpret_cast<Claim*>(memory.buffer), claims_of(search, search.rank),
                &search.control->listed_count) {}

  template <unsigned count>
  __device__ void add(const Vertex (&heads)[count], const bool (&found)[count],
                      Vertex predecessor) {
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (!__any_sync(kAllLanes, found[i])) continue;
      Claim claim = {0, predecessor};
      if (found[i]) {
        Place place = search_.column_numbers.place(heads[i]);
        place.piece = column_owner(search_, place.piece);
        claim.vertex = search_.all_numbers.number(place);
      }
      claims_.append(claim, found[i]);
    }
  }
  __device__ void flush() { claims_.flush(); }

 private:
  const Search& search_;
  gpu::WarpBuffer<Claim> claims_;
};

/// One warp's part of its rank's lists by owner, which it takes in pieces. What is left of them in
/// the end holds kNoVertex.
class OwnerLists {
 public:
  __device__ OwnerLists(const Search& search, engine::detail::WarpMemory& memory)
      : search_(search), pieces_(reinterpret_cast<Piece*>(memory.buffer)) {
    static_assert(kMostRanks <= kWarp);
    static_assert(kMostRanks * sizeof(Piece) <= sizeof(memory.buffer));
    pieces_[threadIdx.x % kWarp] = {0, 0};
    __syncwarp();
  }

  /// Where ranks have whole rows, so that columns are numbered as all vertices are.
  template <unsigned count>
  __device__ void add(const Vertex (&heads)[count], const bool (&found)[count],
                      Vertex predecessor) {
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t owner = search_.all_numbers.place(heads[i]).piece;
      for (unsigned left = __ballot_sync(kAllLanes, found[i]); left != 0;) {
        const std::uint32_t one = __shfl_sync(kAllLanes, owner, lowest_bit(left));
        const unsigned same = __ballot_sync(kAllLanes, found[i] && owner == one);
        append(one, same, {heads[i], predecessor});
        left &= ~same;
      }
    }
  }
  __device__ void flush() {
#pragma unroll 1
    for (std::uint32_t owner = 0; owner < search_.rank_count; ++owner) {
      Claim* const list = claims_for(search_, search_.rank, owner);
      const Piece piece = pieces_[owner];
      for (std::uint32_t at = piece.begin + threadIdx.x % kWarp; at < piece.end; at += kWarp) {
        list[at] = {kNoVertex, kNoVertex};
      }
    }
  }

 private:
  /// What is left of it.
  struct Piece {
    std::uint32_t begin;
    std::uint32_t end;
  };

  __device__ void append(std::uint32_t owner, unsigned lanes, Claim claim) {
    const unsigned lane = threadIdx.x % kWarp;
    const auto count = static_cast<std::uint32_t>(__popc(lanes));
    const auto before = static_cast<std::uint32_t>(__popc(lanes & ((1u << lane) - 1)));
    const Piece piece = pieces_[owner];
    const std::uint32_t left = piece.end - piece.begin;
    std::uint32_t next = 0;
    __syncwarp();
    if (count > left) {
      if (lane == 0) {
        next = atomicAdd(&search_.control->listed_counts[owner].value, kOwnerListPiece);
        pieces_[owner] = {next + (count - left), next + kOwnerListPiece};
      }
      next = __shfl_sync(kAllLanes, next, 0);
    } else if (lane == 0) {
      pieces_[owner].begin = piece.begin + count;
    }
    __syncwarp();
    if ((lanes >> lane & 1) != 0) {
      const std::uint32_t at = before < left ? piece.begin + before : next + (before - left);
      claims_for(search_, search_.rank, owner)[at] = claim;
    }
  }

  const Search& search_;
  Piece* pieces_;  ///< by owner
};

/// One warp's part in a level top-down: columns that the block's own bits don't have are claimed
/// there, so that a rank lists a vertex once.
template <class List>
class TopDown {
 public:
  __device__ TopDown(const Search& search, engine::detail::WarpMemory& memory)
      : search_(search), list_(search, memory) {}

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
    list_.add(heads, found, search_.all_numbers.number(above));
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      vertex_count_ += found[i] ? 1 : 0;
      arc_count_ += degrees[i];
    }
  }

  __device__ void flush() { list_.flush(); }
  __device__ std::uint32_t vertex_count() const { return vertex_count_; }
  __device__ std::uint32_t arc_count() const { return arc_count_; }

 private:
  const Search& search_;
  List list_;
  std::uint32_t vertex_count_ = 0;
  std::uint32_t arc_count_ = 0;
};

template <class List>
__device__ void top_down_level(const Search& search, engine::detail::WarpMemory& memory,
                               engine::detail::BlockTotals& totals) {
  TopDown<List> searching(search, memory);
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

/// What others have listed.
inline __device__ Count read_count(const Search& search, const State& state) {
  const Count before = search.rank == 0 ? 0 : state.listed_ends[search.rank - 1];
  return state.listed_ends[search.rank_count - 1] - (state.listed_ends[search.rank] - before);
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
    state.frontier_count = 0;
    state.recorded = blockIdx.x == 0 && search.records != nullptr;
    state.by_owner = false;
    state.gathered = Gathered::lists;
  }
  for (unsigned level = 0;; ++level) {
    detail::exchange(search, level, state);
    const bool recorded = threadIdx.x == 0 && state.recorded && level < search.record_capacity;
    if (recorded) search.records[level].exchanged_ns = gpu::global_timer();
    if (state.ended) {
      if (threadIdx.x == 0 && state.recorded) search.record->level_count = level;
      break;
    }
    if (state.gathered == Gathered::lists) {
      detail::gather_listed(search, state, level, memory);
    } else {
      if (state.gathered == Gathered::lists_by_owner) {
        detail::keep_owned(search, state, level);
        detail::meet(search, state);
      }
      detail::gather(search, state, level, memory);
    }
    grid.sync();
    if (recorded) {
      const bool listed = state.gathered != Gathered::bitmaps;
      search.records[level].gathered_ns = gpu::global_timer();
      search.records[level].bottom_up = state.bottom_up ? 1 : 0;
      search.records[level].gathered = state.gathered;
      search.records[level].read_count = listed ? detail::read_count(search, state) : 0;
    }
    if (state.bottom_up) {
      detail::bottom_up_level(search, level, memory, block_totals);
    } else if (state.by_owner) {
      detail::top_down_level<detail::OwnerLists>(search, memory, block_totals);
    } else {
      detail::top_down_level<detail::CommonList>(search, memory, block_totals);
    }
  }
  if (first_thread) search.control->epoch = state.epoch;
}

}  // namespace bellmark::distributed_bfs::persistent
