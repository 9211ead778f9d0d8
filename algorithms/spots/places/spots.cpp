#include "algorithms/spots/places/spots.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/spots/places/csv.hpp"
#include "algorithms/spots/places/snapper.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

constexpr double kMicro = 1e-6;

std::string read_all(Input& input) {
  std::string text;
  std::array<char, 1 << 16> block;
  while (const std::size_t count = input.read(block)) text.append(block.data(), count);
  return text;
}

/// The columns of the fields.
struct Columns {
  std::size_t longitude;
  std::size_t latitude;
  std::size_t name;
  std::size_t count;
};

Columns find_columns(const CsvReader& in, const std::vector<std::string>& header) {
  const auto find = [&](const char* name) -> std::optional<std::size_t> {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    if (std::find(found + 1, header.end(), name) != header.end()) {
      throw InputError(in.where(), std::string("two columns are called '") + name + "'",
                       "rename one");
    }
    return static_cast<std::size_t>(found - header.begin());
  };
  const auto longitude = find("lon");
  const auto latitude = find("lat");
  if (!longitude || !latitude) {
    throw InputError(in.where(),
                     longitude ? "no column is called 'lat'" : "no column is called 'lon'",
                     "the first line names the columns: lon and lat in degrees, and name");
  }
  const auto name = find("name");
  return {*longitude, *latitude, name.value_or(find("first_name").value_or(0)), header.size()};
}

double take_degrees(const CsvReader& in, std::string_view field, const char* column, double most) {
  const std::string_view text = trim(field);
  const auto fail = [&](const std::string& what) {
    throw InputError(in.where(), std::string(column) + " " + what,
                     "it must be degrees, " + shortest(-most) + " to " + shortest(most));
  };
  if (text.empty()) fail("is missing");
  double degrees = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), degrees);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail("'" + std::string(text) + "' is no number");
  }
  // Not a number fails any comparison.
  if (!(std::abs(degrees) <= most)) fail("'" + std::string(text) + "' is out of range");
  return degrees;
}

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

Place place_of(const Graph& roads, Vertex v) {
  const Coordinate& at = roads.coordinates()[v];
  return {"vertex " + id_text(v), kMicro * at.longitude, kMicro * at.latitude};
}

std::string metres_text(double metres) {
  return std::to_string(std::llround(metres * 10) / 10) + "." +
         std::to_string(std::llround(metres * 10) % 10) + " m";
}

void refuse_far(const SpotsReference& reference, const RoadSpots& spots) {
  const double limit = reference.snap_limit_metres;
  const auto far = std::count_if(spots.snap_metres.begin(), spots.snap_metres.end(),
                                 [&](double metres) { return metres > limit; });
  if (far == 0) return;
  const auto farthest = std::max_element(spots.snap_metres.begin(), spots.snap_metres.end());
  const auto spot = static_cast<std::size_t>(farthest - spots.snap_metres.begin());
  throw InputError(reference.text,
                   std::to_string(far) + " of " + std::to_string(spots.places.size()) +
                       " spots are more than " + shortest(limit) + " m from the nearest road; '" +
                       spots.places[spot].name + "' (spot " + std::to_string(spot) +
                       "), the farthest, " + metres_text(*farthest),
                   "take these spots out, or add snap=" + shortest(std::ceil(*farthest)));
}

void draw_spots(const SpotsReference& reference, RoadSpots& spots) {
  const Vertex n = spots.roads.vertex_count();
  if (reference.random_count > n) {
    throw InputError(reference.text,
                     std::to_string(reference.random_count) + " different vertices of a graph of " +
                         std::to_string(n),
                     "ask for at most that many");
  }
  std::vector<bool> drawn(n);
  for (std::uint64_t i = 0; spots.vertices.size() < reference.random_count; ++i) {
    const Vertex v = draw_vertex(reference.seed, DrawStream::spots, i, n);
    if (drawn[v]) continue;
    drawn[v] = true;
    spots.vertices.push_back(v);
    if (!spots.roads.coordinates().empty()) spots.places.push_back(place_of(spots.roads, v));
  }
  spots.provenance = std::to_string(reference.random_count) + " random vertices (seed " +
                     std::to_string(reference.seed) + ") of " + spots.roads.provenance();
}

void snap_spots(const SpotsReference& reference, RoadSpots& spots) {
  const fs::path file = spots_file(reference.source);
  spots.places = read_spots(file);
  for (const auto& [vertex, metres] : snap(spots.places, spots.roads, reference.text)) {
    spots.vertices.push_back(vertex);
    spots.snap_metres.push_back(metres);
  }
  refuse_far(reference, spots);
  const auto farthest = std::max_element(spots.snap_metres.begin(), spots.snap_metres.end());
  spots.provenance = spots_text(spots.places, file) + ", each at the nearest vertex of " +
                     spots.roads.provenance();
  if (farthest != spots.snap_metres.end()) {
    spots.provenance += " (at most " + metres_text(*farthest) + " away)";
  }
}

