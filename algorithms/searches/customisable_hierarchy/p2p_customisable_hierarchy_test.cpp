// p2p/customisable-hierarchy beyond right answers: eliminations are right, other lengths need no
// other elimination, closures close, and graphs that explode are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/changing_lengths.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::customisable_hierarchy {
namespace {

using P2pWorkload = detail::WorkloadOf<P2p>;
using testing::bound_variant;

constexpr const char* kGraphs[] = {
    "random:n=400,m=700,lengths=uniform:0..50,seed=5",
    "random:n=60,m=1200,lengths=uniform:0..9,seed=8",
    "grid:rows=20,columns=30,lengths=uniform:1..1000,seed=7",
    "grid:rows=12,columns=12,lengths=unit",
    "road:n=2000,seed=3",
};

TEST(P2pCustomisableHierarchy, QueriesInARowAreRight) {
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    P2pWorkload workload(
        graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 200, .seed = 3}));
    for (const char* settings : {"", ":customisation=perfect", ":threads=3", ":distance=64",
                                 ":customisation=perfect,distance=64,threads=2"}) {
      const auto variant =
          bound_variant(std::string("p2p/customisable-hierarchy") + settings, workload);
      RunContext context;
      variant->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        variant->run(query, 1, context);
        ASSERT_EQ(variant->certify(query), std::nullopt) << formula << settings << " " << query;
      }
    }
  }
}

/// Every arc of the graph is in a row, and upper neighbours are neighbours of one another.
TEST(Elimination, RowsAreChordalAndHoldTheGraph) {
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    const Elimination made = eliminate(graph, Limits::of(graph));
    const auto has = [&](Vertex a, Vertex b) {
      const auto row = made.row(std::min(a, b));
      return std::ranges::binary_search(row, std::max(a, b));
    };
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      ASSERT_EQ(made.vertex[made.number[u]], u);
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
        const Vertex v = graph.heads()[e];
        ASSERT_TRUE(u == v || has(made.number[u], made.number[v])) << formula;
      }
    }
    for (Vertex v = 0; v < made.vertex_count(); ++v) {
      for (const Vertex a : made.row(v)) {
        ASSERT_GT(a, v);
        for (const Vertex b : made.row(v)) ASSERT_TRUE(a == b || has(a, b)) << formula;
      }
    }
  }
}

TEST(Elimination, ChainsAndStarsAreNotDeep) {
  for (const char* formula : {"chain:n=20000", "star:n=20000"}) {
    const Graph graph = make_graph(formula);
    const Elimination made = eliminate(graph, Limits::of(graph));
    EXPECT_LT(*std::max_element(made.depth.begin(), made.depth.end()), 64U) << formula;
  }
}

TEST(Elimination, RefusesWhatExplodes) {
  const Graph graph = make_graph("random:n=500,m=5000,lengths=uniform:1..1000,seed=1");
  const std::uint64_t many = std::uint64_t{1} << 40;
  for (const Limits limits : {Limits{1000, many}, Limits{many, 1000}}) {
    try {
      eliminate(graph, limits);
      FAIL() << "nothing was too much";
    } catch (const UnmetError& error) {
      const std::string what = error.what();
      EXPECT_TRUE(what.find("explodes") != std::string::npos ||
                  what.find("no small separators") != std::string::npos)
          << what;
    }
  }
}

/// By number, `lengths` below 0 being closures.
Graph with_changed_lengths(const Graph& graph, const std::vector<Length>& lengths) {
  std::vector<bellmark::Arc> arcs;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      if (lengths[e] >= 0) arcs.push_back({u, graph.heads()[e], lengths[e]});
    }
  }
  return Graph::from_arcs(graph.vertex_count(), arcs);
}

