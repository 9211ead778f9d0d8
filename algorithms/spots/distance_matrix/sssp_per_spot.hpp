// Distances between spots by a search from each: `bellmark spots` and set centrality use them.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/spots/places/spots.hpp"

namespace bellmark {

/// Row s has the distances from spot s to every spot, kUnreached where no path leads.
/// `distance-matrix/sssp-per-spot` finds the same with that many threads. Throws InputError for a
/// graph that its searches can't hold.
std::vector<Distance> distances_over_roads(const RoadSpots& spots, std::size_t thread_count);

}  // namespace bellmark
