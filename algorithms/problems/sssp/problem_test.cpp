// The SSSP certificate catches every kind of wrong answer; queries are the same everywhere.
#include "algorithms/problems/sssp/problem.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <variant>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark {
namespace {

/// 1 -2-> 2 -0-> 3 -0-> 2, 3 -4-> 4, 1 -9-> 4; 5 apart, with 5 -1-> 1. Ids are those of files.
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
    Sssp::Certificate certificate(graph_of_zoo);
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

/// 1 -1-> 2 -2-> 3 --4-> 4 -1-> 2, a long arc beside 3 -> 4, 4 -7-> 5; 6 --1-> 6 out of reach.
class SsspNegativeCycle : public ::testing::Test {
 protected:
  std::string fault(const std::vector<Vertex>& cycle) const { return fault({{}, {}, cycle}); }
  std::string fault(const Sssp::Answer& answer) const {
    return Sssp::Certificate(graph).check({0}, answer).value_or("");
  }

  Graph graph = Graph::from_arcs(6, std::vector<Arc>{{0, 1, 1},
                                                     {1, 2, 2},
                                                     {2, 3, 9},
                                                     {2, 3, -4},
                                                     {3, 1, 1},
                                                     {3, 4, 7},
                                                     {4, 4, 3},
                                                     {5, 5, -1}});
};

TEST_F(SsspNegativeCycle, AcceptsOneFromAnyOfItsVertices) {
  EXPECT_EQ(fault({1, 2, 3}), "");
  EXPECT_EQ(fault({2, 3, 1}), "");
  EXPECT_EQ(fault({3, 1, 2}), "");
}

TEST_F(SsspNegativeCycle, Faults) {
  EXPECT_EQ(fault({3, 2, 1}), "the negative cycle goes from 4 to 3, but there is no such arc");
  EXPECT_EQ(fault({1, 2}), "the negative cycle goes from 3 to 2, but there is no such arc");
  EXPECT_EQ(fault({1, 2, 3, 1, 2, 3}), "the negative cycle has vertex 2 twice");
  EXPECT_EQ(fault({1, 77}), "the negative cycle has vertex 78, no vertex");
  EXPECT_EQ(fault({kNoVertex}), "the negative cycle has vertex 4294967296, no vertex");
  EXPECT_EQ(fault({4}), "the negative cycle through vertex 5 has length 3");
  EXPECT_EQ(fault({5}), "the negative cycle through vertex 6 is not reached from the source 1");
  EXPECT_EQ(fault({{0}, {kNoVertex}, {1, 2, 3}}),
            "the answer has a negative cycle, 1 distances and 1 predecessors, where a negative "
            "cycle leaves none");
  EXPECT_EQ(Sssp::Certificate(graph).check({6}, {{}, {}, {1, 2, 3}}).value_or(""),
            "the source 7 is not in the graph");
}

/// For any distances and predecessors: a search's labels after any number of rounds are the best
/// that there are.
TEST_F(SsspNegativeCycle, NoDistancesPass) {
  std::vector<Distance> distances(6, kUnreached);
  std::vector<Vertex> predecessors(6, kNoVertex);
  distances[0] = 0;
  for (int round = 0; round < 30; ++round) {
    for (Vertex u = 0; u < 6; ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        const Vertex v = graph.heads()[e];
        if (distances[u] == kUnreached || distances[u] + graph.length(e) >= distances[v]) continue;
        distances[v] = distances[u] + graph.length(e);
        predecessors[v] = u;
        EXPECT_NE(fault({distances, predecessors}), "");
      }
    }
  }
  EXPECT_NE(fault({distances, predecessors}).find("is shorter"), std::string::npos);
}

TEST_F(SsspNegativeCycle, AnyHasTheSameDigest) {
  const std::uint64_t digest = Sssp::digest({{}, {}, {1, 2, 3}});
  EXPECT_EQ(Sssp::digest({{}, {}, {5}}), digest);
  EXPECT_NE(Sssp::digest({{}, {}}), digest);
  EXPECT_NE(Sssp::digest({{0, 1}, {}}), digest);
}

TEST_F(SsspNegativeCycle, ResultsSayWhatItIs) {
  const Facts facts = Sssp::answer_facts(graph, {{}, {}, {1, 2, 3}});
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].first, "negative_cycle_arc_count");
  EXPECT_EQ(facts[0].second, FactValue(std::uint64_t{3}));
  EXPECT_EQ(facts[1].first, "negative_cycle_length");
  EXPECT_EQ(facts[1].second, FactValue(std::int64_t{-1}));
  EXPECT_TRUE(Sssp::answer_facts(graph, {{0}, {kNoVertex}}).empty());
  EXPECT_TRUE(Sssp::answer_facts(graph, {{}, {}, {1, 77}}).empty()) << "no cycle: nothing to say";
}

/// 1 -5-> 2 --7-> 3 -7-> 2, 3 --9-> 4. The certificate's arithmetic is exact wherever distances
/// lie.
class SsspNegativeLengths : public ::testing::Test {
 protected:
  std::string fault(const Sssp::Answer& answer) const {
    return Sssp::Certificate(graph).check({0}, answer).value_or("");
  }

