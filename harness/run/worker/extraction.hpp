// What extract() may take: it copies and renumbers an answer, and searches nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// CPU time of the process that `work` takes, or the time on the clock where that is less: threads
/// count once, and other programs not at all. With a GPU it is the time on the clock.
template <class Work>
double working_ns(measure::Clock& clock, bool on_gpu, Work&& work) {
  const std::int64_t cpu_begin = clock.cpu_ns();
  const std::int64_t begin = clock.now_ns();
  work();
  const std::int64_t taken = clock.now_ns() - begin;
  const std::int64_t worked = clock.cpu_ns() - cpu_begin;
  return static_cast<double>(on_gpu ? taken : std::min(taken, worked));
}

/// What it takes this core to write `byte_count` bytes as words in a random order: what it costs to
/// renumber an answer. Of large answers a part is written, and the rest reckoned.
double scatter_ns(std::uint64_t byte_count, measure::Clock& clock);

/// The median of `extract_ns`, beside what an answer of so many bytes may take: a number of times
/// what it takes to write it in a random order. More where the variant says that it `leaves_part`
/// of the answer outside the time (kUntimed).
Extraction extraction_of(bool leaves_part, std::span<const double> extract_ns,
                         std::uint64_t answer_bytes, bool on_gpu, measure::Clock& clock);

/// While it lives, memory that the process allocates or gives back is filled with poison.
class PoisonedHeap {
 public:
  PoisonedHeap();
  PoisonedHeap(const PoisonedHeap&) = delete;
  PoisonedHeap& operator=(const PoisonedHeap&) = delete;
  ~PoisonedHeap();
};

}  // namespace bellmark::run
