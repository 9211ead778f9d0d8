// The SSSP certificate catches every kind of wrong answer; queries are the same everywhere.
#include "algorithms/sssp/problem.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <variant>

#include "algorithms/graph_input/graph_input.hpp"
#include "algorithms/test_variants/zoo.hpp"
#include "base/error.hpp"
#include "graph/test_folder.hpp"

namespace bellmark {
namespace {

/// 1 -2-> 2 -0-> 3 -0-> 2, 3 -4-> 4, 1 -9-> 4; 5 apart, with 5 -1-> 1. Ids as files count.
class SsspCertificate : public ::testing::Test {
 protected:
  std::string fault(const Sssp::Answer& answer) const {
    return Sssp::Certificate(graph).check({0}, answer).value_or("");
  }
  void expect_fault(const Sssp::Answer& answer, const std::string& part) const {
    const std::string found = fault(answer);
    EXPECT_NE(found.find(part), std::string::npos) << "found: " << found;
  }

  Graph graph = Graph::from_arcs(
      5, std::vector<Arc>{{0, 1, 2}, {1, 2, 0}, {2, 1, 0}, {2, 3, 4}, {0, 3, 9}, {4, 0, 1}});
  Sssp::Answer right = {{0, 2, 2, 6, kUnreached}, {kNoVertex, 0, 1, 2, kNoVertex}};
};

TEST_F(SsspCertificate, AcceptsTheRightAnswer) { EXPECT_EQ(fault(right), ""); }

TEST_F(SsspCertificate, Sizes) {
  Sssp::Answer answer = right;
  answer.distances.pop_back();
  expect_fault(answer, "4 distances and 5 predecessors for 5 vertices");
  EXPECT_TRUE(Sssp::Certificate(graph).check({5}, right).has_value());
}

TEST_F(SsspCertificate, Source) {
  Sssp::Answer answer = right;
  answer.distances[0] = 1;
  expect_fault(answer, "the source 1 has distance 1, not 0");
  answer = right;
  answer.predecessors[0] = 4;
  expect_fault(answer, "the source 1 has predecessor 5");
}

TEST_F(SsspCertificate, TooLargeIsRelaxable) {
  Sssp::Answer answer = right;
  answer.distances[3] = 7;
  expect_fault(answer, "vertex 4 has distance 7, but arc 3 -> 4 of length 4 from distance 2");
  answer.distances[3] = 9;
  answer.predecessors[3] = 0;
  expect_fault(answer, "vertex 4 has distance 9");
}

TEST_F(SsspCertificate, TooSmallIsNotTight) {
  Sssp::Answer answer = right;
  answer.distances[3] = 5;
  expect_fault(answer, "vertex 4 at distance 5 has predecessor 3 at distance 2");
  // Wrong together: the pair on the zero cycle supports itself, but nothing supports the pair.
  answer = right;
  answer.distances[1] = answer.distances[2] = 1;
  answer.distances[3] = 5;
  answer.predecessors[1] = 2;
  expect_fault(answer, "form a cycle of length 0");
}

TEST_F(SsspCertificate, Reachability) {
  Sssp::Answer answer = right;
  answer.distances[3] = kUnreached;
  answer.predecessors[3] = kNoVertex;
  expect_fault(answer, "vertex 4 has distance unreached");
  answer = right;
  answer.distances[4] = 3;
  expect_fault(answer, "vertex 5 at distance 3 has no predecessor");
  answer.predecessors[4] = 1;
  expect_fault(answer, "vertex 5 at distance 3 has predecessor 2 at distance 2, but no arc");
  answer = right;
  answer.predecessors[4] = 0;
  expect_fault(answer, "vertex 5 is unreached, but has predecessor 1");
  // Just below "unreached", where sums overflow.
  answer = right;
  answer.distances[4] = kUnreached - 1;
  EXPECT_NE(fault(answer), "");
}

TEST_F(SsspCertificate, Predecessors) {
  Sssp::Answer answer = right;
  answer.predecessors[3] = 0;
  expect_fault(answer, "vertex 4 at distance 6 has predecessor 1 at distance 0, but no arc");
  answer.predecessors[3] = 77;
  expect_fault(answer, "has predecessor 78, no vertex");
  answer.predecessors[3] = 4;
  expect_fault(answer, "has predecessor 5, which is unreached");
  answer.predecessors[3] = 3;
  expect_fault(answer, "has predecessor 4 at distance 6, but no arc");
}

TEST_F(SsspCertificate, ZeroCycleOfPredecessors) {
  Sssp::Answer answer = right;
  answer.predecessors[1] = 2;  // tight both ways, and rooted nowhere
  expect_fault(answer, "is its own ancestor");
}

TEST_F(SsspCertificate, SelfLoopOfLengthZero) {
  const Graph loop = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 3}, {1, 1, 0}});
  const Sssp::Answer answer = {{0, 3}, {kNoVertex, 1}};
  EXPECT_NE(Sssp::Certificate(loop).check({0}, answer).value_or("").find("own ancestor"),
            std::string::npos);
}

