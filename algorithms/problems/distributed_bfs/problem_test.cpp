// The distributed certificate names the same faults as the one-process certificate, at every rank.
// Queries and facts are those of one process, for any number of ranks.
#include "algorithms/problems/distributed_bfs/problem.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "algorithms/problems/distributed_bfs/test_support.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"
#include "graph/kronecker_edges.hpp"

namespace bellmark {
namespace {

using distributed_bfs::DistributedGraph;
using testing::oracle_answer;
using testing::part_of;
using testing::scattered_graph;

constexpr std::size_t kSizes[] = {1, 2, 3, 4, 6, 8};

/// The text of every rank about `whole`; "" where it is right. All must say the same.
std::string fault(const Graph& graph, Vertex source, const Bfs::Answer& whole, std::size_t size) {
  std::mutex mutex;
  std::vector<std::string> said;
  run_ranks(size, [&](Communicator& ranks) {
    const DistributedGraph part = DistributedGraph::of(graph, ranks);
    const DistributedBfs::Certificate certificate(part);
    const auto found = certificate.check({source}, part_of(whole, part));
    const std::scoped_lock lock(mutex);
    said.push_back(found.value_or(""));
  });
  for (const std::string& text : said) EXPECT_EQ(text, said[0]);
  return said.at(0);
}

std::string one_process_fault(const Graph& graph, Vertex source, const Bfs::Answer& answer) {
  return Bfs::Certificate(graph).check({source}, answer).value_or("");
}

/// Every kind of wrong answer, at vertex v.
using MakeWrong = std::function<void(Bfs::Answer&, Vertex)>;
const std::vector<std::pair<std::string, MakeWrong>>& all_faults() {
  using Answer = Bfs::Answer;
  static const std::vector<std::pair<std::string, MakeWrong>> faults = {
      {"level one more", [](Answer& a, Vertex v) { ++a.levels[v]; }},
      {"level one less", [](Answer& a, Vertex v) { --a.levels[v]; }},
      {"level 0", [](Answer& a, Vertex v) { a.levels[v] = 0; }},
      {"unreached", [](Answer& a, Vertex v) { a.levels[v] = kNoLevel; }},
      {"unreached without predecessor",
       [](Answer& a, Vertex v) {
         a.levels[v] = kNoLevel;
         a.predecessors[v] = kNoVertex;
       }},
      {"no predecessor", [](Answer& a, Vertex v) { a.predecessors[v] = kNoVertex; }},
      {"no vertex", [](Answer& a, Vertex v) { a.predecessors[v] = kNoVertex - 1; }},
      {"itself", [](Answer& a, Vertex v) { a.predecessors[v] = v; }},
      {"a vertex at the same level as the predecessor",
       [](Answer& a, Vertex v) {
         const Vertex p = a.predecessors[v];
         for (Vertex u = 0; u < a.levels.size() && p != kNoVertex; ++u) {
           if (u != p && a.levels[u] == a.levels[p]) a.predecessors[v] = u;
         }
       }},
      {"deeper, under a vertex that is deep enough",
       [](Answer& a, Vertex v) {
         for (Vertex u = 0; u < a.levels.size(); ++u) {
           if (a.levels[u] == kNoLevel || u == v || a.levels[u] <= a.levels[v]) continue;
           a.levels[v] = a.levels[u] + 1;
           a.predecessors[v] = u;
           return;
         }
       }},
  };
  return faults;
}

TEST(DistributedBfsCertificate, AcceptsRightAnswers) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const Graph graph = scattered_graph(seed, seed % 2 == 0);
    const Vertex source = graph.vertex_count() * 2 / 3;
    for (const std::size_t size : kSizes) {
      EXPECT_EQ(fault(graph, source, oracle_answer(graph, source), size), "")
          << "seed " << seed << ", " << size << " ranks";
    }
  }
}

