// The BFS certificate catches every kind of wrong answer; facts and blocks are right.
#include "algorithms/problems/bfs/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <variant>

#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/gpu_test_support.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark {
namespace {

/// 1 -> 2 -> 3 -> 4, 1 -> 5 -> 4, 5 -> 2; 6 -> 1, and nothing reaches 6; a loop at 2. Ids are those
/// of files.
class BfsExample : public ::testing::Test {
 protected:
  Graph graph = Graph::from_arcs(
      6,
      std::vector<Arc>{
          {0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 4, 1}, {4, 3, 1}, {4, 1, 1}, {5, 0, 1}, {1, 1, 1}});
  Bfs::Answer right = {{0, 1, 2, 2, 1, kNoLevel}, {kNoVertex, 0, 1, 4, 0, kNoVertex}};
};

/// On the CPU, and on the GPU: they find the same.
class BfsCertificate : public BfsExample, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (!on_gpu()) return;
    if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  }
  bool on_gpu() const { return std::string(GetParam()) == "Gpu"; }
  std::string fault(const Bfs::Answer& answer) const {
    Bfs::Certificate certificate(graph, on_gpu() ? 0 : graph.arc_count() + 1);
    std::string found = certificate.check({0}, answer).value_or("");
    const bool shaped = answer.levels.size() == graph.vertex_count();
    EXPECT_EQ(certificate.on_gpu(), on_gpu() && shaped);
    return found;
  }
  void expect_fault(const Bfs::Answer& answer, const std::string& part) const {
    const std::string found = fault(answer);
    EXPECT_NE(found.find(part), std::string::npos) << "found: " << found;
  }
};

INSTANTIATE_TEST_SUITE_P(, BfsCertificate, ::testing::Values("Cpu", "Gpu"),
                         [](const auto& place) { return std::string(place.param); });

TEST_P(BfsCertificate, AcceptsTheRightAnswer) { EXPECT_EQ(fault(right), ""); }

TEST_P(BfsCertificate, Sizes) {
  Bfs::Answer answer = right;
  answer.levels.pop_back();
  expect_fault(answer, "5 levels and 6 predecessors for 6 vertices");
  EXPECT_TRUE(Bfs::Certificate(graph).check({6}, right).has_value());
}

TEST_P(BfsCertificate, Source) {
  Bfs::Answer answer = right;
  answer.levels[0] = 1;
  expect_fault(answer, "the source 1 is at level 1, not at level 0");
  answer = right;
  answer.predecessors[0] = 5;
  expect_fault(answer, "the source 1 has predecessor 6");
}

TEST_P(BfsCertificate, TooDeep) {
  Bfs::Answer answer = right;
  answer.levels[3] = 3;
  answer.predecessors[3] = 2;
  expect_fault(answer, "vertex 4, at level 3, is entered by an arc from 5, at level 1");
}

TEST_P(BfsCertificate, OneLevelBelowThePredecessor) {
  Bfs::Answer answer = right;
  answer.levels[2] = 1;
  expect_fault(answer, "vertex 3, at level 1, has predecessor 2, which is at level 1");
  answer = right;
  answer.predecessors[2] = 5;
  expect_fault(answer, "vertex 3, at level 2, has predecessor 6, which is unreached");
  answer.predecessors[2] = 77;
  expect_fault(answer, "has predecessor 78, no vertex");
  answer.predecessors[2] = kNoVertex;
  expect_fault(answer, "vertex 3, at level 2, has no predecessor");
  // A vertex besides the source at level 0 would be a second root.
  answer = right;
  answer.levels[4] = 0;
  answer.predecessors[3] = 1;
  expect_fault(answer, "vertex 5, at level 0, has predecessor 1");
}

TEST_P(BfsCertificate, ArcsExist) {
  Bfs::Answer answer = right;
  answer.predecessors[2] = 4;
  expect_fault(answer, "vertex 3, at level 2, has predecessor 5, but no arc leads from there");
}

