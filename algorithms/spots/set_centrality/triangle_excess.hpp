// The farthest that distances are from the triangle inequality.
#pragma once

#include "algorithms/spots/set_centrality/problem.hpp"

namespace bellmark::set_centrality {

/// The largest d(s, t) / (d(s, v) + d(v, t)) less 1, at least 0. It is infinite where a detour of a
/// positive distance costs nothing. O(N^3), by all threads that the process may use.
double triangle_excess(const DistanceMatrix& distances);

}  // namespace bellmark::set_centrality