/// Applies one `key=value`.
void set_key(SpotsReference& reference, const std::string& key, const std::string& value) {
  const std::string where = reference.text + ": " + key;
  if (key == "n") {
    reference.random_count = parse_number<std::uint64_t>(value, where, "a whole number");
  } else if (key == "seed") {
    reference.seed = parse_number<std::uint64_t>(value, where, "a whole number");
  } else if (key == "snap") {
    const auto metres = parse_number<double>(value, where, "a number of metres");
    if (!(metres >= 0)) throw InputError(where, "'" + value + "' is not 0 or more metres");
    reference.snap_limit_metres = metres;
  } else if (key == "unreachable") {
    if (value != "refuse" && value != "largest") {
      throw InputError(where, "'" + value + "' is unknown",
                       suggestion(value, {"refuse", "largest"}));
    }
    reference.unreachable = value == "refuse" ? Unreachable::refuse : Unreachable::largest;
  } else if (key == "k") {
    reference.chosen_count = parse_number<Spot>(value, where, "a whole number");
    if (reference.chosen_count == 0)
      throw InputError(where, "0 spots to choose", "choose 1 or more");
  } else {
    reference.roads = value;
  }
}

/// Takes the keys after `roads=` that are no keys of spots out of `parts`: they belong to the
/// graph.
std::string take_keys_of_roads(std::vector<std::string>& parts) {
  const std::vector<std::string> own = {"roads", "snap", "unreachable", "k"};
  std::string keys;
  bool in_roads = false;
  std::vector<std::string> rest;
  for (const std::string& part : parts) {
    if (in_roads &&
        std::find(own.begin(), own.end(), part.substr(0, part.find('='))) == own.end()) {
      keys += "," + part;
      continue;
    }
    in_roads = in_roads || part.starts_with("roads=");
    rest.push_back(part);
  }
  parts = std::move(rest);
  return keys;
}

void check_keys(const SpotsReference& reference, const std::map<std::string, std::string>& values) {
  const auto refuse = [&](const char* what, const char* remedy) {
    throw InputError(reference.text, what, remedy);
  };
  if (reference.source.empty()) {
    refuse("no spots are named", "write spots:FILE.csv, spots:NAME or spots:random");
  }
  if (reference.is_random()) {
    if (!values.contains("n")) refuse("key 'n' is missing", "add n=COUNT");
    if (reference.roads.empty()) refuse("random spots are vertices of a graph", "add roads=GRAPH");
    if (values.contains("snap")) refuse("random spots are vertices already", "leave snap out");
    return;
  }
  if (values.contains("n") || values.contains("seed")) {
    refuse("n and seed are keys of random spots", "leave them out, or write spots:random");
  }
  if (reference.roads.empty() && (values.contains("snap") || values.contains("unreachable"))) {
    refuse("snap and unreachable are about roads", "leave them out, or add roads=GRAPH");
  }
}

}  // namespace

std::vector<Place> parse_spots(std::string_view bytes, const std::string& name) {
  Input input(bytes, name);
  const std::string text = read_all(input);
  CsvReader in(text, name);
  std::vector<std::string> fields;
  if (!in.next(fields)) {
    throw InputError(name, "the file is empty",
                     "its first line names the columns: lon and lat in degrees, and name");
  }
  const Columns columns = find_columns(in, fields);
  std::vector<Place> places;
  while (in.next(fields)) {
    if (fields.size() != columns.count) {
      throw InputError(in.where(),
                       std::to_string(fields.size()) + " fields where the first line has " +
                           std::to_string(columns.count),
                       "quote fields that hold commas");
    }
    if (places.size() == std::numeric_limits<Spot>::max()) {
      throw InputError(in.where(), "too many spots", "split the file");
    }
    const double longitude = take_degrees(in, fields[columns.longitude], "lon", 180);
    const double latitude = take_degrees(in, fields[columns.latitude], "lat", 90);
    places.push_back({std::move(fields[columns.name]), longitude, latitude});
  }
  return places;
}

std::vector<Place> read_spots(const fs::path& path) {
  Input input(path);
  return parse_spots(read_all(input), path.string());
}

std::size_t coincident_count(std::span<const Place> places) {
  std::vector<std::pair<double, double>> points;
  for (const Place& place : places) points.emplace_back(place.longitude, place.latitude);
  std::sort(points.begin(), points.end());
  const auto end = std::unique(points.begin(), points.end());
  return static_cast<std::size_t>(points.end() - end);
}

