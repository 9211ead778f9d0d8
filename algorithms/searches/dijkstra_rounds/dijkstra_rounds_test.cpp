// sssp/dijkstra-rounds beyond right answers, which conformance_test.cpp checks. Every vertex is
// final when it is closed. Criteria that prove more take no more rounds. Any number of threads goes
// through the same rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra_rounds/search.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::dijkstra_rounds {
namespace {

/// One search: the distance that each vertex was closed with, and the log.
struct Closing {
  std::vector<Distance> distances;
  std::uint64_t round_count = 0;
  Counts total;
  PhaseLog log;
};

/// Every round is shared if there are threads to share it.
template <Options o>
Closing search(const Graph& graph, Vertex source, std::size_t thread_count) {
  Search<o> search(1);
  RunContext context;
  search.prepare(graph, thread_count, context);
  Closing closing;
  for (int again = 0; again < 2; ++again) {
    closing.distances.assign(graph.vertex_count(), kUnreached);
    search.forget_all();
    search.run(source, [&](Vertex v, auto distance) {
      EXPECT_EQ(closing.distances[v], kUnreached) << "closed twice: " << v;
      closing.distances[v] = static_cast<Distance>(distance);
    });
  }
  closing.round_count = search.round_count();
  closing.total = search.total();
  closing.log = search.phase_log();
  return closing;
}

/// Calls visit.template operator()<options>() for every combination of keys.
template <class Visit, std::size_t... i>
void for_each_built(Visit visit, std::index_sequence<i...>) {
  (visit.template operator()<kBuilt[i]>(), ...);
}
template <class Visit>
void for_each_built(Visit visit) {
  for_each_built(visit, std::make_index_sequence<kBuilt.size()>());
}

std::string name_of(const Options& o) {
  return text(o.criterion) + ", " + text(o.rows) + ", " + std::to_string(o.distance);
}

/// A column of a log.
std::vector<std::uint64_t> column(const PhaseLog& log, const std::string& name) {
  std::vector<std::uint64_t> values;
  for (std::size_t c = 0; c < log.columns.size(); ++c) {
    if (log.columns[c] != name) continue;
    for (std::size_t i = c; i < log.values.size(); i += log.columns.size()) {
      values.push_back(log.values[i]);
    }
  }
  return values;
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  std::uint64_t total = 0;
  for (const std::uint64_t value : values) total += value;
  return total;
}

TEST(DijkstraRounds, VerticesAreFinalWhenTheyAreClosed) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Graph graph = testing::small_random_graph(seed);
    const auto source = static_cast<Vertex>(seed % graph.vertex_count());
    const auto expected = testing::oracle_distances(graph, source);
    for_each_built([&]<Options o>() {
      if (o.distance == 32 &&
          resolve({{"distance", "auto"}}, graph).get("distance") != std::to_string(o.distance)) {
        return;
      }
      for (const std::size_t thread_count : {1u, 3u}) {
        if (thread_count > 1 && seed % 8 != 0) continue;  // waits for the machine at each barrier
        SCOPED_TRACE(name_of(o) + ", seed " + std::to_string(seed) + ", threads " +
                     std::to_string(thread_count));
        EXPECT_EQ(search<o>(graph, source, thread_count).distances, expected);
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

/// Rounds of each criterion, with 64-bit labels, which fit every graph.
template <Criterion criterion>
std::uint64_t rounds(const Graph& graph, Vertex source) {
  return search<Options{criterion, Rows::by_length, 64}>(graph, source, 1).round_count;
}

/// Criterion has the reason. Dijkstra's algorithm adds one arc to a final distance; a round adds
/// one to a label as well.
TEST(DijkstraRounds, LabelsHaveRoomForTwoArcsBeyondADistance) {
  constexpr Length kLong = 1'200'000'000;  // 3 of them fit into 32 bits, 4 don't
  const Graph graph = Graph::from_arcs(3, std::vector<Arc>{{0, 1, kLong}, {1, 2, kLong}});
  EXPECT_EQ(dijkstra::resolve_distance("auto", graph), "32");
  EXPECT_EQ(resolve({{"distance", "auto"}}, graph).get("distance"), "64");
}

TEST(DijkstraRounds, MoreProvenIsNoMoreRounds) {
  std::map<std::string, int> fewer;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Graph graph = testing::small_random_graph(seed);
    const std::uint64_t open_out = rounds<Criterion::open_out>(graph, 0);
    const std::uint64_t out = rounds<Criterion::out>(graph, 0);
    const std::uint64_t in = rounds<Criterion::in>(graph, 0);
    const std::uint64_t in_out = rounds<Criterion::in_out>(graph, 0);
    EXPECT_LE(open_out, out) << seed;
    EXPECT_LE(in_out, out) << seed;
    EXPECT_LE(in_out, in) << seed;
    EXPECT_LE(out, graph.vertex_count()) << seed;
    EXPECT_LE(in, graph.vertex_count()) << seed;
    fewer["open-out"] += open_out < out ? 1 : 0;
    fewer["in-out"] += in_out < std::min(in, out) ? 1 : 0;
  }
  EXPECT_GT(fewer["open-out"], 0) << "the criteria are not the same";
  EXPECT_GT(fewer["in-out"], 0);
}

TEST(DijkstraRounds, ThreadsGoThroughTheSameRounds) {
  for (const char* formula : {"random:n=120,m=420,lengths=uniform:0..50,seed=5",
                              "grid:rows=10,columns=10,lengths=uniform:1..1000,seed=2"}) {
    const Graph graph = make_graph(formula);
    for_each_built([&]<Options o>() {
      const Closing alone = search<o>(graph, 3, 1);
      EXPECT_EQ(alone.log.phase_count(), alone.round_count);
      for (const std::size_t thread_count : {2u, 3u}) {
        SCOPED_TRACE(std::string(formula) + ", " + name_of(o) + ", threads " +
                     std::to_string(thread_count));
        const Closing shared = search<o>(graph, 3, thread_count);
        EXPECT_EQ(shared.distances, alone.distances);
        EXPECT_EQ(column(shared.log, "closed_count"), column(alone.log, "closed_count"));
        EXPECT_EQ(column(shared.log, "open_count"), column(alone.log, "open_count"));
        EXPECT_EQ(sum(column(shared.log, "closed_count")), shared.total.closed_count);
        EXPECT_EQ(sum(column(shared.log, "examined_arc_count")), shared.total.examined_arc_count);
      }
    });
  }
}

/// From 0 to x = 1, y = 2 and m = 3; then as ma2022, Figure 4-1. When the search looks for the
/// lightest arc of m, the heads of its two lightest are closed.
Graph figure() {
  const std::vector<Arc> arcs = {{0, 1, 1}, {0, 2, 1}, {0, 3, 5}, {1, 7, 1}, {3, 4, 9},
                                 {3, 1, 2}, {3, 5, 8}, {3, 2, 3}, {3, 6, 10}};
  return Graph::from_arcs(8, arcs);
}

TEST(DijkstraRounds, SortedRowsShowTheLightestArcSooner) {
  const Closing sorted = search<Options{Criterion::open_out, Rows::by_length, 32}>(figure(), 0, 1);
  const Closing given = search<Options{Criterion::open_out, Rows::as_given, 32}>(figure(), 0, 1);
  using Column = std::vector<std::uint64_t>;
  for (const Closing* closing : {&sorted, &given}) {
    // D is 1, 2, 13, and then nothing bounds the open vertices.
    EXPECT_EQ(column(closing->log, "closed_count"), (Column{1, 2, 2, 3}));
    EXPECT_EQ(column(closing->log, "open_count"), (Column{1, 3, 2, 3}));
    EXPECT_EQ(column(closing->log, "reevaluated_count"), (Column{1, 2, 2, 3}));
  }
  EXPECT_EQ(column(sorted.log, "examined_arc_count"), (Column{1, 1, 3, 0}));
  EXPECT_EQ(column(given.log, "examined_arc_count"), (Column{3, 1, 5, 0}));
}

/// ma2022, section 3.1.3, takes D over arcs to unopened vertices. Here that would be 101, and b
/// would be closed at 10; it is 3 away.
TEST(DijkstraRounds, ArcsToOpenVerticesCount) {
  const std::vector<Arc> arcs = {{0, 1, 1}, {0, 2, 10}, {1, 2, 2}, {1, 3, 100}};
  const Closing closing =
      search<Options{Criterion::open_out, Rows::by_length, 32}>(Graph::from_arcs(4, arcs), 0, 1);
  EXPECT_EQ(closing.distances, (std::vector<Distance>{0, 1, 3, 101}));
  EXPECT_EQ(column(closing.log, "closed_count"), (std::vector<std::uint64_t>{1, 1, 2}));
}

TEST(DijkstraRounds, AccountsWhatItHolds) {
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  ASSERT_GT(m, 0u);
  Search<Options{}> search(1);
  RunContext context;
  search.prepare(graph, 1, context);
  std::map<std::string, std::uint64_t> bytes;
  for (const auto& [name, held] : context.accounted()) bytes[name] = held;
  EXPECT_EQ(bytes["arcs"], 4 * (n + 1) + 8 * m);
  EXPECT_EQ(bytes["vertices"], 13 * n);
  EXPECT_GE(bytes["queue"], 20 * n);
  EXPECT_EQ(bytes["notes"], 0u) << "one thread leaves none";
}

TEST(DijkstraRounds, NotesWhatItDid) {
  struct Log : Recorder {
    void begin(std::string_view phase) override { text.append(phase).append(" "); }
    void note(std::string_view name, std::uint64_t value) override {
      text.append(name).append("=").append(std::to_string(value)).append(" ");
    }
    void end() override {}
    std::string text;
  };
  const auto log_of = [](const std::string& pattern) {
    detail::WorkloadOf<Sssp> workload(figure(), {{0}});
    Settings resolved;
    const auto selections = Registry::global().select(pattern);
    const auto variant =
        find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
    Log log;
    RunContext context(&log);
    variant->prepare(context);
    variant->run(0, 1, context);
    return log.text;
  };
  EXPECT_EQ(log_of("ma2022:dijkstra-cpu"),
            "initialise search round_count=4 closed_count=8 reevaluated_count=8 "
            "examined_arc_count=5 ");
  // L is 1, 2, 7, and then nothing bounds the open vertices.
  EXPECT_EQ(log_of("sssp/dijkstra-rounds:criterion=out"),
            "initialise search round_count=4 closed_count=8 ");
}

TEST(DijkstraRounds, KeysThatDoNotApplyAreAbsent) {
  const auto name = [](const char* pattern) {
    return Registry::global().select(pattern).at(0).name();
  };
  EXPECT_EQ(
      name("sssp/dijkstra-rounds"),
      "sssp/dijkstra-rounds:device=cpu,criterion=open-out,rows=by-length,distance=auto,threads=1,"
      "share-from=4096");
  EXPECT_EQ(name("sssp/dijkstra-rounds:criterion=in,threads=2"),
            "sssp/dijkstra-rounds:device=cpu,criterion=in,distance=auto,threads=2,share-from=4096");
  for (const char* pattern :
       {"sssp/dijkstra-rounds:criterion=in,rows=as-given", "sssp/dijkstra-rounds:threads=0",
        "sssp/dijkstra-rounds:criterion=open-in", "sssp/dijkstra-rounds:share-from=0"}) {
    EXPECT_THROW(Registry::global().select(pattern), InputError) << pattern;
  }
}

}  // namespace
}  // namespace bellmark::dijkstra_rounds
