// Two sweeps over a contraction hierarchy, level by level, for many sources at once: distances to
// more important vertices on the way up, to all others on the way down. Predecessors then come from
// the graph's own arcs.
//
// Cost model: memory traffic. A vertex has a row of distances, one a source, so that a warp takes
// 128 sources' with one access of 512 bytes an arc. The sweep down reads the arcs times the sources
// times 4 bytes. The sweep up skips tails that no source has reached, which are nearly all of the
// low levels. A level is a barrier over the device, some 2 us. The last hundred levels of a road
// network hold a vertex or two each, and wait for their rows.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/phast/levels.hpp"
#include "graph/graph.hpp"

namespace bellmark::phast {

using gpu::kAllLanes;
using gpu::kWarp;
using gpu::lowest_bit;

inline constexpr unsigned kThreads = 256;
/// The number of sources of a warp's access: a row's length is a multiple of it.
inline constexpr std::uint32_t kWarpSources = 4 * kWarp;
inline constexpr unsigned kRowsInFlight = 8;  ///< a warp
/// The byte that a memset writes. An arc's length added to it fits 32 bits, and is no less than it.
inline constexpr int kInfiniteByte = 0x7f;
inline constexpr std::uint32_t kInfinite = 0x7f7f7f7f;

/// Arcs into vertices, on the device.
struct DeviceRows {
  const std::uint32_t* offsets;
  const Entering* arcs;
};

struct Sweep {
  const Vertex* vertices;              ///< by place
  const std::uint32_t* level_offsets;  ///< places
  std::uint32_t level_count;
  DeviceRows from_below;  ///< by place
  DeviceRows from_above;  ///< by place
  const Vertex* sources;
  std::uint32_t source_count;
  std::uint32_t row_size;    ///< distances of a vertex: sources, filled up to kWarpSources
  std::uint32_t* distances;  ///< rows by vertex; kInfinite
  std::uint8_t* is_reached;  ///< by vertex: by any source, on the way up; 0
};

namespace detail {

inline __device__ uint4 least(uint4 one, uint4 other, std::uint32_t length) {
  return {min(one.x, other.x + length), min(one.y, other.y + length), min(one.z, other.z + length),
          min(one.w, other.w + length)};
}

inline __device__ bool is_finite(uint4 row) {
  return min(min(row.x, row.y), min(row.z, row.w)) < kInfinite;
}

/// Calls visit(row, length, tail) with this lane's part of each tail's row; `wants` picks the
/// tails. Whole warps call it.
template <class Wants, class Visit>
__device__ void for_each_tail(const Entering* arcs, std::uint32_t begin, std::uint32_t end,
                              const std::uint32_t* distances, std::size_t row_size,
                              std::uint32_t column, Wants wants, Visit visit) {
  const unsigned lane = threadIdx.x % kWarp;
  for (std::uint32_t first = begin; first < end; first += kWarp) {
    const bool inside = first + lane < end;
    const Entering own = inside ? arcs[first + lane] : Entering{0, 0};
    unsigned open = __ballot_sync(kAllLanes, inside && wants(own.tail));
    while (open != 0) {
      // The same in all lanes.
      const unsigned count = min(static_cast<unsigned>(__popc(open)), kRowsInFlight);
      uint4 rows[kRowsInFlight];
      std::uint32_t lengths[kRowsInFlight];
      Vertex tails[kRowsInFlight];
#pragma unroll
      for (unsigned i = 0; i < kRowsInFlight; ++i) {
        if (i >= count) break;
        const unsigned from = lowest_bit(open);
        open &= open - 1;
        tails[i] = __shfl_sync(kAllLanes, own.tail, from);
        lengths[i] = __shfl_sync(kAllLanes, own.length, from);
        rows[i] = __ldcg(reinterpret_cast<const uint4*>(&distances[tails[i] * row_size + column]));
      }
#pragma unroll
      for (unsigned i = 0; i < kRowsInFlight; ++i) {
        if (i < count) visit(rows[i], lengths[i], tails[i]);
      }
    }
  }
}

/// One level: every vertex takes the least over the arcs into it. The whole grid calls it.
template <bool rises>
__device__ void pull_level(const Sweep& sweep, std::uint32_t level) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::uint32_t warp = (blockIdx.x * kThreads + threadIdx.x) / kWarp;
  const std::uint32_t warp_count = gridDim.x * (kThreads / kWarp);
  const DeviceRows& rows = rises ? sweep.from_below : sweep.from_above;
  const std::uint32_t first = sweep.level_offsets[level];
  const std::uint32_t parts = sweep.row_size / kWarpSources;
  const std::uint64_t item_count = std::uint64_t{sweep.level_offsets[level + 1] - first} * parts;
  for (std::uint64_t item = warp; item < item_count; item += warp_count) {
    const auto place = first + static_cast<std::uint32_t>(item / parts);
    const auto column = static_cast<std::uint32_t>(item % parts) * kWarpSources + lane * 4;
    const Vertex vertex = sweep.vertices[place];
    auto* const own =
        reinterpret_cast<uint4*>(&sweep.distances[std::size_t{vertex} * sweep.row_size + column]);
    const uint4 before = __ldcg(own);
    uint4 now = before;
    for_each_tail(
        rows.arcs, rows.offsets[place], rows.offsets[place + 1], sweep.distances, sweep.row_size,
        column, [&](Vertex tail) { return !rises || __ldcg(&sweep.is_reached[tail]) != 0; },
        [&](uint4 row, std::uint32_t length, Vertex) { now = least(now, row, length); });
    const bool changed =
        now.x != before.x || now.y != before.y || now.z != before.z || now.w != before.w;
    if (changed) *own = now;
    if (rises && __any_sync(kAllLanes, is_finite(now)) && lane == 0) {
      sweep.is_reached[vertex] = 1;
    }
  }
}

}  // namespace detail

