// The common part of kernels on bitmaps of vertices: tests of bits, sums over a block, counts of a
// level.
#pragma once

#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/hybrid_gpu.cuh"

namespace bellmark::bfs::hybrid_gpu {

using gpu::kAllLanes;
using gpu::kWarp;
static_assert(kWordBits == kWarp);

template <class RowOffset, bool kCounts>
__device__ Offset arc_count_of(const LevelView<RowOffset, kCounts>& view, Vertex v) {
  return view.row_offsets[v + 1] - view.row_offsets[v];
}

/// Where levels are wanted: writes that of a vertex that the level has found.
template <class RowOffset, bool kCounts>
__device__ void write_level(const LevelView<RowOffset, kCounts>& view, Vertex v) {
  if constexpr (kCounts) {
    if (view.levels != nullptr) view.levels[v] = view.found_level;
  }
}

/// Bits of word `word` that stand for no vertex.
__device__ inline Bits bits_beyond(Vertex vertex_count, std::uint32_t word) {
  const std::uint64_t begin = std::uint64_t{word} * kWordBits;
  if (begin >= vertex_count) return ~Bits{0};
  const std::uint64_t inside = vertex_count - begin;
  return inside >= kWordBits ? 0 : ~Bits{0} << inside;
}

__device__ inline bool contains(const Bits* set, Vertex v) {
  return (__ldg(&set[v / kWordBits]) >> (v % kWordBits) & 1) != 0;
}

/// The sum of `value` over the threads before this one, and over the whole block, which takes part.
/// Once a kernel for each T: its shared memory is not handed back.
template <unsigned kThreads, class T>
__device__ T scan_block(T value, T& total) {
  __shared__ T warp_sums[kThreads / kWarp];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const T sum = gpu::inclusive_sum(value);
  if (lane == kWarp - 1) warp_sums[warp] = sum;
  __syncthreads();
  T before = 0;
  total = 0;
  for (unsigned i = 0; i < kThreads / kWarp; ++i) {
    if (i == warp) before = total;
    total += warp_sums[i];
  }
  return before + sum - value;
}

template <class T>
__device__ T sum_of_warp(T value) {
  for (unsigned i = kWarp / 2; i > 0; i /= 2) value += __shfl_xor_sync(kAllLanes, value, i);
  return value;
}

/// Adds the finds of the block's threads: two atomics a block, none when it found nothing. The
/// whole block takes part, once a kernel.
template <unsigned kThreads>
__device__ void add_counts(Counts& counts, unsigned vertex_count, unsigned long long arc_count) {
  __shared__ unsigned vertex_sums[kThreads / kWarp];
  __shared__ unsigned long long arc_sums[kThreads / kWarp];
  vertex_count = sum_of_warp(vertex_count);
  arc_count = sum_of_warp(arc_count);
  if (threadIdx.x % kWarp == 0) {
    vertex_sums[threadIdx.x / kWarp] = vertex_count;
    arc_sums[threadIdx.x / kWarp] = arc_count;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long vertices = 0;
  unsigned long long arcs = 0;
  for (unsigned i = 0; i < kThreads / kWarp; ++i) {
    vertices += vertex_sums[i];
    arcs += arc_sums[i];
  }
  if (vertices == 0) return;
  atomicAdd(&counts.vertex_count, vertices);
  atomicAdd(&counts.arc_count, arcs);
}
}  // namespace bellmark::bfs::hybrid_gpu
