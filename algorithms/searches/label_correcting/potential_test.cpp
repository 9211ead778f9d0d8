// Searches that places guide: bounds never pass distances, and answers are right on maps, and where
// places have nothing to do with lengths.
#include "algorithms/searches/label_correcting/potential.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"

namespace bellmark::label_correcting {
namespace {

using P2pWorkload = detail::WorkloadOf<P2p>;
using testing::oracle_distances;

constexpr const char* kGuided = "p2p/label-correcting:sides=both,potential=coordinates";

std::vector<Coordinate> drawn_coordinates(Vertex count, std::int32_t span, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int32_t> draw(-span, span);
  std::vector<Coordinate> coordinates(count);
  for (Coordinate& at : coordinates) at = {draw(random), draw(random)};
  return coordinates;
}

/// A map: points of a square, and random edges whose lengths are distances, `detour` times as long
/// at most, rounded to `unit`.
Graph map_of(Vertex count, std::size_t edge_count, double unit, double detour, std::uint64_t seed) {
  const std::vector<Coordinate> points = drawn_coordinates(count, 40'000, seed);
  std::mt19937_64 random(seed + 1);
  std::uniform_real_distribution<double> longer(1, detour);
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < edge_count; ++i) {
    const auto u = static_cast<Vertex>(random() % count);
    // A neighbour in the plane: the nearest of a few.
    Vertex v = static_cast<Vertex>(random() % count);
    const auto apart = [&](Vertex w) {
      return std::hypot(double{1} * points[u].longitude - points[w].longitude,
                        double{1} * points[u].latitude - points[w].latitude);
    };
    for (int k = 0; k < 20; ++k) {
      const auto w = static_cast<Vertex>(random() % count);
      if (w != u && apart(w) < apart(v)) v = w;
    }
    const auto length = static_cast<Length>(std::lround(apart(v) * longer(random) / unit));
    arcs.push_back({u, v, length});
    arcs.push_back({v, u, length});
  }
  return with_coordinates(Graph::from_arcs(count, arcs), points);
}

/// All pairs of small graphs, about 500 of others.
std::vector<P2p::Query> pairs_of(const Graph& graph) {
  std::vector<P2p::Query> queries;
  const std::size_t n = graph.vertex_count();
  const std::size_t step = n <= 22 ? 1 : std::max<std::size_t>(1, n * n / 500);
  for (std::size_t pair = 0; pair < n * n; pair += step) {
    queries.push_back({static_cast<Vertex>(pair / n), static_cast<Vertex>(pair % n)});
  }
  return queries;
}

void expect_guided_right(const Graph& graph, const std::string& keys) {
  P2pWorkload workload(graph, pairs_of(graph));
  for (const char* contract : {",contract=none", ",contract=chains"}) {
    const auto bound = testing::bound_variant(kGuided + (contract + keys), workload);
    RunContext context;
    bound->prepare(context);
    for (std::size_t query = 0; query < workload.query_count(); ++query) {
      bound->run(query, 1, context);
      ASSERT_EQ(bound->certify(query), std::nullopt)
          << "route " << workload.query_text(query) << contract << keys;
    }
  }
}

void expect_bounds(const Graph& graph) {
  const Places places(graph, graph.coordinates());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const std::vector<Distance> distances = oracle_distances(graph, u);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      if (distances[v] == kUnreached) continue;
      ASSERT_LE(places.bound(u, v), static_cast<double>(distances[v])) << u << " to " << v;
    }
    // No arc makes a key smaller.
    const Vertex target = graph.vertex_count() - 1 - u;
    const PlacePotential potential(places, u, target);
    const PlacePotential back(places, target, u);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      ASSERT_EQ(potential.of(v), -back.of(v));
      for (Offset e = graph.row_offsets()[v]; e < graph.row_offsets()[v + 1]; ++e) {
        const std::int64_t twice = 2 * std::int64_t{graph.length(e)};
        ASSERT_GE(twice + potential.of(graph.heads()[e]) - potential.of(v), 0);
        ASSERT_GE(twice - potential.of(graph.heads()[e]) + potential.of(v), 0);
      }
    }
  }
}

