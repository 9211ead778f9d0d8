// The stand-in for suzuki's map of Kanto against the paper's facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "graph/generate.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

struct Search {
  std::uint64_t phases = 0;
  std::uint64_t reached = 0;
};

/// Algorithms 1 to 3 of the paper, with a list of the updated vertices in place of a scan. A phase
/// relaxes the arcs of the vertices that the phase before updated, by the distances at its start.
/// It follows 150 million arcs on the map of Kanto, so this file is optimised.
Search search_in_phases(const Graph& graph, Vertex source) {
  struct State {
    std::int64_t distance;
    std::int64_t update;
  };
  constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::max();
  std::vector<State> states(graph.vertex_count(), {kUnreached, kUnreached});
  std::vector<Vertex> updated = {source};
  std::vector<Vertex> next;
  states[source] = {0, 0};
  Search search{0, 1};
  for (; !updated.empty(); ++search.phases) {
    next.clear();
    for (const Vertex u : updated) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        State& head = states[graph.heads()[e]];
        const std::int64_t through = states[u].distance + graph.lengths()[e];
        if (through >= head.update) continue;
        if (head.update == head.distance) next.push_back(graph.heads()[e]);
        head.update = through;
      }
    }
    for (const Vertex v : next) {
      if (states[v].distance == kUnreached) ++search.reached;
      states[v].distance = states[v].update;
    }
    updated.swap(next);
  }
  return search;
}

/// S1: Table 1 and Figure 3.
void expect_kanto_lengths(const Graph& graph) {
  double sum = 0;
  double squares = 0;
  std::array<double, 5> decades{};
  for (const Length l : graph.lengths()) {
    sum += l;
    squares += static_cast<double>(l) * l;
    ++decades[std::min<std::size_t>(4, static_cast<std::size_t>(std::log10(l)) - 1)];
  }
  const auto count = static_cast<double>(graph.arc_count());
  const double mean = sum / count;
  EXPECT_NEAR(mean, 83'666, 0.01 * 83'666);
  EXPECT_NEAR(std::sqrt(squares / count - mean * mean), 184'384, 0.01 * 184'384);
  EXPECT_GE(graph.properties().least_length, 10);
  EXPECT_LE(graph.properties().least_length, 11);
  EXPECT_LE(graph.properties().largest_length, 1'000'000);
  EXPECT_GT(graph.properties().largest_length, 990'000);
  for (const double decade : decades) EXPECT_NEAR(decade / count, 0.2, 0.01);
}

TEST(GenerateRoad, IsLikeTheMapOfKanto) {
  const Graph graph = make_graph("road:");
  EXPECT_EQ(graph.vertex_count(), 1'427'876U);
  EXPECT_EQ(graph.arc_count(), 4'584'822U);
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_TRUE(graph.properties().sorted_rows);
  expect_kanto_lengths(graph);
  const Stream sources(2, Stream::tails);
  for (std::uint64_t i = 0; i < 2; ++i) {
    const auto source = static_cast<Vertex>(sources.below(i, graph.vertex_count()));
    const Search search = search_in_phases(graph, source);
    EXPECT_EQ(search.reached, graph.vertex_count());
    EXPECT_GE(search.phases, 150U);
    EXPECT_LE(search.phases, 350U);
  }
}

TEST(GenerateRoad, MainRoadsAreConnected) {
  const Graph graph = make_graph("road-main:");
  EXPECT_NEAR(graph.vertex_count(), 310'000, 3'100);
  EXPECT_TRUE(graph.properties().symmetric);
  expect_kanto_lengths(graph);
  EXPECT_EQ(search_in_phases(graph, 0).reached, graph.vertex_count());
}

TEST(GenerateRoad, StreetsJoinNeighboursAndLinksReachFar) {
  constexpr std::int64_t kColumns = 100;
  const Graph graph = make_graph("road:n=9990,seed=4");
  ASSERT_EQ(graph.arc_count() % 2, 0U);
  EXPECT_EQ(graph.arc_count() / 2, 16'039U);  // 9990 * 2,292,411 / 1,427,876 = 16,038.6
  std::uint64_t links = 0;
  std::set<std::pair<Vertex, Vertex>> arcs;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      EXPECT_TRUE(arcs.emplace(u, v).second);
      const auto apart = [&](auto f) { return std::abs(f(std::int64_t{u}) - f(std::int64_t{v})); };
      const std::int64_t rows = apart([](std::int64_t w) { return w / kColumns; });
      const std::int64_t columns = apart([](std::int64_t w) { return w % kColumns; });
      EXPECT_GT(rows + columns, 0);
      if (rows + columns > 1) ++links;
    }
  }
  EXPECT_EQ(links, 2U * 256);  // 16 of 1000 edges
  EXPECT_EQ(search_in_phases(graph, 0).reached, graph.vertex_count());
}

TEST(GenerateRoad, MainRoadsAreAsLongAsInTheWholeMap) {
  const Graph whole = make_graph("road:n=100");
  const Graph main = make_graph("road-main:n=100");
  // Ten columns; lines 0 and 9 are arterial.
  std::vector<Vertex> places;
  for (Vertex v = 0; v < 100; ++v) {
    const auto arterial = [](Vertex line) { return line == 0 || line == 9; };
    if (arterial(v / 10) || arterial(v % 10)) places.push_back(v);
  }
  ASSERT_EQ(main.vertex_count(), places.size());
  for (Vertex u = 0; u < main.vertex_count(); ++u) {
    for (Offset e = main.row_offsets()[u]; e < main.row_offsets()[u + 1]; ++e) {
      Length found = -1;
      for (Offset f = whole.row_offsets()[places[u]]; f < whole.row_offsets()[places[u] + 1]; ++f) {
        if (whole.heads()[f] == places[main.heads()[e]]) found = whole.length(f);
      }
      EXPECT_EQ(found, main.length(e));
    }
  }
}

TEST(GenerateRoad, AnySizeIsConnectedAndExact) {
  for (std::uint64_t n = 100; n < 400; ++n) {
    const Graph graph = make_road(n, RoadExtent::whole, parse_lengths("unit"), n);
    EXPECT_EQ(graph.vertex_count(), n);
    EXPECT_EQ(graph.arc_count(), 2 * ((n * 2'292'411 + 713'938) / 1'427'876));
    EXPECT_EQ(search_in_phases(graph, 0).reached, n);
    const Graph main = make_road(n, RoadExtent::main, parse_lengths("unit"), n);
    EXPECT_EQ(search_in_phases(main, 0).reached, main.vertex_count());
  }
}

}  // namespace
}  // namespace bellmark