/// A cooperative launch: a barrier over the grid after each level.
static __global__ void __launch_bounds__(kThreads) sweep_kernel(const Sweep sweep) {
  const auto grid = cooperative_groups::this_grid();
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < sweep.source_count;
       i += gridDim.x * kThreads) {
    const std::size_t source = sweep.sources[i];
    sweep.distances[source * sweep.row_size + i] = 0;
    sweep.is_reached[source] = 1;
  }
  grid.sync();
  // Nothing enters the lowest level from below, and the highest from above.
  for (std::uint32_t level = 1; level < sweep.level_count; ++level) {
    detail::pull_level<true>(sweep, level);
    grid.sync();
  }
  for (std::uint32_t level = sweep.level_count; level-- > 0;) {
    if (level + 1 == sweep.level_count) continue;
    detail::pull_level<false>(sweep, level);
    grid.sync();
  }
}

/// Any tight arc gives the predecessor: every length is positive. `rows` by vertex.
static __global__ void __launch_bounds__(kThreads)
    predecessor_kernel(DeviceRows rows, Vertex vertex_count, std::uint32_t row_size,
                       const std::uint32_t* distances, Vertex* predecessors) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::uint32_t parts = row_size / kWarpSources;
  const std::uint64_t item = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp;
  if (item >= std::uint64_t{vertex_count} * parts) return;
  const auto vertex = static_cast<Vertex>(item / parts);
  const auto column = static_cast<std::uint32_t>(item % parts) * kWarpSources + lane * 4;
  const std::size_t at = std::size_t{vertex} * row_size + column;
  const uint4 own = *reinterpret_cast<const uint4*>(&distances[at]);
  uint4 found = {kNoVertex, kNoVertex, kNoVertex, kNoVertex};
  detail::for_each_tail(
      rows.arcs, rows.offsets[vertex], rows.offsets[vertex + 1], distances, row_size, column,
      [](Vertex) { return true; },
      [&](uint4 row, std::uint32_t length, Vertex tail) {
        if (row.x + length == own.x) found.x = tail;
        if (row.y + length == own.y) found.y = tail;
        if (row.z + length == own.z) found.z = tail;
        if (row.w + length == own.w) found.w = tail;
      });
  *reinterpret_cast<uint4*>(&predecessors[at]) = found;
}

/// One source's column of both, for extract().
static __global__ void column_kernel(Vertex vertex_count, std::uint32_t row_size,
                                     std::uint32_t column, const std::uint32_t* distances,
                                     const Vertex* predecessors, uint2* answer) {
  const std::uint32_t vertex = blockIdx.x * kThreads + threadIdx.x;
  if (vertex >= vertex_count) return;
  const std::size_t at = std::size_t{vertex} * row_size + column;
  answer[vertex] = {distances[at], predecessors[at]};
}

}  // namespace bellmark::phast
