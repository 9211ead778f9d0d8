// sssp/bellman-ford and sssp/bellman-ford-queue: the time at which a negative cycle is found, how
// often a vertex may be queued without one, and refusals. conformance_test.cpp shows that answers
// are right.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/bellman_ford/search.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"
#include "graph/random_stream.hpp"
#include "graph/test_support.hpp"

namespace bellmark::bellman_ford {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

/// Sums of the notes that a run makes.
class Notes final : public Recorder {
 public:
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    values[std::string(name)] += value;
  }
  void end() override {}
  std::map<std::string, std::uint64_t> values;
};

/// Answers from vertex 0, certified; gives the notes.
std::map<std::string, std::uint64_t> notes_of(const std::string& variant, const Graph& graph) {
  SsspWorkload workload(graph, {{0}});
  Settings resolved;
  const auto selections = Registry::global().select(variant);
  const auto bound = find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
  Notes notes;
  RunContext context(&notes);
  bound->prepare(context);
  bound->run(0, 1, context);
  EXPECT_EQ(bound->certify(0), std::nullopt) << variant;
  return notes.values;
}

/// A chain 0 -> 1 -> ... of zeros. Each of its vertices has a shorter way to the very last vertex
/// than the one before. In every pass the last vertex leaves the queue before it is improved again.
Graph queued_most(Vertex n) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < n; ++v) {
    arcs.push_back({v, n - 1, -static_cast<Length>(v)});
    if (v + 2 < n) arcs.push_back({v, v + 1, 0});
  }
  return Graph::from_arcs(n, arcs);
}

TEST(BellmanFord, PapersNames) {
  const auto name = [](const std::string& alias) {
    return Registry::global().select(alias).at(0).name();
  };
  EXPECT_EQ(name("ma2022:bellman-ford"), "sssp/bellman-ford:device=cpu,rounds=all,distance=auto");
  EXPECT_EQ(name("ma2022:bellman-ford-queue"),
            "sssp/bellman-ford-queue:detection=count,distance=auto");
}

/// |V| - 1 entries of one vertex are no cycle yet: with a bound of one less, the search would name
/// a cycle here.
TEST(BellmanFord, AVertexMayBeQueuedOneTimeLessThanThereAreVertices) {
  for (const Vertex n : {2U, 3U, 10U, 100U}) {
    const auto notes = notes_of("sssp/bellman-ford-queue:detection=count", queued_most(n));
    const std::uint64_t chain = n - 1;
    const std::uint64_t last = n - 1;
    EXPECT_EQ(notes.at("queued_count"), chain + last);
  }
}

/// One entry more proves a cycle: the arc back closes it.
TEST(BellmanFord, OneMoreEntryProvesACycle) {
  for (const Vertex n : {3U, 10U, 100U}) {
    const Graph open = queued_most(n);
    std::vector<Arc> arcs;
    for (Vertex u = 0; u < n; ++u) {
      for (Offset e = open.row_offsets()[u]; e < open.row_offsets()[u + 1]; ++e) {
        arcs.push_back({u, open.heads()[e], open.length(e)});
      }
    }
    arcs.push_back({n - 1, n - 2, 0});
    const Graph closed = Graph::from_arcs(n, arcs);
    ASSERT_TRUE(testing::oracle_distances(closed, 0).empty());
    notes_of("sssp/bellman-ford-queue:detection=count", closed);
  }
}

/// The source's first entry is not counted: alone in a graph it would have too many.
TEST(BellmanFord, OneVertexIsNoCycle) {
  for (const char* detection : {"count", "predecessor-cycle"}) {
    const std::string variant = std::string("sssp/bellman-ford-queue:detection=") + detection;
    const auto notes = notes_of(variant, Graph::from_arcs(1, {}));
    EXPECT_EQ(notes.at("queued_count"), 1U);
    notes_of(variant, Graph::from_arcs(1, std::vector<Arc>{{0, 0, 0}}));
    notes_of(variant, Graph::from_arcs(1, std::vector<Arc>{{0, 0, -1}}));
  }
}

TEST(BellmanFord, RoundsEndWithTheFirstThatChangesNothing) {
  std::vector<Arc> forwards;
  std::vector<Arc> backwards;
  for (Vertex v = 0; v + 1 < 50; ++v) {
    forwards.push_back({v, v + 1, 3});
    backwards.push_back({v == 0 ? 0 : 50 - v, 49 - v, 3});
  }
  EXPECT_EQ(notes_of("sssp/bellman-ford", Graph::from_arcs(50, forwards)).at("round_count"), 2U);
  const auto notes = notes_of("sssp/bellman-ford", Graph::from_arcs(50, backwards));
  EXPECT_EQ(notes.at("round_count"), 49U) << "rows in the order against the path";
  EXPECT_EQ(notes.at("relaxation_count"), 49U * 50 / 2 - 1 + 49);
}

TEST(BellmanFord, AllRoundsAreOneLessThanThereAreVertices) {
  const Graph graph = make_graph("random:n=50,m=400,lengths=uniform:1..9");
  EXPECT_EQ(notes_of("sssp/bellman-ford:rounds=all", graph).at("round_count"), 49U);
  EXPECT_LT(notes_of("sssp/bellman-ford", graph).at("round_count"), 20U);
  EXPECT_EQ(notes_of("sssp/bellman-ford:rounds=all", Graph::from_arcs(1, {})).at("round_count"),
            1U);
}

