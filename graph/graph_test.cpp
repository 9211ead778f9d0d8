#include "graph/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <random>
#include <tuple>

#include "graph/dimacs.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

constexpr std::uint64_t kUnreached = std::numeric_limits<std::uint64_t>::max();

/// The oracle: Dijkstra's algorithm with lazy deletion.
std::vector<std::uint64_t> distances_from(const Graph& graph, Vertex source) {
  using Entry = std::pair<std::uint64_t, Vertex>;
  std::vector<std::uint64_t> distances(graph.vertex_count(), kUnreached);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distances[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [distance, u] = queue.top();
    queue.pop();
    if (distance != distances[u]) continue;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      const std::uint64_t through = distance + static_cast<std::uint64_t>(graph.length(e));
      if (through < distances[v]) {
        distances[v] = through;
        queue.emplace(through, v);
      }
    }
  }
  return distances;
}

/// Properties straight from their definitions.
GraphProperties slow_properties(const Graph& graph) {
  GraphProperties properties{true, true, 0, 0};
  std::map<std::tuple<Vertex, Vertex, Length>, std::int64_t> surplus;
  std::vector<Arc> arcs = arcs_of(graph);
  for (const Arc& arc : arcs) {
    ++surplus[{arc.tail, arc.head, arc.length}];
    --surplus[{arc.head, arc.tail, arc.length}];
  }
  for (const auto& [arc, count] : surplus) properties.symmetric &= count == 0;
  for (std::size_t i = 1; i < arcs.size(); ++i) {
    if (arcs[i].tail == arcs[i - 1].tail && arcs[i].head < arcs[i - 1].head) {
      properties.sorted_rows = false;
    }
  }
  std::ranges::sort(arcs, {}, &Arc::length);
  if (!arcs.empty()) {
    properties.least_length = arcs.front().length;
    properties.largest_length = arcs.back().length;
  }
  return properties;
}

/// Few vertices and lengths, so that loops, parallel arcs, zeros and symmetry all occur.
std::vector<Arc> random_arcs(std::mt19937& random, Vertex vertex_count) {
  std::vector<Arc> arcs;
  const bool both_ways = random() % 2 == 0;
  for (unsigned i = random() % 8; i > 0; --i) {
    const Arc arc{static_cast<Vertex>(random() % vertex_count),
                  static_cast<Vertex>(random() % vertex_count), static_cast<Length>(random() % 3)};
    arcs.push_back(arc);
    if (both_ways) arcs.push_back({arc.head, arc.tail, arc.length});
  }
  std::ranges::shuffle(arcs, random);
  return arcs;
}

TEST(Graph, RowsKeepTheOrderOfTheArcs) {
  const std::vector<Arc> arcs = {{2, 0, 5}, {0, 2, 1}, {2, 2, 0}, {0, 1, 7}, {2, 0, 3}};
  const Graph graph = Graph::from_arcs(4, arcs);
  EXPECT_EQ(arcs_of(graph),
            (std::vector<Arc>{{0, 2, 1}, {0, 1, 7}, {2, 0, 5}, {2, 2, 0}, {2, 0, 3}}));
  EXPECT_EQ(graph.vertex_count(), 4U);
  EXPECT_EQ(graph.properties(), (GraphProperties{false, false, 0, 7}));
}

TEST(Graph, EmptyGraphsAreGraphs) {
  const Graph none = Graph::from_arcs(0, {});
  EXPECT_EQ(none.vertex_count(), 0U);
  EXPECT_EQ(none.row_offsets().size(), 1U);
  EXPECT_EQ(none.content_digest(), Graph().content_digest());
  EXPECT_EQ(distance_bound(none).value, 0U);
  EXPECT_EQ(distance_bound(Graph()).value, 0U);
  EXPECT_NO_THROW(verify_graph(none, "none"));
  EXPECT_NO_THROW(verify_graph(Graph(), "default"));
  const Graph isolated = Graph::from_arcs(3, {});
  EXPECT_EQ(isolated.vertex_count(), 3U);
  EXPECT_EQ(isolated.properties(), (GraphProperties{true, true, 0, 0}));
  EXPECT_NE(isolated.content_digest(), none.content_digest());
}

