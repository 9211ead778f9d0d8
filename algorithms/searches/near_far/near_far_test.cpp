// sssp/near-far: the values of `auto`, and, where there is a GPU, that the width of a bucket never
// changes an answer.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/near_far/options.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::near_far {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

Settings resolved(const std::string& changes, const Graph& graph) {
  Settings settings = {{"device", "gpu"}, {"scope", "auto"}, {"distance", "auto"}, {"delta", "0"}};
  const Settings changed = Settings::parse(changes);
  for (const auto& [key, value] : changed.entries()) settings.set(key, value);
  return resolve(settings, graph);
}

TEST(NearFarOptions, ScopeIsTheWholeDeviceUnlessGiven) {
  const Graph grid = make_graph("grid:rows=50,columns=50");
  EXPECT_EQ(resolved("", grid).get("scope"), "device");
  EXPECT_EQ(resolved("scope=cluster", grid).get("scope"), "cluster");
}

TEST(NearFarOptions, DistanceFollowsTheBoundAndZeroLengths) {
  const Graph positive = make_graph("grid:rows=5,columns=5,lengths=uniform:1..9");
  EXPECT_EQ(resolved("", positive).get("distance"), "32");
  EXPECT_EQ(resolved("distance=64", positive).get("distance"), "64");
  const Graph zero = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}});
  EXPECT_EQ(resolved("", zero).get("distance"), "64");
  EXPECT_THROW(resolved("distance=32", zero), InputError);
  const Graph longest = make_graph("grid:rows=5,columns=5,lengths=uniform:2000000000..2000000001");
  EXPECT_EQ(resolved("", longest).get("distance"), "64");
  EXPECT_EQ(resolved("", Graph()).get("distance"), "32");
}

TEST(NearFarOptions, OnlyTheDevicePullsOnSymmetricGraphs) {
  const Graph grid = make_graph("grid:rows=5,columns=5,lengths=uniform:80..80");
  const Settings pulling = resolved("direction=push-pull,horizon=0", grid);
  EXPECT_EQ(pulling.get("scope"), "device");
  EXPECT_EQ(pulling.get("horizon"), "2");
  EXPECT_EQ(pulling.get("delta"), "10") << "80 / 8";
  EXPECT_EQ(resolved("direction=auto,horizon=7", grid).get("horizon"), "0");
  EXPECT_THROW(resolved("direction=push-pull,horizon=0,scope=cluster", grid), InputError);
  const Graph directed = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 1}});
  EXPECT_THROW(resolved("direction=push-pull,horizon=0", directed), InputError);
  EXPECT_EQ(resolved("direction=auto,horizon=0", make_graph("kronecker:scale=12")).get("direction"),
            "push-pull");
  EXPECT_EQ(resolved("direction=auto,horizon=0", grid).get("direction"), "push");
}

TEST(NearFarOptions, RowsFollowTheScopeAndTheDegrees) {
  const Graph grid = make_graph("grid:rows=50,columns=50,lengths=uniform:100..100");
  EXPECT_EQ(resolved("rows=auto", grid).get("rows"), "slots");
  EXPECT_EQ(resolved("rows=auto,scope=cluster", grid).get("rows"), "slots");
  std::vector<Arc> star;
  for (Vertex v = 1; v <= 100; ++v) star.push_back({0, v, 1});
  EXPECT_EQ(resolved("rows=auto", Graph::from_arcs(101, star)).get("rows"), "scan");
  EXPECT_EQ(resolved("rows=auto", make_graph("random:n=100,m=3000")).get("rows"), "scan");
  EXPECT_EQ(resolved("rows=auto,direction=push-pull,horizon=0", grid).get("rows"), "scan");
  EXPECT_THROW(resolved("rows=scan,scope=cluster", grid), InputError);
  EXPECT_THROW(resolved("rows=slots,direction=push-pull,horizon=0", grid), InputError);
}

TEST(NearFarOptions, OnlySlotsFollowHopsAlone) {
  const Graph grid = make_graph("grid:rows=50,columns=50,lengths=uniform:100..100");
  const Settings alone = resolved("rows=auto,hops=4,ahead=16", grid);
  EXPECT_EQ(alone.get("hops"), "4");
  EXPECT_EQ(alone.get("ahead"), "16");
  EXPECT_EQ(resolved("rows=auto,hops=1,ahead=16", grid).get("ahead"), "0");
  const Settings scan = resolved("rows=scan,scope=device,hops=4,ahead=16", grid);
  EXPECT_EQ(scan.get("hops"), "1");
  EXPECT_EQ(scan.get("ahead"), "0");
}