TEST_P(BfsCertificate, Reachability) {
  Bfs::Answer answer = right;
  answer.levels[2] = kNoLevel;
  answer.predecessors[2] = kNoVertex;
  expect_fault(answer, "vertex 3, unreached, is entered by an arc from 2");
  answer = right;
  answer.predecessors[5] = 0;
  expect_fault(answer, "vertex 6, unreached, has predecessor 1");
  answer = right;
  answer.levels[5] = 1;
  answer.predecessors[5] = 0;
  expect_fault(answer, "vertex 6, at level 1, has predecessor 1, but no arc leads from there");
}

TEST_F(BfsExample, AnswerFacts) {
  const Facts facts = Bfs::answer_facts(graph, right);
  const Facts expected = {{"level_count", std::uint64_t{3}},
                          {"reached_count", std::uint64_t{5}},
                          {"traversed_edge_count", std::uint64_t{7}}};
  EXPECT_EQ(facts, expected);
  // Both directions of an edge are one edge.
  const Graph symmetric = testing::both_ways(graph);
  const Bfs::Answer all = {testing::oracle_levels(symmetric, 0), {}};
  const Facts both = Bfs::answer_facts(symmetric, all);
  EXPECT_EQ(both.back().second, FactValue(std::uint64_t{8}));
}

std::uint64_t count(const Facts& facts, const std::string& name) {
  for (const auto& [key, value] : facts) {
    if (key == name) return std::get<std::uint64_t>(value);
  }
  return 0;
}

/// 0 - 1 - 2, and 3 - 4 apart.
TEST(BfsFacts, EdgesOfTheListWithinTheComponent) {
  const std::vector<Arc> edges = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {3, 4, 1}, {4, 3, 1}};
  // In the list 0 - 1 three times and a loop at 2, and 3 - 4 twice.
  const Graph graph = with_edge_list_degrees(Graph::from_arcs(5, edges), {3, 4, 3, 2, 2});
  const auto traversed = [](const Graph& of, Vertex source) {
    return count(Bfs::answer_facts(of, {testing::oracle_levels(of, source), {}}),
                 "traversed_edge_count");
  };
  EXPECT_EQ(traversed(graph, 0), 5U);
  EXPECT_EQ(traversed(graph, 4), 2U);
  EXPECT_EQ(count(Bfs::facts(graph), "edge_list_edge_count"), 7U);
  EXPECT_EQ(traversed(with_edge_list_degrees(graph, {}), 0), 2U);
  EXPECT_EQ(count(Bfs::facts(Graph::from_arcs(5, edges)), "edge_list_edge_count"), 0U);
  // Arcs of one direction are no edges: a search follows arcs.
  const std::vector<Arc> arcs = {{0, 1, 1}, {1, 2, 1}};
  EXPECT_EQ(traversed(with_edge_list_degrees(Graph::from_arcs(3, arcs), {2, 4, 2}), 0), 2U);
}

/// More vertices than one thread takes at a time.
TEST(BfsFacts, AnswersOfLargeGraphsAreCountedByAllThreads) {
  const Graph graph = make_graph("kronecker:scale=14,edge-factor=4");
  const Bfs::Answer answer = {testing::oracle_levels(graph, graph.heads()[0]), {}};
  std::uint64_t reached = 0;
  std::uint64_t ends = 0;
  Level deepest = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (answer.levels[v] == kNoLevel) continue;
    ++reached;
    ends += graph.edge_list_degrees()[v];
    deepest = std::max(deepest, answer.levels[v]);
  }
  EXPECT_GT(reached, 8192U);
  const Facts expected = {{"level_count", std::uint64_t{deepest} + 1},
                          {"reached_count", reached},
                          {"traversed_edge_count", ends / 2}};
  EXPECT_EQ(Bfs::answer_facts(graph, answer), expected);
}

double fact(const Facts& facts, const std::string& name) {
  for (const auto& [key, value] : facts) {
    if (key == name) return std::get<double>(value);
  }
  return -1;
}

