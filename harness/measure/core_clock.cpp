#include "harness/measure/core_clock.hpp"

#include <algorithm>
#include <cstdint>

namespace bellmark::measure {
namespace {

constexpr int kRounds = 500;
constexpr int kAddsPerRound = 64;
constexpr int kTries = 31;

/// Each addition waits for the addition before. The second operand is a register: recent Intel
/// cores fold additions of constants while renaming, at no cycle at all.
[[maybe_unused]] std::uint64_t chain(std::uint64_t value, std::uint64_t step) {
  for (int round = 0; round < kRounds; ++round) {
#if defined(__x86_64__)
    asm volatile(".rept 64\n add %1, %0\n .endr" : "+r"(value) : "r"(step));
#elif defined(__aarch64__)
    asm volatile(".rept 64\n add %0, %0, %1\n .endr" : "+r"(value) : "r"(step));
#endif
  }
  return value;
}

}  // namespace

std::optional<double> estimated_core_mhz([[maybe_unused]] Clock& clock) {
#if defined(__x86_64__) || defined(__aarch64__)
  // The shortest try is the one that nothing interrupted.
  std::int64_t least_ns = INT64_MAX;
  std::uint64_t value = 0;
  for (int i = 0; i < kTries; ++i) {
    const std::int64_t begin = clock.now_ns();
    value = chain(value, 1);
    least_ns = std::min(least_ns, clock.now_ns() - begin);
  }
  constexpr double kCycles = double{kRounds} * kAddsPerRound;
  constexpr double kMhzPerGhz = 1000;
  return kCycles / static_cast<double>(std::max<std::int64_t>(1, least_ns)) * kMhzPerGhz;
#else
  return std::nullopt;
#endif
}

}  // namespace bellmark::measure