  static constexpr Distance kMost = std::numeric_limits<Distance>::max();
  static constexpr Distance kLeast = std::numeric_limits<Distance>::min();
  Graph graph = Graph::from_arcs(4, std::vector<Arc>{{0, 1, 5}, {1, 2, -7}, {2, 1, 7}, {2, 3, -9}});
  Sssp::Answer right = {{0, 5, -2, -11}, {kNoVertex, 0, 1, 2}};
};

TEST_F(SsspNegativeLengths, AcceptsTheRightAnswer) { EXPECT_EQ(fault(right), ""); }

TEST_F(SsspNegativeLengths, EveryWrongDistance) {
  for (Vertex v = 0; v < 4; ++v) {
    for (const Distance wrong :
         {kLeast, kLeast + 1, kLeast + 8, Distance{-12}, Distance{-10}, Distance{-1}, Distance{4},
          Distance{6}, kMost - 10, kMost - 8, kMost - 1, kMost}) {
      Sssp::Answer answer = right;
      answer.distances[v] = wrong;
      EXPECT_NE(fault(answer), "") << id_text(v) << " at " << wrong;
      for (Vertex w = 0; w < 4; ++w) {
        Sssp::Answer both = answer;
        both.distances[w] = wrong;
        EXPECT_NE(fault(both), "") << id_text(v) << " and " << id_text(w) << " at " << wrong;
      }
    }
  }
}

TEST_F(SsspNegativeLengths, CycleOfLengthZero) {
  Sssp::Answer answer = right;
  answer.predecessors[1] = 2;
  EXPECT_NE(fault(answer).find("is its own ancestor"), std::string::npos);
}

/// Each vertex at a time gets a distance that is wrong by a little: on every graph, for any
/// predecessor.
TEST_F(SsspNegativeLengths, EveryWrongDistanceOnTheZoo) {
  for (const auto& [name, graph_of_zoo] : testing::negative_zoo()) {
    Sssp::Certificate certificate(graph_of_zoo);
    const auto distances = testing::oracle_distances(graph_of_zoo, 0);
    for (Vertex v = 1; v < distances.size(); ++v) {
      for (Vertex p = 0; p < distances.size(); ++p) {
        for (const Distance step : {-3, -1, 1, 3}) {
          Sssp::Answer answer{distances, std::vector(distances.size(), p)};
          answer.predecessors[0] = kNoVertex;
          const bool wraps = step > 0 && distances[v] == kUnreached;
          answer.distances[v] = wraps ? step : distances[v] + step;
          EXPECT_TRUE(certificate.check({0}, answer).has_value()) << name;
        }
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

TEST(SsspFacts, SayWhetherThereIsANegativeCycle) {
  const auto fact = [](const Graph& graph) -> std::string {
    for (const auto& [key, value] : Sssp::facts(graph)) {
      if (key == "negative_cycle") return std::get<std::string>(value);
    }
    return "no fact";
  };
  const auto from = [](std::vector<Arc> arcs) { return Graph::from_arcs(4, arcs); };
  EXPECT_EQ(fact(from({{0, 1, 1}, {1, 0, 1}})), "no fact");
  EXPECT_EQ(fact(from({{0, 1, -1}, {1, 0, 1}})), "none");
  EXPECT_EQ(fact(from({{0, 1, -2}, {1, 0, 1}})), "present");
  EXPECT_EQ(fact(from({{0, 1, 2}, {2, 3, -5}, {3, 2, 4}})), "present") << "not reached from 1";
  for (const auto& [name, graph] : testing::negative_zoo()) {
    bool found = false;
    for (const auto& row : testing::oracle_matrix(graph)) found = found || row.empty();
    EXPECT_EQ(fact(graph), found ? "present" : "none") << name;
  }
}

TEST(SsspFacts, NegativeLengthsAreUnmetNeeds) {
  const Graph graph = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 3}, {1, 0, -2}});
  EXPECT_EQ(Sssp::unmet(Need::non_negative, graph),
            "the graph has negative lengths, the least is -2");
  EXPECT_EQ(Sssp::unmet(Need::non_negative, Graph()), "");
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
  const auto negative = facts({{0, 1, -1000}, {0, 2, -1}, {1, 2, 3}, {2, 0, 0}});
  EXPECT_EQ(negative.at("lengths_at_most_1_ratio"), 0.75);
  EXPECT_EQ(negative.at("lengths_at_most_10_ratio"), 1);
  EXPECT_FALSE(negative.contains("lengths_at_most_100_ratio"));
  EXPECT_EQ(negative.at("mean_length"), -249.5);
  EXPECT_EQ(facts({{0, 1, -4}}).at("lengths_at_most_1_ratio"), 1);
  const auto none = facts({});
  EXPECT_EQ(none.size(), 1U) << "without arcs there is no mean length, only a mean degree of 0";
}

}  // namespace
}  // namespace bellmark