TEST(BfsFacts, DegreesAboveBounds) {
  // One vertex of degree 5, five of degree 1, one alone.
  std::vector<Arc> arcs;
  for (Vertex v = 1; v <= 5; ++v) {
    arcs.push_back({0, v, 1});
    arcs.push_back({v, 0, 1});
  }
  const Facts facts = Bfs::facts(Graph::from_arcs(7, arcs));
  EXPECT_DOUBLE_EQ(fact(facts, "degrees_above_1_ratio"), 1.0 / 7);
  EXPECT_DOUBLE_EQ(fact(facts, "degrees_above_4_ratio"), 1.0 / 7);
  EXPECT_EQ(fact(facts, "degrees_above_8_ratio"), -1);
  EXPECT_DOUBLE_EQ(fact(facts, "block_degrees_above_32_ratio"), 0);
  EXPECT_EQ(fact(Bfs::facts(Graph()), "degrees_above_1_ratio"), -1);
}

TEST(BfsFacts, BlockDegreesAreThoseOfTheBlocks) {
  const Graph graph = make_kronecker(11, 16, parse_lengths("uniform:1..1"), 1);
  const Vertex n = graph.vertex_count();
  std::uint64_t long_rows = 0;
  for (Vertex i = 0; i < Bfs::kBlocks; ++i) {
    const bfs::Block block(graph, {0, n}, bfs::part(n, i, Bfs::kBlocks));
    for (Vertex v = 0; v < n; ++v) {
      long_rows += block.row_offsets()[v + 1] - block.row_offsets()[v] > 32 ? 1 : 0;
    }
  }
  EXPECT_GT(long_rows, 0U);
  EXPECT_DOUBLE_EQ(fact(Bfs::facts(graph), "block_degrees_above_32_ratio"),
                   static_cast<double>(long_rows) / (16.0 * n));
}

TEST(Blocks, PartsMakeUpTheWhole) {
  for (const Vertex n : {0U, 1U, 5U, 16U, 17U, 100U}) {
    Vertex begin = 0;
    for (Vertex i = 0; i < 16; ++i) {
      const bfs::VertexRange range = bfs::part(n, i, 16);
      EXPECT_EQ(range.begin, begin);
      for (Vertex v = range.begin; v < range.end; ++v) EXPECT_EQ(bfs::part_of(n, v, 16), i);
      begin = range.end;
    }
    EXPECT_EQ(begin, n);
  }
}

TEST(Blocks, HoldEachArcOnce) {
  const Graph graph = testing::small_random_graph(7);
  const Vertex n = graph.vertex_count();
  std::map<std::pair<Vertex, Vertex>, int> left;
  for (Vertex u = 0; u < n; ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      ++left[{u, graph.heads()[e]}];
    }
  }
  for (Vertex i = 0; i < 3; ++i) {
    for (Vertex j = 0; j < 3; ++j) {
      const bfs::Block block(graph, bfs::part(n, i, 3), bfs::part(n, j, 3));
      ASSERT_EQ(block.row_offsets().size(), std::size_t{block.rows().size()} + 1);
      for (Vertex row = 0; row < block.rows().size(); ++row) {
        for (Offset e = block.row_offsets()[row]; e < block.row_offsets()[row + 1]; ++e) {
          --left[{block.rows().begin + row, block.columns().begin + block.heads()[e]}];
        }
      }
    }
  }
  for (const auto& [arc, count] : left) EXPECT_EQ(count, 0) << arc.first << " " << arc.second;
  EXPECT_EQ(bfs::Block(graph).arc_count(), graph.arc_count());
}

TEST(BfsQueries, AreThoseOfSssp) {
  const Graph graph = make_kronecker(8, 4, parse_lengths("uniform:1..1"), 1);
  const QueryRule rule = {.kind = "uniform-sources", .count = 64, .seed = 42};
  const auto bfs = Bfs::make_queries(graph, rule);
  const auto sssp = Sssp::make_queries(graph, rule);
  ASSERT_EQ(bfs.size(), 64U);
  for (std::size_t i = 0; i < bfs.size(); ++i) {
    EXPECT_EQ(bfs[i].source, sssp[i].source);
    EXPECT_LT(graph.row_offsets()[bfs[i].source], graph.row_offsets()[bfs[i].source + 1]);
  }
  EXPECT_THROW(Bfs::make_queries(graph, {.kind = "list", .list = {257}}), InputError);
  EXPECT_THROW(Bfs::make_queries(graph, {.kind = "pairs"}), InputError);
}

}  // namespace
}  // namespace bellmark
