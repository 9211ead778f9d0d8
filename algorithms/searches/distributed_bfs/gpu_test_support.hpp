// The common part of tests of ranks with a GPU each. For builds with CUDA.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/parallel/thread_ranks.hpp"

namespace bellmark::testing {

/// The reason why `count` ranks can't have a GPU each; "" when they can.
inline std::string without_gpus(std::size_t count) {
  if (std::string reason = gpu::unmet(); !reason.empty()) return reason;
  int visible = 0;
  gpu::check(cudaGetDeviceCount(&visible), "cudaGetDeviceCount");
  if (static_cast<std::size_t>(visible) >= count) return {};
  return "needs " + std::to_string(count) + " GPUs, and this process sees " +
         std::to_string(visible);
}

/// The numbers of ranks that this machine has GPUs for, from `least` on.
inline std::vector<std::size_t> sizes_from(std::size_t least) {
  std::vector<std::size_t> sizes;
  for (const std::size_t size : {1, 2, 3, 4, 6, 8}) {
    if (size >= least && without_gpus(size).empty()) sizes.push_back(size);
  }
  return sizes;
}

/// Ranks that are threads, rank r with device r.
inline void run_gpu_ranks(std::size_t size, const std::function<void(Communicator&)>& body) {
  run_ranks(size, [&](Communicator& ranks) {
    gpu::check(cudaSetDevice(static_cast<int>(ranks.rank())), "cudaSetDevice");
    body(ranks);
  });
}

}  // namespace bellmark::testing
