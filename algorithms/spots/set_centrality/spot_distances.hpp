// From a `spots:` reference to a distance matrix.
#pragma once

#include <cstdint>

#include "algorithms/spots/places/distances.hpp"
#include "algorithms/spots/places/spots.hpp"

namespace bellmark {

/// What a `spots:` reference gives.
struct OpenedSpots {
  SetInput input;
  Spot spot_count = 0;                       ///< before any were left out
  std::uint64_t unreachable_pair_count = 0;  ///< ordered pairs, of them all
};

/// Distances by great circle, or over roads: a search from each spot, with as many threads as the
/// machine runs at once (16 at most). Distances over roads are those between the spots' vertices;
/// the way from spot to vertex is left out. Throws InputError, also when some pair is unreachable
/// and is to be refused: how many, and the first; MachineError when the matrix is larger than the
/// machine's memory.
OpenedSpots open_spot_distances(const SpotsReference& reference);

}  // namespace bellmark
