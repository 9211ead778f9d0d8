// The Delaunay triangulation of points of a plane.
#pragma once

#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "graph/pair_rows.hpp"

namespace bellmark {

/// The edges of a triangulation in which no circumcircle of a triangle has a point within. Each
/// edge comes once, in no order. If more than three points lie on such a circle, it is one of
/// several triangulations. Points in one line are joined in its order. The first of several points
/// in one place stands for all, and each other one has one edge, to the first. So there are at most
/// 3 n - 6 edges for n of at least 3, and the graph is connected.
///
/// Coordinates are in 0..2^26 - 1 (plane_points.hpp), so that whole numbers decide exactly. By
/// divide and conquer (Guibas, Stolfi: Primitives for the Manipulation of General Subdivisions and
/// the Computation of Voronoi Diagrams, 1985, section 9), on one thread. O(n log n).
std::vector<VertexPair> delaunay_edges(std::span<const Coordinate> points);

/// The memory of delaunay_edges() for each point.
inline constexpr double kDelaunayPointBytes = 116;

}  // namespace bellmark
