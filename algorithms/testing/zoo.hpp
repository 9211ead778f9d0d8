// Small graphs with every peculiarity that has broken a shortest-path program, and an oracle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark::testing {

struct ZooGraph {
  std::string name;
  Graph graph;
};

/// At least one vertex each, at most a few dozen; no negative lengths.
const std::vector<ZooGraph>& zoo();

/// The same with negative lengths: with and without negative cycles, reached or not.
const std::vector<ZooGraph>& negative_zoo();

/// A graph of 1..40 vertices with self loops, parallel arcs and, by seed, zero or large lengths.
Graph small_random_graph(std::uint64_t seed);

/// The same with negative lengths: by seed a few, many or all, or made by potentials, so that no
/// cycle is negative.
Graph small_random_negative_graph(std::uint64_t seed);

/// Distances by Bellman-Ford: shares nothing with any variant or certificate. Empty where the
/// source reaches a negative cycle. O(n m).
std::vector<Distance> oracle_distances(const Graph& graph, Vertex source);

/// The same from every source, by Floyd and Warshall: an oracle of another kind. O(n^3).
std::vector<std::vector<Distance>> oracle_matrix(const Graph& graph);

/// Levels by a queue, kNoLevel where no path leads: shares nothing with any variant or certificate.
/// O(n + m).
std::vector<Level> oracle_levels(const Graph& graph, Vertex source);

/// The same graph with an opposite arc to each arc.
Graph both_ways(const Graph& graph);

/// Every vertex as source; every pair of vertices.
std::vector<Sssp::Query> all_sources(const Graph& graph);
std::vector<Bfs::Query> all_roots(const Graph& graph);
std::vector<P2p::Query> all_pairs(const Graph& graph);

}  // namespace bellmark::testing
