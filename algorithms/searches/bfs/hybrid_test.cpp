// bfs/hybrid beyond right answers with one thread (conformance_test.cpp): both directions at every
// level, more threads than cores, hubs and chains. The tests look at remains of an earlier query,
// too, and at the rule by which it changes direction.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/searches/bfs/options.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::bfs {
namespace {

using testing::BfsWorkload;
using testing::column;
using testing::expect_right_levels;

constexpr const char* kFamily = "bfs/hybrid:";

/// Forced and free: a large alpha goes bottom-up at once, alpha 1 late; a large beta stays
/// bottom-up.
const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> keys = {
      "direction=top-down",
      "direction=bottom-up",
      "direction=hybrid",
      "direction=hybrid,alpha=1000000000,beta=1000000000",
      "direction=hybrid,alpha=1000000000,beta=1",
      "direction=hybrid,alpha=1,beta=1",
      "direction=hybrid,alpha=1,beta=1000000000",
  };
  return keys;
}

void expect_right_with_all_keys(const Graph& graph, std::vector<Bfs::Query> queries) {
  BfsWorkload workload(graph, std::move(queries));
  for (const std::string& keys : all_keys()) {
    if (!graph.properties().symmetric && keys != "direction=top-down") continue;
    for (const int threads : {1, 2, 5}) {
      expect_right_levels(kFamily + keys + ",threads=" + std::to_string(threads), workload);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(BfsHybrid, Zoo) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {{0}, {n / 2}, {n - 1}});
    if (HasFailure()) return;
  }
}

TEST(BfsHybrid, HubsChainsLoopsAndCrumbs) {
  expect_right_with_all_keys(testing::star_of(3000), {{0}, {17}, {3000}});
  expect_right_with_all_keys(testing::chain_of(200), {{0}, {150}});
  // The last query begins at a vertex without arcs: vertices that earlier searches reached are not
  // reached here.
  expect_right_with_all_keys(testing::hubs_and_crumbs(), {{0}, {1000}, {296}, {999}, {3}});
}

TEST(BfsHybrid, LargerGraphs) {
  for (const char* reference : {"kronecker:scale=12,seed=3", "grid:rows=30,columns=41,keep=0.8",
                                "random:n=5000,m=12000,seed=9"}) {
    SCOPED_TRACE(reference);
    const Graph graph = make_graph(reference);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {{0}, {n / 3}, {n - 1}, {0}});
    if (HasFailure()) return;
  }
}

TEST(BfsHybrid, ManyMoreThreadsThanCores) {
  BfsWorkload workload(make_graph("kronecker:scale=10,seed=2"), {{0}, {7}});
  expect_right_levels("bfs/hybrid:threads=70", workload);
}

TEST(BfsHybrid, PhaseLogSaysWhichWayEachLevelWent) {
  // A chain of 4 to a hub with 1000 leaves: 1003 edges.
  std::vector<std::pair<Vertex, Vertex>> edges = {{0, 1}, {1, 2}, {2, 3}};
  for (Vertex leaf = 4; leaf < 1004; ++leaf) edges.push_back({3, leaf});
  BfsWorkload workload(testing::from_edges(1004, edges), {{0}});
  for (const char* threads : {"1", "3"}) {
    const std::string suffix = std::string(",threads=") + threads;
    // The hub's 1001 arcs are more than 100. Its one vertex is less than 1004^2 / (14 * 1003), so
    // that nothing but the many leaves would keep the search bottom-up.
    const PhaseLog log = expect_right_levels("bfs/hybrid:alpha=10,beta=14" + suffix, workload);
    using Values = std::vector<std::uint64_t>;
    EXPECT_EQ(column(log, "bottom_up"), (Values{0, 0, 0, 1, 1}));
    EXPECT_EQ(column(log, "frontier_count"), (Values{1, 1, 1, 1, 1000}));
    EXPECT_EQ(column(log, "frontier_arc_count"), (Values{1, 2, 2, 1001, 1000}));
    EXPECT_EQ(column(log, "unvisited_count"), (Values{1003, 1002, 1001, 1000, 0}));
    const PhaseLog down = expect_right_levels("bfs/hybrid:direction=top-down" + suffix, workload);
    EXPECT_EQ(column(down, "bottom_up"), (Values{0, 0, 0, 0, 0}));
    const PhaseLog up = expect_right_levels("bfs/hybrid:direction=bottom-up" + suffix, workload);
    EXPECT_EQ(column(up, "bottom_up"), (Values{1, 1, 1, 1, 1}));
    EXPECT_EQ(column(up, "frontier_arc_count"), column(log, "frontier_arc_count"));
  }
}

