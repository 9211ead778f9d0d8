// Searches that are served and shown: exact past closed roads, stopped and used again, and the same
// as the variants that are timed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/plain_search.hpp"
#include "algorithms/searches/served/route_search.hpp"
#include "algorithms/searches/served/watched_variants.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::served {
namespace {

constexpr const char* kGraphs[] = {"random:n=300,m=900,lengths=uniform:0..50,seed=5",
                                   "random:n=200,m=2000,lengths=uniform:0..3,seed=6",
                                   "grid:rows=20,columns=20,lengths=uniform:1..1000,seed=7"};

const Stop kNever;

/// Some roads of the graph, by a fixed rule.
std::size_t close_some(const Graph& graph, Closures& closures) {
  for (Vertex u = 0; u < graph.vertex_count(); u += 3) {
    const Offset first = graph.row_offsets()[u];
    if (first < graph.row_offsets()[u + 1]) closures.close(u, graph.heads()[first]);
  }
  return closures.size();
}

TEST(RouteSearch, FindsWhatAPlainSearchFindsPastClosedRoads) {
  for (const char* formula : kGraphs) {
    const Roads roads = Roads::of(make_graph(formula));
    const Graph& graph = roads.graph;
    Closures closures(roads);
    RouteSearch search(roads);
    for (const bool is_closing : {false, true, false}) {
      closures.open_all();
      const std::size_t closed_count = is_closing ? close_some(graph, closures) : 0;
      ASSERT_EQ(closed_count > 0, is_closing);
      const Graph open = closures.without(graph);
      ASSERT_EQ(open.arc_count(), graph.arc_count() - closures.size());
      P2p::Certificate certificate(open);
      std::vector<Vertex> targets;
      for (Vertex v = 0; v < graph.vertex_count(); v += 7) targets.push_back(v);
      targets.push_back(targets.front());
      for (Vertex source = 0; source < graph.vertex_count(); source += 41) {
        const Sssp::Answer plain = plain_search(open, source);
        std::vector<Distance> distances(targets.size());
        search.find_all(source, targets, closures, kNever, distances);
        P2p::Answer answer;
        for (std::size_t i = 0; i < targets.size(); ++i) {
          ASSERT_EQ(distances[i], plain.distances[targets[i]]) << formula;
          search.find({source, targets[i]}, closures, kNever, answer);
          ASSERT_EQ(certificate.check({source, targets[i]}, answer), std::nullopt) << formula;
        }
        const Distance limit = 40;
        std::vector<Settled> settled;
        search.find_within(source, limit, closures, kNever, settled);
        const auto within = std::ranges::count_if(
            plain.distances, [&](Distance distance) { return distance <= limit; });
        ASSERT_EQ(static_cast<std::ptrdiff_t>(settled.size()), within) << formula;
        for (const auto& [vertex, distance] : settled) {
          ASSERT_EQ(distance, plain.distances[vertex]);
        }
      }
    }
  }
}

TEST(RouteSearch, IsStoppedAndUsedAgain) {
  const Roads roads = Roads::of(make_graph("grid:rows=60,columns=60,seed=1"));
  const Closures closures(roads);
  RouteSearch search(roads);
  std::atomic<bool> flag = true;
  const Stop at_once(Stop::Clock::time_point::max(), &flag);
  const Stop in_time(Stop::Clock::now());
  P2p::Answer answer;
  std::vector<Distance> distances(1);
  std::vector<Settled> settled;
  const Vertex target = roads.graph.vertex_count() - 1;
  const Distance expected = plain_search(roads.graph, 0).distances[target];
  for (const Stop& stop : {at_once, in_time}) {
    EXPECT_THROW(search.find({0, target}, closures, stop, answer), Stopped);
    EXPECT_THROW(search.find_all(0, std::span(&target, 1), closures, stop, distances), Stopped);
    EXPECT_THROW(search.find_within(0, 1000, closures, stop, settled), Stopped);
    search.find({0, target}, closures, kNever, answer);
    EXPECT_EQ(answer.distance, expected);
    search.find_all(0, std::span(&target, 1), closures, kNever, distances);
    EXPECT_EQ(distances[0], expected);
  }
}

TEST(Closures, ARoadIsClosedInBothDirections) {
  const std::vector<Arc> arcs = {{0, 1, 5}, {1, 0, 5}, {0, 1, 3}, {1, 2, 1}};
  const Roads roads = Roads::of(Graph::from_arcs(3, arcs));
  Closures closures(roads);
  EXPECT_EQ(closures.close(1, 0), 3U);
  EXPECT_EQ(closures.close(0, 1), 0U) << "it is closed";
  EXPECT_EQ(closures.close(0, 2), 0U) << "no road";
  RouteSearch search(roads);
  P2p::Answer answer;
  search.find({0, 2}, closures, kNever, answer);
  EXPECT_EQ(answer.distance, kUnreached);
  closures.open_all();
  search.find({0, 2}, closures, kNever, answer);
  EXPECT_EQ(answer.distance, 4);
}

TEST(Roads, RefusesNegativeLengths) {
  const std::vector<Arc> arcs = {{0, 1, -1}};
  EXPECT_THROW(Roads::of(Graph::from_arcs(2, arcs)), InputError);
}

/// The count that the variant notes when the harness runs it.
class CountOf : public Recorder {
 public:
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    if (name == "settled_count" || name == "scanned_count") count = value;
  }
  void end() override {}
  std::uint64_t count = 0;
};