/// Tested often, a cycle shows long before a round or an entry count proves it.
TEST(BellmanFord, PredecessorsShowACycleEarly) {
  const Graph graph = make_graph("grid:rows=30,columns=30,lengths=uniform:-5..1000");
  const std::uint64_t n = graph.vertex_count();
  EXPECT_LT(notes_of("sssp/bellman-ford", graph).at("round_count"), 100U);
  const auto tested = notes_of("sssp/bellman-ford-queue:detection=predecessor-cycle", graph);
  EXPECT_LT(tested.at("queued_count"), 100 * n);
  const auto counted = notes_of("sssp/bellman-ford-queue:detection=count", graph);
  EXPECT_GT(counted.at("queued_count"), tested.at("queued_count"));
}

/// Potentials cancel along a path but for its ends.
TEST(BellmanFord, PotentialsShiftDistancesByTheirEnds) {
  const auto with = [](const char* lengths) {
    return make_graph(std::string("random:n=200,m=1500,seed=7,lengths=") + lengths);
  };
  const Graph graph = with("potential:-300..1000");
  const Graph plain = with("uniform:0..700");
  ASSERT_LT(graph.properties().least_length, 0);
  const Stream potentials(7, Stream::potentials);
  RoundsSearch<Distance> search;
  RunContext context;
  search.prepare(graph, context);
  search.run(5);
  Sssp::Answer answer;
  search.extract(answer);
  ASSERT_TRUE(answer.negative_cycle.empty());
  const auto expected = testing::oracle_distances(plain, 5);
  const auto potential = [&](Vertex v) { return static_cast<Distance>(potentials.below(v, 301)); };
  for (Vertex v = 0; v < 200; ++v) {
    if (expected[v] == kUnreached) {
      EXPECT_EQ(answer.distances[v], kUnreached);
    } else {
      EXPECT_EQ(answer.distances[v], expected[v] + potential(5) - potential(v));
    }
  }
}

/// One after the other: nothing of a search stays for the next.
TEST(BellmanFord, SearchesFollowEachOther) {
  const auto& graphs = testing::negative_zoo();
  for (const auto& [name, graph] : graphs) {
    QueueSearch<Distance, Detection::count> search;
    RunContext context;
    search.prepare(graph, context);
    Sssp::Answer answer;
    Sssp::Certificate certificate(graph);
    for (int pass = 0; pass < 2; ++pass) {
      for (Vertex source = 0; source < graph.vertex_count(); ++source) {
        search.run(std::span(&source, 1));
        search.extract(answer);
        EXPECT_EQ(certificate.check({source}, answer), std::nullopt) << name;
      }
    }
  }
}

TEST(BellmanFord, LabelsAreAsWideAsTheirBound) {
  const auto bound = [](const Graph& graph, Detection detection) {
    return label_bound(graph, detection);
  };
  const Graph graph = Graph::from_arcs(10, std::vector<Arc>{{0, 1, 70}, {1, 2, -4}});
  EXPECT_EQ(bound(graph, Detection::predecessor_cycle), 700U);
  EXPECT_EQ(bound(graph, Detection::count), 700U);
  const Graph deep = Graph::from_arcs(10, std::vector<Arc>{{0, 1, 7}, {1, 2, -40}});
  EXPECT_EQ(bound(deep, Detection::predecessor_cycle), 800U);
  EXPECT_EQ(bound(deep, Detection::count), 4'000U);
  EXPECT_EQ(bound(Graph(), Detection::count), 0U);
  EXPECT_EQ(resolve_distance("auto", deep, Detection::count), "32");
  const Graph longest = Graph::from_arcs(2, std::vector<Arc>{{0, 1, kLeastLength}});
  EXPECT_EQ(resolve_distance("auto", longest, Detection::count), "64");
  EXPECT_EQ(
      error_of([&] { resolve_distance("32", longest, Detection::count); }),
      "distance=32: sums may reach 8589934588 (max(n*C, n*n*c) for lengths from -c to C), and "
      "32 bits hold less; use distance=64 or distance=auto");
}

TEST(BellmanFord, SumsThatMayOverflowAreRefused) {
  const Graph graph = Graph::from_arcs(70'000, std::vector<Arc>{{0, 1, kLeastLength}});
  SsspWorkload workload(graph, {{0}});
  Settings resolved;
  const auto refused = Registry::global().select("sssp/bellman-ford-queue:detection=count");
  EXPECT_EQ(error_of([&] { find_instance(refused.at(0), workload, resolved); }),
            "distance=auto: sums may reach 10522669870300000000 (max(n*C, n*n*c) for lengths from "
            "-c to C), and 64 bits hold less; use detection=predecessor-cycle");
  notes_of("sssp/bellman-ford-queue:detection=predecessor-cycle", graph);
  const Graph larger = Graph::from_arcs(100'000, std::vector<Arc>{{0, 1, kLeastLength}});
  SsspWorkload more(larger, {{0}});
  EXPECT_NE(error_of([&] {
              find_instance(refused.at(0), more, resolved);
            }).find("sums may reach 2^64 or more"),
            std::string::npos);
}

}  // namespace
}  // namespace bellmark::bellman_ford
