// Searches that can be stopped, for services: when a client went away, or its time is over.
#pragma once

#include <atomic>
#include <cstdint>

namespace bellmark::stoppable {

/// Vertices that a search settles between two looks at its flag: some tenths of a millisecond.
inline constexpr std::uint64_t kSettledBetweenPolls = 4096;

/// Looks at a flag that another thread may set. The flag outlives it. One of its own for each
/// search: it counts.
class StopPoll {
 public:
  explicit StopPoll(const std::atomic<bool>& flag) : flag_(flag) {}

  /// Whether to stop: asked once a settled vertex, and the flag is read every 4,096th time.
  bool after_settling_one() {
    return ++settled_count_ % kSettledBetweenPolls == 0 && flag_.load(std::memory_order_relaxed);
  }
  std::uint64_t settled_count() const { return settled_count_; }

 private:
  const std::atomic<bool>& flag_;
  std::uint64_t settled_count_ = 0;
};

}  // namespace bellmark::stoppable
