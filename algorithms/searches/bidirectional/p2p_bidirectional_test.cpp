// p2p/bidirectional beyond right answers: a work area that is used again is as good as new, and two
// searches settle fewer vertices than one.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "graph/generate.hpp"

namespace bellmark::bidirectional {
namespace {

using P2pWorkload = detail::WorkloadOf<P2p>;
using testing::bound_variant;

void expect_as_good_as_new(const std::string& name, const std::string& formula) {
  const Graph graph = make_graph(formula);
  P2pWorkload workload(
      graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 500, .seed = 3}));
  const auto reused = bound_variant(name, workload);
  RunContext context;
  reused->prepare(context);
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    reused->run(query, 1, context);
    const auto fresh = bound_variant(name, workload);
    fresh->prepare(context);
    fresh->run(query, 1, context);
    ASSERT_EQ(reused->digest(query), fresh->digest(query)) << name << " query " << query;
    ASSERT_EQ(reused->certify(query), std::nullopt) << name << " query " << query;
  }
}

TEST(P2pBidirectional, QueriesInARowEqualFreshOnes) {
  for (const char* name : {"p2p/bidirectional", "p2p/bidirectional:distance=64"}) {
    expect_as_good_as_new(name, "random:n=400,m=700,lengths=uniform:0..50,seed=5");
    expect_as_good_as_new(name, "random:n=300,m=1500,lengths=uniform:0..3,seed=6");
    expect_as_good_as_new(name, "grid:rows=20,columns=30,lengths=uniform:1..1000,seed=7");
  }
}

TEST(P2pBidirectional, ToItselfIsNoWay) {
  const Graph graph = make_graph("grid:rows=5,columns=5,seed=1");
  P2pWorkload workload(graph, P2p::make_queries(graph, {.kind = "list", .list = {7, 7, 7, 8}}));
  const auto variant = bound_variant("p2p/bidirectional", workload);
  RunContext context;
  variant->prepare(context);
  for (std::size_t query = 0; query < 2; ++query) {
    variant->run(query, 1, context);
    EXPECT_EQ(variant->certify(query), std::nullopt);
  }
}

}  // namespace
}  // namespace bellmark::bidirectional