TEST(Graph, RejectsImpossibleArcs) {
  const auto build = [](Arc arc) {
    const std::vector<Arc> arcs = {{0, 1, 1}, arc};
    return error_of([&] { Graph::from_arcs(2, arcs); });
  };
  EXPECT_EQ(build({2, 0, 1}),
            "arc 1: tail 2 is not below the vertex count 2; vertices count from 0");
  EXPECT_EQ(build({0, 9, 1}),
            "arc 1: head 9 is not below the vertex count 2; vertices count from 0");
  EXPECT_EQ(build({0, 1, kLeastLength - 1}),
            "arc 1: length -2147483648 is out of range; lengths are -2147483647 or more");
  EXPECT_EQ(error_of([] {
              Graph::from_arcs(2, {}, {{1, 2}});
            }),
            "coordinates: 1 given for 2 vertices; give one for each vertex, or none");
}

TEST(Graph, PropertiesAgreeWithTheirDefinitions) {
  std::mt19937 random(1);
  int symmetric = 0;
  for (int round = 0; round < 5000; ++round) {
    const auto vertex_count = static_cast<Vertex>(1 + random() % 4);
    std::vector<Arc> arcs = random_arcs(random, vertex_count);
    if (round % 2 == 0) {
      for (Arc& arc : arcs) arc.length -= 2;
    }
    const Graph graph = Graph::from_arcs(vertex_count, arcs);
    const GraphProperties expected = slow_properties(graph);
    ASSERT_EQ(graph.properties(), expected);
    ASSERT_EQ(find_properties(graph.row_offsets(), graph.heads(), graph.lengths()), expected);
    ASSERT_NO_THROW(verify_graph(graph, "random"));
    symmetric += expected.symmetric ? 1 : 0;
  }
  EXPECT_GT(symmetric, 1000);
  EXPECT_LT(symmetric, 4000);
}

TEST(Graph, LengthsMayBeNegative) {
  const std::vector<Arc> arcs = {{0, 1, -3}, {1, 0, -3}, {0, 0, kLeastLength}};
  const Graph graph = Graph::from_arcs(2, arcs);
  EXPECT_EQ(graph.properties(), (GraphProperties{true, false, kLeastLength, -3}));
  EXPECT_EQ(find_properties(graph.row_offsets(), graph.heads(), graph.lengths()),
            graph.properties());
  EXPECT_NO_THROW(verify_graph(graph, "negative"));
  EXPECT_FALSE(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 3}, {1, 0, -3}}).properties().symmetric);
}

TEST(Graph, SymmetryCountsParallelArcs) {
  EXPECT_TRUE(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 1}, {0, 1, 1}, {1, 0, 1}, {1, 0, 1}})
                  .properties()
                  .symmetric);
  EXPECT_FALSE(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 1}, {0, 1, 2}, {1, 0, 1}, {1, 0, 1}})
                   .properties()
                   .symmetric);
}

TEST(Graph, DigestTellsContentApart) {
  const std::vector<Arc> arcs = {{0, 1, 4}, {1, 2, 5}};
  const std::string digest = Graph::from_arcs(3, arcs).content_digest();
  EXPECT_EQ(digest.size(), 32U);
  EXPECT_EQ(Graph::from_arcs(3, arcs, {{1, 1}, {2, 2}, {3, 3}}).content_digest(), digest);
  EXPECT_NE(Graph::from_arcs(4, arcs).content_digest(), digest);
  EXPECT_NE(Graph::from_arcs(3, std::vector<Arc>{{0, 1, 4}, {1, 2, 6}}).content_digest(), digest);
  EXPECT_NE(Graph::from_arcs(3, std::vector<Arc>{{0, 2, 4}, {1, 2, 5}}).content_digest(), digest);
  EXPECT_NE(Graph::from_arcs(3, std::vector<Arc>{{0, 1, 4}, {0, 2, 5}}).content_digest(), digest);
}

TEST(Graph, CoordinatesShareTheOtherArrays) {
  Graph graph = with_coordinates(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 9}}), {});
  EXPECT_TRUE(graph.coordinates().empty());
  graph = with_coordinates(graph, {{-5, 6}, {7, -8}});
  EXPECT_EQ(graph.heads().front(), 1U);
  EXPECT_EQ(graph.coordinates()[1], (Coordinate{7, -8}));
  EXPECT_THROW(with_coordinates(graph, {{1, 1}}), InputError);
}

TEST(Graph, DistanceBoundsHold) {
  std::mt19937 random(2);
  std::map<std::string, int> rules;
  for (int round = 0; round < 3000; ++round) {
    const auto vertex_count = static_cast<Vertex>(1 + random() % 6);
    std::vector<Arc> arcs = random_arcs(random, vertex_count);
    for (Arc& arc : arcs) arc.length *= 1000;
    const Graph graph = Graph::from_arcs(vertex_count, arcs);
    const DistanceBound bound = distance_bound(graph);
    ++rules[bound.rule];
    for (Vertex source = 0; source < vertex_count; ++source) {
      for (const std::uint64_t distance : distances_from(graph, source)) {
        if (distance != kUnreached) {
          ASSERT_LE(distance, bound.value) << bound.rule;
        }
      }
    }
  }
  EXPECT_GT(rules["(n-1)*C"], 500);
  EXPECT_GT(rules["2*tree-eccentricity, symmetric"], 500);
}

