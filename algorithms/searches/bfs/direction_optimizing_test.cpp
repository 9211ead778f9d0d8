// bfs/direction-optimizing beyond right answers with one thread (conformance_test.cpp): both
// orders, both directions at every level, shared levels of any size, wide row offsets.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/searches/bfs/cpu_search.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::bfs {
namespace {

using testing::BfsWorkload;
using testing::column;
using testing::expect_right_levels;

/// Bottom-up at once and for ever, in turns, and never but where all arcs leave the frontier.
constexpr const char* kRules[] = {"alpha=15,beta=4", "alpha=1000000000,beta=1000000000",
                                  "alpha=1000000000,beta=1", "alpha=1,beta=1"};

void expect_right_everywhere(const Graph& graph, std::vector<Bfs::Query> queries) {
  if (!graph.properties().symmetric) return;
  BfsWorkload workload(graph, std::move(queries));
  for (const char* order : {"as-given", "by-degree"}) {
    for (const char* rule : kRules) {
      for (const char* threads : {"threads=1", "threads=2,share-from=0", "threads=5,share-from=0",
                                  "threads=2,share-from=300"}) {
        const std::string keys = std::string("order=") + order + "," + rule + "," + threads;
        expect_right_levels("bfs/direction-optimizing:" + keys, workload);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(BfsDirectionOptimizing, Zoo) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    expect_right_everywhere(graph, {{0}, {n / 2}, {n - 1}});
    if (HasFailure()) return;
  }
}

TEST(BfsDirectionOptimizing, RandomGraphs) {
  int symmetric_count = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = testing::small_random_graph(seed);
    symmetric_count += graph.properties().symmetric ? 1 : 0;
    expect_right_everywhere(graph, {{0}, {graph.vertex_count() - 1}, {0}});
    if (HasFailure()) return;
  }
  EXPECT_GT(symmetric_count, 5);
}

TEST(BfsDirectionOptimizing, HubsChainsLoopsAndCrumbs) {
  expect_right_everywhere(testing::star_of(3000), {{0}, {17}, {3000}});
  expect_right_everywhere(testing::chain_of(200), {{0}, {150}});
  // Some have no arcs and, by degree, no number: vertices that earlier searches reached are not
  // reached here.
  expect_right_everywhere(testing::hubs_and_crumbs(), {{0}, {1000}, {296}, {999}, {3}, {1}, {0}});
}

TEST(BfsDirectionOptimizing, LargerGraphs) {
  for (const char* reference : {"kronecker:scale=12,seed=3", "grid:rows=30,columns=41,keep=0.8",
                                "kronecker:scale=11,edge-factor=2,seed=5"}) {
    SCOPED_TRACE(reference);
    const Graph graph = make_graph(reference);
    const Vertex n = graph.vertex_count();
    expect_right_everywhere(graph, {{0}, {n / 3}, {n - 1}, {0}});
    if (HasFailure()) return;
  }
}

TEST(BfsDirectionOptimizing, GraphsWithoutArcs) {
  for (const Vertex n : {1, 64, 65}) {
    expect_right_everywhere(Graph::from_arcs(n, {}), {{0}, {n - 1}});
    expect_right_everywhere(testing::from_edges(n, {{0, 0}}), {{0}, {n - 1}});
  }
}

// A graph with 2^32 arcs gets these.
TEST(BfsDirectionOptimizing, WideRowOffsets) {
  const Graph graph = make_graph("kronecker:scale=10,seed=4");
  BfsWorkload workload(graph, {{5}});
  for (const Order order : {Order::as_given, Order::by_degree}) {
    RunContext context;
    const Tuning tuning = {.thread_count = 2, .order = order, .alpha = 15, .beta = 4};
    CpuSearch<std::uint64_t, true> search(graph, tuning, context);
    search.run(5, false, nullptr);
    search.renumber();
    Bfs::Answer answer;
    search.extract(answer);
    EXPECT_EQ(workload.certificate.check({5}, answer), std::nullopt);
    EXPECT_EQ(answer.levels, testing::oracle_levels(graph, 5));
  }
}

TEST(BfsDirectionOptimizing, RowsByDegree) {
  // 1 is a hub with a loop; 0-1 twice; 4 has a loop alone.
  const Graph graph =
      testing::from_edges(6, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 3}, {4, 4}});
  const SearchRows<std::uint32_t> rows(graph, Order::by_degree);
  EXPECT_EQ(rows.vertex_count(), 4U);
  EXPECT_EQ(rows.arc_count(), 8U);
  EXPECT_EQ(rows.long_count(), 3U);
  EXPECT_EQ(rows.largest_degree(), 3U);
  const std::vector<Vertex> heads(rows.heads(), rows.heads() + rows.arc_count());
  EXPECT_EQ(heads, (std::vector<Vertex>{1, 2, 3, 0, 2, 0, 1, 0}));
  EXPECT_EQ(rows.numbering().original(0), 1U);
  EXPECT_EQ(rows.numbering().original(3), 0U);
  EXPECT_EQ(rows.number(2), 1U);
  EXPECT_EQ(rows.number(4), kNoVertex);
  EXPECT_EQ(rows.number(5), kNoVertex);

  const SearchRows<std::uint32_t> given(graph, Order::as_given);
  EXPECT_EQ(given.arc_count(), graph.arc_count());
  EXPECT_EQ(given.first_heads()[4], 4U);
  EXPECT_EQ(given.first_heads()[5], given.no_head());
  EXPECT_EQ(given.no_head(), 64U);
}

TEST(BfsDirectionOptimizing, AutoSeesHubs) {
  const auto order_of = [](const Graph& graph) {
    BfsWorkload workload(graph, {{0}});
    const auto selection = Registry::global().select("bfs/direction-optimizing").at(0);
    Settings resolved;
    find_instance(selection, workload, resolved);
    return resolved.get("order");
  };
  EXPECT_EQ(order_of(make_graph("kronecker:scale=10")), "by-degree");
  EXPECT_EQ(order_of(make_graph("grid:rows=20,columns=20")), "as-given");
}

TEST(BfsDirectionOptimizing, PhaseLogHasTimesWhereTheRunIsInstrumented) {
  using Values = std::vector<std::uint64_t>;
  std::vector<std::pair<Vertex, Vertex>> edges = {{0, 1}, {1, 2}, {2, 3}};
  for (Vertex leaf = 4; leaf < 1004; ++leaf) edges.push_back({3, leaf});
  BfsWorkload workload(testing::from_edges(1004, edges), {{0}});
  const PhaseLog log = expect_right_levels("bfs/direction-optimizing:alpha=10,beta=14", workload);
  EXPECT_EQ(log.columns,
            (std::vector<std::string>{"bottom_up", "frontier_count", "unvisited_count"}));
  EXPECT_EQ(column(log, "bottom_up"), (Values{0, 0, 0, 1, 1}));
  EXPECT_EQ(column(log, "frontier_count"), (Values{1, 1, 1, 1, 1000}));
  EXPECT_EQ(column(log, "unvisited_count"), (Values{1003, 1002, 1001, 1000, 0}));

  const auto selection = Registry::global().select("bfs/direction-optimizing").at(0);
  Settings resolved;
  const auto bound = find_instance(selection, workload, resolved).bind(workload, resolved);
  RunContext context;
  context.set_instrumented(true);
  bound->prepare(context);
  bound->run(0, 1, context);
  EXPECT_EQ(bound->phase_log().columns.back(), "host_ns");
  EXPECT_EQ(bound->phase_log().phase_count(), 5U);
}

}  // namespace
}  // namespace bellmark::bfs
