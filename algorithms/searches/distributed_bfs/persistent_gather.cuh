// The reads by which a rank of distributed-bfs/persistent learns the finds of the level before:
// from the bitmaps of the pieces, or from the lists of the ranks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/distributed_bfs/persistent_search.cuh"

namespace bellmark::distributed_bfs::persistent {

namespace detail {

/// A stripe of the block's rows or, after them, of its columns.
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

/// The finds become visited, and where the next level goes top-down its rows are queued. A warp
/// takes a stripe, a lane a word of it; four are under way together.
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

/// Clears the rest of the level before in bitmaps, as gather() does.
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

/// Calls use(claim, whether this rank has found it) for the claims that ranks listed in the level,
/// for this one or for all. All lanes call it, with kNoVertex where there is no claim. A thread
/// takes claims, four are under way together.
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

/// The claims that ranks listed for this one: it keeps the first for each vertex, and sets its bit.
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

/// Like gather(), of the claims that ranks listed in the level. Several may have listed the same
/// vertex; its owner keeps the first that it meets.
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

}  // namespace detail

}  // namespace bellmark::distributed_bfs::persistent
