// The data of the kernel of distributed-bfs/persistent: its arrays, its peers' memory, and the
// state that a block keeps from level to level. persistent_device.cuh has the whole, with its cost
// model.
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

/// The most ranks: a lane of a warp waits for each.
inline constexpr unsigned kMostRanks = 32;
inline constexpr std::uint32_t kStripeWords = kStripe / kWarp;
static_assert(kWordVertices == kWarp);
static_assert(kStripeWords == kWarp, "a lane moves a word of a stripe");

using Count = unsigned long long;

/// Sums over a level, of one rank or of all. A vertex that several ranks have found top-down counts
/// for each of them. To learn which was first, they would wait for the owner's answer, microseconds
/// for each vertex. Only the direction rests on these sums.
struct Totals {
  Count vertex_count;
  Count arc_count;  ///< that leave them, nearly, of those found top-down: else nobody asks
};

/// A rank's message to another when it has ended a level. The epoch counts barriers, over all
/// searches: the last field written.
struct Mail {
  Totals totals;
  unsigned long long epoch;
  /// The entries in the rank's list, of all levels so far; or in its list for the other rank, of
  /// this level.
  unsigned long long listed_count;
};

/// The way in which a vertex was found; the predecessor by its number in the whole graph. Of those
/// found top-down by several ranks, any predecessor will do.
using bfs::Visit;

/// A rank's entry for a vertex that it finds top-down; both by their numbers in the whole graph.
struct alignas(8) Claim {
  Vertex vertex;
  Vertex predecessor;
};
static_assert(alignof(Claim) <= alignof(engine::detail::WarpMemory));
static_assert(gpu::WarpBuffer<Claim>::kSize * sizeof(Claim) <=
              sizeof(engine::detail::WarpMemory::buffer));

/// The number of claims of a list by owner that a warp takes at once.
inline constexpr std::uint32_t kOwnerListPiece = 64;
static_assert(kWarp <= kOwnerListPiece);

/// The places where the parts of each rank's peer memory begin. They go by an epoch % 3 for mails
/// and a level % 3 for bitmaps, because a rank may be a barrier ahead of those that still read.
struct PeerParts {
  std::size_t found;            ///< three bitmaps of the piece
  std::size_t visits;           ///< of the piece
  std::size_t claims;           ///< the rank's finds top-down, level after level
  std::size_t claims_by_owner;  ///< a list for each rank, of one level
  std::size_t owner_capacity;   ///< of such a list
  std::size_t size;

  PeerParts() = default;
  /// A rank finds each of its columns once, and may own the source beside them. `spare_count`: the
  /// room of a list for an owner beside the piece. There are no such lists with `owner_count` 0.
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
  /// The number of claims in the list for each rank, in the level. They are on lines of their own,
  /// because all warps count there.
  struct alignas(128) ListedCount {
    std::uint32_t value;  ///< 0 but in such a level
  };
  ListedCount listed_counts[kMostRanks];
  unsigned long long epoch;
  unsigned long long arrived_count;  ///< blocks, at all barriers so far
  Totals found;                      ///< by this rank in the level; 0 between searches
  std::uint32_t listed_count;        ///< by this rank in the search
  /// Of the lists that gather() makes for its own level, and exchange() empties after it.
  engine::FrontierCounts frontier;
};

/// The log of a recorded run. Times are the device's global timer's.
struct SearchRecord {
  std::uint64_t begun_ns;  ///< by the first block
  std::uint64_t level_count;
};

/// The form in which a level reads the finds of the one before.
enum class Gathered : std::uint32_t {
  lists,           ///< of all ranks
  lists_by_owner,  ///< and, with several ranks, bitmaps of the owners' claims there
  bitmaps,
};

/// One line of the log.
struct LevelRecord {
  std::uint64_t exchanged_ns;
  std::uint64_t gathered_ns;
  std::uint64_t searched_ns;  ///< by the last block
  std::uint64_t bottom_up;
  Gathered gathered;
  Count read_count;  ///< of other ranks' claims; 0 where bitmaps were read
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

/// A word of a bitmap that other GPUs write or read meanwhile, or did before the barrier. It must
/// not come from this multiprocessor's L1.
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
/// The owner of piece `piece` of the row part, or of the column part.
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

/// The state that a block keeps from level to level, in shared memory: a level's loops need all
/// registers, and most of all predicates. With flags in registers, heads would be read two at a
/// time instead of four.
struct State {
  unsigned long long epoch;  ///< of the last barrier
  /// The arcs of unvisited vertices; those that bottom-up levels visit are not taken off.
  std::uint64_t unvisited_arc_count;
  std::uint64_t frontier_count;  ///< vertices, once for each rank that found them
  bool recorded;                 ///< by this block
  bool ended;
  bool bottom_up;
  bool by_owner;        ///< the level lists its finds by owner
  bool lists_by_owner;  ///< the level before did
  Gathered gathered;
  bool bits_left;  ///< of the level before, in the piece's bitmap
  /// The claims that ranks listed in the level, one rank after the other. Each rank's end here, and
  /// its begin in the rank's list. Neither holds where bitmaps are gathered.
  Count listed_ends[kMostRanks];
  std::uint32_t listed_begins[kMostRanks];
  Totals found[kMostRanks];
};

}  // namespace detail

}  // namespace bellmark::distributed_bfs::persistent
