// p2p/alt beyond right answers: bounds never exceed distances, landmarks reach every component, and
// a work area that is used again is as good as new.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/alt/landmarks.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "graph/generate.hpp"

namespace bellmark::alt {
namespace {

using P2pWorkload = detail::WorkloadOf<P2p>;
using testing::bound_variant;

TEST(P2pAlt, QueriesInARowEqualFreshOnes) {
  for (const char* formula : {"random:n=400,m=700,lengths=uniform:0..50,seed=5",
                              "random:n=300,m=1500,lengths=uniform:0..3,seed=6",
                              "grid:rows=20,columns=30,lengths=uniform:1..1000,seed=7"}) {
    const Graph graph = make_graph(formula);
    P2pWorkload workload(
        graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 200, .seed = 3}));
    for (const char* name : {"p2p/alt", "p2p/alt:distance=64", "p2p/alt:landmarks=1",
                             "p2p/alt:landmarks=3,active=8"}) {
      const auto reused = bound_variant(name, workload);
      RunContext context;
      reused->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        reused->run(query, 1, context);
        ASSERT_EQ(reused->certify(query), std::nullopt) << formula << " " << name << " " << query;
      }
    }
  }
}

TEST(Landmarks, BoundsAreConsistent) {
  for (const char* formula : {"random:n=200,m=300,lengths=uniform:0..9,seed=2",
                              "random:n=200,m=900,lengths=uniform:0..100,seed=3",
                              "grid:rows=10,columns=15,lengths=uniform:0..5,seed=4"}) {
    const Graph graph = make_graph(formula);
    alt::Landmarks<std::uint32_t> landmarks;
    landmarks.prepare(graph, 8);
    for (Vertex target = 0; target < graph.vertex_count(); ++target) {
      for (std::size_t i = 0; i < landmarks.count(); ++i) {
        const auto at = [&](Vertex v) {
          return alt::least_distance(landmarks.row(v)[i], landmarks.row(target)[i]);
        };
        ASSERT_EQ(at(target), 0U);
        for (Vertex u = 0; u < graph.vertex_count(); ++u) {
          for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
            const std::uint32_t ahead = at(graph.heads()[e]);
            if (ahead == landmarks.kInfinite) continue;  // no way to the target that way
            ASSERT_NE(at(u), landmarks.kInfinite) << formula;
            ASSERT_LE(at(u), graph.length(e) + std::uint64_t{ahead}) << formula;
          }
        }
      }
    }
  }
}

TEST(Landmarks, EveryComponentGetsOne) {
  const std::vector<Arc> arcs = {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}, {4, 5, 1}, {5, 4, 1}};
  const Graph graph = Graph::from_arcs(6, arcs);
  alt::Landmarks<std::uint32_t> landmarks;
  landmarks.prepare(graph, 3);
  for (Vertex v = 0; v < 6; ++v) {
    std::size_t reached = 0;
    for (std::size_t i = 0; i < 3; ++i) reached += landmarks.row(v)[i].from != landmarks.kInfinite;
    EXPECT_EQ(reached, 1U) << v;
  }
}

}  // namespace
}  // namespace bellmark::alt
