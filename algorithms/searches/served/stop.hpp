// The time at which an awaited search is to end before it is done.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>

namespace bellmark::served {

/// A time, and a flag of another thread, which must outlive this.
class Stop {
 public:
  using Clock = std::chrono::steady_clock;

  Stop() = default;
  explicit Stop(Clock::time_point deadline, const std::atomic<bool>* flag = nullptr)
      : deadline_(deadline), flag_(flag) {}

  bool now() const {
    return (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) ||
           Clock::now() >= deadline_;
  }

 private:
  Clock::time_point deadline_ = Clock::time_point::max();
  const std::atomic<bool>* flag_ = nullptr;
};

/// Thrown out of a search that was stopped.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "the search was stopped"; }
};

}  // namespace bellmark::served
