// The keys of the owned-regions families, and the values of `auto` on a graph.
#pragma once

#include <cstdint>

#include "algorithms/contract/description.hpp"
#include "algorithms/searches/owned_regions/search.hpp"
#include "graph/graph.hpp"

namespace bellmark::owned_regions {

/// Everything of a Description but its name.
Description describe(int distance_bits);

/// Turns `auto`, and 0, into the values that the graph asks for:
///   distance  32 where distance_bound() fits
///   delta     that of label_correcting::resolve(), times the root of the threads, rounded up to a
///             power of two. Wider buckets hold work for more threads, and more of it is done again
///   regions   kRegionsPerThread times the threads. Fewer leave threads without work while the
///             front is elsewhere, more have more arcs that cross
/// Chosen on New York and a grid of 1024 x 1024, with 2 threads of an AMD EPYC and 16 of a Xeon.
/// Throws InputError, with the figure, when an explicit value does not fit. O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);
inline constexpr std::int64_t kRegionsPerThread = 4;

Tuning tuning(const Settings& resolved);

}  // namespace bellmark::owned_regions
