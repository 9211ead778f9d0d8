// Small inputs of set centrality with every peculiarity that can break a variant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/spots/places/distances.hpp"

namespace bellmark::testing {

struct ZooSpots {
  std::string name;
  DistanceMatrix distances;
};

/// 1 to 70 spots each: one, two and three of them, all at one place, some at one place, symmetric
/// or not, metric or not, tiny and huge distances, ties.
const std::vector<ZooSpots>& set_zoo();

/// 1 to 40 spots; by seed symmetric or not, with zeros, ties, or many orders of magnitude.
DistanceMatrix small_random_distances(std::uint64_t seed);

}  // namespace bellmark::testing
