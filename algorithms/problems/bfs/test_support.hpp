// The common part of tests of breadth-first searches: graphs with special shapes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/graph.hpp"

namespace bellmark::testing {

using BfsWorkload = detail::WorkloadOf<Bfs>;

/// A symmetric graph from undirected edges; a loop is one arc.
inline Graph from_edges(Vertex n, const std::vector<std::pair<Vertex, Vertex>>& edges) {
  std::vector<Arc> arcs;
  for (const auto& [u, v] : edges) {
    arcs.push_back({u, v, 1});
    if (u != v) arcs.push_back({v, u, 1});
  }
  return Graph::from_arcs(n, arcs);
}

/// A hub that all other vertices hang on.
inline Graph star_of(Vertex leaves) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex v = 1; v <= leaves; ++v) edges.push_back({0, v});
  return from_edges(leaves + 1, edges);
}

inline Graph chain_of(Vertex n) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
  return from_edges(n, edges);
}

/// Hubs with the same leaves, every edge twice, loops on all; and vertices apart, some of them
/// alone. The vertex count is no multiple of 64.
inline Graph hubs_and_crumbs() {
  constexpr Vertex kHubs = 5;
  constexpr Vertex kLeaves = 700;
  constexpr Vertex kAll = 1001;
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex leaf = kHubs; leaf < kHubs + kLeaves; ++leaf) {
    for (Vertex hub = 0; hub < kHubs; ++hub) {
      edges.push_back({hub * 190, kAll - 1 - leaf});
      edges.push_back({kAll - 1 - leaf, hub * 190});
    }
    edges.push_back({leaf, leaf});
  }
  for (Vertex v = kAll - 4; v + 1 < kAll; ++v) edges.push_back({v, v + 1});
  return from_edges(kAll, edges);
}

/// Runs all queries of `workload` with one variant: each answer goes through the certificate and
/// has the oracle's levels. Returns the phase log of the last run.
inline PhaseLog expect_right_levels(const std::string& variant, BfsWorkload& workload) {
  const auto selections = Registry::global().select(variant);
  EXPECT_EQ(selections.size(), 1U) << variant;
  if (selections.size() != 1) return {};
  Settings resolved;
  const auto bound = find_instance(selections[0], workload, resolved).bind(workload, resolved);
  RunContext context;
  bound->prepare(context);
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    bound->run(query, 1, context);
    Bfs::Answer expected;
    expected.levels = oracle_levels(workload.input, workload.queries[query].source);
    EXPECT_EQ(bound->certify(query), std::nullopt) << variant << ", query " << query;
    EXPECT_EQ(bound->digest(query), Bfs::digest(expected)) << variant << ", query " << query;
    if (::testing::Test::HasFailure()) break;
  }
  return bound->phase_log();
}

/// A column of a phase log.
inline std::vector<std::uint64_t> column(const PhaseLog& log, const std::string& name) {
  std::vector<std::uint64_t> values;
  for (std::size_t c = 0; c < log.columns.size(); ++c) {
    if (log.columns[c] != name) continue;
    for (std::size_t phase = 0; phase < log.phase_count(); ++phase) {
      values.push_back(log.values[phase * log.columns.size() + c]);
    }
  }
  return values;
}

}  // namespace bellmark::testing
