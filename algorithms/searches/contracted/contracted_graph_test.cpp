// The graph that is left without its leaves and chains: it stands for the whole.
#include "algorithms/searches/contracted/contracted_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::contracted {
namespace {

constexpr std::uint32_t kLongest = std::numeric_limits<Length>::max();

/// Arcs both ways, a longer one back.
Graph graph_of(Vertex n, const std::vector<std::pair<Vertex, Vertex>>& edges) {
  std::vector<Arc> arcs;
  for (const auto& [u, v] : edges) {
    arcs.push_back({u, v, 2});
    arcs.push_back({v, u, 3});
  }
  return Graph::from_arcs(n, arcs);
}

/// Vertices that the core's search meets: in no chain and no tree.
Vertex core_count(const ContractedGraph& contracted) {
  return contracted.core().vertex_count() -
         static_cast<Vertex>(contracted.between().size() + contracted.hanging().size());
}

TEST(ContractedGraph, TreesHangFromTheirRoots) {
  // Three crossings, each with two ways to the next; 6 and 7 hang from 0, 8 from 7.
  const Graph graph = graph_of(9, {{0, 1},
                                   {1, 2},
                                   {2, 0},
                                   {0, 3},
                                   {3, 1},
                                   {1, 4},
                                   {4, 2},
                                   {2, 5},
                                   {5, 0},
                                   {0, 6},
                                   {0, 7},
                                   {7, 8}});
  const ContractedGraph contracted(graph, kLongest);
  EXPECT_EQ(core_count(contracted), 3U);
  EXPECT_EQ(contracted.chains().size(), 3U);
  ASSERT_EQ(contracted.hanging().size(), 3U);
  ASSERT_TRUE(contracted.hangs(8));
  const Hanging& leaf = contracted.hanging()[contracted.hanging_index(8)];
  EXPECT_EQ(leaf.vertex, 8U);
  EXPECT_EQ(leaf.parent, 7U);
  EXPECT_EQ(leaf.down, 2U);
  EXPECT_EQ(leaf.up, 3U);
  EXPECT_LT(contracted.hanging_index(7), contracted.hanging_index(8));
  EXPECT_FALSE(contracted.hangs(0) || contracted.is_between(0));
  EXPECT_TRUE(contracted.is_between(3));
  EXPECT_EQ(contracted.core().arc_count(), 6U) << "the way over a chain is the longer one";
  EXPECT_EQ(contracted.longest_step(), 6U);
}

TEST(ContractedGraph, ShapesWithoutACrossing) {
  EXPECT_EQ(ContractedGraph(Graph(), kLongest).core().vertex_count(), 0U);
  EXPECT_EQ(core_count(ContractedGraph(graph_of(2, {}), kLongest)), 2U);
  const ContractedGraph path(graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}), kLongest);
  EXPECT_EQ(path.hanging().size(), 4U);
  const ContractedGraph circle(graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}), kLongest);
  EXPECT_EQ(core_count(circle), 1U);
  ASSERT_EQ(circle.chains().size(), 1U);
  EXPECT_EQ(circle.chains()[0].tail, circle.chains()[0].head);
  EXPECT_EQ(circle.chains()[0].ahead + circle.chains()[0].behind, 5U * 5U);
  EXPECT_EQ(circle.core().arc_count(), 0U) << "a loop is on no shortest path";
}

TEST(ContractedGraph, AChainIsArrivedByFromBothEnds) {
  const Graph graph = make_graph("road:n=500,seed=4");
  const ContractedGraph contracted(graph, kLongest);
  ASSERT_GT(contracted.chains().size(), 10U);
  ASSERT_EQ(contracted.arrivals().size(), 2 * contracted.chains().size());
  for (const Chain& chain : contracted.chains()) {
    const auto count_of = [&](Vertex end, Vertex other, std::uint32_t length, std::uint32_t last) {
      return std::ranges::count_if(contracted.arrivals(), [&](const Arrival& arrival) {
        return arrival.vertex == end && arrival.other == other && arrival.length == length &&
               arrival.last == contracted.between()[last].vertex;
      });
    };
    EXPECT_GE(count_of(chain.head, chain.tail, chain.ahead, chain.end - 1), 1);
    EXPECT_GE(count_of(chain.tail, chain.head, chain.behind, chain.first), 1);
  }
}

TEST(ContractedGraph, OneWayStreetsStay) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < 9; ++v) arcs.push_back({v, (v + 1) % 9, 1});
  arcs.push_back({0, 9, 4});
  const ContractedGraph contracted(Graph::from_arcs(10, arcs), kLongest);
  EXPECT_EQ(core_count(contracted), 10U);
  EXPECT_EQ(contracted.core().arc_count(), 10U);
}

