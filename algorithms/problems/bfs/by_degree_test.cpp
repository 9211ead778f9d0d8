// Numbers by degree and the way back to a graph's ids, over several ranges of threads.
#include "algorithms/problems/bfs/by_degree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/test_support.hpp"

namespace bellmark {
namespace {

using bfs::DegreeOrder;
using bfs::Numbering;
using testing::from_edges;

std::vector<Vertex> copy_of(const PagedArray<Vertex>& array) {
  return {array.data(), array.data() + array.size()};
}

void expect_order(const std::vector<std::uint32_t>& degrees) {
  std::vector<Vertex> expected(degrees.size());
  std::iota(expected.begin(), expected.end(), Vertex{0});
  std::stable_sort(expected.begin(), expected.end(),
                   [&](Vertex u, Vertex v) { return degrees[u] > degrees[v]; });
  const DegreeOrder order = bfs::order_by_degree(degrees);
  EXPECT_EQ(copy_of(order.vertices), expected);
  ASSERT_EQ(order.ranks.size(), degrees.size());
  for (Vertex rank = 0; rank < expected.size(); ++rank) {
    ASSERT_EQ(order.ranks.data()[expected[rank]], rank);
  }
  EXPECT_EQ(order.with_arcs_count, degrees.size() - static_cast<std::size_t>(std::count(
                                                        degrees.begin(), degrees.end(), 0U)));
}

TEST(BfsByDegree, MostArcsFirstThenById) {
  expect_order({});
  expect_order({0});
  expect_order({5, 0, 5, 7, 1});
  // Around the degree from which on vertices count as hubs, in any order of ids.
  expect_order({1022, 1024, 1023, 0, 1024, 1022, 1023, 4'000'000'000, 1025, 1023});
  std::mt19937 random(1);
  for (const std::size_t n : {65'535, 65'536, 65'537, 300'000}) {
    std::vector<std::uint32_t> degrees(n);
    // Halves: degree 0 for every other vertex, 2^20 and more for one in a million.
    for (std::uint32_t& degree : degrees) degree = (1U << (std::countr_zero(random()) % 22)) / 2;
    expect_order(degrees);
  }
  expect_order(std::vector<std::uint32_t>(100'000, 5000));
}

TEST(BfsByDegree, SortsRowsOfAnyLength) {
  std::mt19937 random(2);
  for (const Vertex bound : {1U, 2U, 256U, 257U, 65'536U, 65'537U, 1U << 24, kNoVertex}) {
    for (const std::size_t size : {0, 1, 63, 64, 65, 1000, 100'000}) {
      std::vector<Vertex> row(size);
      for (Vertex& v : row) v = static_cast<Vertex>(random() % bound);
      if (size > 0) row[0] = bound - 1;
      std::vector<Vertex> expected = row;
      std::sort(expected.begin(), expected.end());
      std::vector<Vertex> scratch(size);
      bfs::sort_row(row, bound, scratch.data());
      EXPECT_EQ(row, expected) << bound << ", " << size;
    }
  }
}

TEST(BfsByDegree, NumbersBothWays) {
  const std::vector<std::uint32_t> degrees = {0, 2, 3, 0, 2};
  const Numbering numbering(bfs::order_by_degree(degrees), 3);
  EXPECT_EQ(numbering.vertex_count(), 3U);
  EXPECT_EQ(numbering.original_count(), 5U);
  EXPECT_EQ(numbering.number(2), 0U);
  EXPECT_EQ(numbering.number(4), 2U);
  EXPECT_EQ(numbering.number(0), kNoVertex);
  EXPECT_EQ(numbering.number(3), kNoVertex);
  EXPECT_EQ(numbering.original(1), 1U);
  EXPECT_EQ(numbering.original(2), 4U);
  EXPECT_EQ(numbering.bytes(), 40U);
  const Numbering given(7);
  EXPECT_EQ(given.vertex_count(), 7U);
  EXPECT_EQ(given.number(6), 6U);
  EXPECT_EQ(given.original(6), 6U);
  EXPECT_EQ(given.bytes(), 0U);
}

TEST(BfsByDegree, AnswersAreInTheGraphsIds) {
  // 4 - 3 - 0 - 1 - 2, vertex 5 alone.
  const Graph graph = from_edges(6, {{4, 3}, {3, 0}, {0, 1}, {1, 2}});
  const std::vector<std::uint32_t> degrees = {2, 2, 1, 2, 1, 0};
  const Numbering numbering(bfs::order_by_degree(degrees), 5);
  const std::vector<Vertex> above = {3, 0, 1, 4};  // of the path, from vertex 4
  std::vector<Vertex> predecessors(5, 0);
  for (Vertex id = 0; id < 4; ++id) {
    predecessors[numbering.number(id)] = numbering.number(above[id]);
  }
  Bfs::Answer answer;
  const auto all = [](Vertex) { return true; };
  fill_answer(numbering, 4, predecessors, all, answer);
  EXPECT_EQ(answer.levels, (std::vector<Level>{2, 3, 4, 1, 0, kNoLevel}));
  EXPECT_EQ(answer.predecessors, (std::vector<Vertex>{3, 0, 1, 4, kNoVertex, kNoVertex}));
  fill_answer(
      numbering, 5, {}, [](Vertex) { return false; }, answer);
  EXPECT_EQ(answer.levels,
            (std::vector<Level>{kNoLevel, kNoLevel, kNoLevel, kNoLevel, kNoLevel, 0}));
  EXPECT_EQ(answer.predecessors, std::vector<Vertex>(6, kNoVertex));
  // A wrong search's predecessor is no vertex, or has no number: the certificate must get to say
  // so.
  for (const Vertex wrong : {Vertex{77}, Vertex{5}}) {
    predecessors[numbering.number(3)] = wrong;
    fill_answer(numbering, 4, predecessors, all, answer);
    EXPECT_EQ(answer.levels,
              (std::vector<Level>{kNoLevel, kNoLevel, kNoLevel, kNoLevel, 0, kNoLevel}));
    EXPECT_EQ(Bfs::Certificate(graph).check({4}, answer),
              "vertex 1, unreached, has predecessor 4, which is unreached");
  }
}

/// Levels by going down the tree, children after parents.
std::vector<Level> expected_levels(const std::vector<Vertex>& predecessors, Vertex source) {
  std::vector<std::vector<Vertex>> children(predecessors.size());
  for (Vertex v = 0; v < predecessors.size(); ++v) {
    if (v != source && predecessors[v] < predecessors.size()) {
      children[predecessors[v]].push_back(v);
    }
  }
  std::vector<Level> levels(predecessors.size(), kNoLevel);
  levels[source] = 0;
  std::vector<Vertex> reached = {source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Vertex v : children[reached[i]]) {
      levels[v] = levels[reached[i]] + 1;
      reached.push_back(v);
    }
  }
  return levels;
}

// Threads meet on long walks from both ends and the middle of a path.
TEST(BfsLevels, OfLongPaths) {
  constexpr Vertex kCount = 200'000;
  for (const bool downwards : {false, true}) {
    std::vector<Vertex> predecessors(kCount);
    for (Vertex v = 0; v < kCount; ++v) {
      predecessors[v] =
          downwards ? (v + 1 < kCount ? v + 1 : kNoVertex) : (v > 0 ? v - 1 : kNoVertex);
    }
    const Vertex source = downwards ? kCount - 1 : 0;
    EXPECT_EQ(bfs::levels_of(predecessors, source), expected_levels(predecessors, source));
    // Half of them hang below the source, half of them nowhere.
    EXPECT_EQ(bfs::levels_of(predecessors, kCount / 2), expected_levels(predecessors, kCount / 2));
  }
}

// Predecessors at random: most vertices hang on a cycle, some on the source, some on an id that is
// no vertex. There are cycles of every length, too. Walks of 100,000 vertices must not go round
// them for ever.
TEST(BfsLevels, OfWhatIsNoTree) {
  constexpr Vertex kCount = 100'000;
  std::mt19937 random(3);
  std::vector<Vertex> predecessors(kCount);
  for (Vertex& u : predecessors) u = static_cast<Vertex>(random() % (kCount + 50));
  EXPECT_EQ(bfs::levels_of(predecessors, 17), expected_levels(predecessors, 17));

  for (Vertex first = 0, length = 1; first < kCount; first += length++) {
    const Vertex last = std::min(first + length, kCount) - 1;
    for (Vertex v = first; v < last; ++v) predecessors[v] = v + 1;
    predecessors[last] = first;
  }
  EXPECT_EQ(bfs::levels_of(predecessors, 40'000), expected_levels(predecessors, 40'000));

  std::iota(predecessors.begin(), predecessors.end(), Vertex{1});
  predecessors.back() = kCount - 2;  // all but the source hang on a cycle of two
  EXPECT_EQ(bfs::levels_of(predecessors, 0), expected_levels(predecessors, 0));
}

}  // namespace
}  // namespace bellmark
