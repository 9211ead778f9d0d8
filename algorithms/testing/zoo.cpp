// Small graphs with every peculiarity that has broken a shortest-path program, and an oracle.
#include "algorithms/testing/zoo.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "graph/test_support.hpp"

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

/// Vertices that are discovered first over a long arc each, then improved again and again:
/// decrease-key all the way.
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

/// Distances are 40 at most. But the path of three long arcs from vertex 5 to 6 has fewer arcs than
/// the shortest one, and its length is 2 beyond 2^32. A label of 32 bits that wraps would win.
Graph wrapping() {
  constexpr Length kThird = 1'431'655'766;
  return both_ways(9, {{0, 1, 10},
                       {0, 2, 10},
                       {0, 3, 10},
                       {0, 4, 10},
                       {1, 5, 10},
                       {2, 6, 10},
                       {3, 7, 10},
                       {4, 8, 10},
                       {5, 7, kThird},
                       {7, 8, kThird},
                       {8, 6, kThird}});
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
      {"sums that wrap in 32 bits", wrapping()},
      {"just too wide", Graph::from_arcs(3, std::vector<Arc>{{0, 1, kLongest}, {1, 2, kLongest}})},
  };
  return graphs;
}

const std::vector<ZooGraph>& negative_zoo() {
  const auto from = [](Vertex vertex_count, const std::vector<Arc>& arcs) {
    return Graph::from_arcs(vertex_count, arcs);
  };
  static const std::vector<ZooGraph> graphs = {
      {"negative arc", from(3, {{0, 1, 5}, {0, 2, 3}, {1, 2, -4}})},
      {"negative arcs only", from(4, {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}, {0, 3, -2}})},
      {"negative arc back to the source", from(3, {{0, 1, 4}, {1, 2, 1}, {2, 0, -5}})},
      {"a cycle of length 0 with a negative arc",
       from(4, {{0, 1, 2}, {1, 2, -3}, {2, 1, 3}, {2, 3, -1}})},
      {"negative cycle", from(5, {{0, 1, 1}, {1, 2, 2}, {2, 3, -4}, {3, 1, 1}, {3, 4, 7}})},
      {"negative cycle through the source", from(3, {{0, 1, 1}, {1, 2, 1}, {2, 0, -3}})},
      {"negative cycle out of reach", from(5, {{0, 1, -2}, {2, 3, 1}, {3, 2, -2}, {3, 1, -9}})},
      {"negative cycle behind a long way", from(9, {{0, 1, 1},
                                                    {1, 2, 1},
                                                    {2, 3, 1},
                                                    {3, 4, 1},
                                                    {4, 5, 1},
                                                    {5, 6, 1},
                                                    {6, 7, 1},
                                                    {7, 8, 1},
                                                    {8, 7, -2}})},
      {"negative self loop", from(3, {{0, 1, 1}, {1, 1, -1}, {1, 2, 1}})},
      {"one vertex, one negative loop", from(1, {{0, 0, -1}})},
      {"parallel arcs, one negative", from(3, {{0, 1, 4}, {0, 1, -4}, {0, 1, 0}, {1, 2, 1}})},
      {"parallel arcs that make a negative cycle",
       from(2, {{0, 1, 3}, {1, 0, -2}, {1, 0, 5}, {1, 0, -4}})},
      {"a negative edge both ways", both_ways(3, {{0, 1, 3}, {1, 2, -1}})},
      {"two negative cycles",
       from(5, {{0, 1, 1}, {1, 2, -3}, {2, 1, 2}, {0, 3, 1}, {3, 4, 2}, {4, 3, -3}})},
      {"long negative cycle",
       from(7, {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 5, 0}, {5, 6, 0}, {6, 0, -1}})},
      {"lengths furthest below 0",
       from(4, {{0, 1, kLeastLength}, {1, 2, kLeastLength}, {2, 3, kLeastLength}})},
      {"a cycle of the extreme lengths", from(2, {{0, 1, kLongest}, {1, 0, kLeastLength}})},
      {"a cycle furthest below 0", from(2, {{0, 1, kLeastLength}, {1, 0, kLeastLength}})},
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

Graph small_random_negative_graph(std::uint64_t seed) {
  const Graph graph = small_random_graph(seed);
  std::mt19937_64 draw(~seed);
  constexpr std::uint64_t kOneIn[] = {1, 2, 8, 40};
  const std::uint64_t one_in = kOneIn[draw() % std::size(kOneIn)];
  const bool by_potentials = draw() % 2 == 0;
  std::vector<Length> potentials;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    potentials.push_back(static_cast<Length>(draw() % 1'000));
  }
  std::vector<Arc> arcs;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      Length length = graph.length(e) % 1'000'000'000;
      if (by_potentials) {
        length += potentials[u] - potentials[v];
      } else if (draw() % one_in == 0) {
        length = -length;
      }
      arcs.push_back({u, v, length});
    }
  }
  return Graph::from_arcs(graph.vertex_count(), arcs);
}

std::vector<std::vector<Distance>> oracle_matrix(const Graph& graph) {
  // Along a negative cycle sums fall ever faster: they stop here, far below any path's.
  constexpr Distance kFloor = -(Distance{1} << 60);
  const std::size_t n = graph.vertex_count();
  std::vector<std::vector<Distance>> matrix(n, std::vector<Distance>(n, kUnreached));
  for (Vertex u = 0; u < n; ++u) {
    matrix[u][u] = 0;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      Distance& shortest = matrix[u][graph.heads()[e]];
      shortest = std::min(shortest, Distance{graph.length(e)});
    }
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        if (matrix[u][via] == kUnreached || matrix[via][v] == kUnreached) continue;
        const Distance through = std::max(kFloor, matrix[u][via] + matrix[via][v]);
        matrix[u][v] = std::min(matrix[u][v], through);
      }
    }
  }
  std::vector<bool> on_cycle(n);
  for (std::size_t v = 0; v < n; ++v) on_cycle[v] = matrix[v][v] < 0;
  for (std::vector<Distance>& row : matrix) {
    bool reaches = false;
    for (std::size_t v = 0; v < n; ++v) reaches = reaches || (on_cycle[v] && row[v] != kUnreached);
    if (reaches) row.clear();
  }
  return matrix;
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

std::vector<Level> oracle_levels(const Graph& graph, Vertex source) {
  std::vector<Level> levels(graph.vertex_count(), kNoLevel);
  std::vector<Vertex> queue = {source};
  levels[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Vertex u = queue[i];
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (levels[v] != kNoLevel) continue;
      levels[v] = levels[u] + 1;
      queue.push_back(v);
    }
  }
  return levels;
}

Graph both_ways(const Graph& graph) {
  std::vector<Arc> arcs = arcs_of(graph);
  const std::size_t count = arcs.size();
  for (std::size_t i = 0; i < count; ++i) {
    arcs.push_back({arcs[i].head, arcs[i].tail, arcs[i].length});
  }
  return Graph::from_arcs(graph.vertex_count(), arcs);
}

std::vector<Bfs::Query> all_roots(const Graph& graph) {
  std::vector<Bfs::Query> queries;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) queries.push_back({v});
  return queries;
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
