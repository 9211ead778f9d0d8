// The part of sssp/harish that needs no GPU: how the paper switches between its two ways of
// creating threads (suzuki, Algorithm 4 and section 6).
#pragma once

#include <cstdint>

#include "algorithms/gpu/host_device.hpp"

namespace bellmark::harish {

/// For which vertices one phase creates threads. Algorithm 4's `sch` is true in the first form.
enum class Form : std::uint8_t { updated_vertices = 0, all_vertices = 1 };

/// How a system creates threads: always in one form, or in the one that the clock says.
enum class ThreadCreation { all_vertices, updated_vertices, adaptive };

BELLMARK_HOST_DEVICE constexpr Form first_form(ThreadCreation threads) {
  return threads == ThreadCreation::all_vertices ? Form::all_vertices : Form::updated_vertices;
}

/// `up`: from updated to all vertices above it; `down`: back below it. One threshold as printed in
/// Algorithm 4 is up = down.
struct Thresholds {
  std::uint64_t up_ns;
  std::uint64_t down_ns;
};

/// The next phase's form: Algorithm 4's two tests against THR, on the mean of this and the previous
/// phase's time (section 6). The first phase has no previous one: it is given its own time twice.
/// Twice the mean is compared, so that nothing is rounded.
BELLMARK_HOST_DEVICE constexpr Form next_form(Form form, std::uint64_t previous_ns,
                                              std::uint64_t this_ns, Thresholds thresholds) {
  const std::uint64_t twice_mean_ns = previous_ns + this_ns;
  if (form == Form::updated_vertices) {
    return twice_mean_ns > 2 * thresholds.up_ns ? Form::all_vertices : Form::updated_vertices;
  }
  return twice_mean_ns < 2 * thresholds.down_ns ? Form::updated_vertices : Form::all_vertices;
}

}  // namespace bellmark::harish