TEST(ChangingLengths, RoutesByEveryWayAreRight) {
  for (const char* formula : {kGraphs[0], kGraphs[2]}) {
    const Graph graph = make_graph(formula);
    const Elimination elimination = eliminate(graph, Limits::of(graph));
    ChangingLengths changing(graph, elimination);
    std::vector<Length> lengths(graph.lengths().begin(), graph.lengths().end());
    const served::Stop never;
    std::array<int, 3> seen{};
    for (Offset round = 0; round < 6; ++round) {
      for (Offset e = round; e < graph.arc_count(); e += 7) {
        if (e % 3 == 0) {
          changing.close(e);
          lengths[e] = -1;
        } else {
          lengths[e] = static_cast<Length>((e * 37 + round) % 500);
          changing.set_length(e, lengths[e]);
        }
      }
      const Graph changed = with_changed_lengths(graph, lengths);
      for (Vertex source = 0; source < 40; ++source) {
        const auto expected = testing::oracle_distances(changed, source);
        const Vertex target = graph.vertex_count() - 1 - 3 * source;
        const auto route = changing.route(source, target, never);
        ++seen[static_cast<std::size_t>(route.by)];
        ASSERT_EQ(route.distance, expected[target]) << to_string(route.by);
        P2p::Certificate certificate(changed);
        ASSERT_EQ(certificate.check({source, target}, {route.distance, route.path}), std::nullopt);
      }
      // Searches add up: a customisation comes at last, and then the hierarchy answers.
      const auto expected = testing::oracle_distances(changed, 0);
      for (By by = By::search; by != By::hierarchy;) {
        const auto route = changing.route(0, graph.vertex_count() - 1, never);
        ASSERT_EQ(route.distance, expected[graph.vertex_count() - 1]) << to_string(route.by);
        by = route.by;
        ++seen[static_cast<std::size_t>(by)];
      }
    }
    EXPECT_GT(seen[static_cast<std::size_t>(By::hierarchy)], 0);
    EXPECT_GT(seen[static_cast<std::size_t>(By::customisation)], 0);
    EXPECT_GT(seen[static_cast<std::size_t>(By::search)], 0);
  }
}

TEST(ChangingLengths, WhatIsSoonerAnswers) {
  EXPECT_EQ(sooner(0, 10, 100), By::search);
  EXPECT_EQ(sooner(0, 100, 100), By::customisation);
  EXPECT_EQ(sooner(95, 10, 100), By::customisation) << "searches took as long as customising";
}

TEST(ChangingLengths, RefusesWhatIsNoArcLengthOrVertex) {
  const Graph graph = make_graph("grid:rows=3,columns=3,lengths=unit");
  const Elimination elimination = eliminate(graph, Limits::of(graph));
  ChangingLengths changing(graph, elimination);
  EXPECT_THROW(changing.set_length(graph.arc_count(), 1), InputError);
  EXPECT_THROW(changing.set_length(0, -1), InputError);
  EXPECT_THROW(changing.close(graph.arc_count()), InputError);
  EXPECT_THROW(changing.route(0, 9, served::Stop()), InputError);
}

TEST(ChangingLengths, AFlagStopsASearch) {
  const Graph graph = make_graph("grid:rows=150,columns=150,lengths=uniform:1..1000,seed=7");
  const Elimination elimination = eliminate(graph, Limits::of(graph));
  ChangingLengths changing(graph, elimination);
  changing.set_length(0, 7);
  const Vertex target = graph.vertex_count() - 1;
  std::atomic<bool> flag = true;
  const served::Stop stop(served::Stop::Clock::time_point::max(), &flag);
  EXPECT_THROW(changing.route(0, target, stop), served::Stopped);
  flag = false;
  std::vector<Length> lengths(graph.lengths().begin(), graph.lengths().end());
  lengths[0] = 7;
  const Graph changed = with_changed_lengths(graph, lengths);
  EXPECT_EQ(changing.route(0, target, stop).distance, testing::oracle_distances(changed, 0)[target])
      << "the next one is not harmed";
}

}  // namespace
}  // namespace bellmark::customisable_hierarchy