// |V| = 1000 and |E| = 4000: up above 400 arcs, down below 1000^2 / (14 * 4000) = 17.86 vertices.
TEST(BfsHybrid, SwitchRuleIsThePapers) {
  const SwitchRule rule(10, 14, 1000, 8000);
  EXPECT_FALSE(rule.bottom_up(false, 999, 400));
  EXPECT_TRUE(rule.bottom_up(false, 1, 401));
  EXPECT_TRUE(rule.bottom_up(true, 18, 0));
  EXPECT_FALSE(rule.bottom_up(true, 17, 8000));
  const SwitchRule empty(10, 14, 5, 0);
  EXPECT_FALSE(empty.bottom_up(false, 1, 0));
}

TEST(BfsHybrid, NeedsASymmetricGraphUnlessAllIsTopDown) {
  const auto needs = [](const char* variant) {
    return Registry::global().select(variant).at(0).needs(Need::symmetric);
  };
  EXPECT_TRUE(needs("bfs/hybrid"));
  EXPECT_TRUE(needs("hiragushi2013:cpu-only"));
  EXPECT_TRUE(needs("bfs/hybrid:direction=bottom-up"));
  EXPECT_FALSE(needs("bfs/hybrid:direction=top-down"));
}

TEST(BfsLevels, OfATree) {
  const std::vector<Vertex> predecessors = {1, 2, kNoVertex, kNoVertex, 2, 0};
  EXPECT_EQ(levels_of(predecessors, 2), (std::vector<Level>{2, 1, 0, kNoLevel, 1, 3}));
}

TEST(BfsLevels, WhatHangsOnACycleHasNone) {
  const std::vector<Vertex> predecessors = {kNoVertex, 2, 1, 2, 0};
  EXPECT_EQ(levels_of(predecessors, 0), (std::vector<Level>{0, kNoLevel, kNoLevel, kNoLevel, 1}));
}

// A part of the matrix has its own numbers: rows 64..191 and columns 10..199 of a chain.
TEST(BfsLevels, WorkOnABlock) {
  const Block block(testing::chain_of(200), {64, 192}, {10, 200});
  std::vector<Word> visited(word_count(190));
  const std::vector<Vertex> frontier = {0, 127};  // vertices 64 and 191
  std::vector<Vertex> found;
  top_down<false>(block, frontier, visited, [&](Vertex v, Vertex) { found.push_back(v); });
  EXPECT_EQ(found, (std::vector<Vertex>{53, 55, 180, 182}));

  std::vector<Word> columns(word_count(190));
  insert<false>(columns, 90);   // vertex 100, between rows 35 and 37
  insert<false>(columns, 170);  // vertex 180, in a word that nobody asks for
  std::vector<Word> rows(2);
  std::vector<Word> next(2, ~Word{0});
  insert<false>(rows, 35);
  found.clear();
  bottom_up(block, 0, 1, columns, rows, next, [&](Vertex v, Vertex u) {
    EXPECT_EQ(u, 90U);
    found.push_back(v);
  });
  EXPECT_EQ(found, (std::vector<Vertex>{37}));
  EXPECT_EQ(rows, (std::vector<Word>{bit(35) | bit(37), 0}));
  EXPECT_EQ(next, (std::vector<Word>{bit(37), ~Word{0}}));
}

}  // namespace
}  // namespace bellmark::bfs