TEST(ContractedGraph, LoopsAndParallelArcsCountOnce) {
  const std::vector<Arc> arcs = {{0, 0, 1}, {0, 1, 9}, {0, 1, 4}, {1, 0, 5}, {1, 0, 7}};
  const ContractedGraph contracted(Graph::from_arcs(2, arcs), kLongest);
  ASSERT_EQ(contracted.hanging().size(), 1U);
  const Hanging& leaf = contracted.hanging()[0];
  EXPECT_EQ(leaf.down + leaf.up, 9U);
}

TEST(ContractedGraph, NoChainIsLongerThanAsked) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex v = 0; v < 100; ++v) edges.emplace_back(v, (v + 1) % 100);
  const Graph graph = graph_of(100, edges);
  for (const std::uint32_t longest : {0U, 2U, 3U, 5U, 6U, 7U, 50U, 299U}) {
    const ContractedGraph contracted(graph, longest);
    for (const Chain& chain : contracted.chains()) {
      EXPECT_LE(chain.ahead, longest);
      EXPECT_LE(chain.behind, longest);
    }
    EXPECT_EQ(!contracted.between().empty(), longest >= 6) << longest;
  }
}

TEST(ContractedGraph, EachComponentHasItsPart) {
  // By number: a circle with a leaf and one with a crossing in turns, and 9 alone.
  const Graph graph = graph_of(15, {{0, 2},
                                    {2, 4},
                                    {4, 0},
                                    {4, 6},
                                    {1, 3},
                                    {3, 5},
                                    {5, 1},
                                    {5, 7},
                                    {7, 8},
                                    {8, 5},
                                    {8, 10},
                                    {11, 12},
                                    {12, 13},
                                    {13, 14}});
  const ContractedGraph contracted(graph, kLongest);
  std::size_t chain_count = 0;
  std::size_t hanging_count = 0;
  for (const std::vector<Vertex>& members :
       std::vector<std::vector<Vertex>>{{0, 2, 4, 6}, {1, 3, 5, 7, 8, 10}, {11, 12, 13, 14}, {9}}) {
    const Component part = contracted.component_of(members[0]);
    const auto is_member = [&](Vertex v) { return std::ranges::count(members, v) == 1; };
    for (const Vertex v : members) {
      EXPECT_EQ(contracted.component_of(v).chain_end, part.chain_end);
      EXPECT_EQ(contracted.component_of(v).hanging_end, part.hanging_end);
    }
    for (std::uint32_t i = part.chain_begin; i < part.chain_end; ++i) {
      EXPECT_TRUE(is_member(contracted.chains()[i].tail));
    }
    for (std::uint32_t i = part.between_begin; i < part.between_end; ++i) {
      EXPECT_TRUE(is_member(contracted.between()[i].vertex));
    }
    const auto arrivals = contracted.arrivals().subspan(
        2 * std::size_t{part.chain_begin}, 2 * std::size_t{part.chain_end - part.chain_begin});
    EXPECT_TRUE(std::ranges::is_sorted(arrivals, {}, &Arrival::vertex));
    for (const Arrival& arrival : arrivals) EXPECT_TRUE(is_member(arrival.vertex));
    for (std::uint32_t i = part.hanging_begin; i < part.hanging_end; ++i) {
      EXPECT_TRUE(is_member(contracted.hanging()[i].vertex));
    }
    chain_count += part.chain_end - part.chain_begin;
    hanging_count += part.hanging_end - part.hanging_begin;
  }
  EXPECT_EQ(chain_count, contracted.chains().size());
  EXPECT_EQ(hanging_count, contracted.hanging().size());
  EXPECT_GT(chain_count, 1U);
}

TEST(ContractedGraph, CoreDistancesStay) {
  for (const char* formula :
       {"grid:rows=15,columns=20,keep=0.6,lengths=uniform:0..9,seed=3",
        "random:n=200,m=260,lengths=uniform:0..9,seed=4", "road:n=600,seed=5"}) {
    const Graph graph = make_graph(formula);
    const ContractedGraph contracted(graph, 40);
    Vertex compared = 0;
    for (Vertex source = 0; source < graph.vertex_count() && compared < 5; ++source) {
      if (contracted.hangs(source) || contracted.is_between(source)) continue;
      ++compared;
      const auto whole = testing::oracle_distances(graph, source);
      const auto core = testing::oracle_distances(contracted.core(), source);
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        if (contracted.hangs(v) || contracted.is_between(v)) continue;
        ASSERT_EQ(core[v], whole[v]) << formula << " " << source << " " << v;
      }
    }
    EXPECT_EQ(compared, 5U);
  }
}

}  // namespace
}  // namespace bellmark::contracted
