// Small graphs with every peculiarity that has broken a shortest-path program, and an oracle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/p2p/problem.hpp"
#include "algorithms/sssp/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark::testing {

struct ZooGraph {
  std::string name;
  Graph graph;
};

/// At least one vertex each, at most a few dozen.
const std::vector<ZooGraph>& zoo();

/// A graph of 1..40 vertices with self loops, parallel arcs and, by seed, zero or large lengths.
Graph small_random_graph(std::uint64_t seed);

/// Distances by Bellman-Ford: shares nothing with any variant or certificate. Empty where the
/// source reaches a negative cycle. O(n m).
std::vector<Distance> oracle_distances(const Graph& graph, Vertex source);

/// Every vertex as source; every pair of vertices.
std::vector<Sssp::Query> all_sources(const Graph& graph);
std::vector<P2p::Query> all_pairs(const Graph& graph);

}  // namespace bellmark::testing
