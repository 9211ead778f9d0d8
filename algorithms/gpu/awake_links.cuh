// Links between GPUs that don't go to sleep: between searches a thread copies a little over each.
// Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <thread>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/peer_memory.cuh"

namespace bellmark::gpu {

/// While it lives, it reads 1 MiB of each other GPU's memory every 10 ms. That takes some 4 us for
/// each on H200s, whose NVLink sleeps after 20 to 300 ms without traffic. All ranks should have
/// one: it keeps those lanes awake that lead to this rank's GPU. Its thread is no thread of a
/// search: it sleeps nearly always, and has no place of its own. `peers` must outlive it.
class AwakeLinks {
 public:
  /// Copies once itself, so that an error shows here, where no rank's kernel waits for another's
  /// yet.
  explicit AwakeLinks(const PeerMemory& peers) : peers_(&peers), copy_(kBytes) {
    check(cudaGetDevice(&device_), "cudaGetDevice");
    check(copy(), "a copy over the links between GPUs");
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  /// Nothing is copied while it is held; waits for the copy under way. Throws the error of the
  /// first copy that failed, if one did.
  [[nodiscard]] std::unique_lock<std::mutex> pause() {
    std::unique_lock lock(mutex_);
    check(status_, "a copy over the links between GPUs");
    return lock;
  }

  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  static_assert(kBytes <= PeerMemory::kPage);

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    status_ = cudaSetDevice(device_);
    while (status_ == cudaSuccess) {
      wake_.wait_for(lock, stop, std::chrono::milliseconds(10), [] { return false; });
      if (stop.stop_requested()) return;
      status_ = copy();
    }
  }

  /// Not cudaMemcpyDefault: memory that a failing rank has freed might be taken for the host's.
  cudaError_t copy() const {
    for (const std::byte* const memory : peers_->elsewhere()) {
      const cudaError_t status =
          cudaMemcpyAsync(copy_.data(), memory, kBytes, cudaMemcpyDeviceToDevice, stream_);
      if (status != cudaSuccess) return status;
    }
    return cudaStreamSynchronize(stream_);
  }

  const PeerMemory* peers_;
  DeviceArray<std::byte> copy_;
  Stream stream_;
  int device_ = 0;
  cudaError_t status_ = cudaSuccess;  ///< the first error, after which nothing is copied
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: the members that it uses outlive it
};

}  // namespace bellmark::gpu
