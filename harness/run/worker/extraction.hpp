// The limit for extract(): it copies and renumbers an answer, and searches nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// CPU time that `work` takes of the process, or the time on the clock if that is less. Threads
/// count once, and other programs don't count. With a GPU it is the time on the clock.
template <class Work>
double working_ns(measure::Clock& clock, bool on_gpu, Work&& work) {
  const std::int64_t cpu_begin = clock.cpu_ns();
  const std::int64_t begin = clock.now_ns();
  work();
  const std::int64_t taken = clock.now_ns() - begin;
  const std::int64_t worked = clock.cpu_ns() - cpu_begin;
  return static_cast<double>(on_gpu ? taken : std::min(taken, worked));
}

/// The time in which this core writes `byte_count` bytes as words in a random order: the cost of
/// renumbering an answer. Of large answers a part is written, and the rest is extrapolated.
double scatter_ns(std::uint64_t byte_count, measure::Clock& clock);

/// The median of `extract_ns`, and the time that an answer of so many bytes may take. The limit is
/// a multiple of the time to write the answer in a random order. It is larger if the variant says
/// that it `leaves_part` of the answer outside the time (kUntimed).
Extraction extraction_of(bool leaves_part, std::span<const double> extract_ns,
                         std::uint64_t answer_bytes, bool on_gpu, measure::Clock& clock);

/// During its lifetime, memory that the process allocates or frees is filled with poison.
class PoisonedHeap {
 public:
  PoisonedHeap();
  PoisonedHeap(const PoisonedHeap&) = delete;
  PoisonedHeap& operator=(const PoisonedHeap&) = delete;
  ~PoisonedHeap();
};

}  // namespace bellmark::run
