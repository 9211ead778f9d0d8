// The answers to requests: one function for each path, with the work area of its worker.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/searches/served/roads.hpp"
#include "algorithms/searches/served/route_search.hpp"
#include "algorithms/searches/served/stop.hpp"
#include "harness/serve/answer.hpp"
#include "harness/serve/maps.hpp"
#include "harness/serve/request_json.hpp"

namespace bellmark::serve {

/// Counts of checks, shared by all workers.
struct Checks {
  std::atomic<std::uint64_t> checked{0};    ///< routes held against their arcs
  std::atomic<std::uint64_t> certified{0};  ///< and against a certified search
  std::atomic<std::uint64_t> wrong{0};      ///< failed, and were not sent
  std::atomic<std::uint64_t> search_ns{0};  ///< processor time of their searches
};

struct Service {
  Maps maps;
  double snap_limit_metres = 1000;
  std::uint64_t certify_every = 1000;  ///< one route in this many; 0: none
  Checks checks{};
};

/// A worker's data for one map.
struct Desk {
  explicit Desk(const Map& map);

  served::Closures closures;
  std::array<std::optional<served::RouteSearch>, 2> searches;  ///< by metric, where the map has it

  served::RouteSearch& search(Metric metric) {
    return *searches.at(static_cast<std::size_t>(metric));
  }
};

/// A worker's data. A desk is made at the first request for its map.
class WorkArea {
 public:
  Desk& desk(const Map& map);

 private:
  std::map<const Map*, std::unique_ptr<Desk>> desks_;
};

/// A point of a request, and the vertex that stands for it.
struct SnappedPoint {
  Vertex vertex;
  double metres;
};

/// Throws Refusal if a point is farther from every vertex than the limit.
SnappedPoint snap_point(const Service& service, const Map& map, const Point& point,
                        const std::string& where);
Json to_json(const Map& map, const SnappedPoint& point);

/// Rounded to a thousandth of a millisecond.
double rounded_ms(double ms);

/// Longitude and latitude, in GeoJSON's order.
Json degrees_of(const Map& map, Vertex vertex);

/// Closes the roads that the request avoids, and opens them again at the end.
class Closing {
 public:
  /// Throws Refusal for a road that does not exist, and served::Stopped.
  Closing(const Map& map, const Avoid& avoid, served::Closures& closures, const served::Stop& stop);
  ~Closing() { closures_.open_all(); }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

 private:
  served::Closures& closures_;
};

/// The map that the request's key `map` names.
const Map& requested_map(const Service& service, RequestObject& request);
/// The metric that its key `metric` names.
Metric requested_metric(RequestObject& request);

// The paths. Each throws Refusal, or served::Stopped at its deadline.

Answer answer_maps(const Service& service);
Answer answer_tile(const Service& service, const std::string& map, const std::string& zoom,
                   const std::string& x, const std::string& y);
Answer answer_nearest(const Service& service, const std::string& query);
Answer answer_route(Service& service, WorkArea& area, const std::string& body,
                    const served::Stop& stop);
Answer answer_matrix(const Service& service, WorkArea& area, const std::string& body,
                     const served::Stop& stop);
Answer answer_reach(const Service& service, WorkArea& area, const std::string& body,
                    const served::Stop& stop);

}  // namespace bellmark::serve