TEST(NearFarOptions, ContractionNeedsPositiveLengths) {
  EXPECT_EQ(resolved("contract=chains", make_graph("grid:rows=5,columns=5")).get("contract"),
            "chains");
  EXPECT_THROW(resolved("contract=chains", Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}})),
               InputError);
  EXPECT_EQ(resolved("contract=auto", make_graph("road:n=2000")).get("contract"), "chains");
  EXPECT_EQ(resolved("contract=auto", make_graph("grid:rows=50,columns=50")).get("contract"),
            "none");
  EXPECT_EQ(
      resolved("contract=auto", Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}})).get("contract"),
      "none");
}

TEST(NearFarOptions, TwoChainsFitBeyondEveryDistance) {
  const Graph graph = make_graph("grid:rows=5,columns=5,lengths=uniform:1..1000000");
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t longest = longest_chain(graph, 5000, 32);
  EXPECT_LT(distance_bound(graph).value + 5000 + 2 * longest, kMost);
  EXPECT_GT(longest, 1'000'000U);
  EXPECT_EQ(longest_chain(graph, 5000, 64), 2147483647U);
  EXPECT_EQ(longest_chain(graph, kMost, 32), 0U);
}

TEST(NearFarOptions, DeltaComesFromTheLengthsUnlessGiven) {
  const Graph grid = make_graph("grid:rows=50,columns=50,lengths=uniform:100..100");
  const std::string cluster = "scope=cluster,rows=auto";
  EXPECT_EQ(resolved(cluster, grid).get("delta"), "2448") << "96 * 100 / mean degree 3.92";
  EXPECT_EQ(resolved(cluster + ",contract=chains", grid).get("delta"), "4000");
  EXPECT_EQ(resolved("rows=auto", grid).get("delta"), "4081") << "160 * 100 / 3.92";
  EXPECT_EQ(resolved("rows=auto,contract=chains", grid).get("delta"), "40000") << "400 * 100";
  const Graph wide = make_graph("grid:rows=2000,columns=2000,lengths=uniform:100..100");
  EXPECT_EQ(resolved("rows=auto,contract=chains", wide).get("delta"), "20000") << "of 2,000";
  EXPECT_EQ(resolved("delta=7", grid).get("delta"), "7");
  EXPECT_EQ(resolved("scope=device", grid).get("delta"), "408") << "16 * 100 / mean degree 3.92";
  EXPECT_EQ(resolved("", Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}})).get("delta"), "1");
}

/// Checks every query of the variant against the oracle; returns their number.
int check_all(const std::string& variant_name, const std::string& graph_name,
              SsspWorkload& workload) {
  const auto selections = Registry::global().select(variant_name);
  Settings settings;
  const Instance& instance = find_instance(selections.at(0), workload, settings);
  const auto variant = instance.bind(workload, settings);
  RunContext context;
  variant->prepare(context);
  int checked = 0;
  const std::size_t step = instance.description.batch ? workload.query_count() : 1;
  for (std::size_t first = 0; first < workload.query_count(); first += step) {
    variant->run(first, step, context);
    for (std::size_t query = first; query < first + step; ++query) {
      const Vertex source = workload.queries[query].source;
      EXPECT_EQ(variant->certify(query), std::nullopt) << variant_name << " " << graph_name;
      EXPECT_EQ(variant->digest(query),
                Sssp::digest({testing::oracle_distances(workload.input, source), {}}))
          << variant_name << " " << graph_name << " from " << source;
      ++checked;
    }
  }
  return checked;
}

