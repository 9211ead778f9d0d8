// Lower bounds of distances from the places of vertices, for a search from both sides (Hart,
// Nilsson, Raphael 1968; the mean of both sides' bounds: Ikeda et al. 1994).
//
// A side's bucket follows from key = 2 * distance from its end + potential(v). The potential is
// (lower bound to the other end) - (lower bound from the own one). No arc makes a key smaller, and
// the other side has the negative of the potential. So buckets settle labels as they do without.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/paged_array.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

/// A point of the plane. Its coordinates are exact: distances of these points obey the triangle
/// inequality, however a map was projected on them.
struct Place {
  float x;
  float y;
};

inline double distance(Place a, Place b) {
  const double x = double{a.x} - b.x;
  const double y = double{a.y} - b.y;
  return std::sqrt(x * x + y * y);
}

/// A place for each vertex. No arc is shorter than scale() times the distance of its ends' places.
///
/// Lengths of maps are rounded, so that the shortest arcs may be far shorter than the others in
/// proportion. The ends of these get one place. 8n bytes.
class Places {
 public:
  Places() = default;
  /// `coordinates` are of the graph's vertices. O(n + m): 32 rounds at most.
  Places(const Graph& graph, std::span<const Coordinate> coordinates);

  double scale() const { return scale_; }
  /// A lower bound of the distance between two vertices.
  double bound(Vertex from, Vertex to) const;
  const Place* data() const { return places_.data(); }
  std::uint64_t bytes() const { return places_.bytes(); }

 private:
  PagedArray<Place> places_;
  double scale_ = 0;
};

/// The mean of bound / distance from a vertex of the graph to vertices around it. Where it is
/// large, potentials save scans; else they cost more than they save. 0 without coordinates. It
/// searches from two vertices until each has settled 2^14. O(n + m) but for the heap.
double mean_reach(const Graph& graph);

/// The bounds of one side of a search. Cost: one place (8 bytes at a random address) and two square
/// roots for each entry that is pushed.
class PlacePotential {
 public:
  static constexpr int kShift = 1;  ///< keys count halves

  PlacePotential() = default;
  PlacePotential(const Places& places, Vertex own_end, Vertex other_end)
      : places_(places.data()),
        own_(places_[own_end]),
        other_(places_[other_end]),
        scale_(places.scale()) {}

  std::int64_t of(Vertex v) const { return bound(v, other_) - bound(v, own_); }
  void prefetch(Vertex v) const { __builtin_prefetch(places_ + v); }

 private:
  std::int64_t bound(Vertex v, Place end) const { return bound(places_[v], end); }
  std::int64_t bound(Place from, Place to) const {
    return static_cast<std::int64_t>(std::min(scale_ * distance(from, to), kLargest));
  }

  /// Larger bounds are cut off here, which keeps their differences below lengths. See kMargin.
  static constexpr double kLargest = 1LL << 31;

  const Place* places_ = nullptr;
  Place own_ = {};
  Place other_ = {};
  double scale_ = 0;
};

/// A search in all directions: a key is a distance.
struct NoPotential {
  static constexpr int kShift = 0;
  static std::int64_t of(Vertex /*v*/) { return 0; }
};

}  // namespace bellmark::label_correcting
