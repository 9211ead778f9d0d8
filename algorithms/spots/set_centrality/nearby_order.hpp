// An order of spots in which near ones stand together, made of their distances alone.
#pragma once

#include <vector>

#include "algorithms/spots/places/distances.hpp"

namespace bellmark::set_centrality {

/// All spots, each once. Tiles of 8, 16, 32, ... spots, from multiples of their size on, have near
/// ones. Distances may obey nothing: the order is then a poor one. The same distances always give
/// the same order. O(N log N) distances are read, and sorted at each of the log N levels.
///
/// A group is bisected until it has 8 spots or fewer. Two spots that are far apart divide it at
/// first, by the difference of the distances from them. Then 8 spots of each half take the place of
/// these two, twice: that makes rounder halves. The first half has a power of two of spots.
std::vector<Spot> nearby_order(const DistanceMatrix& distances);

}  // namespace bellmark::set_centrality
