// Reads the body of a request, key by key. What is wrong is refused by name: status 400.
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

/// Throws Refusal for what is no JSON, or nests deeper than kMostDepth.
Json read_json(std::string_view body);

/// Degrees, or a vertex by its number in the map, from 0.
struct Degrees {
  double longitude;
  double latitude;
};
using Point = std::variant<Degrees, Vertex>;

/// An object whose keys are asked for one by one; end() refuses those that were not.
class RequestObject {
 public:
  /// `where` is "" for the whole body. Throws Refusal where it is no object.
  RequestObject(const Json& json, std::string where);

  bool has(const std::string& key);
  /// Throws Refusal where it is missing.
  const Json& get(const std::string& key);
  std::string where(const std::string& key) const;

  /// One of the words.
  std::string word(const std::string& key, const std::vector<std::string>& words,
                   const std::string& default_word);
  std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most,
                       std::int64_t default_value);
  std::string text(const std::string& key);

  /// Throws Refusal for a key that nobody asked for, and names the nearest that somebody did.
  void end() const;

 private:
  const Json& json_;
  std::string where_;
  std::set<std::string> known_;
};

/// Throws Refusal for what is no point; a vertex that the map lacks too.
Point read_point(const Json& json, const std::string& where, const Map& map);
/// From `least` to `most` of them.
std::vector<Point> read_points(const Json& json, const std::string& where, const Map& map,
                               std::size_t least, std::size_t most);

struct Avoid {
  std::vector<std::vector<Place2D>> polygons;
  std::vector<Road> roads;
};
Avoid read_avoid(const Json& json, const std::string& where, const Map& map);

/// The map of this name; the only one, where the request names none.
const Map& find_map(const Maps& maps, const std::optional<std::string>& name);

/// The metric's roads; throws Refusal where the map lacks it.
const served::Roads& find_roads(const Map& map, Metric metric);

}  // namespace bellmark::serve
