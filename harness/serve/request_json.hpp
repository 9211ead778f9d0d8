// Reads the body of a request, key by key. Faults are refused by name, with status 400.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/graph.hpp"
#include "harness/serve/maps.hpp"

namespace bellmark::serve {

using Json = nlohmann::ordered_json;

/// Throws Refusal for text that is not JSON, or nests deeper than kMostDepth.
Json read_json(std::string_view body);

/// Degrees, or a vertex by its number in the map, from 0.
struct Degrees {
  double longitude;
  double latitude;
};
using Point = std::variant<Degrees, Vertex>;

/// An object whose keys are read one by one. end() refuses the others.
class RequestObject {
 public:
  /// `where` is "" for the whole body. Throws Refusal if it is not an object.
  RequestObject(const Json& json, std::string where);

  bool has(const std::string& key);
  /// Throws Refusal if it is missing.
  const Json& get(const std::string& key);
  std::string where(const std::string& key) const;

  /// One of the words.
  std::string word(const std::string& key, const std::vector<std::string>& words,
                   const std::string& default_word);
  std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most,
                       std::int64_t default_value);
  std::string text(const std::string& key);

  /// Throws Refusal for a key that nobody read, and names the nearest key that was read.
  void end() const;

 private:
  const Json& json_;
  std::string where_;
  std::set<std::string> known_;
};

/// Throws Refusal for JSON that is not a point, and for a vertex that the map lacks.
Point read_point(const Json& json, const std::string& where, const Map& map);
/// A list of `least` to `most` points.
std::vector<Point> read_points(const Json& json, const std::string& where, const Map& map,
                               std::size_t least, std::size_t most);

struct Avoid {
  std::vector<std::vector<Place2D>> polygons;
  std::vector<Road> roads;
};
Avoid read_avoid(const Json& json, const std::string& where, const Map& map);

/// The map of this name, or the only map if the request names none.
const Map& find_map(const Maps& maps, const std::optional<std::string>& name);

/// The metric's roads. Throws Refusal if the map lacks it.
const served::Roads& find_roads(const Map& map, Metric metric);

}  // namespace bellmark::serve