/// Null where this build lacks it: some builds leave rarely measured queues out.
std::unique_ptr<BoundVariant> variant_of(const std::string& name, Workload& workload) {
  try {
    return testing::bound_variant(name, workload);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("not built"), std::string::npos) << error.what();
    return nullptr;
  }
}

TEST(WatchedVariants, CountWhatTheVariantsCount) {
  std::size_t compared = 0;
  for (const char* formula : kGraphs) {
    detail::WorkloadOf<P2p> workload(make_graph(formula),
                                     {{0, 1}, {5, 170}, {3, 3}, {199, 0}, {77, 120}});
    for (const std::string& name : watched_variants()) {
      const auto watched = prepare_watched(name, workload.input, kNever);
      const auto variant = variant_of(name, workload);
      RunContext context;
      if (variant) variant->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        const Trace trace = watched->run(workload.queries[query], 1000, kNever);
        ASSERT_EQ(workload.certificate.check(workload.queries[query], trace.answer), std::nullopt)
            << name << " " << formula;
        ASSERT_EQ(trace.events.size(), std::min<std::uint64_t>(trace.settled_count, 1000));
        if (!variant) continue;
        // Buckets of label-correcting begin elsewhere in each run, and with them the vertices
        // scanned again differ. So the second run is compared with the second.
        variant->run(query, 1, context);
        CountOf counted;
        RunContext recorded(&counted);
        variant->run(query, 1, recorded);
        ASSERT_EQ(trace.settled_count, counted.count) << name << " " << formula;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 80U);
}

Distance shortest_arc(const Graph& graph, Vertex u, Vertex v) {
  Distance least = kUnreached;
  for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
    if (graph.heads()[e] == v) least = std::min<Distance>(least, graph.length(e));
  }
  return least;
}

TEST(WatchedVariants, DijkstraSettlesInOrderFromItsSource) {
  const Graph graph = make_graph(kGraphs[2]);
  const Sssp::Answer plain = plain_search(graph, 10);
  for (const std::string& name : watched_variants()) {
    if (!name.starts_with("p2p/dijkstra")) continue;
    const Trace trace = prepare_watched(name, graph, kNever)->run({10, 300}, 10'000, kNever);
    ASSERT_EQ(trace.events.front().vertex, 10U) << name;
    ASSERT_EQ(trace.events.back().vertex, 300U) << name;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const Event& event = trace.events[i];
      ASSERT_EQ(static_cast<Distance>(event.label), plain.distances[event.vertex]) << name;
      if (i == 0) {
        ASSERT_EQ(event.predecessor, kNoVertex) << name;
      } else {
        ASSERT_EQ(static_cast<Distance>(event.label),
                  plain.distances[event.predecessor] +
                      shortest_arc(graph, event.predecessor, event.vertex))
            << name;
      }
      // The lowest buckets of MBP are as wide as the shortest arc; within a bucket no order counts.
      if (name.find("mbp") != std::string::npos) continue;
      ASSERT_GE(event.label, trace.events[i == 0 ? 0 : i - 1].label) << name;
    }
  }
}

TEST(WatchedVariants, KeepNoMoreThanAskedForAndStop) {
  const Graph graph = make_graph("grid:rows=40,columns=40,seed=2");
  for (const std::string& name : watched_variants()) {
    const Trace trace = prepare_watched(name, graph, kNever)->run({0, 1599}, 3, kNever);
    EXPECT_EQ(trace.events.size(), 3U) << name;
    EXPECT_GT(trace.settled_count, 3U) << name;
    if (trace.settled_count < 600) continue;  // over before it looks at the clock
    EXPECT_THROW(prepare_watched(name, graph, kNever)->run({0, 1599}, 3, Stop(Stop::Clock::now())),
                 Stopped)
        << name;
  }
}

TEST(WatchedVariants, EventsAreATreeOfTheirSide) {
  const Graph graph = make_graph(kGraphs[0]);
  for (const std::string& name : watched_variants()) {
    const Trace trace = prepare_watched(name, graph, kNever)->run({5, 170}, 100'000, kNever);
    std::array<std::set<Vertex>, 2> settled;
    std::array<std::size_t, 2> roots{};
    for (const Event& event : trace.events) {
      if (event.predecessor == kNoVertex) {
        ++roots.at(event.side);
        ASSERT_EQ(event.vertex, event.side == 0 ? 5U : 170U) << name;
        ASSERT_EQ(event.label, 0U) << name;
      } else {
        ASSERT_TRUE(settled.at(event.side).contains(event.predecessor)) << name;
      }
      settled.at(event.side).insert(event.vertex);
    }
    ASSERT_EQ(roots[0], 1U) << name;
    ASSERT_LE(roots[1], 1U) << name;
  }
}

TEST(WatchedVariants, APreparationIsStopped) {
  const Graph graph = make_graph("grid:rows=40,columns=40,seed=2");
  const Stop over(Stop::Clock::now());
  for (const char* name : {"p2p/alt:distance=64", "p2p/contraction-hierarchy:distance=64"}) {
    EXPECT_THROW(prepare_watched(name, graph, over), Stopped) << name;
  }
}

TEST(WatchedVariants, UnknownNamesAreRefused) {
  EXPECT_THROW(prepare_watched("p2p/nothing", make_graph(kGraphs[0]), kNever), InputError);
}

}  // namespace
}  // namespace bellmark::served