TEST_F(SsspCertificate, EveryWrongDistanceOnTheZoo) {
  for (const auto& [name, graph_of_zoo] : testing::zoo()) {
    const Sssp::Certificate certificate(graph_of_zoo);
    const auto distances = testing::oracle_distances(graph_of_zoo, 0);
    // Predecessors by brute force: any tight arc will do where distances are spoilt anyway.
    for (Vertex v = 1; v < graph_of_zoo.vertex_count(); ++v) {
      for (const Distance step : {1, -1}) {
        Sssp::Answer answer{distances, std::vector(distances.size(), Vertex{0})};
        answer.predecessors[0] = kNoVertex;
        answer.distances[v] = step == 1 && distances[v] == kUnreached ? 0 : distances[v] + step;
        EXPECT_TRUE(certificate.check({0}, answer).has_value()) << name;
      }
    }
  }
}

TEST(SsspQueries, UniformSourcesAreFixed) {
  const Graph graph = Graph::from_arcs(1000, {});
  const auto queries =
      Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 5, .seed = 42});
  ASSERT_EQ(queries.size(), 5u);
  EXPECT_EQ(Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 3, .seed = 42}),
            std::vector(queries.begin(), queries.begin() + 3));
  EXPECT_NE(Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 5, .seed = 43}),
            queries);
  // Numbers worked out once from the formula, so that no platform may differ.
  const std::vector<Sssp::Query> expected = {{199}, {480}, {65}, {616}, {652}};
  EXPECT_EQ(queries, expected);
}

TEST(SsspQueries, SourcesAreDistinctWhenTheyCanBe) {
  const Graph graph = Graph::from_arcs(50, {});
  const auto all = Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 50});
  std::set<Vertex> vertices;
  for (const auto& query : all) vertices.insert(query.source);
  EXPECT_EQ(vertices.size(), 50u);
  EXPECT_EQ(Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 51}).size(), 51u);
}

TEST(SsspQueries, SourcesHaveArcsWhereThereAreAny) {
  const Graph graph = Graph::from_arcs(100, std::vector<Arc>{{7, 3, 1}, {7, 9, 1}, {40, 7, 1}});
  const auto sources = [&](std::uint64_t count) {
    std::multiset<Vertex> vertices;
    for (const auto& query :
         Sssp::make_queries(graph, {.kind = "uniform-sources", .count = count})) {
      vertices.insert(query.source);
    }
    return vertices;
  };
  EXPECT_EQ(sources(2), (std::multiset<Vertex>{7, 40}));
  const auto many = sources(20);
  EXPECT_EQ(many.count(7) + many.count(40), 20u);
}

