// What the replicates of a cell say together of a GPU.
#pragma once

#include <optional>
#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// Least and greatest clocks, greatest temperature, every throttle reason; null when no replicate
/// has a reading.
Json summarise_gpu(const std::vector<std::optional<GpuReading>>& replicates);

}  // namespace bellmark::run