double great_circle_metres(const Place& from, const Place& to) {
  const double half_latitude = std::sin(radians(to.latitude - from.latitude) / 2);
  const double half_longitude = std::sin(radians(to.longitude - from.longitude) / 2);
  const double h = half_latitude * half_latitude + std::cos(radians(from.latitude)) *
                                                       std::cos(radians(to.latitude)) *
                                                       half_longitude * half_longitude;
  // Of antipodes rounding may take it above 1.
  return 2 * kEarthRadiusMetres * std::asin(std::sqrt(std::min(1.0, h)));
}

std::vector<Snapped> snap(std::span<const Place> places, const Graph& roads,
                          const std::string& where) {
  if (places.empty()) return {};
  const Snapper snapper(roads, where);
  std::vector<Snapped> snapped;
  snapped.reserve(places.size());
  for (const Place& place : places) snapped.push_back(snapper.nearest(place));
  return snapped;
}

SpotsReference parse_spots_reference(const std::string& reference) {
  constexpr std::string_view kPrefix = "spots:";
  if (!reference.starts_with(kPrefix)) {
    throw InputError(reference, "no reference to spots",
                     "write spots:FILE.csv, spots:NAME or spots:random,n=COUNT,roads=GRAPH");
  }
  SpotsReference spots;
  spots.text = reference;
  std::vector<std::string> parts = split(std::string_view(reference).substr(kPrefix.size()), ',');
  if (!parts.empty()) {
    spots.source = parts.front();
    parts.erase(parts.begin());
  }
  const std::string keys_of_roads = take_keys_of_roads(parts);
  const std::map<std::string, std::string> values = parse_keys(
      reference, join(parts, ","), {"roads", "n", "seed", "snap", "unreachable", "k"}, {});
  for (const auto& [key, value] : values) {
    if (value.empty()) {
      throw InputError(reference, "key '" + key + "' has no value", "write " + key + "=VALUE");
    }
    set_key(spots, key, value);
  }
  spots.roads += keys_of_roads;
  check_keys(spots, values);
  return spots;
}

fs::path spots_file(const std::string& source) {
  std::error_code ignored;
  if (source.ends_with(".csv") || source.ends_with(".csv.gz") || fs::exists(source, ignored)) {
    return source;
  }
  // A name must not lead out of the data folder.
  if (source.find('/') == std::string::npos) {
    for (const fs::path& folder : data_folders()) {
      for (const fs::path& file :
           {folder / "spots" / (source + ".csv"), folder / "osm" / (source + "-spots.csv")}) {
        if (fs::exists(file, ignored)) return file;
      }
    }
  }
  throw InputError("spots:" + source, "no such spots", suggestion(source, catalogued_spots()));
}

std::vector<std::string> catalogued_spots() {
  std::vector<std::string> names;
  for (const fs::path& folder : data_folders()) {
    for (const auto& [subfolder, suffix] :
         {std::pair("spots", std::string(".csv")), std::pair("osm", std::string("-spots.csv"))}) {
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(folder / subfolder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(suffix) || name.size() == suffix.size()) continue;
        names.push_back(name.substr(0, name.size() - suffix.size()));
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

RoadSpots open_road_spots(const SpotsReference& reference) {
  if (reference.roads.empty()) {
    throw InputError(reference.text, "no roads are named", "add roads=GRAPH");
  }
  RoadSpots spots;
  spots.roads = open_graph(reference.roads);
  // A mapped file's header alone was checked: a search on damaged rows would not be safe.
  verify_graph(spots.roads, reference.roads);
  if (const std::string why = graph_unmet(Need::non_negative, spots.roads); !why.empty()) {
    throw InputError(reference.roads, why, "name roads whose lengths are 0 or more");
  }
  if (reference.is_random()) {
    draw_spots(reference, spots);
  } else {
    snap_spots(reference, spots);
  }
  return spots;
}

DistanceMatrix great_circle_distances(std::span<const Place> places, std::string provenance) {
  const std::size_t n = places.size();
  std::vector<double> values(n * n);
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < s; ++t) {
      values[s * n + t] = values[t * n + s] = great_circle_metres(places[s], places[t]);
    }
  }
  return {static_cast<Spot>(n), std::move(values), std::move(provenance)};
}

std::string spots_text(std::span<const Place> places, const fs::path& file) {
  std::string text = std::to_string(places.size()) + " spots of " + file.filename().string();
  if (const std::size_t coincident = coincident_count(places); coincident > 0) {
    text += ", " + std::to_string(coincident) + " at the very place of another";
  }
  return text;
}

}  // namespace bellmark