TEST(NearFarGpu, EveryDeltaGivesTheSameDistances) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  int checked = 0;
  for (const auto& [name, graph] : testing::zoo()) {
    const bool has_zero = graph.arc_count() > 0 && graph.properties().least_length == 0;
    SsspWorkload workload(graph, testing::all_sources(graph));
    for (const std::string family :
         {"sssp/near-far:scope=cluster,hops=1,",
          "sssp/near-far:scope=cluster,",
          "sssp/near-far:scope=device,",
          "sssp/near-far:scope=device,rows=slots,hops=1,",
          "sssp/near-far:scope=device,rows=scan,",
          "sssp/near-far:scope=device,rows=slots,hops=1,distance=64,",
          "sssp/near-far:scope=device,rows=slots,hops=2,",
          "sssp/near-far:scope=device,rows=slots,hops=8,ahead=64,",
          "sssp/near-far:scope=device,rows=slots,hops=5,ahead=2048,distance=64,contract=chains,",
          "sssp/near-far:scope=cluster,hops=2,",
          "sssp/near-far:scope=cluster,hops=8,ahead=16,",
          "sssp/near-far:scope=cluster,hops=5,ahead=2048,distance=64,contract=chains,",
          "sssp/near-far-batch:",
          "sssp/near-far:scope=cluster,contract=chains,",
          "sssp/near-far:scope=device,contract=chains,",
          "sssp/near-far:scope=device,rows=slots,contract=chains,",
          "sssp/near-far:scope=cluster,contract=chains,distance=64,",
          "sssp/near-far:direction=push-pull,",
          "sssp/near-far:direction=push-pull,horizon=1,",
          "sssp/near-far:direction=push-pull,distance=64,contract=chains,"}) {
      if (has_zero && family.find("chains") != std::string::npos) continue;
      if (!graph.properties().symmetric && family.find("pull") != std::string::npos) continue;
      for (const char* delta : {"1", "7", "2147483647"}) {
        checked += check_all(family + "delta=" + delta, name, workload);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

/// Hubs of several pieces, rows of equal lengths, several components, and ways of more hops than
/// there are passes.
TEST(NearFarGpu, PullsOnEveryShape) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const char* formula :
       {"kronecker:scale=12,lengths=uniform:1..255", "kronecker:scale=10,lengths=uniform:0..9",
        "kronecker:scale=14,lengths=uniform:1..255", "kronecker:scale=13,lengths=uniform:7..7",
        "grid:rows=3,columns=3000,lengths=uniform:1..1000",
        "grid:rows=60,columns=60,keep=0.5,lengths=uniform:1..4000000"}) {
    const Graph graph = make_graph(formula);
    std::vector<Sssp::Query> sources;
    for (Vertex i = 0; i < 10; ++i) sources.push_back({i * (graph.vertex_count() / 10)});
    SsspWorkload workload(graph, sources);
    for (const char* keys : {"", ",horizon=1", ",delta=1", ",delta=1000000,horizon=1000000",
                             ",delta=7,horizon=1", ",delta=2147483647,horizon=2147483647"}) {
      check_all(std::string("sssp/near-far:direction=push-pull") + keys, formula, workload);
      if (HasFailure()) return;
    }
  }
}

/// Frontiers grow beyond what a block may follow alone, and shrink again. There are long narrow
/// ways, rows that end in a link, several components, lengths of 0, and one vertex.
TEST(NearFarGpu, FollowsHopsAlone) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const char* formula :
       {"grid:rows=1,columns=1", "grid:rows=1,columns=3000,lengths=uniform:1..1000",
        "grid:rows=3,columns=3000,lengths=uniform:1..1000",
        "grid:rows=200,columns=300,keep=0.85,lengths=hash:1..10000",
        "grid:rows=200,columns=200,keep=0.5,lengths=uniform:1..4000000",
        "random:n=20000,m=60000,lengths=uniform:0..3",
        "random:n=20000,m=160000,lengths=uniform:1..1000", "road:n=20000"}) {
    const Graph graph = make_graph(formula);
    std::vector<Sssp::Query> sources;
    for (Vertex i = 0; i < 3; ++i) sources.push_back({i * (graph.vertex_count() / 3)});
    SsspWorkload workload(graph, sources);
    for (const char* scope : {"cluster", "device"}) {
      for (const char* keys :
           {"hops=2", "hops=3,ahead=2048", "hops=8,contract=none", "hops=8,ahead=40,delta=50",
            "hops=1024,ahead=2048,delta=2147483647,contract=none", "hops=4,distance=64",
            "hops=1024,ahead=100,distance=64,delta=20000"}) {
        check_all("sssp/near-far:rows=slots,scope=" + std::string(scope) + "," + keys, formula,
                  workload);
        if (HasFailure()) return;
      }
    }
  }
}

