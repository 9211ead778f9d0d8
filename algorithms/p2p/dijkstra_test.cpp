// p2p/dijkstra beyond right answers: a work area that is used again and again stays as good as new,
// and the search stops at its target.
#include <gtest/gtest.h>

#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/p2p/problem.hpp"
#include "graph/generate.hpp"

namespace bellmark {
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
  for (const char* pattern :
       {"p2p/dijkstra", "p2p/dijkstra:queue=heap-dynamic", "p2p/dijkstra:vertices=soa",
        "p2p/dijkstra:width=64", "p2p/yasui2011:2-heap"}) {
    const auto selections = Registry::global().select(pattern);
    const auto reused = bind(selections.at(0), workload);
    RunContext context;
    reused->prepare(context);
    for (std::size_t query = 0; query < workload.query_count(); ++query) {
      reused->run(query, 1, context);
      const auto fresh = bind(selections.at(0), workload);
      fresh->prepare(context);
      fresh->run(query, 1, context);
      ASSERT_EQ(reused->digest(query), fresh->digest(query)) << pattern << " query " << query;
      ASSERT_EQ(reused->certify(query), std::nullopt) << pattern << " query " << query;
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

}  // namespace
}  // namespace bellmark
