// Regions of a graph, and the thread that owns each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::owned_regions {

using Owner = std::uint8_t;
inline constexpr std::size_t kMostThreads = 256;

/// The owner of every vertex. `region_count` regions grow side by side from vertices spread over
/// the graph, each by breadth-first search along arcs, so that few arcs cross. The largest region
/// is dealt first, and each goes to the thread with the fewest vertices so far. So a search's front
/// meets regions of all threads. O(n + m).
std::vector<Owner> deal_regions(const Graph& graph, std::size_t region_count,
                                std::size_t thread_count);

/// The number of arcs whose ends have different owners. O(n + m).
std::uint64_t crossing_count(const Graph& graph, const std::vector<Owner>& owners);

}  // namespace bellmark::owned_regions