/// The longest path has the largest absolute length. A symmetric graph's trees prove nothing.
TEST(Graph, DistanceBoundOfNegativeLengths) {
  const auto bound = [](std::vector<Arc> arcs) {
    return distance_bound(Graph::from_arcs(4, arcs));
  };
  EXPECT_EQ(bound({{0, 1, 5}, {1, 2, -7}}).value, 21U);
  EXPECT_EQ(bound({{0, 1, -2}, {1, 2, -2}}).value, 6U);
  EXPECT_EQ(bound({{0, 1, -2}, {1, 0, -2}}).rule, "(n-1)*C");
  EXPECT_EQ(bound({{0, 1, kLeastLength}}).value, 3 * std::uint64_t{2147483647});
}

TEST(Graph, DistanceBoundSurvivesTheLargestLengths) {
  constexpr Length kMost = std::numeric_limits<Length>::max();
  const Graph chain = Graph::from_arcs(3, std::vector<Arc>{{0, 1, kMost}, {1, 2, kMost}});
  EXPECT_EQ(distance_bound(chain).value, 2 * std::uint64_t{kMost});
}

TEST(Graph, VerifyFindsEveryKindOfDamage) {
  const std::vector<Offset> offsets = {0, 2, 3};
  const std::vector<Vertex> heads = {0, 1, 0};
  const std::vector<Length> lengths = {3, 4, 5};
  const GraphProperties properties{false, true, 3, 5};
  const auto verify = [](const std::vector<Offset>& o, const std::vector<Vertex>& h,
                         const std::vector<Length>& l, GraphProperties p,
                         const std::string& digest = {}) {
    Graph graph = Graph::adopt(nullptr, o, h, l, {}, p);
    graph.set_recorded_digest(digest);
    const std::string error = error_of([&] { verify_graph(graph, "file"); });
    return error.substr(0, error.find(';'));
  };
  EXPECT_EQ(verify(offsets, heads, lengths, properties), "(no error)");
  EXPECT_EQ(verify({1, 2, 3}, heads, lengths, properties),
            "file: row offsets run from 1 to 3, not from 0 to the arc count 3");
  EXPECT_EQ(verify({0, 9, 3}, heads, lengths, properties),
            "file: row offset 2 is below the one before it");
  EXPECT_EQ(verify(offsets, {0, 2, 0}, lengths, properties),
            "file: head 2 of arc 1 is not below the vertex count 2");
  EXPECT_EQ(verify(offsets, heads, {3, 4}, properties), "file: 2 lengths for 3 arcs");
  EXPECT_EQ(verify(offsets, heads, {3, kLeastLength - 1, 5}, properties),
            "file: length -2147483648 of arc 1 is below -2147483647");
  EXPECT_EQ(verify(offsets, heads, lengths, {true, true, 3, 5}),
            "file: property 'symmetric' is stated as 1 but is 0");
  EXPECT_EQ(verify(offsets, heads, lengths, {false, false, 3, 5}),
            "file: property 'sorted rows' is stated as 0 but is 1");
  EXPECT_EQ(verify(offsets, heads, lengths, {false, true, 2, 5}),
            "file: the least length is stated as 2 but is 3");
  EXPECT_EQ(verify(offsets, heads, lengths, {false, true, 3, 6}),
            "file: the largest length is stated as 6 but is 5");
  EXPECT_NE(verify(offsets, heads, lengths, properties, std::string(32, '0')), "(no error)");
  EXPECT_EQ(verify({}, heads, lengths, properties), "file: arcs without row offsets");
}

