// The road vertex that a place is taken to be at.
#pragma once

#include <memory>
#include <string>

#include "algorithms/spots/places/distances.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// The road vertex nearest to a spot, as the crow flies.
struct Snapped {
  Vertex vertex;
  double metres;
};

/// Finds the vertex nearest to a place, of those at the same distance the least. Right at the poles
/// and across the antimeridian. A k-d tree; any number of threads may ask it.
class Snapper {
 public:
  /// O(n log n). Throws InputError when the graph has no vertex, no coordinates or some that are no
  /// degrees; `where` stands in errors.
  Snapper(const Graph& roads, const std::string& where);
  ~Snapper();
  Snapper(Snapper&&) noexcept;

  /// O(log n).
  Snapped nearest(const Place& place) const;

 private:
  struct Index;
  Graph roads_;
  std::unique_ptr<Index> index_;
};

}  // namespace bellmark
