// From a `spots:` reference to a distance matrix.
#pragma once

#include <cstdint>

#include "algorithms/spots/places/distances.hpp"
#include "algorithms/spots/places/spots.hpp"

namespace bellmark {

/// The distances of a `spots:` reference, with their facts.
struct OpenedSpots {
  SetInput input;
  Spot spot_count = 0;                       ///< the spots left out included
  std::uint64_t unreachable_pair_count = 0;  ///< ordered pairs, of them all
};

/// Distances by great circle, or over roads: a search from each spot, with the threads that the
/// machine runs at once (16 at most). Distances over roads are those between the spots' vertices;
/// the way from spot to vertex is left out. Throws InputError, also when some pair is unreachable
/// and is to be refused, with the number of pairs and the first one. Throws MachineError when the
/// matrix is larger than the machine's memory.
OpenedSpots open_spot_distances(const SpotsReference& reference);

}  // namespace bellmark
