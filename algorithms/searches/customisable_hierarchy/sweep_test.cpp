// Sweeps beyond right answers on small graphs (conformance_test.cpp): subtrees are apart, several
// threads sweep, one-way arcs, lengths of 0 and long ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/subtrees.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "algorithms/testing/right_distances.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::customisable_hierarchy {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

void expect_right(const std::string& keys, SsspWorkload& workload) {
  testing::expect_right_distances("sssp/customisable-hierarchy:" + keys, workload);
}

/// Some arcs only, so that there and back differ, and not every vertex is reached.
Graph one_way(const Graph& graph) {
  std::vector<bellmark::Arc> arcs;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if ((u * 7 + v * 13) % 4 != 0)
        arcs.push_back({u, v, graph.lengths()[e] + (u % 5 < v % 5 ? 3 : 0)});
    }
  }
  return Graph::from_arcs(graph.vertex_count(), arcs);
}

TEST(Subtrees, RunsAreWholeAndHaveTheirAncestorsAboveThem) {
  const Graph graph = make_graph("road:n=3000,seed=3");
  const Elimination tree = eliminate(graph, Limits::of(graph));
  for (const std::size_t count : {1, 2, 7, 64, 5000}) {
    const Subtrees made = make_subtrees(tree, count);
    std::vector<int> part(tree.vertex_count(), -1);
    for (std::size_t run = 0; run < made.runs.size(); ++run) {
      const auto [first, end] = made.runs[run];
      ASSERT_LT(first, end);
      ASSERT_LE(end - first, tree.vertex_count() / count + 1);
      for (Vertex v = first; v < end; ++v) {
        ASSERT_EQ(part[v], -1);
        part[v] = static_cast<int>(run);
      }
    }
    ASSERT_TRUE(std::ranges::is_sorted(made.top));
    std::size_t top_count = 0;
    for (Vertex v = 0; v < tree.vertex_count(); ++v) {
      top_count += part[v] == -1 ? 1 : 0;
      const Vertex above = tree.parent[v];
      if (above == kNoVertex) continue;
      ASSERT_TRUE(part[above] == -1 || part[above] == part[v]) << count << ": " << v;
    }
    ASSERT_EQ(top_count, made.top.size());
  }
}

TEST(SsspCustomisableHierarchy, ManyThreads) {
  for (const char* formula :
       {"random:n=300,m=500,lengths=uniform:1..50,seed=5",
        "random:n=60,m=1200,lengths=uniform:1..9,seed=8", "grid:rows=12,columns=20,lengths=unit",
        "road:n=500,seed=3", "chain:n=300,lengths=uniform:1..9,seed=2", "star:n=50"}) {
    SCOPED_TRACE(formula);
    const Graph made = make_graph(formula);
    for (const Graph& graph : {made, one_way(made)}) {
      std::vector<Sssp::Query> queries;
      for (Vertex source = 0; source < graph.vertex_count(); source += 17) {
        queries.push_back({source});
      }
      SsspWorkload workload(graph, queries);
      for (const char* keys : {"threads=1", "threads=2", "threads=5", "distance=64,threads=3"}) {
        expect_right(keys, workload);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(BfsCustomisableHierarchy, LevelsByManyThreads) {
  for (const char* formula :
       {"grid:rows=12,columns=20,lengths=uniform:0..9,seed=2", "road:n=500,seed=3"}) {
    const Graph made = make_graph(formula);
    for (const Graph& graph : {made, one_way(made)}) {
      detail::WorkloadOf<Bfs> workload(
          graph, {{0}, {graph.vertex_count() / 2}, {graph.vertex_count() - 1}});
      for (const char* keys : {"threads=1", "threads=4"}) {
        const auto bound =
            testing::bound_variant(std::string("bfs/customisable-hierarchy:") + keys, workload);
        RunContext context;
        bound->prepare(context);
        for (std::size_t query = 0; query < workload.query_count(); ++query) {
          bound->run(query, 1, context);
          ASSERT_EQ(bound->certify(query), std::nullopt) << formula << keys << " " << query;
          ASSERT_EQ(
              bound->digest(query),
              Bfs::digest({testing::oracle_levels(graph, workload.queries[query].source), {}}));
        }
      }
    }
  }
}

TEST(SsspCustomisableHierarchy, TreesApartAndVerticesAlone) {
  std::vector<bellmark::Arc> arcs;
  for (Vertex v = 0; v + 1 < 40; v += 2) {
    arcs.push_back({v, v + 1, 1 + static_cast<Length>(v)});
    if (v % 4 == 0) arcs.push_back({v + 1, v, 5});
  }
  const Graph graph = Graph::from_arcs(45, arcs);
  SsspWorkload workload(graph, testing::all_sources(graph));
  for (const char* keys : {"threads=1", "threads=4"}) expect_right(keys, workload);
}

TEST(SsspCustomisableHierarchy, LongLengthsTakeWideLabels) {
  const Graph graph =
      make_graph("grid:rows=20,columns=20,lengths=uniform:1000000000..2147483647,seed=3");
  SsspWorkload workload(graph, {{0}, {211}, {399}});
  expect_right("threads=2", workload);
  EXPECT_THROW(testing::bound_variant("sssp/customisable-hierarchy:distance=32", workload),
               InputError);
}

TEST(SsspCustomisableHierarchy, PredecessorsOverLengthsOfZeroMakeATree) {
  for (const char* formula : {"grid:rows=12,columns=15,lengths=uniform:0..1,seed=3",
                              "grid:rows=9,columns=9,lengths=uniform:0..0",
                              "random:n=80,m=300,lengths=uniform:0..2,seed=4",
                              "road:n=200,lengths=uniform:0..3,seed=3"}) {
    SCOPED_TRACE(formula);
    const Graph made = make_graph(formula);
    for (const Graph& graph : {made, one_way(made)}) {
      SsspWorkload workload(graph, {{0}, {graph.vertex_count() / 2}, {graph.vertex_count() - 1}});
      for (const char* keys : {"threads=1", "threads=3"}) expect_right(keys, workload);
    }
  }
  const Graph graph = make_graph("grid:rows=9,columns=9,lengths=uniform:0..1");
  SsspWorkload workload(graph, {{0}});
  EXPECT_THROW(testing::bound_variant("sssp/customisable-hierarchy:distance=32", workload),
               InputError);
}

}  // namespace
}  // namespace bellmark::customisable_hierarchy
