// Small graphs with every peculiarity that has broken a shortest-path program, and an oracle.
#include "algorithms/test_variants/zoo.hpp"

#include <limits>
#include <random>

namespace bellmark::testing {
namespace {

constexpr Length kLongest = std::numeric_limits<Length>::max();

Graph both_ways(Vertex vertex_count, std::vector<Arc> edges) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) {
    edges.push_back({edges[i].head, edges[i].tail, edges[i].length});
  }
  return Graph::from_arcs(vertex_count, edges);
}

Graph star(Vertex leaves) {
  std::vector<Arc> edges;
  for (Vertex v = 1; v <= leaves; ++v) edges.push_back({0, v, static_cast<Length>(v % 7)});
  return both_ways(leaves + 1, edges);
}

Graph chain(Vertex vertex_count, Length length) {
  std::vector<Arc> edges;
  for (Vertex v = 1; v < vertex_count; ++v) edges.push_back({v - 1, v, length});
  return both_ways(vertex_count, edges);
}

Graph complete(Vertex vertex_count) {
  std::vector<Arc> arcs;
  for (Vertex u = 0; u < vertex_count; ++u) {
    for (Vertex v = 0; v < vertex_count; ++v) {
      if (u != v) arcs.push_back({u, v, static_cast<Length>((u * 31 + v * 17) % 23)});
    }
  }
  return Graph::from_arcs(vertex_count, arcs);
}

/// Discovered first over a long arc each, then improved again and again: decrease-key all the way.
Graph improving(Vertex vertex_count) {
  std::vector<Arc> arcs;
  for (Vertex u = 0; u < vertex_count; ++u) {
    for (Vertex v = u + 1; v < vertex_count; ++v) {
      arcs.push_back({u, v, static_cast<Length>((v - u) * (v - u))});
    }
  }
  return Graph::from_arcs(vertex_count, arcs);
}

Graph grid(Vertex rows, Vertex columns) {
  std::vector<Arc> edges;
  for (Vertex v = 0; v < rows * columns; ++v) {
    if (v % columns + 1 < columns) edges.push_back({v, v + 1, static_cast<Length>(v * 7 % 11)});
    if (v + columns < rows * columns) {
      edges.push_back({v, v + columns, static_cast<Length>(v * 5 % 13)});
    }
  }
  return both_ways(rows * columns, edges);
}

Graph without_lengths() {
  static const std::vector<Offset> offsets = {0, 2, 3, 4, 4};
  static const std::vector<Vertex> heads = {1, 2, 3, 3};
  return Graph::adopt(nullptr, offsets, heads, {}, {}, find_properties(offsets, heads, {}));
}

}  // namespace

const std::vector<ZooGraph>& zoo() {
  static const std::vector<ZooGraph> graphs = {
      {"one vertex", Graph::from_arcs(1, {})},
      {"one vertex, one loop", Graph::from_arcs(1, std::vector<Arc>{{0, 0, 3}})},
      {"no arcs", Graph::from_arcs(5, {})},
      {"self loops",
       Graph::from_arcs(3,
                        std::vector<Arc>{{0, 0, 0}, {0, 1, 4}, {1, 1, 9}, {1, 2, 1}, {2, 2, 0}})},
      {"parallel arcs",
       Graph::from_arcs(3,
                        std::vector<Arc>{{0, 1, 9}, {0, 1, 2}, {0, 1, 5}, {1, 2, 3}, {1, 2, 3}})},
      {"zero lengths", chain(6, 0)},
      {"zero cycle",
       Graph::from_arcs(5,
                        std::vector<Arc>{{0, 1, 2}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {3, 4, 0}})},
      {"zero cycle out of reach",
       Graph::from_arcs(4, std::vector<Arc>{{0, 1, 1}, {2, 3, 0}, {3, 2, 0}, {2, 1, 0}})},
      {"disconnected", both_ways(7, {{0, 1, 3}, {1, 2, 4}, {4, 5, 1}})},
      {"one way", Graph::from_arcs(4, std::vector<Arc>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}})},
      {"star", star(40)},
      {"chain", chain(40, 11)},
      {"complete", complete(24)},
      {"improving", improving(36)},
      {"grid", grid(6, 7)},
      {"without lengths", without_lengths()},
      {"largest length that 32-bit distances hold", chain(2, kLongest)},
      {"distances of 33 bits", chain(4, kLongest)},
      {"distances of 36 bits", chain(33, kLongest)},
      {"just too wide", Graph::from_arcs(3, std::vector<Arc>{{0, 1, kLongest}, {1, 2, kLongest}})},
  };
  return graphs;
}

Graph small_random_graph(std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  const auto n = static_cast<Vertex>(1 + draw() % 40);
  const std::uint64_t arc_count = draw() % (4 * std::uint64_t{n} + 1);
  constexpr std::uint64_t kSpreads[] = {1, 3, 100, 1'000'000, std::uint64_t{kLongest} + 1};
  const std::uint64_t spread = kSpreads[draw() % std::size(kSpreads)];
  const bool symmetric = draw() % 2 == 0;
  std::vector<Arc> arcs;
  for (std::uint64_t i = 0; i < arc_count; ++i) {
    arcs.push_back({static_cast<Vertex>(draw() % n), static_cast<Vertex>(draw() % n),
                    static_cast<Length>(draw() % spread)});
  }
  return symmetric ? both_ways(n, arcs) : Graph::from_arcs(n, arcs);
}

std::vector<Distance> oracle_distances(const Graph& graph, Vertex source) {
  std::vector<Distance> distances(graph.vertex_count(), kUnreached);
  distances[source] = 0;
  // Paths of at most i arcs are known after round i: a change in round n needs a cycle.
  bool changed = true;
  for (Vertex round = 1; changed; ++round) {
    if (round > graph.vertex_count()) return {};
    changed = false;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      if (distances[u] == kUnreached) continue;
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        const Distance through = distances[u] + graph.length(e);
        if (through < distances[graph.heads()[e]]) {
          distances[graph.heads()[e]] = through;
          changed = true;
        }
      }
    }
  }
  return distances;
}

std::vector<Sssp::Query> all_sources(const Graph& graph) {
  std::vector<Sssp::Query> queries;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) queries.push_back({v});
  return queries;
}

std::vector<P2p::Query> all_pairs(const Graph& graph) {
  std::vector<P2p::Query> queries;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Vertex v = 0; v < graph.vertex_count(); ++v) queries.push_back({u, v});
  }
  return queries;
}

}  // namespace bellmark::testing
