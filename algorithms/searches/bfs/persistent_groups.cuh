// Rows that a level bottom-up searches beyond their first head, several at a time.
//
// search_rows() for DeviceRows gives the whole warp to each row of more than 37 arcs, one after the
// other. Such a row is a wait for heads and one for bits, 1,000 cycles, and reads 128 arcs where
// the first 32 have a visited head as a rule. In the first level bottom-up most rows fail at their
// first heads, and on Kronecker scale 22 a tenth of all vertices have more than 32 arcs. On scale
// 24 that is some 200 such waits for each warp, 110 us.
//
// Here eight lanes take a row, so that four rows are under way and a step reads 32 arcs of each. A
// lane searches its two short rows in the same steps, not one after the other.
#pragma once

#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_rows.cuh"

namespace bellmark::bfs::persistent::detail {

/// Rows whose long ones are searched by groups of lanes.
struct GroupedRows : DeviceRows {};

inline constexpr unsigned kGroup = 8;  ///< lanes that search a row together
inline constexpr unsigned kGroups = kWarp / kGroup;
/// A lane alone searches up to so many arcs.
inline constexpr std::uint32_t kLaneArcs = 36;
/// The whole warp searches a row with more arcs left.
inline constexpr std::uint32_t kGroupArcs = 512;

/// A visited head of `heads` from `begin` to `end`, by the whole warp, which has the same row.
/// kNoHead where there is none.
inline __device__ Vertex search_by_warp(const DeviceRows& rows, const std::uint32_t* visited,
                                        std::uint32_t begin, std::uint32_t end) {
  const unsigned lane = threadIdx.x % kWarp;
  for (std::uint32_t at = begin; at < end; at += kInFlight * kWarp) {
    const Vertex mine = visited_head(rows, visited, at + lane, kWarp, end);
    const unsigned finders = __ballot_sync(kAllLanes, mine != kNoHead);
    if (finders != 0) return __shfl_sync(kAllLanes, mine, lowest_bit(finders));
  }
  return kNoHead;
}

/// A visited head of `heads` from `begin` to `end`, by a group of lanes, which has the same row.
/// kNoHead where there is none; else the lane that found it has it. All groups of a warp call it.
inline __device__ Vertex search_by_group(const DeviceRows& rows, const std::uint32_t* visited,
                                         std::uint32_t begin, std::uint32_t end) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned group_lanes = ((1u << kGroup) - 1) << lane / kGroup * kGroup;
  Vertex mine = kNoHead;
  bool going = begin < end;
  for (std::uint32_t at = begin + lane % kGroup; __any_sync(kAllLanes, going);
       at += kInFlight * kGroup) {
    if (going) mine = visited_head(rows, visited, at, kGroup, end);
    const unsigned finders = __ballot_sync(kAllLanes, mine != kNoHead) & group_lanes;
    // The same for all lanes of the group: it asks for its first lane's next arc.
    going = going && finders == 0 && at - lane % kGroup + kInFlight * kGroup < end;
    if (finders != 0 && lane != lowest_bit(finders)) mine = kNoHead;
  }
  return mine;
}

/// A visited head of each lane's row from `begin` to `end`; kNoHead where there is none or the lane
/// has no such row, `begin` == `end`. Whole warps call it.
inline __device__ Vertex search_long(const DeviceRows& rows, const std::uint32_t* visited,
                                     std::uint32_t begin, std::uint32_t end) {
  const unsigned lane = threadIdx.x % kWarp;
  Vertex found = kNoHead;
  for (unsigned left = __ballot_sync(kAllLanes, end - begin > kGroupArcs); left != 0;
       left &= left - 1) {
    const unsigned owner = lowest_bit(left);
    const Vertex one = search_by_warp(rows, visited, __shfl_sync(kAllLanes, begin, owner),
                                      __shfl_sync(kAllLanes, end, owner));
    if (lane == owner) {
      found = one;
      begin = end;
    }
  }
  for (unsigned left = __ballot_sync(kAllLanes, begin < end); left != 0;) {
    unsigned owner = kWarp;
#pragma unroll
    for (unsigned group = 0; group < kGroups; ++group) {
      if (lane / kGroup == group && left != 0) owner = lowest_bit(left);
      left &= left - 1;  // 0 stays 0
    }
    const std::uint32_t row_begin = __shfl_sync(kAllLanes, begin, owner % kWarp);
    const std::uint32_t row_end = __shfl_sync(kAllLanes, end, owner % kWarp);
    const Vertex mine =
        search_by_group(rows, visited, row_begin, owner < kWarp ? row_end : row_begin);
    for (unsigned finders = __ballot_sync(kAllLanes, mine != kNoHead); finders != 0;
         finders &= finders - 1) {
      const Vertex one = __shfl_sync(kAllLanes, mine, lowest_bit(finders));
      if (lane == __shfl_sync(kAllLanes, owner, lowest_bit(finders))) found = one;
    }
  }
  return found;
}

/// Like that of DeviceRows.
inline __device__ void search_rows(const GroupedRows& rows, const std::uint32_t* visited,
                                   const Vertex (&vertices)[kRowsInFlight],
                                   Vertex (&found)[kRowsInFlight]) {
  std::uint32_t begins[kRowsInFlight];
  std::uint32_t ends[kRowsInFlight];
  std::uint32_t lane_ends[kRowsInFlight];
#pragma unroll
  for (unsigned row = 0; row < kRowsInFlight; ++row) {
    const bool wanted = vertices[row] != kNoHead;
    begins[row] = wanted ? rows.row_offsets[vertices[row]] + 1 : 0;
    ends[row] = wanted ? rows.row_offsets[vertices[row] + 1] : 0;
    const bool is_short = ends[row] - begins[row] <= kLaneArcs;
    lane_ends[row] = is_short ? ends[row] : begins[row] + kInFlight;
    found[row] = kNoHead;
  }
  for (bool going = true; going;) {
    Vertex heads[kRowsInFlight][kInFlight];
#pragma unroll
    for (unsigned row = 0; row < kRowsInFlight; ++row) {
#pragma unroll
      for (unsigned i = 0; i < kInFlight; ++i) {
        heads[row][i] = begins[row] + i < lane_ends[row] ? rows.heads[begins[row] + i] : kNoHead;
      }
    }
    going = false;
#pragma unroll
    for (unsigned row = 0; row < kRowsInFlight; ++row) {
      const Vertex one = first_visited(visited, heads[row]);
      begins[row] = min(begins[row] + kInFlight, ends[row]);
      if (one != kNoHead) {
        found[row] = one;
        begins[row] = lane_ends[row] = ends[row];
      }
      going = going || begins[row] < lane_ends[row];
    }
  }
  __syncwarp();
#pragma unroll
  for (unsigned row = 0; row < kRowsInFlight; ++row) {
    const Vertex one = search_long(rows, visited, begins[row], ends[row]);
    if (one != kNoHead) found[row] = one;
  }
}

}  // namespace bellmark::bfs::persistent::detail
