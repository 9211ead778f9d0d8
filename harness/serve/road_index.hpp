// The roads of a graph as lines in the plane of web maps: roads in a box, the nearest road, and
// main roads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::serve {

/// Coordinates of graphs are in millionths of a degree. Divided by this they print as written.
inline constexpr double kMicroDegrees = 1e6;

/// A place in the plane of the Web Mercator projection (EPSG:3857), the world as the square from 0
/// to 1, y southwards. It keeps angles, and straight lines are those that the page draws.
struct Place2D {
  double x;
  double y;
};

/// Latitudes beyond 85.05 degrees are moved to it, where the square ends.
Place2D project(double longitude, double latitude);
double longitude_of(const Place2D& place);
double latitude_of(const Place2D& place);
/// Metres on the ground of a step of 1 in the plane.
double metres_at(const Place2D& place);

struct Box2D {
  Place2D least;
  Place2D greatest;
};

/// Two neighbours; all arcs between them are one road.
struct Road {
  Vertex u;
  Vertex v;
};

/// Roads have an importance from 0 to this. The reach doubles with each step: a road of importance
/// i lies in a fastest route with at least kReachMetres * 2^i on both sides. Gutman, Reach-based
/// routing, ALENEX 2004; here from a sample of sources.
inline constexpr int kMostImportant = 7;
inline constexpr double kReachMetres = 250;

class RoadIndex {
 public:
  /// Indexes the graph's roads, without loops. Routes of the sample are shortest by `by_time`, a
  /// graph with the same arcs. O((n + m) log n) for each source. The graph needs coordinates.
  RoadIndex(const Graph& graph, const Graph& by_time);
  ~RoadIndex();
  RoadIndex(RoadIndex&&) noexcept;

  const std::vector<Place2D>& places() const { return places_; }  ///< one a vertex
  const std::vector<Road>& roads() const { return roads_; }
  int importance(std::uint32_t road) const { return importance_[road]; }

  /// Calls visit(road) for each road of this importance whose box touches this one.
  void visit(const Box2D& box, int importance,
             const std::function<void(std::uint32_t)>& visit) const;
  /// The road whose line is nearest, and its distance in the plane; false without roads.
  bool nearest(const Place2D& place, std::uint32_t& road, double& distance) const;

 private:
  struct Trees;

  std::vector<Place2D> places_;
  std::vector<Road> roads_;
  std::vector<std::uint8_t> importance_;
  std::unique_ptr<Trees> trees_;
};

/// The distance from a place to the line between two others, in the plane.
double distance_to_line(const Place2D& place, const Place2D& a, const Place2D& b);

}  // namespace bellmark::serve
