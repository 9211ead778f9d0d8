// /api/matrix: the lengths of the shortest routes between points, all pairs.
#include <chrono>
#include <string>
#include <vector>

#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/limits.hpp"
#include "harness/serve/service.hpp"

namespace bellmark::serve {
namespace {

struct Side {
  std::vector<Vertex> vertices;
  Json json = Json::array();
};

Side read_side(const Service& service, const Map& map, RequestObject& request,
               const std::string& key) {
  Side side;
  const auto points = read_points(request.get(key), key, map, 1, kMostMatrixSide);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SnappedPoint point =
        snap_point(service, map, points[i], key + "[" + std::to_string(i) + "]");
    side.vertices.push_back(point.vertex);
    side.json.push_back(to_json(map, point));
  }
  return side;
}

}  // namespace

Answer answer_matrix(const Service& service, WorkArea& area, const std::string& body,
                     const served::Stop& stop) {
  const Json json = read_json(body);
  RequestObject request(json, "");
  const Map& map = requested_map(service, request);
  Side sources = read_side(service, map, request, "sources");
  Side targets = read_side(service, map, request, "targets");
  const Metric metric = requested_metric(request);
  find_roads(map, metric);
  Avoid avoid;
  if (request.has("avoid")) avoid = read_avoid(request.get("avoid"), "avoid", map);
  request.end();

  Desk& desk = area.desk(map);
  const Closing closing(map, avoid, desk.closures, stop);
  served::RouteSearch& search = desk.search(metric);
  std::vector<Distance> distances(targets.vertices.size());
  Json lengths = Json::array();
  std::size_t settled_count = 0;
  const auto begin = served::Stop::Clock::now();
  for (const Vertex source : sources.vertices) {
    search.find_all(source, targets.vertices, desk.closures, stop, distances);
    settled_count += search.settled_count();
    Json row = Json::array();
    for (const Distance distance : distances) {
      row.push_back(distance == kUnreached ? Json() : Json(distance));
    }
    lengths.push_back(std::move(row));
  }
  const std::chrono::duration<double, std::milli> taken = served::Stop::Clock::now() - begin;
  Json answer;
  answer["map"] = map.name;
  answer["metric"] = to_string(metric);
  answer["sources"] = std::move(sources.json);
  answer["targets"] = std::move(targets.json);
  answer["lengths"] = std::move(lengths);
  answer["settled_count"] = settled_count;
  answer["search_ms"] = rounded_ms(taken.count());
  return {.body = run::json_text(answer) + "\n"};
}

}  // namespace bellmark::serve