/// More entries and more of the far pile than a block holds, and frontiers of all blocks. These
/// graphs are too large for the oracle: the certificate judges alone.
TEST(NearFarGpu, SlotsSpill) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<Arc> star;
  constexpr Vertex kLeaves = 20'000;
  for (Vertex v = 1; v <= kLeaves; ++v) {
    star.push_back({0, v, static_cast<Length>(1 + v % 1000)});
    star.push_back({v, 0, 3});
  }
  const std::vector<std::pair<std::string, Graph>> graphs = {
      {"star", Graph::from_arcs(kLeaves + 1, star)},
      {"grid", make_graph("grid:rows=700,columns=700,lengths=uniform:1..1000")},
      {"random", make_graph("random:n=300000,m=1200000,lengths=uniform:1..100000")}};
  for (const auto& [name, graph] : graphs) {
    SsspWorkload workload(graph, {{0}, {graph.vertex_count() / 2}});
    for (const char* keys :
         {"scope=device,hops=1,delta=0", "scope=device,hops=1,delta=50",
          "scope=device,hops=1,delta=100000", "scope=device,hops=1,delta=2147483647",
          "scope=device,delta=0", "scope=device,hops=4,delta=0",
          "scope=device,hops=16,ahead=64,delta=100000", "scope=device,hops=16,delta=2147483647",
          "scope=cluster,hops=4,delta=0", "scope=cluster,hops=16,ahead=64,delta=100000",
          "scope=cluster,hops=16,delta=2147483647"}) {
      const auto selections =
          Registry::global().select("sssp/near-far:rows=slots," + std::string(keys));
      Settings settings;
      const auto variant =
          find_instance(selections.at(0), workload, settings).bind(workload, settings);
      RunContext context;
      variant->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        variant->run(query, 1, context);
        EXPECT_EQ(variant->certify(query), std::nullopt) << name << ", " << keys;
      }
    }
  }
}

/// Trees on chains, circles, and lengths that differ by direction.
TEST(NearFarGpu, ContractsRandomGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(random() % count);
  };
  for (int round = 0; round < 200; ++round) {
    const Vertex n = 2 + below(60);
    const std::uint32_t longest = round % 3 == 0 ? 3 : round % 3 == 1 ? 1000 : 20'000'000;
    std::vector<Arc> arcs;
    const auto length = [&] { return static_cast<Length>(1 + below(longest)); };
    for (Vertex v = 1; v < n; ++v) {
      const Vertex other = below(3) == 0 ? below(v) : v - 1;
      arcs.push_back({v, other, length()});
      if (below(20) != 0) arcs.push_back({other, v, length()});
    }
    for (std::uint32_t extra = below(5); extra > 0; --extra) {
      const Vertex tail = below(n);
      const Vertex head = below(n);
      arcs.push_back({tail, head, length()});
      arcs.push_back({head, tail, length()});
    }
    const Graph graph = Graph::from_arcs(n, arcs);
    SsspWorkload workload(graph, testing::all_sources(graph));
    for (const char* scope : {"cluster", "device,rows=slots", "device,rows=scan"}) {
      check_all(std::string("sssp/near-far:contract=chains,scope=") + scope,
                "round " + std::to_string(round), workload);
      if (HasFailure()) return;
    }
  }
}

TEST(NearFarGpu, LevelsOfBreadthFirstSearch) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<Graph> graphs = {make_graph("grid:rows=130,columns=141,keep=0.8,lengths=hash:1..9"),
                               make_graph("random:n=20000,m=30000,seed=9"),
                               make_graph("kronecker:scale=12,seed=3")};
  for (const auto& [name, graph] : testing::zoo()) graphs.push_back(graph);
  for (const Graph& graph : graphs) {
    const Vertex n = graph.vertex_count();
    detail::WorkloadOf<Bfs> workload(graph, {{0}, {n / 2}, {n - 1}, {0}});
    for (const char* keys : {"", "delta=1", "delta=3,contract=none", "delta=1000000,hops=1",
                             "delta=20,contract=none,hops=3,ahead=0"}) {
      testing::expect_right_levels("bfs/near-far:" + std::string(keys), workload);
      if (HasFailure()) return;
    }
  }
}

TEST(NearFarGpu, RecordsItsRoundsWhenInstrumented) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  SsspWorkload workload(make_graph("grid:rows=60,columns=60"), {{0}});
  for (const char* scope : {"cluster", "device,rows=slots", "device,rows=scan"}) {
    const auto selections =
        Registry::global().select(std::string("sssp/near-far:delta=500,hops=1,scope=") + scope);
    Settings settings;
    const auto variant =
        find_instance(selections.at(0), workload, settings).bind(workload, settings);
    RunContext context;
    variant->prepare(context);
    variant->run(0, 1, context);
    EXPECT_EQ(variant->phase_log().phase_count(), 0u) << "a plain run keeps no log";
    context.set_instrumented(true);
    variant->run(0, 1, context);
    const PhaseLog log = variant->phase_log();
    EXPECT_GT(log.phase_count(), 50u);
    EXPECT_EQ(log.values.at(0), 1u) << "the source alone";
  }
}

}  // namespace
}  // namespace bellmark::near_far
