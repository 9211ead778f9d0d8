// sssp/owned-regions beyond right answers on small graphs (conformance_test.cpp): owners, mailboxes
// that fill up, every window, and many searches in a row by several threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/owned_regions/mailbox.hpp"
#include "algorithms/searches/owned_regions/regions.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "algorithms/testing/right_distances.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::owned_regions {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

void expect_right(const std::string& keys, SsspWorkload& workload) {
  testing::expect_right_distances("sssp/owned-regions:" + keys, workload);
}

TEST(Regions, EveryThreadGetsItsPart) {
  const Graph grid = make_graph("grid:rows=100,columns=100");
  const std::vector<Owner> owners = deal_regions(grid, 64, 4);
  std::vector<std::size_t> sizes(4);
  for (const Owner owner : owners) ++sizes.at(owner);
  for (const std::size_t size : sizes) EXPECT_NEAR(static_cast<double>(size), 2500, 250);
  EXPECT_LT(crossing_count(grid, owners), grid.arc_count() / 5);
  EXPECT_EQ(crossing_count(grid, deal_regions(grid, 64, 1)), 0U);
}

TEST(Regions, ShapesWithoutArcs) {
  EXPECT_TRUE(deal_regions(Graph(), 8, 4).empty());
  EXPECT_EQ(deal_regions(Graph::from_arcs(3, {}), 8, 2).size(), 3U);
}

TEST(Mailbox, IsFullUntilItIsTaken) {
  Mailbox<int> box;
  for (std::size_t i = 0; i < Mailbox<int>::kCapacity; ++i)
    ASSERT_TRUE(box.put(static_cast<int>(i)));
  EXPECT_FALSE(box.put(-1));
  EXPECT_EQ(box.take([](int) {}, [](int) {}), 0U) << "nothing was published";
  EXPECT_EQ(box.unpublished(), Mailbox<int>::kCapacity);
  box.publish();
  int expected = 0;
  EXPECT_EQ(box.take([](int) {}, [&](int message) { EXPECT_EQ(message, expected++); }),
            Mailbox<int>::kCapacity);
  EXPECT_TRUE(box.put(-1));
}

TEST(OwnedRegions, Zoo) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    SsspWorkload workload(graph, {{0}, {n / 2}, {n - 1}});
    for (const char* threads : {"1", "2", "3", "8"}) {
      for (const char* keys : {"", ",window=0", ",contract=chains", ",distance=64,regions=1000",
                               ",distance=64,contract=chains"}) {
        expect_right("threads=" + std::string(threads) + keys, workload);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(OwnedRegions, LevelsOfTheZoo) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    detail::WorkloadOf<Bfs> workload(graph, {{0}, {graph.vertex_count() - 1}});
    for (const char* keys : {"threads=1,contract=chains", "threads=2", "threads=3,contract=chains",
                             "threads=2,delta=4,window=0"}) {
      const auto bound = testing::bound_variant(std::string("bfs/owned-regions:") + keys, workload);
      RunContext context;
      bound->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        bound->run(query, 1, context);
        ASSERT_EQ(bound->certify(query), std::nullopt) << keys;
      }
    }
  }
}

TEST(OwnedRegions, RandomGraphs) {
  const std::uint64_t count = std::getenv("BELLMARK_FULL") != nullptr ? 10'000 : 100;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    for (const Graph& graph : {testing::small_random_graph(seed),
                               testing::both_ways(testing::small_random_graph(seed))}) {
      SsspWorkload workload(graph, testing::all_sources(graph));
      expect_right("threads=2,regions=6,contract=chains", workload);
      expect_right("threads=3,regions=100,window=1", workload);
      if (HasFailure()) return;
    }
  }
}

/// Every arc crosses: with a region a vertex, mailboxes fill up.
TEST(OwnedRegions, MessagesThatFindNoRoom) {
  const Graph graph = make_graph("random:n=3000,m=60000,lengths=uniform:0..1000,seed=2");
  SsspWorkload workload(graph, {{0}, {1}, {2}});
  for (const char* keys : {"threads=2,regions=3000,window=1000000,delta=1024",
                           "threads=4,regions=3000,window=0,delta=1024"}) {
    expect_right(keys, workload);
  }
}

TEST(OwnedRegions, ManySearchesInARow) {
  const Graph graph = make_graph("road:n=3000,seed=3");
  std::vector<Sssp::Query> queries;
  for (Vertex i = 0; i < 150; ++i) queries.push_back({i * 19 % graph.vertex_count()});
  SsspWorkload workload(graph, queries);
  expect_right("threads=2,contract=chains", workload);
  expect_right("threads=4,regions=40", workload);
}

}  // namespace
}  // namespace bellmark::owned_regions
