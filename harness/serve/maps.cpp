#include "harness/serve/maps.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "graph/open.hpp"

namespace bellmark::serve {
namespace {

struct Opened {
  std::string reference;
  Graph graph;
};

Opened open_one(const std::string& reference) {
  Opened opened{reference, open_graph(reference)};
  verify_graph(opened.graph, reference);
  return opened;
}

bool have_same_arcs(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.row_offsets(), b.row_offsets()) &&
         std::ranges::equal(a.heads(), b.heads());
}

std::string size_text(const Graph& graph) {
  return std::to_string(graph.vertex_count()) + " vertices and " +
         std::to_string(graph.arc_count()) + " arcs";
}

bool is_of_catalogue(const std::string& reference, const std::string& catalogue) {
  if (reference.starts_with(catalogue + ":")) return true;
  const std::string folder = std::filesystem::path(reference).parent_path().filename().string();
  return folder == catalogue;
}

std::string attribution_of(const std::string& reference) {
  if (is_of_catalogue(reference, "osm")) {
    return "© OpenStreetMap contributors, ODbL 1.0, https://www.openstreetmap.org/copyright";
  }
  if (is_of_catalogue(reference, "dimacs")) {
    return "U.S. Census Bureau, TIGER/Line, by the 9th DIMACS Implementation Challenge";
  }
  return "";
}

std::array<double, 4> bounds_of(const Graph& graph) {
  const auto by_longitude = std::ranges::minmax(graph.coordinates(), {}, &Coordinate::longitude);
  const auto by_latitude = std::ranges::minmax(graph.coordinates(), {}, &Coordinate::latitude);
  return {by_longitude.min.longitude / kMicroDegrees, by_latitude.min.latitude / kMicroDegrees,
          by_longitude.max.longitude / kMicroDegrees, by_latitude.max.latitude / kMicroDegrees};
}

double metres_per_unit(const Graph& graph) {
  double metres = 0;
  double units = 0;
  const auto place = [&](Vertex v) {
    const Coordinate& at = graph.coordinates()[v];
    return Place{"", at.longitude / kMicroDegrees, at.latitude / kMicroDegrees};
  };
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const Place from = place(u);
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      metres += great_circle_metres(from, place(graph.heads()[e]));
      units += graph.length(e);
    }
  }
  return units > 0 ? metres / units : 0;
}

std::unique_ptr<const Map> make_map(Opened roads, std::optional<Opened> times) {
  const std::string reference = roads.reference;
  Snapper snapper(roads.graph, reference);
  RoadIndex index(roads.graph, times ? times->graph : roads.graph);
  const std::array<double, 4> bounds = bounds_of(roads.graph);
  const double metres = metres_per_unit(roads.graph);
  std::optional<double> seconds;
  std::optional<served::Roads> by_time;
  if (times) {
    // The catalogue's graphs of OpenStreetMap count hundredths of a second.
    if (is_of_catalogue(times->reference, "osm")) seconds = 0.01;
    by_time = served::Roads::of(std::move(times->graph));
  }
  return std::make_unique<const Map>(Map{map_name(reference), reference, attribution_of(reference),
                                         served::Roads::of(std::move(roads.graph)),
                                         std::move(by_time), std::move(snapper), std::move(index),
                                         bounds, metres, seconds});
}

/// `osm:helsinki` becomes both of its graphs.
void expand_names(std::vector<std::string>& roads, std::vector<std::string>& times) {
  for (std::string& reference : roads) {
    if (!is_catalogue_id(reference) || !catalogued_file(reference, ".gr").empty()) continue;
    if (catalogued_file(reference + "-d", ".gr").empty()) continue;
    if (!catalogued_file(reference + "-t", ".gr").empty()) times.push_back(reference + "-t");
    reference += "-d";
  }
}

}  // namespace

std::string to_string(Metric metric) { return metric == Metric::distance ? "distance" : "time"; }

std::string map_name(const std::string& reference) {
  std::string name = std::filesystem::path(reference).filename().string();
  if (is_catalogue_id(name)) name.erase(0, name.find(':') + 1);
  for (const char* ending : {".gz", ".gr", ".bmg", ".pace", "-d"}) {
    const std::string_view suffix = ending;
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
    }
  }
  for (char& letter : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' ||
                          letter == '-' || letter == '_';
    if (!is_plain) letter = '-';
  }
  return name;
}

Maps open_maps(const std::vector<std::string>& roads, const std::vector<std::string>& times) {
  std::vector<std::string> road_names = roads;
  std::vector<std::string> time_names = times;
  expand_names(road_names, time_names);
  std::vector<Opened> opened;
  opened.reserve(road_names.size());
  std::vector<std::optional<Opened>> opened_times(road_names.size());
  for (const std::string& reference : road_names) opened.push_back(open_one(reference));
  for (const std::string& reference : time_names) {
    Opened time = open_one(reference);
    std::size_t map = 0;
    while (map < opened.size() &&
           (opened_times[map] || !have_same_arcs(opened[map].graph, time.graph))) {
      ++map;
    }
    if (map == opened.size()) {
      throw InputError(reference,
                       "has other arcs than the roads (" + size_text(time.graph) + "; " +
                           opened.front().reference + " has " + size_text(opened.front().graph) +
                           ")",
                       "name the graph of times that was made with these roads");
    }
    opened_times[map] = std::move(time);
  }
  Maps maps;
  for (std::size_t i = 0; i < opened.size(); ++i) {
    maps.push_back(make_map(std::move(opened[i]), std::move(opened_times[i])));
    for (std::size_t j = 0; j < i; ++j) {
      if (maps[j]->name != maps[i]->name) continue;
      throw InputError(maps[i]->reference, "would be a second map called " + maps[i]->name,
                       "give one of the files another name");
    }
  }
  return maps;
}

}  // namespace bellmark::serve
