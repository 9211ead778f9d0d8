// What the kernel of distributed-bfs/persistent works on: its arrays, its peers' memory, and what a
// block keeps from level to level. persistent_device.cuh has the whole, with its cost model.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/distributed_bfs/persistent_layout.hpp"

namespace bellmark::distributed_bfs::persistent {

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

/// How a vertex was found; the predecessor by its number in the whole graph. Of those found
/// top-down by several ranks, any predecessor will do.
using bfs::Visit;

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

}  // namespace detail

}  // namespace bellmark::distributed_bfs::persistent