TEST(DistributedBfsCertificate, SaysOfEveryFaultWhatOneProcessSays) {
  std::map<std::string, int> wrong;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    // The generator's rows ascend, so that arcs have the same order in blocks.
    const Graph graph = make_graph("kronecker:scale=9,edge-factor=2,seed=" + std::to_string(seed));
    const Vertex n = graph.vertex_count();
    const Vertex source = graph.heads()[seed];
    const Bfs::Answer right = oracle_answer(graph, source);
    // A vertex of every rank, for any number of ranks.
    for (Vertex v = seed * 7; v < n; v += 61) {
      for (const auto& [name, make_wrong] : all_faults()) {
        Bfs::Answer answer = right;
        make_wrong(answer, v);
        const std::string expected = one_process_fault(graph, source, answer);
        if (!expected.empty()) ++wrong[name];
        const std::size_t size = kSizes[(v + seed) % std::size(kSizes)];
        ASSERT_EQ(fault(graph, source, answer, size), expected)
            << name << " at " << v << ", " << size << " ranks, seed " << seed;
      }
    }
  }
  for (const auto& [name, make_wrong] : all_faults()) EXPECT_GT(wrong[name], 5) << name;
}

/// Several faults at once, in any places: the one named is the lowest of the first check.
TEST(DistributedBfsCertificate, SaysOfManyFaultsWhatOneProcessSays) {
  std::mt19937 random(3);
  const Graph graph = make_graph("kronecker:scale=10,edge-factor=1,seed=4");
  const Vertex source = graph.heads()[5];
  const Bfs::Answer right = oracle_answer(graph, source);
  for (int trial = 0; trial < 60; ++trial) {
    Bfs::Answer answer = right;
    for (int count = 0; count < 3; ++count) {
      const auto& [name, make_wrong] = all_faults()[random() % all_faults().size()];
      make_wrong(answer, static_cast<Vertex>(random() % graph.vertex_count()));
    }
    const std::string expected = one_process_fault(graph, source, answer);
    for (const std::size_t size : kSizes) EXPECT_EQ(fault(graph, source, answer, size), expected);
  }
}

/// Faults at levels around 255 and far below, of every kind that concerns an arc. One arc leads two
/// levels down, and one predecessor a level above has no arc.
TEST(DistributedBfsCertificate, DeepFaults) {
  // Two chains from vertex 0: a vertex of each at every level.
  constexpr Vertex kDepth = 700;
  const auto vertex = [](Vertex level, Vertex chain) { return 2 * level - 1 + chain; };
  std::vector<std::pair<Vertex, Vertex>> chains = {{0, vertex(1, 0)}, {0, vertex(1, 1)}};
  for (Vertex level = 1; level < kDepth; ++level) {
    for (const Vertex chain : {0, 1}) {
      chains.emplace_back(vertex(level, chain), vertex(level + 1, chain));
    }
  }
  const Graph graph = testing::from_edges(2 * kDepth + 1, chains);
  const Bfs::Answer right = oracle_answer(graph, 0);
  for (const std::size_t size : kSizes) EXPECT_EQ(fault(graph, 0, right, size), "");
  for (const Vertex level : {2, 251, 252, 253, 254, 255, 256, 257, 600}) {
    Bfs::Answer crossed = right;
    crossed.predecessors[vertex(level + 1, 1)] = vertex(level, 0);
    std::vector<std::pair<Vertex, Vertex>> chords = chains;
    chords.emplace_back(vertex(level, 1), vertex(level + 2, 1));
    const Graph shorter = testing::from_edges(2 * kDepth + 1, chords);
    const std::string apart = one_process_fault(graph, 0, crossed);
    const std::string far = one_process_fault(shorter, 0, right);
    EXPECT_NE(apart.find("no arc leads from there"), std::string::npos) << apart;
    EXPECT_NE(far.find("is entered by an arc"), std::string::npos) << far;
    for (const std::size_t size : kSizes) {
      EXPECT_EQ(fault(graph, 0, crossed, size), apart) << size << " ranks";
      EXPECT_EQ(fault(shorter, 0, right, size), far) << size << " ranks";
    }
  }
}

