// `bellmark spots`: spots on the map, their places on the roads, and the distances between them.
// Results go to stdout, everything else to stderr.
#include "algorithms/spots/places/spots.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/spots/places/matrix_file.hpp"
#include "algorithms/spots/set_centrality/open_spots.hpp"
#include "algorithms/spots/set_centrality/spot_distances.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "graph/open.hpp"
#include "harness/cli/commands.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/session/export_check.hpp"

namespace bellmark::cli {
namespace {

constexpr const char* kSpotsHelp =
    "spots:NAME or spots:FILE.csv (great circle, metres), with ,roads=GRAPH over roads;\n"
    "spots:random,n=894,seed=1,roads=GRAPH; also snap=METRES, unreachable=refuse|largest;\n"
    "matrix:FILE, points:n=N,seed=S";

std::string decimal(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

void print_snapped(const RoadSpots& spots) {
  std::cout << "  spot    vertex    metres  name\n";
  for (std::size_t s = 0; s < spots.vertices.size(); ++s) {
    std::cout << std::setw(6) << s << std::setw(10) << std::uint64_t{spots.vertices[s]} + 1
              << std::setw(10) << decimal(spots.snap_metres[s], 1) << "  "
              << escaped(spots.places[s].name) << '\n';
  }
  std::cout << "\nspots     " << spots.vertices.size() << '\n';
  if (spots.snap_metres.empty()) return;
  std::vector<double> sorted = spots.snap_metres;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[half] : std::midpoint(sorted[half - 1], sorted[half]);
  std::cout << "least     " << decimal(sorted.front(), 1) << " m\n"
            << "median    " << decimal(median, 1) << " m\n"
            << "largest   " << decimal(sorted.back(), 1) << " m\n";
}

void snap(SpotsReference& reference) {
  reference.text = "spots:" + reference.source + ",roads=" + reference.roads;
  if (reference.is_random()) {
    throw InputError("--spots", "random spots are vertices already",
                     "name a file, or one of " + join(catalogued_spots(), ", "));
  }
  print_snapped(open_road_spots(reference));
}

Command snap_command() {
  return {
      "snap", "Show the road vertex nearest to each spot",
      "Spots count from 0 in the order of their file, vertices from 1 as in graph files.\n\n"
      "  bellmark spots snap --spots helsinki --roads osm:helsinki-d\n"
      "  bellmark spots snap --spots my.csv --roads my.gr.gz --snap 5000",
      [](CLI::App& app) -> Action {
        const auto reference = std::make_shared<SpotsReference>();
        app.add_option("--spots", reference->source, "a name (helsinki) or a CSV file")->required();
        app.add_option("--roads", reference->roads, "a graph with coordinates (osm:helsinki-d)")
            ->required();
        app.add_option("--snap", reference->snap_limit_metres,
                       "number of metres beyond which a spot is refused")
            ->check(CLI::Range(0.0, 1e7))
            ->capture_default_str();
        return [reference](const Argv&) {
          snap(*reference);
          return ExitCode::ok;
        };
      }};
}

/// A matrix takes minutes and gigabytes: both are announced before.
void announce(const SpotsReference& reference) {
  const std::uint64_t n = reference.is_random() ? reference.random_count
                                                : read_spots(spots_file(reference.source)).size();
  const double mebibytes =
      static_cast<double>(n) * static_cast<double>(n) * sizeof(double) / 0x1p20;
  std::cerr << n << " spots: " << decimal(mebibytes, 1) << " MiB of distances"
            << (reference.roads.empty() ? "" : ", and as much again while they are searched for")
            << '\n';
}

OpenedSpots open_any(const std::string& reference) {
  if (reference.starts_with("spots:")) {
    const SpotsReference spots = parse_spots_reference(reference);
    announce(spots);
    return open_spot_distances(spots);
  }
  OpenedSpots opened;
  opened.input = open_spots(reference);
  opened.spot_count = opened.input.distances.spot_count();
  return opened;
}

void print_asymmetry(const DistanceMatrix& distances) {
  std::cout << "symmetric          " << (distances.symmetric() ? "yes" : "no") << '\n';
  if (distances.symmetric()) return;
  double largest = 0;
  std::pair<Spot, Spot> pair;
  for (Spot s = 0; s < distances.spot_count(); ++s) {
    for (Spot t = 0; t < distances.spot_count(); ++t) {
      if (distances(s, t) - distances(t, s) <= largest) continue;
      largest = distances(s, t) - distances(t, s);
      pair = {s, t};
    }
  }
  const auto& [s, t] = pair;
  std::cout << "largest asymmetry  " << shortest(largest) << " (spot " << s << " to " << t << ": "
            << shortest(distances(s, t)) << ", back " << shortest(distances(t, s)) << ")\n";
}

void write_distances(const std::string& reference, const std::string& file) {
  if (!file.ends_with(".bmd")) {
    throw InputError(file, "a distance matrix is written in binary form", "end its name in .bmd");
  }
  AtomicFile probe(file);
  const auto begin = std::chrono::steady_clock::now();
  const OpenedSpots opened = open_any(reference);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const DistanceMatrix& distances = opened.input.distances;
  write_matrix(opened.input, file);
  std::cerr << "wrote " << file << '\n';
  std::cout << "spots              " << distances.spot_count();
  if (opened.spot_count != distances.spot_count()) std::cout << " of " << opened.spot_count;
  std::cout << '\n';
  print_asymmetry(distances);
  std::cout << "unreachable pairs  " << opened.unreachable_pair_count
            << (opened.unreachable_pair_count > 0 ? ", their spots left out" : "") << '\n'
            << "time               " << decimal(taken.count(), 3) << " s\n"
            << "provenance         " << escaped(distances.provenance()) << '\n';
}

Command distances_command() {
  struct Options {
    std::string reference;
    std::string file;
  };
  return {"distances", "Write the distances between all spots to a file",
          "Over roads distances have the graph's units, and one-way roads make them differ by\n"
          "direction. The time covers reading spots and roads, and every search.\n\n"
          "  bellmark spots distances spots:tokyo-heritage -o tokyo.bmd\n"
          "  bellmark spots distances spots:helsinki,roads=osm:helsinki-d -o helsinki.bmd\n"
          "  bellmark spots distances spots:random,n=894,roads=dimacs:USA-road-d.NY -o ny.bmd",
          [](CLI::App& app) -> Action {
            const auto options = std::make_shared<Options>();
            app.add_option("REFERENCE", options->reference, kSpotsHelp)->required();
            app.add_option("-o,--output", options->file,
                           "file to write (.bmd), read back as matrix:FILE")
                ->required();
            return [options](const Argv&) {
              write_distances(options->reference, options->file);
              return ExitCode::ok;
            };
          }};
}

struct Segment {
  Coordinate from;
  Coordinate to;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// The roads as segments, each direction once, at most kMostSegments. Coordinates are rounded to a
/// grid. It is first finer than any picture, and its cells grow until few enough different segments
/// are left.
std::vector<Segment> road_segments(const Graph& roads) {
  constexpr std::size_t kMostSegments = 200'000;
  constexpr std::int32_t kFirstCells = 1 << 13;
  const auto places = roads.coordinates();
  if (places.empty()) return {};
  const auto [west, east] =
      std::minmax_element(places.begin(), places.end(),
                          [](Coordinate a, Coordinate b) { return a.longitude < b.longitude; });
  std::int32_t cell = 1;
  if (roads.arc_count() > kMostSegments) {
    cell = std::max(1, (east->longitude - west->longitude) / kFirstCells);
  }
  const auto order = [](Coordinate c) { return std::pair(c.longitude, c.latitude); };
  while (true) {
    const auto rounded = [&](Vertex v) {
      return Coordinate{places[v].longitude / cell * cell, places[v].latitude / cell * cell};
    };
    std::vector<Segment> segments;
    for (Vertex u = 0; u < roads.vertex_count(); ++u) {
      for (Offset e = roads.row_offsets()[u]; e < roads.row_offsets()[u + 1]; ++e) {
        Segment segment{rounded(u), rounded(roads.heads()[e])};
        if (segment.from == segment.to) continue;
        if (order(segment.to) < order(segment.from)) std::swap(segment.from, segment.to);
        segments.push_back(segment);
      }
    }
    std::sort(segments.begin(), segments.end(), [&](const Segment& a, const Segment& b) {
      return std::pair(order(a.from), order(a.to)) < std::pair(order(b.from), order(b.to));
    });
    segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
    if (segments.size() <= kMostSegments) return segments;
    cell *= 2;
  }
}

/// The contents of a map, and the credits that its licences ask for.
struct MapInput {
  std::vector<Place> places;
  Graph roads = {};
  std::string credit = {};
};

/// Credits of the data that come with Bellmark; data/README.md.
std::string credit_of(const SpotsReference& spots) {
  const std::string file = spots.is_random() ? "" : spots_file(spots.source).string();
  if (spots.roads.starts_with("osm:") || file.find("osm") != std::string::npos) {
    return "© OpenStreetMap contributors";
  }
  return spots.source == "tokyo-heritage" ? "jp-municipal-heritage, CC BY 4.0" : "";
}

MapInput open_map(const std::string& reference) {
  if (!reference.starts_with("spots:")) return {open_spots(reference).places};
  const SpotsReference spots = parse_spots_reference(reference);
  const std::string credit = credit_of(spots);
  if (spots.roads.empty()) return {read_spots(spots_file(spots.source)), {}, credit};
  // Only the distances show which spots are left out.
  if (spots.unreachable == Unreachable::largest) {
    return {open_spot_distances(spots).input.places, open_graph(spots.roads), credit};
  }
  RoadSpots opened = open_road_spots(spots);
  return {std::move(opened.places), std::move(opened.roads), credit};
}

std::vector<std::size_t> parse_chosen(const std::string& text, std::size_t spot_count) {
  std::vector<std::size_t> chosen;
  for (const std::string& part : split(text, ',')) {
    const auto spot = parse_number<std::size_t>(part, "--chosen", "a spot's number");
    if (spot >= spot_count) {
      throw InputError("--chosen",
                       "spot " + part + " of " + std::to_string(spot_count) + ", from 0",
                       "name spots of this input");
    }
    if (std::find(chosen.begin(), chosen.end(), spot) != chosen.end()) {
      throw InputError("--chosen", "spot " + part + " is named twice", "name it once");
    }
    chosen.push_back(spot);
  }
  return chosen;
}

void write_map(const std::string& reference, const std::string& chosen, const std::string& file) {
  run::check_export(file, R"({"reference")");
  AtomicFile out(file);
  const MapInput map = open_map(reference);
  if (map.places.empty()) {
    throw InputError(reference, "its spots have no places on a map",
                     "take spots of a file, or of roads with coordinates");
  }
  using Json = nlohmann::ordered_json;
  Json json = {{"reference", reference},
               {"credit", map.credit},
               {"roads", Json::array()},
               {"spots", Json::array()},
               {"chosen", parse_chosen(chosen, map.places.size())}};
  constexpr double kMicro = 1e6;
  const auto degrees = [&](Coordinate c) {
    return Json::array({c.longitude / kMicro, c.latitude / kMicro});
  };
  for (const Segment& segment : road_segments(map.roads)) {
    json["roads"].push_back(Json::array({degrees(segment.from), degrees(segment.to)}));
  }
  for (const Place& place : map.places) {
    json["spots"].push_back(Json{{"name", place.name},
                                 {"longitude_degrees", place.longitude},
                                 {"latitude_degrees", place.latitude}});
  }
  out.write(run::json_text(json) + "\n");
  out.commit();
  std::cout << "spots     " << map.places.size() << "\nchosen    " << json["chosen"].size()
            << "\nsegments  " << json["roads"].size() << '\n';
  std::cerr << "wrote " << file << "; draw it with: python3 analysis/map.py " << file
            << " -o map.png\n";
}

Command map_command() {
  struct Options {
    std::string reference;
    std::string chosen;
    std::string file;
  };
  return {"map", "Write roads, spots and chosen spots as JSON to draw",
          "Roads of more than 200,000 segments are thinned on a grid.\n\n"
          "  bellmark spots map spots:helsinki,roads=osm:helsinki-d --chosen 3,17 -o map.json\n"
          "  python3 analysis/map.py map.json -o map.png",
          [](CLI::App& app) -> Action {
            const auto options = std::make_shared<Options>();
            app.add_option("REFERENCE", options->reference, kSpotsHelp)->required();
            app.add_option("--chosen", options->chosen, "spots to mark, in order: 3,17,5 (from 0)");
            app.add_option("-o,--output", options->file, "file to write (.json)")->required();
            return [options](const Argv&) {
              write_map(options->reference, options->chosen, options->file);
              return ExitCode::ok;
            };
          }};
}

}  // namespace

Command spots_command() {
  return {"spots",
          "Put spots on roads, find the distances between them, and draw them",
          "A CSV file of spots names its columns in the first line: lon and lat in degrees, name.\n"
          "Spots that come with Bellmark: " +
              join(catalogued_spots(), ", ") +
              ".\n\n"
              "  bellmark spots snap --spots helsinki --roads osm:helsinki-d\n"
              "  bellmark spots distances spots:helsinki,roads=osm:helsinki-d -o helsinki.bmd\n"
              "  bellmark spots map spots:helsinki,roads=osm:helsinki-d -o map.json",
          {},
          {snap_command(), distances_command(), map_command()}};
}

}  // namespace bellmark::cli
