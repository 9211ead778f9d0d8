// A barrier for rounds that take a microsecond, within one ThreadTeam::run().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "base/spin_pause.hpp"

namespace bellmark {

/// Waiting threads spin, because putting one to sleep and waking it takes longer than a round. The
/// barrier's sense is the number of the round, so that it can be used again at once.
///
/// Each thread that arrives takes the count's cache line from the one before: 50 to 100 ns between
/// the cores of a package. All that wait fetch the round's line once. Two threads take about 0.2
/// us; one thread alone returns at once.
class SpinBarrier {
 public:
  explicit SpinBarrier(std::size_t size) : size_(size) {}

  /// Returns when all `size` threads have called it the same number of times as this one. Each then
  /// reads all that the others wrote before.
  void wait() noexcept {
    if (size_ == 1) return;
    // It can't be raised before this thread has arrived too.
    const std::uint64_t round = round_.load(std::memory_order_relaxed);
    if (arrived_count_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
      arrived_count_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spin = 0; round_.load(std::memory_order_acquire) == round; ++spin) {
      if (spin < kSpins) {
        spin_pause();
      } else {
        // The thread that is awaited may need this PU.
        std::this_thread::yield();
      }
    }
  }

 private:
  static constexpr std::size_t kLineBytes = 64;
  static constexpr int kSpins = 512;  // some 10 us

  std::size_t size_;
  alignas(kLineBytes) std::atomic<std::size_t> arrived_count_ = 0;
  alignas(kLineBytes) std::atomic<std::uint64_t> round_ = 0;
};

}  // namespace bellmark
