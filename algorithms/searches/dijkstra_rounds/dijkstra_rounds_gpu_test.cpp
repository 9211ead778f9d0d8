// sssp/dijkstra-rounds-gpu beyond right answers, which conformance_test.cpp checks: its rounds
// close the vertices that the criteria prove final, in both loops; lists longer than shared memory;
// copies within the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/testing/gpu_family.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::dijkstra_rounds {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

constexpr const char* kFamily = "sssp/dijkstra-rounds-gpu";

std::vector<Selection> select(const std::string& keys) {
  return Registry::global().select("sssp/dijkstra-rounds-gpu:" + keys);
}

/// A round: the number of vertices that it closes, and of open ones.
using Rounds = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The rounds by their definition: each looks at every vertex and arc.
Rounds rounds_of(const Graph& graph, Vertex source, const std::string& criterion) {
  const Vertex n = graph.vertex_count();
  const auto for_each_arc = [&](Vertex u, auto visit) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      visit(graph.heads()[e], Distance{graph.length(e)});
    }
  };
  std::vector<Distance> lightest_in(n, kUnreached);
  for (Vertex u = 0; u < n; ++u) {
    for_each_arc(
        u, [&](Vertex v, Distance length) { lightest_in[v] = std::min(lightest_in[v], length); });
  }
  std::vector<Distance> distances(n, kUnreached);
  std::vector<bool> closed(n);
  distances[source] = 0;
  Rounds rounds;
  while (true) {
    Distance out = kUnreached;
    Distance least = kUnreached;
    std::uint64_t open_count = 0;
    for (Vertex u = 0; u < n; ++u) {
      if (closed[u] || distances[u] == kUnreached) continue;
      ++open_count;
      least = std::min(least, distances[u]);
      for_each_arc(u, [&](Vertex v, Distance length) {
        if (criterion == "open-out" && closed[v]) return;
        out = std::min(out, distances[u] + length);
      });
    }
    if (open_count == 0) return rounds;
    std::vector<Vertex> closing;
    for (Vertex v = 0; v < n; ++v) {
      if (closed[v] || distances[v] == kUnreached) continue;
      const bool by_out = criterion != "in" && distances[v] <= out;
      const bool by_in = (criterion == "in" || criterion == "in-out") &&
                         distances[v] - std::min(distances[v], lightest_in[v]) <= least;
      if (by_out || by_in) closing.push_back(v);
    }
    for (const Vertex v : closing) closed[v] = true;
    for (const Vertex u : closing) {
      for_each_arc(u, [&](Vertex v, Distance length) {
        distances[v] = std::min(distances[v], distances[u] + length);
      });
    }
    rounds.emplace_back(closing.size(), open_count);
  }
}

TEST(DijkstraRoundsGpu, PapersName) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  EXPECT_EQ(Registry::global().select("ma2022:dijkstra-gpu").at(0).name(),
            "sssp/dijkstra-rounds-gpu:device=gpu,criterion=open-out,loop=host,distance=auto,"
            "copy=included");
  EXPECT_EQ(Registry::global().select("sssp/dijkstra-rounds-gpu").at(0).name(),
            "sssp/dijkstra-rounds-gpu:device=gpu,criterion=open-out,loop=block,distance=auto,"
            "copy=excluded");
}

TEST(DijkstraRoundsGpu, RefusesLabelsThatDontFit) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  const std::vector<Arc> arcs = {{0, 1, 2'147'483'647}, {1, 2, 2'147'483'647}};
  SsspWorkload workload(Graph::from_arcs(3, arcs), {{0}});
  Settings settings;
  EXPECT_NO_THROW(find_instance(select("distance=auto").at(0), workload, settings));
  EXPECT_EQ(settings.get("distance"), "64");
  EXPECT_THROW(find_instance(select("distance=32").at(0), workload, settings), InputError);
}

TEST(DijkstraRoundsGpu, WithoutADeviceSaysWhy) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  SsspWorkload workload(testing::small_random_graph(1), {{0}});
  RunContext context;
  try {
    testing::bind_where_it_fits(select("loop=host").at(0), workload)->prepare(context);
    FAIL() << "prepared";
  } catch (const UnmetError& error) {
    EXPECT_NE(std::string(error.what()).find(gpu::unmet()), std::string::npos) << error.what();
  }
}

