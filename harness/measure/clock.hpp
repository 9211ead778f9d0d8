// Time, through an interface that tests can replace.
#pragma once

#include <cstdint>

namespace bellmark::measure {

/// Monotonic time and the CPU time of this process, both in nanoseconds.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_ns() = 0;
  virtual std::int64_t cpu_ns() = 0;

  /// CLOCK_MONOTONIC and CLOCK_PROCESS_CPUTIME_ID (all threads of the process).
  static Clock& system();
};

}  // namespace bellmark::measure
