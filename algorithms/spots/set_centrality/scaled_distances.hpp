// Distances in the form that the GPU's variants compute with: scaled, and filled up to whole tiles.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "algorithms/spots/set_centrality/problem.hpp"

namespace bellmark::set_centrality {

/// Divided by 2^exponent, which loses nothing, the largest distance is in [1, 2), or 0.
int scale_exponent(const DistanceMatrix& distances);

/// Throws UnmetError, with the pair, where a scaled distance above 0 is less than
/// Range<Real>::kLeast: rounded to fewer bits it can't be told from 0 or from others.
template <class Real>
void require_range(const DistanceMatrix& distances, std::string_view variant);

/// Throws UnmetError, with three spots, where a detour costs nothing between spots that are apart:
/// d(s, r) = d(r, t) = 0 and d(s, t) > 0. No metric allows that, and it divides by 0. O(N^2 + Z N /
/// 64) where Z distances are 0.
void require_no_free_detour(const DistanceMatrix& distances, std::string_view variant);

/// A row and a column a spot, from the distances from it and to it; the rest and, for migration,
/// the diagonal is 1. For migration a distance of 0 is kTiny (detours.hpp). Where there is an
/// `order`, row and column i are of spot order[i].
template <class Real>
std::vector<Real> scaled_matrix(const DistanceMatrix& distances, Objective objective,
                                bool transposed, std::span<const Spot> order = {});

}  // namespace bellmark::set_centrality
