// The part of sssp/harish that needs no GPU: the paper's switch between its two ways of creating
// threads (suzuki, Algorithm 4 and section 6).
#pragma once

#include <cstdint>

#include "algorithms/gpu/host_device.hpp"

namespace bellmark::harish {

/// The vertices for which one phase creates threads. Algorithm 4's `sch` is true where they are
/// updated ones.
enum class ThreadsFor : std::uint8_t { updated_vertices = 0, all_vertices = 1 };

/// The way in which a system creates threads: always for the same vertices, or for those that the
/// clock says.
enum class ThreadCreation { all_vertices, updated_vertices, adaptive };

BELLMARK_HOST_DEVICE constexpr ThreadsFor first_threads(ThreadCreation threads) {
  return threads == ThreadCreation::all_vertices ? ThreadsFor::all_vertices
                                                 : ThreadsFor::updated_vertices;
}

/// `up`: from updated to all vertices above it; `down`: back below it. Algorithm 4 as printed has
/// one threshold, up = down, and compares the time of this phase alone.
struct Thresholds {
  std::uint64_t up_ns;
  std::uint64_t down_ns;
  bool this_phase_alone = false;
};

/// The vertices for which the next phase creates threads: Algorithm 4's two tests against THR. They
/// use the mean of this and the previous phase's time (section 6), or this phase's alone (as
/// printed). The first phase has no previous one: it is given its own time twice. Twice the mean is
/// compared, so that nothing is rounded.
BELLMARK_HOST_DEVICE constexpr ThreadsFor next_threads(ThreadsFor threads_for,
                                                       std::uint64_t previous_ns,
                                                       std::uint64_t this_ns,
                                                       Thresholds thresholds) {
  const std::uint64_t twice_mean_ns =
      (thresholds.this_phase_alone ? this_ns : previous_ns) + this_ns;
  if (threads_for == ThreadsFor::updated_vertices) {
    return twice_mean_ns > 2 * thresholds.up_ns ? ThreadsFor::all_vertices
                                                : ThreadsFor::updated_vertices;
  }
  return twice_mean_ns < 2 * thresholds.down_ns ? ThreadsFor::updated_vertices
                                                : ThreadsFor::all_vertices;
}

}  // namespace bellmark::harish
