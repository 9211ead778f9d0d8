// /api/reach: the area within distances or times of a point, as contours.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/contours.hpp"
#include "harness/serve/limits.hpp"
#include "harness/serve/service.hpp"

namespace bellmark::serve {
namespace {

constexpr std::size_t kMostSquares = 256;  // a side
constexpr double kLeastMetres = 20;        // of a square's side

struct Piece {
  Vertex from;
  Vertex to;
  Distance at;      ///< of `from`
  Distance length;  ///< of the arc
};

std::vector<Distance> read_limits(RequestObject& request) {
  const Json& json = request.get("limits");
  std::vector<Distance> limits;
  constexpr Distance kMost = Distance{1}
                             << 53;  // the largest whole number that every JSON reader keeps
  const auto is_limit = [&](const Json& each) {
    return each.is_number_integer() && each >= 0 && each <= kMost &&
           (limits.empty() || each > limits.back());
  };
  bool is_good = json.is_array() && !json.empty() && json.size() <= kMostLimits;
  for (std::size_t i = 0; is_good && i < json.size(); ++i) {
    is_good = is_limit(json[i]);
    if (is_good) limits.push_back(json[i].get<Distance>());
  }
  if (is_good) return limits;
  throw Refusal(400, "bad-request", "is not a list of limits", "limits",
                "send 1 to " + std::to_string(kMostLimits) + " whole numbers, ascending");
}

/// The pieces of road that a search reached, from their settled ends.
std::vector<Piece> pieces_of(const served::Roads& roads, const served::Closures& closures,
                             const std::vector<served::Settled>& settled) {
  std::vector<Piece> pieces;
  const Graph& graph = roads.graph;
  for (const auto& [u, distance] : settled) {
    pieces.push_back({u, u, distance, 0});
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      if (!closures.is_closed(e)) {
        pieces.push_back({u, graph.heads()[e], distance, graph.length(e)});
      }
    }
  }
  return pieces;
}

/// The end of the piece: its arc's head, or the place of the limit.
Place2D end_of(const Map& map, const Piece& piece, Distance limit) {
  const Place2D& a = map.index.places()[piece.from];
  const Place2D& b = map.index.places()[piece.to];
  const Distance rest = limit - piece.at;
  if (rest >= piece.length) return b;
  const double share = static_cast<double>(rest) / static_cast<double>(piece.length);
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

Box2D box_of(const Map& map, const std::vector<Piece>& pieces, Distance limit) {
  Box2D box{map.index.places()[pieces.front().from], {}};
  box.greatest = box.least;
  for (const Piece& piece : pieces) {
    const Place2D end = end_of(map, piece, limit);
    box.least = {std::min(box.least.x, end.x), std::min(box.least.y, end.y)};
    box.greatest = {std::max(box.greatest.x, end.x), std::max(box.greatest.y, end.y)};
  }
  return box;
}

Json to_json(const std::vector<Squares::Polygon>& polygons) {
  Json json = Json::array();
  const auto degrees = [](double value) { return std::round(value * 1e6) / 1e6; };
  for (const Squares::Polygon& polygon : polygons) {
    Json rings = Json::array();
    for (const Squares::Ring& ring : polygon) {
      Json corners = Json::array();
      for (const Place2D& corner : ring) {
        corners.push_back({degrees(longitude_of(corner)), degrees(latitude_of(corner))});
      }
      rings.push_back(std::move(corners));
    }
    json.push_back(std::move(rings));
  }
  return json;
}

}  // namespace

Answer answer_reach(const Service& service, WorkArea& area, const std::string& body,
                    const served::Stop& stop) {
  const Json json = read_json(body);
  RequestObject request(json, "");
  const Map& map = requested_map(service, request);
  const SnappedPoint start =
      snap_point(service, map, read_point(request.get("start"), "start", map), "start");
  const std::vector<Distance> limits = read_limits(request);
  const Metric metric = requested_metric(request);
  const served::Roads& roads = find_roads(map, metric);
  Avoid avoid;
  if (request.has("avoid")) avoid = read_avoid(request.get("avoid"), "avoid", map);
  request.end();

  Desk& desk = area.desk(map);
  const Closing closing(map, avoid, desk.closures, stop);
  std::vector<served::Settled> settled;
  const auto begin = served::Stop::Clock::now();
  desk.search(metric).find_within(start.vertex, limits.back(), desk.closures, stop, settled);
  const std::chrono::duration<double, std::milli> taken = served::Stop::Clock::now() - begin;

  const std::vector<Piece> pieces = pieces_of(roads, desk.closures, settled);
  const Box2D box = box_of(map, pieces, limits.back());
  const double metres = metres_at(map.index.places()[start.vertex]);
  Json features = Json::array();
  double side = 0;
  for (auto limit = limits.rbegin(); limit != limits.rend(); ++limit) {
    if (stop.now()) throw served::Stopped();
    Squares squares(box, kMostSquares, kLeastMetres / metres);
    side = squares.side() * metres;
    std::size_t vertex_count = 0;
    for (const Piece& piece : pieces) {
      if (piece.at > *limit) break;  // the nearest come first
      vertex_count += piece.from == piece.to && piece.length == 0 ? 1 : 0;
      squares.add(map.index.places()[piece.from], end_of(map, piece, *limit));
    }
    Json feature;
    feature["type"] = "Feature";
    feature["properties"] = Json{{"limit", *limit}, {"vertex_count", vertex_count}};
    feature["geometry"] =
        Json{{"type", "MultiPolygon"}, {"coordinates", to_json(squares.outline())}};
    features.push_back(std::move(feature));
  }
  Json answer;
  answer["type"] = "FeatureCollection";
  answer["properties"] = Json{{"map", map.name},
                              {"metric", to_string(metric)},
                              {"start", to_json(map, start)},
                              {"square_metres", side},
                              {"settled_count", settled.size()},
                              {"search_ms", rounded_ms(taken.count())}};
  answer["features"] = std::move(features);
  return {.type = "application/geo+json", .body = run::json_text(answer) + "\n"};
}

}  // namespace bellmark::serve
