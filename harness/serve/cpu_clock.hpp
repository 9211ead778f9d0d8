// Processor time, which other programs on this machine don't add to.
#pragma once

#include <cstdint>
#include <ctime>

namespace bellmark::serve {

/// The time of the calling thread, or of the whole process with CLOCK_PROCESS_CPUTIME_ID.
inline std::uint64_t cpu_ns(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec time{};
  clock_gettime(clock, &time);
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

inline double as_ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace bellmark::serve