TEST(Graph, EdgeListDegreesAreOneAVertexAndCheckable) {
  const Graph plain = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 4}, {1, 0, 4}, {2, 2, 1}});
  EXPECT_TRUE(plain.edge_list_degrees().empty());
  // The edge twice, a loop at 1, the loop at 2.
  const Graph graph = with_edge_list_degrees(plain, {2, 4, 2});
  EXPECT_NO_THROW(verify_graph(graph, "list"));
  EXPECT_EQ(edge_list_edge_count(graph), 4U);
  EXPECT_EQ(graph.content_digest(), plain.content_digest()) << "no search depends on them";
  const Graph placed = with_coordinates(graph, {{1, 2}, {3, 4}, {5, 6}});
  EXPECT_TRUE(std::ranges::equal(placed.edge_list_degrees(), graph.edge_list_degrees()));
  const Graph again = with_edge_list_degrees(placed, {1, 1, 2});
  EXPECT_EQ(again.coordinates().size(), 3U);
  EXPECT_EQ(again.edge_list_degrees()[1], 1U);
  EXPECT_TRUE(with_edge_list_degrees(graph, {}).edge_list_degrees().empty());
  EXPECT_EQ(error_of([&] {
              with_edge_list_degrees(plain, {2, 4});
            }),
            "edge-list degrees: 2 given for 3 vertices; give one for each vertex, or none");
  const auto fault = [&](std::vector<std::uint32_t> degrees) {
    const Graph wrong = Graph::adopt(nullptr, plain.row_offsets(), plain.heads(), plain.lengths(),
                                     {}, plain.properties(), degrees);
    const std::string error = error_of([&] { verify_graph(wrong, "file"); });
    return error.substr(0, error.find(';'));
  };
  EXPECT_EQ(fault({2, 4, 2}), "(no error)");
  EXPECT_EQ(fault({2, 4}), "file: 2 edge-list degrees for 3 vertices");
  EXPECT_EQ(fault({2, 0, 2}), "file: the edge-list degree of vertex 1 is 0, but 1 arcs leave it");
  EXPECT_EQ(fault({2, 4, 3}),
            "file: the edge-list degrees add up to an odd number, 9: each edge has two ends");
}

TEST(Graph, WithoutLengthsEveryArcIsOne) {
  const std::vector<Offset> offsets = {0, 1, 2};
  const std::vector<Vertex> heads = {1, 0};
  const GraphProperties properties = find_properties(offsets, heads, {});
  EXPECT_EQ(properties, (GraphProperties{true, true, 1, 1}));
  const Graph graph = Graph::adopt(nullptr, offsets, heads, {}, {}, properties);
  EXPECT_FALSE(graph.has_lengths());
  EXPECT_EQ(graph.length(1), 1);
  EXPECT_EQ(distance_bound(graph).value, 1U);
  EXPECT_NO_THROW(verify_graph(graph, "unit"));
}

struct RoadSums {
  std::string id;
  std::uint64_t largest;
  std::uint64_t sum;
};

TEST(Graph, TransposedTurnsEveryArcRound) {
  const std::vector<Arc> arcs = {{0, 1, 5}, {2, 1, 7}, {1, 0, 3}, {1, 1, 0}, {0, 1, 2}};
  const Graph turned = transposed(Graph::from_arcs(3, arcs));
  EXPECT_EQ(std::vector(turned.row_offsets().begin(), turned.row_offsets().end()),
            (std::vector<Offset>{0, 1, 5, 5}));
  EXPECT_EQ(std::vector(turned.heads().begin(), turned.heads().end()),
            (std::vector<Vertex>{1, 0, 0, 1, 2}));
  EXPECT_EQ(std::vector(turned.lengths().begin(), turned.lengths().end()),
            (std::vector<Length>{3, 5, 2, 0, 7}));
  EXPECT_EQ(transposed(Graph()).vertex_count(), 0U);
}

TEST(Graph, NewYorkHasTheKnownDistances) {
  for (const RoadSums& road : {RoadSums{"dimacs:USA-road-d.NY", 1'440'081, 186'686'642'878},
                               RoadSums{"dimacs:USA-road-t.NY", 1'916'421, 233'812'473'957}}) {
    const Graph graph = open_graph(road.id);
    EXPECT_EQ(graph.vertex_count(), 264'346U);
    EXPECT_EQ(graph.arc_count(), 733'846U);
    EXPECT_EQ(graph.coordinates().size(), 264'346U);
    EXPECT_TRUE(graph.properties().symmetric);
    EXPECT_NO_THROW(verify_graph(graph, road.id));
    const std::vector<std::uint64_t> distances = distances_from(graph, 0);
    std::uint64_t sum = 0;
    for (const std::uint64_t distance : distances) sum += distance;
    EXPECT_EQ(*std::ranges::max_element(distances), road.largest);
    EXPECT_EQ(sum, road.sum);
    EXPECT_GE(distance_bound(graph).value, road.largest);
    EXPECT_EQ(distance_bound(graph).rule, "2*tree-eccentricity, symmetric");
  }
}

}  // namespace
}  // namespace bellmark
