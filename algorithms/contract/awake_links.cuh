// Links between GPUs that don't go to sleep: between searches a thread copies a little over each.
// Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <thread>

#include "algorithms/contract/gpu.cuh"
#include "algorithms/contract/peer_memory.cuh"

namespace bellmark::gpu {

/// While it lives, reads up to 1 MiB of each other rank's memory every 10 ms, with a copy engine,
/// so that it takes no processor: on an H200 some 4 us for each rank, and the NVLink between two
/// sleeps after 20 to 300 ms without traffic. All ranks should have one: it wakes the lanes that
/// lead to this rank's GPU. `peers` must outlive it.
class AwakeLinks {
 public:
  explicit AwakeLinks(const PeerMemory& peers)
      : peers_(&peers), copy_(std::min(peers.size(), std::size_t{1} << 20)) {
    check(cudaGetDevice(&device_), "cudaGetDevice");
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  /// Nothing is copied while it is held; waits for the copy under way.
  [[nodiscard]] std::unique_lock<std::mutex> pause() { return std::unique_lock(mutex_); }

 private:
  /// Ends at the first error: the rank's own calls see it too.
  void run(const std::stop_token& stop) {
    if (cudaSetDevice(device_) != cudaSuccess) return;
    for (std::unique_lock lock(mutex_); !stop.stop_requested();) {
      // Not within this GPU: that may be a kernel, and wait for one that waits for this rank.
      for (const std::byte* const memory : peers_->elsewhere()) {
        if (cudaMemcpyAsync(copy_.data(), memory, copy_.size(), cudaMemcpyDefault, stream_) !=
            cudaSuccess) {
          return;
        }
      }
      if (cudaStreamSynchronize(stream_) != cudaSuccess) return;
      wake_.wait_for(lock, stop, std::chrono::milliseconds(10), [] { return false; });
    }
  }

  const PeerMemory* peers_;
  DeviceArray<std::byte> copy_;
  Stream stream_;
  int device_ = 0;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: what it uses outlives it
};

}  // namespace bellmark::gpu
