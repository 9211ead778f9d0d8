// Phases as NVTX ranges, so that a profiler (Nsight Systems, Nsight Compute) shows them by name.
#pragma once

#include "harness/measure/phase_recorder.hpp"

namespace bellmark::sinks {

/// Ranges in the NVTX domain `bellmark`, for the calling thread; null in a build without CUDA. A
/// range takes a few nanoseconds while no profiler listens.
measure::RangeMarker* nvtx_ranges();

}  // namespace bellmark::sinks
