// p2p/dijkstra beyond right answers: a work area that is used again and again is as good as new,
// and the search stops at its target.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::dijkstra {
namespace {

using P2pWorkload = detail::WorkloadOf<P2p>;

std::unique_ptr<BoundVariant> bind(const Selection& selection, P2pWorkload& workload) {
  Settings resolved;
  return find_instance(selection, workload, resolved).bind(workload, resolved);
}

/// One-way streets leave parts unreachable, so that searches of all sizes follow one another.
Graph sparse_graph() { return make_graph("random:n=400,m=700,lengths=uniform:0..50,seed=5"); }

TEST(P2pDijkstra, ThousandQueriesInARowEqualFreshOnes) {
  const Graph graph = sparse_graph();
  P2pWorkload workload(
      graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 1000, .seed = 3}));
  std::vector<Selection> selections;
  for (const char* pattern :
       {"p2p/dijkstra", "p2p/dijkstra:queue=heap-dynamic", "p2p/dijkstra:vertices=soa,arcs=soa",
        "p2p/dijkstra:width=64", "p2p/yasui2011:2-heap",
        "p2p/dijkstra:queue=*,levels=*,caliber=*,records=*"}) {
    const auto found = Registry::global().select(pattern);
    selections.insert(selections.end(), found.begin(), found.end());
  }
  EXPECT_GT(selections.size(), 8u);
  for (const Selection& selection : selections) {
    const std::string pattern = selection.name();
    const auto reused = bind(selection, workload);
    RunContext context;
    reused->prepare(context);
    for (std::size_t query = 0; query < workload.query_count(); ++query) {
      reused->run(query, 1, context);
      const auto fresh = bind(selection, workload);
      fresh->prepare(context);
      fresh->run(query, 1, context);
      ASSERT_EQ(reused->digest(query), fresh->digest(query)) << pattern << " query " << query;
      ASSERT_EQ(reused->certify(query), std::nullopt) << pattern << " query " << query;
    }
  }
}

/// Short searches on a large graph: their remains are forgotten vertex by vertex, held ones
/// included, though the buckets by far outnumber the vertices.
TEST(P2pDijkstra, ShortSearchesLeaveNothingBehind) {
  const Graph graph = make_graph("random:n=5000,m=20000,lengths=uniform:0..100000,seed=9");
  const auto distances = testing::oracle_distances(graph, 17);
  std::vector<Vertex> nearest(graph.vertex_count());
  std::iota(nearest.begin(), nearest.end(), 0u);
  std::sort(nearest.begin(), nearest.end(),
            [&](Vertex a, Vertex b) { return distances[a] < distances[b]; });
  std::vector<P2p::Query> queries;
  for (std::size_t i = 0; i < 60; ++i) {
    queries.push_back({17, nearest[i * i % 100]});
    queries.push_back({static_cast<Vertex>(i * 83 % 5000), nearest[i]});
  }
  P2pWorkload workload(graph, queries);
  for (const Selection& selection :
       Registry::global().select("p2p/dijkstra:queue=*,levels=*,caliber=*,records=*")) {
    const auto variant = bind(selection, workload);
    RunContext context;
    variant->prepare(context);
    for (std::size_t query = 0; query < workload.query_count(); ++query) {
      variant->run(query, 1, context);
      ASSERT_EQ(variant->certify(query), std::nullopt) << selection.name() << " query " << query;
      if (query % 2 != 0) continue;
      ASSERT_EQ(variant->digest(query), P2p::digest({distances[queries[query].target], {}}))
          << selection.name() << " query " << query;
    }
  }
}

struct Counts : Recorder {
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    (name == "settled_count" ? settled : reached) = value;
  }
  void end() override {}
  std::uint64_t settled = 0;
  std::uint64_t reached = 0;
};

TEST(P2pDijkstra, StopsWhenTheTargetIsScanned) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < 100; ++v) arcs.push_back({v, v + 1, 1});
  P2pWorkload workload(Graph::from_arcs(100, arcs), {{0, 9}, {0, 0}, {99, 0}});
  const auto selections = Registry::global().select("p2p/dijkstra");
  const auto variant = bind(selections.at(0), workload);
  Counts counts;
  RunContext context(&counts);
  variant->prepare(context);
  variant->run(0, 1, context);
  EXPECT_EQ(counts.settled, 10u);
  EXPECT_EQ(counts.reached, 10u);
  variant->run(1, 1, context);
  EXPECT_EQ(counts.settled, 1u);
  variant->run(2, 1, context);
  EXPECT_EQ(counts.settled, 1u);
}

/// With every queue: all vertices that can be reached, then the answer that there is no path.
TEST(P2pDijkstra, UnreachableTargetsCostWhatWasSearched) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < 50; ++v) arcs.push_back({v, v + 1, static_cast<Length>(v % 3)});
  P2pWorkload workload(Graph::from_arcs(60, arcs), {{10, 55}, {55, 10}, {10, 12}});
  for (const Selection& selection :
       Registry::global().select("p2p/dijkstra:queue=*,levels=*,caliber=*,records=*")) {
    const auto variant = bind(selection, workload);
    Counts counts;
    RunContext context(&counts);
    variant->prepare(context);
    variant->run(0, 1, context);
    EXPECT_EQ(counts.settled, 40u) << selection.name();
    EXPECT_EQ(counts.reached, 40u) << selection.name();
    EXPECT_EQ(variant->certify(0), std::nullopt) << selection.name();
    EXPECT_EQ(variant->digest(0), P2p::digest({kUnreached, {}})) << selection.name();
    variant->run(1, 1, context);
    EXPECT_EQ(counts.settled, 1u) << selection.name();
    variant->run(2, 1, context);
    EXPECT_EQ(variant->digest(2), P2p::digest({2 + 1, {}})) << selection.name();
  }
}

}  // namespace
}  // namespace bellmark::dijkstra
