// The P2P certificate catches every kind of wrong answer; queries are the same everywhere.
#include "algorithms/problems/p2p/problem.hpp"

#include <gtest/gtest.h>

#include "algorithms/problems/sssp/plain_search.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "graph/generate.hpp"

namespace bellmark {
namespace {

/// 1 -2-> 2 -3-> 3, 1 -6-> 3, 1 -9-> 3; 4 apart. Ids are those of files.
class P2pCertificate : public ::testing::Test {
 protected:
  std::string fault(const P2p::Query& query, const P2p::Answer& answer) {
    return certificate.check(query, answer).value_or("");
  }
  void expect_fault(const P2p::Query& query, const P2p::Answer& answer, const std::string& part) {
    const std::string found = fault(query, answer);
    EXPECT_NE(found.find(part), std::string::npos) << "found: " << found;
  }

  Graph graph = Graph::from_arcs(4, std::vector<Arc>{{0, 1, 2}, {1, 2, 3}, {0, 2, 6}, {0, 2, 9}});
  P2p::Certificate certificate{graph};
};

TEST_F(P2pCertificate, AcceptsRightAnswers) {
  EXPECT_EQ(fault({0, 2}, {5, {0, 1, 2}}), "");
  EXPECT_EQ(fault({0, 0}, {0, {0}}), "");
  EXPECT_EQ(fault({0, 3}, {kUnreached, {}}), "");
  EXPECT_EQ(fault({2, 0}, {kUnreached, {}}), "");
  EXPECT_EQ(fault({0, 2}, {5, {0, 1, 2}}), "") << "known from before";
}

TEST_F(P2pCertificate, Path) {
  expect_fault({0, 2}, {5, {}}, "the path is empty, but the distance is 5");
  expect_fault({0, 2}, {5, {0, 1}}, "leads from 1 to 2, not from 1 to 3");
  expect_fault({0, 2}, {5, {1, 2}}, "leads from 2 to 3, not from 1 to 3");
  expect_fault({0, 2}, {5, {0, 3, 2}}, "from 1 to 4, but there is no such arc");
  expect_fault({0, 2}, {5, {0, 77, 2}}, "from 1 to 78, but there is no such arc");
  expect_fault({2, 0}, {5, {2, 1, 0}}, "from 3 to 2, but there is no such arc");
}

TEST_F(P2pCertificate, Length) {
  expect_fault({0, 2}, {4, {0, 1, 2}}, "has length 5, but the distance is given as 4");
  expect_fault({0, 2}, {9, {0, 2}}, "has length 6, but the distance is given as 9");
}

TEST_F(P2pCertificate, Optimality) {
  expect_fault({0, 2}, {6, {0, 2}}, "length 6 is not shortest: the distance is 5");
}

TEST_F(P2pCertificate, Reachability) {
  expect_fault({0, 2}, {kUnreached, {}}, "given as unreached, but is at distance 5");
  expect_fault({0, 3}, {kUnreached, {0}}, "given as unreached, but with a path");
  EXPECT_NE(fault({0, 3}, {1, {0, 3}}), "");
  EXPECT_NE(fault({0, 4}, {kUnreached, {}}), "");
}

/// A lower bound is proved up to the distance, and never beyond it.
TEST(P2pLowerBound, IsTheDistance) {
  for (const char* formula :
       {"random:n=60,m=150,lengths=uniform:0..3,seed=1", "random:n=50,m=90,lengths=unit,seed=2",
        "random:n=40,m=300,lengths=uniform:1..1000,seed=3,arcs=both",
        "grid:rows=7,columns=9,lengths=uniform:0..9,seed=4",
        "grid:rows=6,columns=6,lengths=unit"}) {
    const Graph graph = make_graph(formula);
    LowerBound bound(graph);
    for (Vertex source = 0; source < graph.vertex_count(); ++source) {
      const Sssp::Answer answer = plain_search(graph, source);
      for (Vertex target = 0; target < graph.vertex_count(); ++target) {
        const Distance distance = answer.distances[target];
        if (distance == kUnreached) continue;
        ASSERT_TRUE(bound.proves(source, target, distance))
            << formula << " " << source << " " << target;
        ASSERT_FALSE(bound.proves(source, target, distance + 1))
            << formula << " " << source << " " << target;
        ASSERT_TRUE(bound.proves(source, target, distance - 1));
      }
    }
  }
}

TEST(P2pLowerBound, ProvesNothingOfWhatItCantSearch) {
  const Graph graph = Graph::from_arcs(3, std::vector<Arc>{{0, 1, -2}, {1, 2, 1}});
  LowerBound bound(graph);
  EXPECT_FALSE(bound.proves(0, 2, -1));
  EXPECT_FALSE(bound.proves(0, 2, kUnreached));
}

/// Its own search could go on for ever.
TEST(P2pCertificateOfNegativeLengths, IsRefused) {
  const Graph graph = Graph::from_arcs(2, std::vector<Arc>{{0, 1, -2}, {1, 0, 1}});
  P2p::Certificate certificate(graph);
  EXPECT_THROW(certificate.check({0, 1}, {-2, {0, 1}}), UnmetError);
}

TEST(P2pQueries, UniformPairsAreFixed) {
  const Graph graph = Graph::from_arcs(1000, {});
  const auto queries = P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 3, .seed = 42});
  const std::vector<P2p::Query> expected = {{199, 567}, {480, 355}, {65, 741}};
  EXPECT_EQ(queries, expected);
  const Graph two = Graph::from_arcs(2, {});
  for (const auto& [source, target] :
       P2p::make_queries(two, {.kind = "uniform-pairs", .count = 100})) {
    EXPECT_NE(source, target);
  }
  const Graph one = Graph::from_arcs(1, {});
  EXPECT_EQ(P2p::make_queries(one, {.kind = "uniform-pairs", .count = 1}),
            (std::vector<P2p::Query>{{0, 0}}));
}

TEST(P2pQueries, ListsAndFiles) {
  const Graph graph = Graph::from_arcs(3, {});
  const std::vector<P2p::Query> expected = {{2, 0}, {1, 1}};
  EXPECT_EQ(P2p::make_queries(graph, {.kind = "list", .list = {3, 1, 2, 2}}), expected);
  const TestFolder folder;
  const auto path = folder.write("two.p2p", "p aux sp p2p 2\nq 3 1\nq 2 2\n");
  EXPECT_EQ(P2p::make_queries(graph, {.kind = "file", .file = path}), expected);
  EXPECT_EQ(P2p::query_text({16, 8}), "source 17 target 9");
}

TEST(P2pQueries, Errors) {
  const Graph graph = Graph::from_arcs(3, {});
  EXPECT_THROW(P2p::make_queries(graph, {.kind = "list", .list = {1, 2, 3}}), InputError);
  EXPECT_THROW(P2p::make_queries(graph, {.kind = "list", .list = {1, 4}}), InputError);
  EXPECT_THROW(P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 0}), InputError);
  EXPECT_THROW(P2p::make_queries(graph, {.kind = "uniform-sources"}), InputError);
}

}  // namespace
}  // namespace bellmark