/// Runs the first query twice, plainly and instrumented, with its answer and its rounds checked.
void check_rounds(const Selection& selection, SsspWorkload& workload) {
  const auto variant = testing::bind_where_it_fits(selection, workload);
  if (variant == nullptr) return;
  const Rounds expected =
      rounds_of(workload.input, workload.queries[0].source, selection.settings.get("criterion"));
  const bool by_host = selection.settings.get("loop") == "host";
  RunContext context;
  variant->prepare(context);
  for (const bool instrumented : {false, true}) {
    context.set_instrumented(instrumented);
    variant->run(0, 1, context);
    ASSERT_EQ(variant->certify(0), std::nullopt);
    const PhaseLog log = variant->phase_log();
    if (!by_host && !instrumented) {
      ASSERT_EQ(log.phase_count(), 0u) << "a plain run keeps no log";
      continue;
    }
    ASSERT_EQ(log.columns, (std::vector<std::string>{"closed_count", "open_count",
                                                     by_host ? "host_ns" : "gpu_ns"}));
    Rounds rounds;
    for (std::size_t i = 0; i < log.values.size(); i += 3) {
      rounds.emplace_back(log.values[i], log.values[i + 1]);
    }
    ASSERT_EQ(rounds, expected);
  }
}

TEST(DijkstraRoundsGpu, RoundsCloseWhatTheCriteriaProve) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [name, graph] : testing::zoo()) {
    SsspWorkload workload(graph, {{graph.vertex_count() / 2}});
    for (const Selection& selection : select("*")) {
      SCOPED_TRACE(selection.name() + " on " + name);
      check_rounds(selection, workload);
      if (HasFailure()) return;
    }
  }
}

/// More open vertices than shared memory holds, more closed at once, rows for a whole block.
TEST(DijkstraRoundsGpu, LongListsAndWideRows) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kLeaves = 6000;
  for (const Length step : {0, 1}) {  // one distance for all leaves, or fifty distances
    std::vector<Arc> arcs;
    for (Vertex v = 1; v <= kLeaves; ++v) {
      arcs.push_back({0, v, 5 + static_cast<Length>(v % 50) * step});
      arcs.push_back({v, v % kLeaves + 1, static_cast<Length>(v % 7)});
      arcs.push_back({v, kLeaves + 1, 900});
    }
    for (Vertex v = 1; v <= kLeaves; ++v) arcs.push_back({kLeaves + 1, v + kLeaves + 1, 3});
    SsspWorkload workload(Graph::from_arcs(2 * kLeaves + 2, arcs), {{0}});
    for (const Selection& selection : select("*")) {
      SCOPED_TRACE(selection.name() + ", step " + std::to_string(step));
      check_rounds(selection, workload);
      if (HasFailure()) return;
    }
  }
}

TEST(DijkstraRoundsGpu, CopiesWithinTheTimeGiveRightAnswers) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const char* reference : {"grid:rows=40,columns=40,lengths=uniform:0..9",
                                "random:n=3000,m=60000,lengths=uniform:1..1000"}) {
    SsspWorkload workload(make_graph(reference), {{0}, {77}, {0}});
    for (const Selection& selection : select("criterion=*,loop=*,distance=*,copy=included")) {
      SCOPED_TRACE(selection.name() + " on " + reference);
      const auto variant = testing::bind_where_it_fits(selection, workload);
      if (variant == nullptr) continue;
      RunContext context;
      variant->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        variant->run(query, 1, context);
        ASSERT_EQ(variant->certify(query), std::nullopt);
        ASSERT_EQ(
            variant->digest(query),
            Sssp::digest(
                {testing::oracle_distances(workload.input, workload.queries[query].source), {}}));
      }
    }
  }
}

TEST(DijkstraRoundsGpu, AccountsItsMemory) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  SsspWorkload workload(graph, {{0}});
  RunContext context;
  testing::bind_where_it_fits(select("distance=64,criterion=in-out").at(0), workload)
      ->prepare(context);
  std::map<std::string, std::uint64_t> bytes;
  for (const auto& [what, held] : context.accounted()) bytes[what] = held;
  EXPECT_EQ(bytes["device graph"], 8 * (m + n) + 4 * (n + 1) + 4 * n);
  EXPECT_EQ(bytes["device vertices"], (8 + 4) * n);
  EXPECT_EQ(bytes["device lists"], (4 + 2 * 8 + 4) * n);
  EXPECT_EQ(bytes["pinned graph"], 0u);
}

}  // namespace
}  // namespace bellmark::dijkstra_rounds
