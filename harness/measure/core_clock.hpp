// An estimate of the clock of the calling thread's core: without a PMU nothing else counts cycles.
#pragma once

#include <optional>

#include "harness/measure/clock.hpp"

namespace bellmark::measure {

/// Megahertz of the calling thread's core: the fastest of some short chains of dependent additions,
/// each of which takes one cycle. Takes half a millisecond. Nothing on an architecture whose
/// additions are unknown.
std::optional<double> estimated_core_mhz(Clock& clock);

/// Why estimated_core_mhz() gives nothing.
inline constexpr const char* kNoCoreClock = "core cycles are estimated on x86-64 and AArch64 only";

}  // namespace bellmark::measure
