// A level of distributed-bfs/persistent along the rows of a rank's block: top-down with a list for
// all ranks or one for each owner, and bottom-up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/distributed_bfs/persistent_search.cuh"

namespace bellmark::distributed_bfs::persistent {

namespace detail {

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

/// One warp's part of its rank's lists by owner, which it takes in pieces. The unused rest of them
/// holds kNoVertex in the end.
class OwnerLists {
 public:
  __device__ OwnerLists(const Search& search, engine::detail::WarpMemory& memory)
      : search_(search), pieces_(reinterpret_cast<Piece*>(memory.buffer)) {
    static_assert(kMostRanks <= kWarp);
    static_assert(kMostRanks * sizeof(Piece) <= sizeof(memory.buffer));
    pieces_[threadIdx.x % kWarp] = {0, 0};
    __syncwarp();
  }

  /// For ranks with whole rows, so that columns are numbered as all vertices are.
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
  /// The rest of a piece.
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

/// One warp's part in a level top-down. Columns that the block's own bits don't have are claimed
/// there, so that a rank lists a vertex once.
template <class List>
class TopDown {
 public:
  __device__ TopDown(const Search& search, engine::detail::WarpMemory& memory)
      : search_(search), list_(search, memory) {}

  /// Like engine::detail::TopDown's.
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
  const gpu::NoTally no_tally;
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
      },
      no_tally);
  Totals& found = search.control->found;
  engine::detail::publish(totals, found.vertex_count, found.arc_count, found_count, 0);
}

}  // namespace detail

}  // namespace bellmark::distributed_bfs::persistent
