#include "harness/serve/request_json.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "harness/serve/answer.hpp"
#include "harness/serve/limits.hpp"

namespace bellmark::serve {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what,
                         const std::string& remedy) {
  throw Refusal(400, "bad-request", what, where, remedy);
}

std::string element(const std::string& where, std::size_t index) {
  return where + "[" + std::to_string(index) + "]";
}

/// The depth of nested brackets outside of strings.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (is_string) {
      if (letter == '\\') ++i;
      if (letter == '"') is_string = false;
    } else if (letter == '"') {
      is_string = true;
    } else if (letter == '[' || letter == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((letter == ']' || letter == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

void check_count(const Json& json, const std::string& where, std::size_t least, std::size_t most,
                 const std::string& of_what) {
  if (!json.is_array()) refuse(where, "is not an array", "send an array of " + of_what);
  if (json.size() >= least && json.size() <= most) return;
  refuse(where,
         "has " + std::to_string(json.size()) + " " + of_what + ", and " + std::to_string(least) +
             " to " + std::to_string(most) + " are allowed",
         json.size() > most ? "send fewer, or several requests" : "send more");
}

Degrees read_degrees(const Json& json, const std::string& where) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number() || !json[1].is_number()) {
    refuse(where, "is not a point", "send [longitude, latitude] in degrees");
  }
  const Degrees degrees{json[0].get<double>(), json[1].get<double>()};
  // Not a number fails any comparison.
  if (!(std::abs(degrees.longitude) <= 180) || !(std::abs(degrees.latitude) <= 90)) {
    refuse(where, "is not on Earth",
           "send the longitude first, from -180 to 180, then the latitude, from -90 to 90");
  }
  return degrees;
}

Vertex read_vertex(const Json& json, const std::string& where, const Map& map) {
  const Vertex n = map.graph().vertex_count();
  const bool is_vertex = json.is_number_integer() && json >= 1 && json <= n;
  if (!is_vertex) {
    refuse(where, "is not a vertex of " + map.name,
           "send a whole number from 1 to " + std::to_string(n));
  }
  return json.get<Vertex>() - 1;
}

}  // namespace

Json read_json(std::string_view body) {
  if (depth_of(body) > kMostDepth) {
    refuse("", "the JSON nests deeper than " + std::to_string(kMostDepth), "send plainer JSON");
  }
  Json json = Json::parse(body, nullptr, false);
  if (json.is_discarded()) {
    refuse("", "the body is not JSON", "send an object, as the API's description shows");
  }
  return json;
}

RequestObject::RequestObject(const Json& json, std::string where)
    : json_(json), where_(std::move(where)) {
  if (!json.is_object()) refuse(where_, "is no object", "send an object: {...}");
}

bool RequestObject::has(const std::string& key) {
  known_.insert(key);
  return json_.contains(key);
}

const Json& RequestObject::get(const std::string& key) {
  if (!has(key)) refuse(where(key), "is missing", "add it");
  return json_.at(key);
}

std::string RequestObject::where(const std::string& key) const {
  return where_.empty() ? key : where_ + "." + key;
}

std::string RequestObject::word(const std::string& key, const std::vector<std::string>& words,
                                const std::string& default_word) {
  if (!has(key)) return default_word;
  std::string found = text(key);
  if (std::ranges::find(words, found) == words.end()) {
    refuse(where(key), "'" + found + "' is not one of its words", suggestion(found, words));
  }
  return found;
}

std::int64_t RequestObject::integer(const std::string& key, std::int64_t least, std::int64_t most,
                                    std::int64_t default_value) {
  if (!has(key)) return default_value;
  const Json& json = json_.at(key);
  if (!json.is_number_integer() || json < least || json > most) {
    refuse(where(key), "is not a valid whole number",
           "send one from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return json.get<std::int64_t>();
}

std::string RequestObject::text(const std::string& key) {
  const Json& json = get(key);
  if (!json.is_string()) refuse(where(key), "is no text", "send a string");
  return json.get<std::string>();
}

void RequestObject::end() const {
  for (const auto& [key, value] : json_.items()) {
    if (known_.contains(key)) continue;
    refuse(where(key), "is not a key of this request",
           suggestion(key, std::vector<std::string>(known_.begin(), known_.end())));
  }
}

Point read_point(const Json& json, const std::string& where, const Map& map) {
  if (json.is_number()) return read_vertex(json, where, map);
  return read_degrees(json, where);
}

std::vector<Point> read_points(const Json& json, const std::string& where, const Map& map,
                               std::size_t least, std::size_t most) {
  check_count(json, where, least, most, "points");
  std::vector<Point> points;
  for (std::size_t i = 0; i < json.size(); ++i) {
    points.push_back(read_point(json[i], element(where, i), map));
  }
  return points;
}

Avoid read_avoid(const Json& json, const std::string& where, const Map& map) {
  RequestObject object(json, where);
  Avoid avoid;
  if (object.has("polygons")) {
    const Json& polygons = object.get("polygons");
    check_count(polygons, object.where("polygons"), 0, kMostPolygons, "polygons");
    std::size_t corner_count = 0;
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      const std::string at = element(object.where("polygons"), i);
      check_count(polygons[i], at, 3, kMostCorners, "corners");
      corner_count += polygons[i].size();
      if (corner_count > kMostCorners) {
        refuse(object.where("polygons"),
               "have more than " + std::to_string(kMostCorners) + " corners together",
               "send plainer polygons");
      }
      std::vector<Place2D>& corners = avoid.polygons.emplace_back();
      for (std::size_t c = 0; c < polygons[i].size(); ++c) {
        const Degrees degrees = read_degrees(polygons[i][c], element(at, c));
        corners.push_back(project(degrees.longitude, degrees.latitude));
      }
    }
  }
  if (object.has("roads")) {
    const Json& roads = object.get("roads");
    check_count(roads, object.where("roads"), 0, kMostClosedRoads, "roads");
    for (std::size_t i = 0; i < roads.size(); ++i) {
      const std::string at = element(object.where("roads"), i);
      check_count(roads[i], at, 2, 2, "ends");
      avoid.roads.push_back({read_vertex(roads[i][0], element(at, 0), map),
                             read_vertex(roads[i][1], element(at, 1), map)});
    }
  }
  object.end();
  return avoid;
}

const Map& find_map(const Maps& maps, const std::optional<std::string>& name) {
  std::vector<std::string> names;
  for (const auto& map : maps) names.push_back(map->name);
  if (!name) {
    if (maps.size() == 1) return *maps.front();
    refuse("map", "is missing, and several maps are served", "name one: " + join(names, ", "));
  }
  const auto found = std::ranges::find(names, *name);
  if (found != names.end()) return *maps[static_cast<std::size_t>(found - names.begin())];
  throw Refusal(404, "unknown-map", "no map is called '" + *name + "'", "map",
                suggestion(*name, names));
}

const served::Roads& find_roads(const Map& map, Metric metric) {
  if (const served::Roads* roads = map.roads(metric)) return *roads;
  throw Refusal(404, "unknown-metric", map.name + " has no times", "metric",
                "ask for distance, or start the server with --time");
}

}  // namespace bellmark::serve
