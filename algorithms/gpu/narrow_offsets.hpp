// The limit of kernels whose row offsets have 32 bits.
#pragma once

#include <cstdint>
#include <limits>

#include "graph/graph.hpp"

namespace bellmark::gpu {

/// Kernels step beyond the end of a row by less than the rest of the 2^32 numbers.
inline constexpr Offset kMostNarrowArcs =
    std::numeric_limits<std::uint32_t>::max() - (Offset{1} << 20);

}  // namespace bellmark::gpu
