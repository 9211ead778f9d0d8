// Cooperative kernels of one argument, whose blocks are all on the device at once. Included by
// `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <string_view>

#include "algorithms/gpu/gpu.cuh"

namespace bellmark::gpu {

/// A kernel, and the number of its blocks that the device holds at once.
template <class Argument>
class GridKernel {
 public:
  GridKernel() = default;
  /// Its blocks have `threads` threads, and no dynamic shared memory.
  GridKernel(void (*kernel)(Argument), unsigned threads) : kernel_(kernel), threads_(threads) {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                        0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    block_count_ = static_cast<unsigned>(blocks * properties().multiProcessorCount);
  }

  /// Enqueues the kernel. `name`: for the message.
  void launch(Argument argument, std::string_view name, cudaStream_t stream) const {
    void* arguments[] = {&argument};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel_), dim3(block_count_),
                                      dim3(threads_), arguments, 0, stream),
          name);
  }

 private:
  void (*kernel_)(Argument) = nullptr;
  unsigned threads_ = 1;
  unsigned block_count_ = 1;
};

}  // namespace bellmark::gpu
