// Faults of ma2022, section 3.1.3, about closing many vertices at once, shown by the smallest
// graphs. They are the reason why sssp/dijkstra-rounds has another criterion than the text.
//
// In each round the text takes D = min (dist(u) + |u, v|) over open u and unopened v. It closes
// every open vertex with dist < D.
//   1. A vertex that is open already can still be improved by another open one. D has to go over
//      all v that are not closed, or a vertex is closed too early.
//   2. With an arc of length 0 at the nearest open vertex D is its very distance. Then dist < D
//      closes nothing, round after round. The text's worked example (Table 3-1) closes dist <= D.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithms/testing/zoo.hpp"

namespace bellmark::dijkstra_rounds {
namespace {

enum class Heads { unopened, not_closed };  ///< the v of the minimum
enum class Closes { below, up_to };         ///< dist < D, or dist <= D

/// The distances with which the rule ends; nothing when it stops making progress.
std::optional<std::vector<Distance>> distances_by(const Graph& graph, Vertex source, Heads heads,
                                                  Closes closes) {
  enum class State { unopened, open, closed };
  std::vector<State> states(graph.vertex_count(), State::unopened);
  std::vector<Distance> distances(graph.vertex_count(), kUnreached);
  const auto for_each_arc = [&](Vertex u, auto visit) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      visit(graph.heads()[e], Distance{graph.length(e)});
    }
  };
  distances[source] = 0;
  states[source] = State::open;
  while (std::ranges::count(states, State::open) > 0) {
    Distance limit = kUnreached;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      if (states[u] != State::open) continue;
      for_each_arc(u, [&](Vertex v, Distance length) {
        const bool counts = heads == Heads::unopened ? states[v] == State::unopened
                                                     : states[v] != State::closed && v != u;
        if (counts) limit = std::min(limit, distances[u] + length);
      });
    }
    std::vector<Vertex> closed;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      const bool near = closes == Closes::below ? distances[u] < limit : distances[u] <= limit;
      if (states[u] == State::open && near) closed.push_back(u);
    }
    if (closed.empty()) return std::nullopt;
    for (const Vertex u : closed) states[u] = State::closed;
    for (const Vertex u : closed) {
      for_each_arc(u, [&](Vertex v, Distance length) {
        if (states[v] == State::closed) return;
        states[v] = State::open;
        distances[v] = std::min(distances[v], distances[u] + length);
      });
    }
  }
  return distances;
}

/// s = 0 opens a = 1 at 1 and b = 2 at 10; a leads to b by 2 and to c = 3 by 100. No arc leads from
/// {a, b} to an unopened vertex but a -> c, so D = 101 closes b at 10, where the distance is 3.
TEST(Ma2022Criteria, MinimumOverUnopenedVerticesClosesTooEarly) {
  const Graph graph =
      Graph::from_arcs(4, std::vector<Arc>{{0, 1, 1}, {0, 2, 10}, {1, 2, 2}, {1, 3, 100}});
  const std::vector<Distance> right = {0, 1, 3, 101};
  ASSERT_EQ(testing::oracle_distances(graph, 0), right);
  for (const Closes closes : {Closes::below, Closes::up_to}) {
    const std::vector<Distance> too_early = {0, 1, 10, 101};
    EXPECT_EQ(distances_by(graph, 0, Heads::unopened, closes), too_early);
    EXPECT_EQ(distances_by(graph, 0, Heads::not_closed, closes), right);
  }
}

/// The same where b has an arc of its own, so that no rule for vertices without arcs is to blame.
TEST(Ma2022Criteria, ArcsOfTheVertexThatIsClosedTooEarlyChangeNothing) {
  const Graph graph = Graph::from_arcs(
      4, std::vector<Arc>{{0, 1, 1}, {0, 2, 10}, {1, 2, 2}, {1, 3, 100}, {2, 3, 200}});
  EXPECT_EQ(distances_by(graph, 0, Heads::unopened, Closes::below)->at(2), 10);
  EXPECT_EQ(distances_by(graph, 0, Heads::not_closed, Closes::below)->at(2), 3);
}

TEST(Ma2022Criteria, ZeroLengthsStopAStrictComparison) {
  const Graph graph = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 1}, {1, 2, 0}});
  for (const Heads heads : {Heads::unopened, Heads::not_closed}) {
    EXPECT_EQ(distances_by(graph, 0, heads, Closes::below), std::nullopt);
    EXPECT_EQ(distances_by(graph, 0, heads, Closes::up_to), (std::vector<Distance>{0, 1, 1}));
  }
}

TEST(Ma2022Criteria, MinimumOverVerticesNotClosedIsRight) {
  int too_early = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Graph graph = testing::small_random_graph(seed);
    const auto right = testing::oracle_distances(graph, 0);
    EXPECT_EQ(distances_by(graph, 0, Heads::not_closed, Closes::up_to), right) << seed;
    if (distances_by(graph, 0, Heads::unopened, Closes::up_to) != right) ++too_early;
  }
  EXPECT_GT(too_early, 20);
}

}  // namespace
}  // namespace bellmark::dijkstra_rounds