TEST(Potential, BoundsStayBelowDistances) {
  for (const double unit : {0.5, 7.0, 300.0, 20'000.0}) {
    for (const double detour : {1.0, 3.0}) {
      SCOPED_TRACE(std::to_string(unit) + " " + std::to_string(detour));
      expect_bounds(map_of(60, 100, unit, detour, 3));
    }
  }
  const Graph random = testing::both_ways(testing::small_random_graph(5));
  for (const std::int32_t span : {0, 1, 1000, 180'000'000}) {
    expect_bounds(with_coordinates(random, drawn_coordinates(random.vertex_count(), span, 9)));
  }
}

TEST(Potential, RoundedLengthsLeaveTightBounds) {
  // Rounding makes short arcs of length 0: bounds would all be 0, were their ends apart.
  const Graph map = map_of(2000, 4000, 100, 1, 11);
  const Places places(map, map.coordinates());
  EXPECT_GT(places.scale() * 100, 0.5);
  EXPECT_LE(places.scale() * 100, 1.1);
}

TEST(Potential, GuidedRoutesOnMaps) {
  for (const double unit : {0.5, 300.0, 20'000.0}) {
    const Graph map = map_of(300, 420, unit, 1.5, 17);
    for (const char* keys : {"", ",rows=by-length", ",distance=64", ",delta=1048576"}) {
      expect_guided_right(map, keys);
      if (HasFailure()) return;
    }
  }
}

TEST(Potential, GuidedRoutesOnRandomGraphs) {
  const std::uint64_t count = std::getenv("BELLMARK_FULL") != nullptr ? 10'000 : 200;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    const std::int32_t span = seed % 4 == 0 ? 180'000'000 : seed % 4 == 1 ? 2 : 50;
    for (const Graph& graph : {testing::small_random_graph(seed),
                               testing::both_ways(testing::small_random_graph(seed))}) {
      const auto coordinates = drawn_coordinates(graph.vertex_count(), span, seed);
      expect_guided_right(with_coordinates(graph, coordinates), "");
    }
    if (HasFailure()) return;
  }
}

TEST(Potential, ScansFewerVerticesOfAMap) {
  const Graph map = map_of(4000, 9000, 1, 1.1, 23);
  EXPECT_GT(mean_reach(map), 0.5);
  P2pWorkload workload(map, pairs_of(map));
  std::vector<std::uint64_t> scanned_counts;
  for (const char* variant : {"p2p/label-correcting:sides=both", kGuided}) {
    const auto bound = testing::bound_variant(variant, workload);
    RunContext context;
    SearchWork work;
    context.set_work(&work);
    bound->prepare(context);
    for (std::size_t query = 0; query < 50; ++query) bound->run(query, 1, context);
    scanned_counts.push_back(work.value(WorkCount::scanned).value_or(0));
  }
  EXPECT_LT(scanned_counts[1], scanned_counts[0] * 2 / 3);
}

TEST(Potential, IsRefusedWhereItGuidesNothing) {
  const Graph bare = make_graph("grid:rows=4,columns=4,lengths=uniform:1..9");
  const auto refusal = [](const char* variant, const Graph& graph) -> std::string {
    P2pWorkload workload(graph, {{0, 1}});
    try {
      testing::bound_variant(variant, workload);
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal(kGuided, bare),
            "potential=coordinates: the graph has no coordinates; put its .co file beside the "
            "graph, or leave the key out");
  const Graph map = with_coordinates(bare, drawn_coordinates(bare.vertex_count(), 9, 1));
  EXPECT_EQ(refusal("p2p/label-correcting:potential=coordinates", map),
            "potential=coordinates: needs a search from both sides; add sides=both");
  EXPECT_EQ(refusal(kGuided, map), "accepted");
}

TEST(Potential, AutoTakesItOnAMapAndNotElsewhere) {
  const auto chosen = [](const Graph& graph) {
    P2pWorkload workload(graph, {{0, 1}});
    const Selection selection = Registry::global().select("p2p/auto").front();
    Settings resolved;
    find_instance(selection, workload, resolved);
    return resolved.get("settings");
  };
  const Graph map = map_of(4000, 9000, 1, 1.1, 23);
  EXPECT_NE(chosen(map).find("potential=coordinates"), std::string::npos) << chosen(map);
  const Graph unlike = with_coordinates(map, drawn_coordinates(map.vertex_count(), 40'000, 1000));
  EXPECT_EQ(chosen(unlike).find("potential"), std::string::npos) << chosen(unlike);
  EXPECT_EQ(mean_reach(Graph()), 0);
}

}  // namespace
}  // namespace bellmark::label_correcting