TEST(DistributedBfsCertificate, SourceAndSizes) {
  const Graph graph = scattered_graph(4, true);
  const Vertex n = graph.vertex_count();
  for (const Vertex source : {Vertex{0}, n / 2, n - 1}) {
    for (const std::size_t size : kSizes) {
      Bfs::Answer answer = oracle_answer(graph, source);
      answer.levels[source] = 1;
      EXPECT_EQ(fault(graph, source, answer, size), one_process_fault(graph, source, answer));
      answer.levels[source] = 0;
      answer.predecessors[source] = 0;
      EXPECT_EQ(fault(graph, source, answer, size), one_process_fault(graph, source, answer));
    }
  }
  EXPECT_EQ(fault(graph, n, oracle_answer(graph, 0), 4),
            "the source " + std::to_string(n + 1) + " is not in the graph");
  run_ranks(3, [&](Communicator& ranks) {
    const DistributedGraph part = DistributedGraph::of(graph, ranks);
    DistributedBfs::Answer answer = part_of(oracle_answer(graph, 0), part);
    const std::string size = std::to_string(answer.levels.size());
    if (ranks.rank() == 1) answer.predecessors.push_back(0);
    const auto found = DistributedBfs::Certificate(part).check({0}, answer);
    EXPECT_NE(found.value_or("").find("the answer of rank 1 has "), std::string::npos);
    answer.predecessors.resize(answer.levels.size());
    if (ranks.rank() == 2) ++answer.vertices.begin;
    EXPECT_NE(DistributedBfs::Certificate(part).check({0}, answer).value_or("").find("rank 2"),
              std::string::npos);
  });
}

TEST(DistributedBfsProblem, DigestIsTheSameForAnyNumberOfRanks) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Graph graph = scattered_graph(seed, true);
    const Bfs::Answer whole = oracle_answer(graph, 0);
    Bfs::Answer other = whole;
    ++other.levels.back();
    SelfCommunicator alone;
    const DistributedGraph one = DistributedGraph::of(graph, alone);
    const std::uint64_t expected = DistributedBfs::digest(part_of(whole, one));
    EXPECT_NE(DistributedBfs::digest(part_of(other, one)), expected);
    for (const std::size_t size : kSizes) {
      run_ranks(size, [&](Communicator& ranks) {
        const DistributedGraph part = DistributedGraph::of(graph, ranks);
        EXPECT_EQ(DistributedBfs::digest(part_of(whole, part)), expected);
      });
    }
  }
}

TEST(DistributedBfsProblem, QueriesAreThoseOfOneProcess) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const Graph graph = scattered_graph(seed, seed % 2 == 0);
    std::vector<QueryRule> rules = {{.kind = "uniform-sources", .count = 64, .seed = seed},
                                    {.kind = "uniform-sources", .count = 3000, .seed = seed},
                                    {.kind = "list", .count = 2, .list = {1, 1}}};
    for (const QueryRule& rule : rules) {
      const auto expected = Bfs::make_queries(graph, rule);
      for (const std::size_t size : kSizes) {
        run_ranks(size, [&](Communicator& ranks) {
          const DistributedGraph part = DistributedGraph::of(graph, ranks);
          EXPECT_EQ(DistributedBfs::make_queries(part, rule), expected);
        });
      }
    }
  }
  SelfCommunicator alone;
  const DistributedGraph none = DistributedGraph::of(testing::from_edges(5, {}), alone);
  EXPECT_EQ(DistributedBfs::make_queries(none, {.kind = "uniform-sources", .count = 9}).size(), 9U);
  EXPECT_THROW(DistributedBfs::make_queries(none, {.kind = "list", .list = {6}}), InputError);
  EXPECT_THROW(DistributedBfs::make_queries(none, {.kind = "list", .list = {0}}), InputError);
  EXPECT_THROW(DistributedBfs::make_queries(none, {.kind = "targets"}), InputError);
}

