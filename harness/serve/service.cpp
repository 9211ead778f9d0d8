#include "harness/serve/service.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "algorithms/searches/served/watched_variants.hpp"
#include "base/text.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/limits.hpp"
#include "harness/serve/tiles.hpp"

namespace bellmark::serve {
namespace {

Place place_of(const Map& map, Vertex vertex) {
  const Coordinate& at = map.graph().coordinates()[vertex];
  return {"", at.longitude / kMicroDegrees, at.latitude / kMicroDegrees};
}

double whole_decimetres(double metres) { return std::round(metres * 10) / 10; }

/// True if the vertices are neighbours. The map has at most one road between them.
bool are_neighbours(const Map& map, Vertex u, Vertex v) {
  const auto has = [&](Vertex from, Vertex to) {
    const auto& offsets = map.graph().row_offsets();
    const auto row =
        map.graph().heads().subspan(offsets[from], offsets[std::size_t{from} + 1] - offsets[from]);
    return std::ranges::find(row, to) != row.end();
  };
  return has(u, v) || has(v, u);
}

struct Edge {
  Place2D a;
  Place2D b;
};

/// Twice the area of the triangle; its sign is the side of c.
double side_of(const Place2D& a, const Place2D& b, const Place2D& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool do_cross(const Edge& one, const Edge& other) {
  const auto overlap = [](double a, double b, double c, double d) {
    return std::max(std::min(a, b), std::min(c, d)) <= std::min(std::max(a, b), std::max(c, d));
  };
  if (!overlap(one.a.x, one.b.x, other.a.x, other.b.x) ||
      !overlap(one.a.y, one.b.y, other.a.y, other.b.y)) {
    return false;
  }
  const auto apart = [](const Edge& line, const Edge& ends) {
    const double a = side_of(line.a, line.b, ends.a);
    const double b = side_of(line.a, line.b, ends.b);
    return (a > 0 && b > 0) || (a < 0 && b < 0);
  };
  return !apart(one, other) && !apart(other, one);
}

/// By the parity of a ray's crossings.
bool is_inside(const std::vector<Place2D>& polygon, const Place2D& place) {
  bool inside = false;
  for (std::size_t i = 0, before = polygon.size() - 1; i < polygon.size(); before = i++) {
    const Place2D& a = polygon[i];
    const Place2D& b = polygon[before];
    if ((a.y > place.y) == (b.y > place.y)) continue;
    if (place.x < (b.x - a.x) * (place.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

bool does_touch(const std::vector<Place2D>& polygon, const Edge& line) {
  if (is_inside(polygon, line.a)) return true;
  for (std::size_t i = 0, before = polygon.size() - 1; i < polygon.size(); before = i++) {
    if (do_cross({polygon[before], polygon[i]}, line)) return true;
  }
  return false;
}

void close_polygon(const Map& map, const std::vector<Place2D>& polygon, served::Closures& closures,
                   const served::Stop& stop) {
  Box2D box{polygon.front(), polygon.front()};
  for (const Place2D& corner : polygon) {
    box.least = {std::min(box.least.x, corner.x), std::min(box.least.y, corner.y)};
    box.greatest = {std::max(box.greatest.x, corner.x), std::max(box.greatest.y, corner.y)};
  }
  const auto& places = map.index.places();
  std::uint64_t looked_at = 0;
  constexpr std::uint64_t kBetween = 64;
  for (int importance = 0; importance <= kMostImportant; ++importance) {
    map.index.visit(box, importance, [&](std::uint32_t road) {
      if (++looked_at % kBetween == 0 && stop.now()) throw served::Stopped();
      const auto& [u, v] = map.index.roads()[road];
      if (does_touch(polygon, {places[u], places[v]})) closures.close(u, v);
    });
  }
}

std::uint32_t tile_number(const std::string& text, const char* name, std::uint32_t most) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, fault] = std::from_chars(text.data(), end, number);
  if (fault == std::errc() && last == end && !text.empty() && number <= most) return number;
  throw Refusal(400, "bad-request", "'" + printable(text, 40) + "' is not a valid number", name,
                "send a whole number from 0 to " + std::to_string(most));
}

double degrees_of(const std::map<std::string, std::string>& query, const char* name, double most) {
  const auto found = query.find(name);
  const std::string text = found == query.end() ? "" : found->second;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, fault] = std::from_chars(text.data(), end, number);
  // Not a number fails any comparison.
  if (fault == std::errc() && last == end && !text.empty() && std::abs(number) <= most) {
    return number;
  }
  throw Refusal(400, "bad-request",
                text.empty() ? "is missing" : "'" + printable(text, 40) + "' is not a valid number",
                name,
                "send degrees from -" + std::to_string(static_cast<int>(most)) + " to " +
                    std::to_string(static_cast<int>(most)));
}

/// `%41` and `+` in a query mean `A` and a blank.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() + 0 &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
            text.data() + i + 3) {
      plain += static_cast<char>(value);
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

std::map<std::string, std::string> parse_query(const std::string& query) {
  std::map<std::string, std::string> pairs;
  for (const std::string& pair : split(query, '&')) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string value = equals < pair.size() ? pair.substr(equals + 1) : "";
    pairs[decoded(std::string_view(pair).substr(0, equals))] = decoded(value);
  }
  for (const auto& [key, value] : pairs) {
    if (key == "map" || key == "longitude" || key == "latitude") continue;
    throw Refusal(400, "bad-request", "is not a key of this request", printable(key, 40),
                  suggestion(key, {"map", "longitude", "latitude"}));
  }
  return pairs;
}

Json to_json(const Service& service, const Map& map) {
  Json json;
  json["name"] = map.name;
  json["reference"] = map.reference;
  json["vertex_count"] = map.graph().vertex_count();
  json["arc_count"] = map.graph().arc_count();
  json["bounds"] = map.bounds;
  json["metrics"] = Json::array({"distance"});
  if (map.by_time) json["metrics"].push_back("time");
  json["metres_per_unit"] = map.metres_per_unit;
  json["seconds_per_unit"] = map.seconds_per_unit ? Json(*map.seconds_per_unit) : Json();
  json["attribution"] = map.attribution;
  json["tile_zooms"] = {0, kMostZoom};
  json["snap_limit_metres"] = service.snap_limit_metres;
  return json;
}

}  // namespace

Desk::Desk(const Map& map) : closures(map.by_distance) {
  for (const Metric metric : {Metric::distance, Metric::time}) {
    const served::Roads* roads = map.roads(metric);
    if (roads != nullptr) searches.at(static_cast<std::size_t>(metric)).emplace(*roads);
  }
}

Desk& WorkArea::desk(const Map& map) {
  std::unique_ptr<Desk>& desk = desks_[&map];
  if (!desk) desk = std::make_unique<Desk>(map);
  return *desk;
}

SnappedPoint snap_point(const Service& service, const Map& map, const Point& point,
                        const std::string& where) {
  if (const Vertex* const vertex = std::get_if<Vertex>(&point)) return {*vertex, 0};
  const auto& [longitude, latitude] = std::get<Degrees>(point);
  const Snapped snapped = map.snapper.nearest({"", longitude, latitude});
  if (snapped.metres <= service.snap_limit_metres) return {snapped.vertex, snapped.metres};
  const auto metres = [](double value) { return std::to_string(std::llround(value)) + " m"; };
  throw Refusal(422, "off-map",
                "is " + metres(snapped.metres) + " from the nearest vertex of " + map.name +
                    ", and " + metres(service.snap_limit_metres) + " are allowed",
                where, "take a point on the map, or start the server with a larger --snap");
}

double rounded_ms(double ms) { return std::round(ms * 1000) / 1000; }

Json degrees_of(const Map& map, Vertex vertex) {
  const Place place = place_of(map, vertex);
  return Json::array({place.longitude, place.latitude});
}

Json to_json(const Map& map, const SnappedPoint& point) {
  const Place place = place_of(map, point.vertex);
  Json json;
  json["vertex"] = std::uint64_t{point.vertex} + 1;
  json["longitude"] = place.longitude;
  json["latitude"] = place.latitude;
  json["snap_metres"] = whole_decimetres(point.metres);
  return json;
}

Closing::Closing(const Map& map, const Avoid& avoid, served::Closures& closures,
                 const served::Stop& stop)
    : closures_(closures) {
  try {
    for (std::size_t i = 0; i < avoid.roads.size(); ++i) {
      const auto& [u, v] = avoid.roads[i];
      if (!are_neighbours(map, u, v)) {
        throw Refusal(400, "bad-request",
                      "no road joins " + std::to_string(std::uint64_t{u} + 1) + " and " +
                          std::to_string(std::uint64_t{v} + 1),
                      "avoid.roads[" + std::to_string(i) + "]",
                      "name both ends of one road, as /api/nearest does");
      }
      closures.close(u, v);
    }
    for (const auto& polygon : avoid.polygons) close_polygon(map, polygon, closures, stop);
  } catch (...) {
    closures.open_all();
    throw;
  }
}

const Map& requested_map(const Service& service, RequestObject& request) {
  if (!request.has("map")) return find_map(service.maps, std::nullopt);
  return find_map(service.maps, request.text("map"));
}

Metric requested_metric(RequestObject& request) {
  const std::string word = request.word("metric", {"distance", "time"}, "distance");
  return word == "time" ? Metric::time : Metric::distance;
}

Answer answer_maps(const Service& service) {
  Json json;
  json["maps"] = Json::array();
  for (const auto& map : service.maps) json["maps"].push_back(to_json(service, *map));
  json["variants"] = served::watched_variants();
  return {.body = run::json_text(json) + "\n"};
}

Answer answer_tile(const Service& service, const std::string& map, const std::string& zoom,
                   const std::string& x, const std::string& y) {
  const RoadIndex& index = find_map(service.maps, decoded(map)).index;
  const auto z = static_cast<int>(tile_number(zoom, "zoom", kMostZoom));
  const std::uint32_t most = (std::uint32_t{1} << z) - 1;
  const Tile tile{z, tile_number(x, "x", most), tile_number(y, "y", most)};
  Answer answer{.type = "application/vnd.mapbox-vector-tile", .body = make_tile(index, tile)};
  answer.is_cacheable = true;
  if (answer.body.empty()) answer.status = 204;
  return answer;
}

Answer answer_nearest(const Service& service, const std::string& query) {
  const auto pairs = parse_query(query);
  const auto name = pairs.find("map");
  const Map& map =
      find_map(service.maps, name == pairs.end() ? std::nullopt : std::optional(name->second));
  const double longitude = degrees_of(pairs, "longitude", 180);
  const double latitude = degrees_of(pairs, "latitude", 90);
  const Snapped snapped = map.snapper.nearest({"", longitude, latitude});
  const Place vertex = place_of(map, snapped.vertex);
  Json json;
  json["map"] = map.name;
  json["vertex"] = std::uint64_t{snapped.vertex} + 1;
  json["longitude"] = vertex.longitude;
  json["latitude"] = vertex.latitude;
  json["metres"] = whole_decimetres(snapped.metres);
  json["road"] = Json();
  json["road_metres"] = Json();
  const Place2D place = project(longitude, latitude);
  std::uint32_t road = 0;
  double distance = 0;
  if (map.index.nearest(place, road, distance)) {
    const auto& [u, v] = map.index.roads()[road];
    json["road"] = {std::uint64_t{u} + 1, std::uint64_t{v} + 1};
    json["road_metres"] = whole_decimetres(distance * metres_at(place));
  }
  return {.body = run::json_text(json) + "\n"};
}

}  // namespace bellmark::serve
