// Boost.Graph's Dijkstra in its fastest form: the yardstick for our own.
//
// It is compressed_sparse_row_graph with 32-bit vertices and arc indices. Lengths, distances and
// predecessors are plain arrays behind iterator_property_map. Every argument is given, so that
// nothing is searched for or copied on the way. Distances are 32-bit when distance_bound() allows
// it, with plain addition, which then can't overflow.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>
#include <boost/graph/iteration_macros.hpp>
#include <boost/property_map/property_map.hpp>
#include <boost/version.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::boost_dijkstra {

struct ArcLength {
  std::uint32_t length;
};

using BoostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, ArcLength,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

/// Both versions of the library: with a map of vertex colours, or with the distance as a sign of a
/// vertex's state. One search after the other on one graph.
template <bool color_map, class Distance>
class Search {
 public:
  static constexpr Distance kInfinite = std::numeric_limits<Distance>::max();

  void prepare(const Graph& graph, RunContext& context) {
    const auto offsets = graph.row_offsets();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    std::vector<ArcLength> lengths;
    arcs.reserve(graph.arc_count());
    lengths.reserve(graph.arc_count());
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
        arcs.emplace_back(u, graph.heads()[e]);
        lengths.push_back({static_cast<std::uint32_t>(graph.length(e))});
      }
    }
    graph_ = BoostGraph(boost::edges_are_sorted, arcs.begin(), arcs.end(), lengths.begin(),
                        graph.vertex_count());
    distances_.assign(graph.vertex_count(), kInfinite);
    predecessors_.assign(graph.vertex_count(), 0);
    if (color_map) colors_.assign(graph.vertex_count(), boost::white_color);
    const std::uint64_t n = graph.vertex_count();
    context.account("arcs", 4 * (n + 1) + 8 * graph.arc_count());
    // The library allocates a place in the heap (8 bytes a vertex) at every search. The entries of
    // its heap, one vertex each, are not counted.
    const std::uint64_t vertex_bytes =
        sizeof(Distance) + 4 + 8 + (color_map ? sizeof(boost::default_color_type) : 0);
    context.account("vertices", n * vertex_bytes);
  }

  template <class Visitor>
  void run(Vertex source, Visitor visitor) {
    const auto index = get(boost::vertex_index, graph_);
    const auto distances = boost::make_iterator_property_map(distances_.data(), index);
    const auto predecessors = boost::make_iterator_property_map(predecessors_.data(), index);
    const auto lengths = get(&ArcLength::length, graph_);
    if constexpr (color_map) {
      boost::dijkstra_shortest_paths(graph_, source, predecessors, distances, lengths, index,
                                     std::less<Distance>(), std::plus<Distance>(), kInfinite,
                                     Distance{0}, visitor,
                                     boost::make_iterator_property_map(colors_.data(), index));
    } else {
      boost::dijkstra_shortest_paths_no_color_map(
          graph_, source, predecessors, distances, lengths, index, std::less<Distance>(),
          std::plus<Distance>(), kInfinite, Distance{0}, visitor);
    }
  }

  std::span<const Distance> distances() const { return distances_; }
  /// A vertex's own id where it has no predecessor: the library's convention.
  std::span<const std::uint32_t> predecessors() const { return predecessors_; }

 private:
  BoostGraph graph_;
  std::vector<Distance> distances_;
  std::vector<std::uint32_t> predecessors_;
  std::vector<boost::default_color_type> colors_;  // 4 % faster than the library's two-bit map
};

/// A visitor that counts the events of a search, in runs that nobody times. `Visitor` ends the
/// search or does nothing.
template <class Visitor>
struct Counting : Visitor {
  Counting(Visitor visitor, Tally& counted) : Visitor(visitor), tally(&counted) {}

  template <class AnyGraph>
  void examine_vertex(Vertex vertex, const AnyGraph& graph) {
    Visitor::examine_vertex(vertex, graph);
    tally->scan();
  }
  template <class AnyArc, class AnyGraph>
  void examine_edge(AnyArc, const AnyGraph&) const {
    tally->relax();
  }
  template <class AnyArc, class AnyGraph>
  void edge_relaxed(AnyArc, const AnyGraph&) const {
    tally->lower();
  }

  Tally* tally;
};

inline Description describe(bool color_map, int distance_bits) {
  Description description;
  description.source = "Boost.Graph " + std::to_string(BOOST_VERSION / 100000) + "." +
                       std::to_string(BOOST_VERSION / 100 % 1000) + ", 4-ary indirect heap";
  description.keys = {
      word_key("color-map", "no", {"no", "yes"},
               "Version of dijkstra_shortest_paths: with a colour map, or without"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
  };
  description.instance = {{"color-map", color_map ? "yes" : "no"},
                          {"distance", std::to_string(distance_bits)}};
  description.needs = {Need::non_negative};
  return description;
}

/// `distance=auto` becomes 32 or 64 by the rule of our own Dijkstra. Throws InputError, also for a
/// graph whose arcs 32 bits can't count.
inline Settings resolve(const Settings& settings, const Graph& graph) {
  if (graph.arc_count() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("boost-dijkstra",
                     std::to_string(graph.arc_count()) + " arcs can't be counted in 32 bits",
                     "use a smaller graph, or our own dijkstra");
  }
  Settings resolved = settings;
  resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph));
  return resolved;
}

}  // namespace bellmark::boost_dijkstra
