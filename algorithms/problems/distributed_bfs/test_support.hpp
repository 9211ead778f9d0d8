// The common part of tests of distributed searches: ranks that are threads, graphs that reach over
// several pieces, and whole answers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/thread_ranks.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/problems/distributed_bfs/problem.hpp"

namespace bellmark::testing {

/// A graph of up to 1,200 vertices, so that up to 19 pieces have some: loops, parallel arcs,
/// vertices alone. It has few or many edges, by seed.
inline Graph scattered_graph(std::uint32_t seed, bool symmetric) {
  std::mt19937 random(seed);
  const auto n = static_cast<Vertex>(1 + random() % 1200);
  const auto edge_count = n * (1 + random() % 3) / 2;
  const auto vertex = [&] { return static_cast<Vertex>(random() % n); };
  std::vector<Arc> arcs;
  for (std::uint64_t e = 0; e < edge_count; ++e) {
    const Vertex u = vertex();
    const Vertex v = random() % 16 == 0 ? u : vertex();
    for (std::uint32_t copies = random() % 8 == 0 ? 2 : 1; copies > 0; --copies) {
      arcs.push_back({u, v, 1});
      if (symmetric && u != v) arcs.push_back({v, u, 1});
    }
  }
  return Graph::from_arcs(n, arcs);
}

/// This rank's part of a whole answer.
inline DistributedBfs::Answer part_of(const Bfs::Answer& whole,
                                      const distributed_bfs::DistributedGraph& graph) {
  const bfs::VertexRange piece = graph.partition().piece(graph.ranks().rank());
  DistributedBfs::Answer part{&graph.ranks(), piece, {}, {}};
  part.levels.assign(whole.levels.begin() + piece.begin, whole.levels.begin() + piece.end);
  part.predecessors.assign(whole.predecessors.begin() + piece.begin,
                           whole.predecessors.begin() + piece.end);
  return part;
}

/// Levels by a queue and, of the neighbours a level above, the one with the lowest number.
inline Bfs::Answer oracle_answer(const Graph& graph, Vertex source) {
  Bfs::Answer answer = {oracle_levels(graph, source),
                        std::vector<Vertex>(graph.vertex_count(), kNoVertex)};
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    if (answer.levels[u] == kNoLevel) continue;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (answer.predecessors[v] == kNoVertex && answer.levels[v] == answer.levels[u] + 1) {
        answer.predecessors[v] = u;
      }
    }
  }
  return answer;
}

/// Runs all queries with one variant, at this rank: each answer goes through the certificate and
/// has the oracle's levels. With `work` each run is counted there. Returns the phase log of the
/// last run.
inline PhaseLog expect_right_answers(const std::string& variant, const Graph& graph,
                                     const std::vector<Vertex>& sources, Communicator& ranks,
                                     bool instrumented = false, SearchWork* work = nullptr) {
  std::vector<DistributedBfs::Query> queries;
  queries.reserve(sources.size());
  for (const Vertex source : sources) queries.push_back({source});
  detail::WorkloadOf<DistributedBfs> workload(distributed_bfs::DistributedGraph::of(graph, ranks),
                                              queries);
  const auto selections = Registry::global().select(variant);
  EXPECT_EQ(selections.size(), 1U) << variant;
  if (selections.size() != 1) return {};
  Settings resolved;
  const auto bound = find_instance(selections[0], workload, resolved).bind(workload, resolved);
  RunContext context;
  context.set_instrumented(instrumented);
  context.set_work(work);
  bound->prepare(context);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    bound->run(query, 1, context);
    const auto expected = part_of(oracle_answer(graph, sources[query]), workload.input);
    EXPECT_EQ(bound->certify(query), std::nullopt) << variant << ", query " << query;
    EXPECT_EQ(bound->digest(query), DistributedBfs::digest(expected)) << variant;
  }
  return bound->phase_log();
}

}  // namespace bellmark::testing
