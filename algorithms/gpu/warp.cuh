// The common part of kernels: lanes of a warp, the device's clock, lists that all warps append to.
// Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "graph/graph.hpp"

namespace bellmark::gpu {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffff;

/// The place of the lowest bit; beyond all lanes where there is none.
inline __device__ unsigned lowest_bit(unsigned bits) {
  return static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
}

/// The device's clock in nanoseconds, the same for all of its multiprocessors.
inline __device__ std::uint64_t global_timer() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/// Asks L2 for the sector of an address. It costs no register, and nobody waits for it.
inline __device__ void prefetch(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// The sum over the lanes up to this one. All lanes call it.
template <class Count>
__device__ Count inclusive_sum(Count count) {
  for (unsigned step = 1; step < kWarp; step *= 2) {
    const Count before = __shfl_up_sync(kAllLanes, count, step);
    if (threadIdx.x % kWarp >= step) count += before;
  }
  return count;
}

/// The elements that a warp has to append to a list that all warps share. They stay in shared
/// memory until there are many, because the atomics on one counter come one after the other. All
/// lanes call it.
template <class Entry>
class WarpBuffer {
 public:
  static constexpr std::uint32_t kSize = 4 * kWarp * sizeof(Vertex) / sizeof(Entry);
  static_assert(kSize >= kWarp);

  __device__ WarpBuffer(Entry* buffer, Entry* list, std::uint32_t* count)
      : buffer_(buffer), list_(list), count_(count) {}

  __device__ void append(Entry entry, bool wanted) {
    const unsigned wanting = __ballot_sync(kAllLanes, wanted);
    if (wanting == 0) return;
    const auto more = static_cast<std::uint32_t>(__popc(wanting));
    if (held_ + more > kSize) flush();
    const unsigned lane = threadIdx.x % kWarp;
    if (wanted) buffer_[held_ + __popc(wanting & ((1u << lane) - 1))] = entry;
    held_ += more;
  }

  __device__ void flush() {
    if (held_ == 0) return;
    std::uint32_t begin = 0;
    const unsigned lane = threadIdx.x % kWarp;
    if (lane == 0) begin = atomicAdd(count_, held_);
    begin = __shfl_sync(kAllLanes, begin, 0);
    __syncwarp();
    for (std::uint32_t i = lane; i < held_; i += kWarp) list_[begin + i] = buffer_[i];
    __syncwarp();
    held_ = 0;
  }

 private:
  Entry* buffer_;
  Entry* list_;
  std::uint32_t* count_;
  std::uint32_t held_ = 0;
};

}  // namespace bellmark::gpu
