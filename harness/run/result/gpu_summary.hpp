// A summary of the GPU readings of a cell's replicates.
#pragma once

#include <optional>
#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// The least and greatest clocks, the greatest temperature, and every throttle reason. Null when no
/// replicate has a reading.
Json summarise_gpu(const std::vector<std::optional<GpuReading>>& replicates);

}  // namespace bellmark::run
