// /api/route: the shortest route through points, checked against its arcs before it is sent.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "algorithms/problems/p2p/problem.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/cpu_clock.hpp"
#include "harness/serve/limits.hpp"
#include "harness/serve/service.hpp"
#include "harness/serve/tiles.hpp"

namespace bellmark::serve {
namespace {

struct Leg {
  Distance distance = 0;
  Distance time = 0;  ///< of a map that has times
  std::size_t arc_count = 0;
  std::size_t settled_count = 0;
  double search_ms = 0;
};

struct Route {
  Metric metric = Metric::distance;
  std::vector<Leg> legs;
  std::vector<Vertex> vertices;
  bool is_certified = false;

  Leg sum() const {
    Leg sum;
    for (const Leg& leg : legs) {
      sum.distance += leg.distance;
      sum.time += leg.time;
      sum.arc_count += leg.arc_count;
      sum.settled_count += leg.settled_count;
      sum.search_ms += leg.search_ms;
    }
    return sum;
  }
};

struct RouteRequest {
  explicit RouteRequest(const Map& of_map) : map(of_map) {}

  const Map& map;
  std::vector<SnappedPoint> points;
  std::vector<std::string> names;  ///< of the points: the keys of the request
  std::vector<Metric> metrics;
  Avoid avoid;
  std::string format;
};

RouteRequest read_route_request(const Service& service, const std::string& body) {
  const Json json = read_json(body);
  RequestObject object(json, "");
  RouteRequest request(requested_map(service, object));
  const Map& map = request.map;
  const auto add = [&](const Point& point, const std::string& where) {
    request.points.push_back(snap_point(service, map, point, where));
    request.names.push_back(where);
  };
  add(read_point(object.get("start"), "start", map), "start");
  if (object.has("via")) {
    const auto via = read_points(object.get("via"), "via", map, 0, kMostViaPoints);
    for (std::size_t i = 0; i < via.size(); ++i) add(via[i], "via[" + std::to_string(i) + "]");
  }
  add(read_point(object.get("goal"), "goal", map), "goal");
  const std::string metric = object.word("metric", {"distance", "time", "both"}, "distance");
  if (metric != "time") request.metrics.push_back(Metric::distance);
  if (metric != "distance") request.metrics.push_back(Metric::time);
  for (const Metric each : request.metrics) find_roads(map, each);
  if (object.has("avoid")) request.avoid = read_avoid(object.get("avoid"), "avoid", map);
  request.format = object.word("format", {"json", "geojson", "svg"}, "json");
  object.end();
  return request;
}

[[noreturn]] void refuse_wrong(Service& service, const std::string& why) {
  ++service.checks.wrong;
  throw Refusal(500, "wrong-answer", "the route that was found is wrong and was kept back: " + why,
                "", "report this with the request");
}

/// Adds up the path's cost by both metrics. Between two vertices it takes the open arc that is
/// shortest by the route's own metric. Refuses a path that does not exist, or has another length
/// than the answer's.
Leg measure(Service& service, const Map& map, Metric metric, const P2p::Query& query,
            const P2p::Answer& answer, const served::Closures& closures) {
  const Graph& graph = map.roads(metric)->graph;
  const auto& path = answer.path;
  if (path.empty() || path.front() != query.source || path.back() != query.target) {
    refuse_wrong(service, "it does not lead from its start to its goal");
  }
  Leg leg;
  leg.arc_count = path.size() - 1;
  Distance length = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Offset end = graph.row_offsets()[std::size_t{path[i]} + 1];
    Offset best = end;
    for (Offset e = graph.row_offsets()[path[i]]; e < end; ++e) {
      if (graph.heads()[e] != path[i + 1] || closures.is_closed(e)) continue;
      if (best == end || graph.length(e) < graph.length(best)) best = e;
    }
    if (best == end) refuse_wrong(service, "one of its arcs is closed or does not exist");
    length += graph.length(best);
    leg.distance += map.graph().length(best);
    if (map.by_time) leg.time += map.by_time->graph.length(best);
  }
  if (length != answer.distance) refuse_wrong(service, "its length is not the sum of its arcs");
  return leg;
}

void certify(Service& service, const Map& map, Metric metric, const P2p::Query& query,
             const P2p::Answer& answer, const served::Closures& closures) {
  const Graph& whole = map.roads(metric)->graph;
  const Graph open = closures.empty() ? whole : closures.without(whole);
  P2p::Certificate certificate(open);
  if (const auto fault = certificate.check(query, answer)) refuse_wrong(service, *fault);
}

[[noreturn]] void refuse_unreached(const RouteRequest& request, std::size_t leg, bool is_closed) {
  const std::string& from = request.names[leg];
  const std::string& to = request.names[leg + 1];
  throw Refusal(422, "no-route", "no road leads from " + from + " to " + to, to,
                is_closed ? "close less, or move one of the points"
                          : "move one of the points: it may be on an island");
}

Route find_route(Service& service, const RouteRequest& request, Metric metric, Desk& desk,
                 const served::Stop& stop) {
  Route route;
  route.metric = metric;
  const std::uint64_t number = ++service.checks.checked;
  route.is_certified = service.certify_every != 0 && number % service.certify_every == 0;
  served::RouteSearch& search = desk.search(metric);
  P2p::Answer answer;
  for (std::size_t i = 0; i + 1 < request.points.size(); ++i) {
    const P2p::Query query{request.points[i].vertex, request.points[i + 1].vertex};
    const auto begin = served::Stop::Clock::now();
    const std::uint64_t cpu_begin = cpu_ns();
    search.find(query, desk.closures, stop, answer);
    service.checks.search_ns += cpu_ns() - cpu_begin;
    const std::chrono::duration<double, std::milli> taken = served::Stop::Clock::now() - begin;
    if (route.is_certified) {
      certify(service, request.map, metric, query, answer, desk.closures);
    }
    if (answer.distance == kUnreached) refuse_unreached(request, i, !desk.closures.empty());
    Leg leg = measure(service, request.map, metric, query, answer, desk.closures);
    leg.settled_count = search.settled_count();
    leg.search_ms = taken.count();
    route.legs.push_back(leg);
    // A leg begins at the end of the leg before.
    route.vertices.insert(route.vertices.end(), answer.path.begin() + (i == 0 ? 0 : 1),
                          answer.path.end());
  }
  if (route.is_certified) ++service.checks.certified;
  return route;
}

Json to_json(const Map& map, const Leg& leg) {
  Json json;
  json["distance"] = leg.distance;
  json["time"] = map.by_time ? Json(leg.time) : Json();
  json["arc_count"] = leg.arc_count;
  json["settled_count"] = leg.settled_count;
  json["search_ms"] = rounded_ms(leg.search_ms);
  return json;
}

Json properties(const Map& map, const Route& route) {
  const Leg sum = route.sum();
  Json json;
  json["metric"] = to_string(route.metric);
  json["distance"] = sum.distance;
  json["time"] = map.by_time ? Json(sum.time) : Json();
  json["settled_count"] = sum.settled_count;
  json["search_ms"] = rounded_ms(sum.search_ms);
  json["certified"] = route.is_certified;
  json["legs"] = Json::array();
  for (const Leg& leg : route.legs) json["legs"].push_back(to_json(map, leg));
  return json;
}

Json coordinates(const Map& map, const Route& route) {
  Json json = Json::array();
  for (const Vertex v : route.vertices) json.push_back(degrees_of(map, v));
  return json;
}

Answer as_json(const RouteRequest& request, const std::vector<Route>& routes,
               std::size_t closed_count) {
  Json json;
  json["map"] = request.map.name;
  json["points"] = Json::array();
  for (const SnappedPoint& point : request.points) {
    json["points"].push_back(to_json(request.map, point));
  }
  json["closed_arc_count"] = closed_count;
  json["routes"] = Json::array();
  for (const Route& route : routes) {
    Json each = properties(request.map, route);
    each["vertices"] = Json::array();
    for (const Vertex v : route.vertices) each["vertices"].push_back(std::uint64_t{v} + 1);
    each["coordinates"] = coordinates(request.map, route);
    json["routes"].push_back(std::move(each));
  }
  return {.body = run::json_text(json) + "\n"};
}

Answer as_geojson(const RouteRequest& request, const std::vector<Route>& routes) {
  Json features = Json::array();
  const auto add = [&](Json properties, const char* type, Json coordinates) {
    Json feature;
    feature["type"] = "Feature";
    feature["properties"] = std::move(properties);
    feature["geometry"] = Json{{"type", type}, {"coordinates", std::move(coordinates)}};
    features.push_back(std::move(feature));
  };
  for (const Route& route : routes) {
    Json line = coordinates(request.map, route);
    if (line.size() == 1) line.push_back(line.front());  // a line has two positions at least
    add(properties(request.map, route), "LineString", std::move(line));
  }
  for (std::size_t i = 0; i < request.points.size(); ++i) {
    Json point = to_json(request.map, request.points[i]);
    point["point"] = request.names[i];
    add(std::move(point), "Point", degrees_of(request.map, request.points[i].vertex));
  }
  Json json;
  json["type"] = "FeatureCollection";
  json["features"] = std::move(features);
  return {.type = "application/geo+json", .body = run::json_text(json) + "\n"};
}

/// The longer side of the picture, in its own units.
constexpr double kPictureSide = 1000;
constexpr double kPictureMargin = 0.08;

std::string text_of(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

/// As XML: names of maps and attributions may hold any characters.
std::string xml_text(const std::string& plain) {
  std::string text;
  for (const char letter : plain) {
    if (letter == '&') {
      text += "&amp;";
    } else if (letter == '<') {
      text += "&lt;";
    } else {
      text += letter;
    }
  }
  return text;
}

/// The routes over the roads around them.
class Picture {
 public:
  Picture(const Map& map, const std::vector<Route>& routes) : map_(map) {
    box_ = {map.index.places()[routes.front().vertices.front()], {}};
    box_.greatest = box_.least;
    for (const Route& route : routes) {
      for (const Vertex v : route.vertices) {
        const Place2D& at = map.index.places()[v];
        box_.least = {std::min(box_.least.x, at.x), std::min(box_.least.y, at.y)};
        box_.greatest = {std::max(box_.greatest.x, at.x), std::max(box_.greatest.y, at.y)};
      }
    }
    constexpr double kLeastSide = 1e-6;  // some 40 m
    const double side =
        std::max({box_.greatest.x - box_.least.x, box_.greatest.y - box_.least.y, kLeastSide});
    const double margin = kPictureMargin * side;
    box_.least = {box_.least.x - margin, box_.least.y - margin};
    box_.greatest = {box_.greatest.x + margin, box_.greatest.y + margin};
    scale_ = kPictureSide / (side + 2 * margin);
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + x_text(box_.greatest.x) +
            " " + y_text(box_.greatest.y) + "\">\n<rect width=\"100%\" height=\"100%\" " +
            "fill=\"#fff\"/>\n";
  }

  void draw_roads() {
    const double pixels_of_the_world = scale_ / 256;
    const int zoom = static_cast<int>(std::log2(std::max(pixels_of_the_world, 1.0)));
    text_ += "<path fill=\"none\" stroke=\"#bbb\" stroke-width=\"1\" d=\"";
    for (int importance = least_importance(zoom); importance <= kMostImportant; ++importance) {
      map_.index.visit(box_, importance, [&](std::uint32_t road) {
        const auto& [u, v] = map_.index.roads()[road];
        text_ += "M" + at(u) + "L" + at(v);
      });
    }
    text_ += "\"/>\n";
  }

  void draw(const Route& route) {
    const bool is_time = route.metric == Metric::time;
    text_ += "<polyline fill=\"none\" stroke-width=\"5\" stroke-linejoin=\"round\" stroke=\"";
    text_ += is_time ? "#d55e00\" stroke-dasharray=\"14 8\"" : "#0072b2\"";
    text_ += " points=\"";
    for (const Vertex v : route.vertices) text_ += at(v) + " ";
    text_ += "\"><title>" + to_string(route.metric) + "</title></polyline>\n";
  }

  void draw(const SnappedPoint& point, const std::string& name) {
    const Place2D& place = map_.index.places()[point.vertex];
    text_ += "<circle r=\"9\" fill=\"#fff\" stroke=\"#000\" stroke-width=\"4\" cx=\"" +
             x_text(place.x) + "\" cy=\"" + y_text(place.y) + "\"><title>" + name +
             "</title></circle>\n";
  }

  std::string end() {
    text_ += "<text x=\"8\" y=\"20\" font-family=\"sans-serif\" font-size=\"14\">" +
             xml_text(map_.name) + (map_.attribution.empty() ? "" : ", ") +
             xml_text(map_.attribution) + "</text>\n</svg>\n";
    return std::move(text_);
  }

 private:
  std::string x_text(double x) const { return text_of((x - box_.least.x) * scale_); }
  std::string y_text(double y) const { return text_of((y - box_.least.y) * scale_); }
  std::string at(Vertex v) const {
    const Place2D& place = map_.index.places()[v];
    return x_text(place.x) + "," + y_text(place.y);
  }

  const Map& map_;
  Box2D box_{};
  double scale_ = 1;
  std::string text_;
};

Answer as_svg(const RouteRequest& request, const std::vector<Route>& routes) {
  Picture picture(request.map, routes);
  picture.draw_roads();
  for (const Route& route : routes) picture.draw(route);
  for (std::size_t i = 0; i < request.points.size(); ++i) {
    picture.draw(request.points[i], request.names[i]);
  }
  return {.type = "image/svg+xml", .body = picture.end()};
}

}  // namespace

Answer answer_route(Service& service, WorkArea& area, const std::string& body,
                    const served::Stop& stop) {
  const RouteRequest request = read_route_request(service, body);
  Desk& desk = area.desk(request.map);
  const Closing closing(request.map, request.avoid, desk.closures, stop);
  std::vector<Route> routes;
  for (const Metric metric : request.metrics) {
    routes.push_back(find_route(service, request, metric, desk, stop));
  }
  if (request.format == "geojson") return as_geojson(request, routes);
  if (request.format == "svg") return as_svg(request, routes);
  return as_json(request, routes, desk.closures.size());
}

}  // namespace bellmark::serve
