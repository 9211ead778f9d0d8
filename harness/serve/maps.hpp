// The maps of a server: graphs with coordinates, and facts that are computed once for each.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/searches/served/roads.hpp"
#include "algorithms/spots/places/spots.hpp"
#include "graph/graph.hpp"
#include "harness/serve/road_index.hpp"

namespace bellmark::serve {

enum class Metric { distance, time };
std::string to_string(Metric metric);

/// Immutable; all workers read it.
struct Map {
  std::string name;
  std::string reference;
  std::string attribution;
  served::Roads by_distance;
  std::optional<served::Roads> by_time;  ///< the same arcs in the same order
  Snapper snapper;
  RoadIndex index;
  std::array<double, 4> bounds;  ///< least longitude and latitude, greatest longitude and latitude
  double metres_per_unit;        ///< of a distance; 0 if nothing has a length
  std::optional<double> seconds_per_unit;

  const Graph& graph() const { return by_distance.graph; }
  /// Null if the map lacks it.
  const served::Roads* roads(Metric metric) const {
    if (metric == Metric::distance) return &by_distance;
    return by_time ? &*by_time : nullptr;
  }
};

using Maps = std::vector<std::unique_ptr<const Map>>;

/// Opens graphs by reference. A graph of times belongs to the map with the same arcs. A catalogued
/// name without its kind, `osm:helsinki`, is both of its graphs. Throws InputError for a graph
/// without coordinates, negative lengths, times that belong to no map, or two maps of one name.
/// Takes about a second for New York, mostly for its main roads.
Maps open_maps(const std::vector<std::string>& roads, const std::vector<std::string>& times);

/// `USA-road-d.NY` of `dimacs:USA-road-d.NY`, `helsinki` of `osm:helsinki-d` or
/// `data/helsinki-d.gr.gz`: letters, digits, dots and dashes.
std::string map_name(const std::string& reference);

}  // namespace bellmark::serve