TEST(DistributedBfsProblem, FactsAreThoseOfOneProcess) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const Graph graph = scattered_graph(seed, seed % 2 == 0);
    const Bfs::Answer whole = oracle_answer(graph, 0);
    const Facts answer_facts = Bfs::answer_facts(graph, whole);
    std::map<std::string, FactValue> expected;
    for (const auto& [name, value] : Bfs::facts(graph)) expected[name] = value;
    std::string digest;
    for (const std::size_t size : kSizes) {
      run_ranks(size, [&](Communicator& ranks) {
        const DistributedGraph part = DistributedGraph::of(graph, ranks);
        EXPECT_EQ(DistributedBfs::answer_facts(part, part_of(whole, part)), answer_facts);
        const Facts facts = DistributedBfs::facts(part);
        std::size_t degree_fact_count = 0;
        for (const auto& [name, value] : facts) {
          if (name != "digest") {
            EXPECT_TRUE(expected.contains(name)) << name;
            EXPECT_EQ(value, expected.at(name)) << name;
          } else if (ranks.rank() == 0) {
            if (digest.empty()) digest = std::get<std::string>(value);
            EXPECT_EQ(std::get<std::string>(value), digest);
          }
          degree_fact_count += name.starts_with("degrees_above_") ? 1 : 0;
        }
        EXPECT_EQ(degree_fact_count, std::count_if(expected.begin(), expected.end(), [](auto& f) {
                    return f.first.starts_with("degrees_above_");
                  }));
      });
    }
  }
}

/// Graph500 counts the edges that were drawn, with loops and duplicates.
TEST(DistributedBfsProblem, EdgesOfTheListAreCountedAsDrawn) {
  constexpr std::uint64_t kScale = 7;
  constexpr std::uint64_t kEdgeCount = std::uint64_t{20} << kScale;
  const std::string reference = "kronecker:scale=7,edge-factor=20,seed=9";
  const Graph graph = make_graph(reference);
  const Vertex source = graph.heads()[0];
  const Bfs::Answer whole = oracle_answer(graph, source);
  const KroneckerEdges edges(kScale, 9);
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < kEdgeCount; ++i) {
    expected += whole.levels[edges[i].first] != kNoLevel ? 1 : 0;
  }
  EXPECT_GT(expected, graph.arc_count() / 2);
  for (const std::size_t size : kSizes) {
    run_ranks(size, [&](Communicator& ranks) {
      const DistributedGraph part = DistributedGraph::open(reference, ranks);
      EXPECT_EQ(part.edge_list_edge_count(), kEdgeCount);
      const Facts facts = DistributedBfs::answer_facts(part, part_of(whole, part));
      EXPECT_EQ(facts.back().second, FactValue(expected));
      EXPECT_EQ(facts.back().first, "traversed_edge_count");
      const DistributedGraph cut = DistributedGraph::of(graph, ranks);
      EXPECT_EQ(DistributedBfs::answer_facts(cut, part_of(whole, cut)), facts);
      EXPECT_EQ(DistributedBfs::facts(cut), DistributedBfs::facts(part));
    });
  }
}

TEST(DistributedBfsProblem, DigestOfAGraphTellsArcsApart) {
  SelfCommunicator alone;
  const auto digest = [&](const std::vector<Arc>& arcs, Vertex n) {
    return std::get<std::string>(
        DistributedBfs::facts(DistributedGraph::of(Graph::from_arcs(n, arcs), alone))[0].second);
  };
  const std::string one = digest({{0, 1, 1}}, 3);
  EXPECT_NE(digest({{1, 0, 1}}, 3), one);
  EXPECT_NE(digest({{0, 1, 1}}, 4), one);
  EXPECT_NE(digest({{0, 1, 1}, {0, 1, 1}}, 3), one);
}

TEST(DistributedBfsProblem, Needs) {
  SelfCommunicator alone;
  const auto unmet = [&](Need need, const Graph& graph) {
    return DistributedBfs::unmet(need, DistributedGraph::of(graph, alone));
  };
  const Graph one_way = Graph::from_arcs(3, std::vector<Arc>{{0, 2, 1}, {0, 1, 1}});
  EXPECT_EQ(unmet(Need::symmetric, testing::star_of(4)), "");
  EXPECT_NE(unmet(Need::symmetric, one_way), "");
  EXPECT_NE(unmet(Need::sorted_rows, one_way), "");
}

}  // namespace
}  // namespace bellmark