TEST(SsspQueries, ListsAndFiles) {
  const Graph graph = Graph::from_arcs(3, {});
  const std::vector<Sssp::Query> expected = {{2}, {0}, {2}};
  EXPECT_EQ(Sssp::make_queries(graph, {.kind = "list", .list = {3, 1, 3}}), expected);
  const TestFolder folder;
  const auto path = folder.write("three.ss", "c three\np aux sp ss 3\ns 3\ns 1\ns 3\n");
  EXPECT_EQ(Sssp::make_queries(graph, {.kind = "file", .file = path}), expected);
  EXPECT_EQ(Sssp::query_text({16}), "source 17");
}

TEST(SsspQueries, Errors) {
  const Graph graph = Graph::from_arcs(3, {});
  EXPECT_THROW(Sssp::make_queries(graph, {.kind = "list", .list = {0}}), InputError);
  EXPECT_THROW(Sssp::make_queries(graph, {.kind = "list", .list = {4}}), InputError);
  EXPECT_THROW(Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 0}), InputError);
  EXPECT_THROW(Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 1'000'000'000'000}),
               InputError);
  EXPECT_THROW(Sssp::make_queries(graph, {.kind = "uniform-pairs"}), InputError);
  EXPECT_THROW(Sssp::make_queries(graph, {.kind = "file", .file = "/no/such/file"}), InputError);
  EXPECT_TRUE(Sssp::make_queries(Graph(), {.kind = "uniform-sources", .count = 1}).empty());
}

TEST(SsspFacts, NameWhatTheGraphIs) {
  const Graph graph = Graph::from_arcs(3, std::vector<Arc>{{0, 2, 5}, {0, 1, 7}});
  const Facts facts = Sssp::facts(graph);
  const auto fact = [&](const std::string& name) {
    for (const auto& [key, value] : facts) {
      if (key == name) return value;
    }
    return FactValue("missing");
  };
  EXPECT_EQ(fact("digest"), FactValue(graph.content_digest()));
  EXPECT_EQ(fact("vertex_count"), FactValue(std::uint64_t{3}));
  EXPECT_EQ(fact("arc_count"), FactValue(std::uint64_t{2}));
  EXPECT_EQ(fact("symmetric"), FactValue(false));
  EXPECT_EQ(fact("sorted_rows"), FactValue(false));
  EXPECT_EQ(fact("least_length"), FactValue(std::int64_t{5}));
  EXPECT_EQ(fact("largest_length"), FactValue(std::int64_t{7}));
  EXPECT_EQ(fact("mean_degree"), FactValue(2.0 / 3));
  EXPECT_EQ(fact("mean_length"), FactValue(6.0));
  EXPECT_EQ(fact("length_deviation"), FactValue(1.0));
  EXPECT_NE(Sssp::unmet(Need::sorted_rows, graph), "");
}

TEST(SsspFacts, LengthsByDecade) {
  const auto facts = [](std::vector<Arc> arcs) {
    std::map<std::string, double> found;
    for (const auto& [key, value] : Sssp::facts(Graph::from_arcs(3, arcs))) {
      if (const double* number = std::get_if<double>(&value)) found[key] = *number;
    }
    return found;
  };
  const auto some = facts({{0, 1, 0}, {0, 2, 10}, {1, 2, 11}, {2, 0, 1000}});
  EXPECT_EQ(some.at("lengths_at_most_1_ratio"), 0.25);
  EXPECT_EQ(some.at("lengths_at_most_10_ratio"), 0.5);
  EXPECT_EQ(some.at("lengths_at_most_100_ratio"), 0.75);
  EXPECT_EQ(some.at("lengths_at_most_1000_ratio"), 1);
  EXPECT_FALSE(some.contains("lengths_at_most_10000_ratio"));
  const auto none = facts({});
  EXPECT_EQ(none.size(), 1U) << "without arcs there is no mean length, only a mean degree of 0";
}

}  // namespace
}  // namespace bellmark
