// The keys of the owned-regions families, and what `auto` becomes on a graph.
#pragma once

#include <cstdint>

#include "algorithms/contract/description.hpp"
#include "algorithms/searches/owned_regions/search.hpp"
#include "graph/graph.hpp"

namespace bellmark::owned_regions {

/// Everything of a Description but its name.
Description describe(int distance_bits);

/// Turns `auto` values, and 0, into what the graph asks for:
///   distance  32 where distance_bound() fits
///   delta     as label_correcting::resolve() has it, times the root of the threads, rounded up to
///             a power of two: wider buckets hold work for more threads, and more of it is done
///             again
///   regions   kRegionsPerThread times the threads: fewer leave threads without work while the
///             front is elsewhere, more have more arcs that cross
/// Chosen on New York and a grid of 1024 x 1024, with 2 threads of an AMD EPYC and 16 of a Xeon.
/// Throws InputError, with the figure, when an explicit value does not fit. O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);
inline constexpr std::int64_t kRegionsPerThread = 4;

Tuning tuning(const Settings& resolved);

}  // namespace bellmark::owned_regions
