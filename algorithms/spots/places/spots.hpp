// Spots on the map and on a road network: reading them, the distance as the crow flies, and the
// road vertex that a spot is taken to be at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/spots/places/distances.hpp"
#include "algorithms/spots/places/snapper.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// Reads a CSV file (RFC 4180, UTF-8, plain or gzip). Its first line names the columns. `lon` and
/// `lat` are degrees, the name of a spot is in `name`, else in `first_name`, else in the first
/// column. Spots at the very same place are kept. Throws InputError with file and line for a line
/// that lacks a field or has one too many. It also throws for a number that is none, a coordinate
/// out of range, a quote out of place and bytes that are not UTF-8.
std::vector<Place> read_spots(const std::filesystem::path& path);

/// The same from bytes in memory; `name` stands for the path in errors.
std::vector<Place> parse_spots(std::string_view bytes, const std::string& name);

/// The number of places that are the very same as an earlier one. O(N log N).
std::size_t coincident_count(std::span<const Place> places);

/// The mean radius of the Earth (IUGG).
inline constexpr double kEarthRadiusMetres = 6'371'008.8;

/// Along the great circle, by the haversine formula; a sphere is up to 0.6 % off the ellipsoid.
double great_circle_metres(const Place& from, const Place& to);

/// One a place: O((n + N) log n). Throws as Snapper does.
std::vector<Snapped> snap(std::span<const Place> places, const Graph& roads,
                          const std::string& where);

/// The treatment of a spot that can't be reached from another one.
enum class Unreachable {
  refuse,
  largest,  ///< keep the largest set of spots that all reach each other
};

/// A reference to spots, taken apart:
///   `spots:tokyo-heritage`, `spots:FILE.csv`          by great circle, in metres
///   `spots:helsinki,roads=osm:helsinki-d`             over roads, in the graph's units
///   `spots:random,n=894,seed=1,roads=dimacs:USA-road-d.NY`  n different random vertices
/// `roads=` takes a graph reference with keys of its own. The keys after it belong to it, but for
/// three, which may stand anywhere: `snap=METRES` (1000: the largest distance of a spot from its
/// vertex), `unreachable=refuse|largest` and `k=`.
struct SpotsReference {
  std::string text;    ///< as written, for errors
  std::string source;  ///< a file, a catalogued name, or `random`
  std::string roads;   ///< "": by great circle
  std::uint64_t random_count = 0;
  std::uint64_t seed = 1;
  double snap_limit_metres = 1000;
  Unreachable unreachable = Unreachable::refuse;
  Spot chosen_count = 0;

  bool is_random() const { return source == "random"; }
};

/// Throws InputError.
SpotsReference parse_spots_reference(const std::string& reference);

/// The file that a source means: `FILE.csv[.gz]`, or a name under a data folder (`spots/NAME.csv`,
/// `osm/NAME-spots.csv`). Throws InputError; the nearest known name is suggested.
std::filesystem::path spots_file(const std::string& source);

/// Names of the spots in the data folders, e.g. `monaco`.
std::vector<std::string> catalogued_spots();

/// Spots with the road vertices that they are taken to be at.
struct RoadSpots {
  Graph roads;
  std::vector<Vertex> vertices;     ///< one a spot; several spots may share one
  std::vector<Place> places;        ///< one a spot; none of random vertices without coordinates
  std::vector<double> snap_metres;  ///< one a spot; none of random vertices
  std::string provenance;
};

/// Opens and verifies the roads, and snaps the spots or draws vertices. Throws InputError, also
/// when spots lie beyond the limit, with their number and the farthest by name.
RoadSpots open_road_spots(const SpotsReference& reference);

/// Distances by great circle, in metres. O(N^2).
DistanceMatrix great_circle_distances(std::span<const Place> places, std::string provenance);

/// The spots' source in words: `186 spots of helsinki-spots.csv, 2 at the place of another`.
std::string spots_text(std::span<const Place> places, const std::filesystem::path& file);

}  // namespace bellmark
