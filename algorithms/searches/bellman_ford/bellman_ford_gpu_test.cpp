// sssp/bellman-ford-gpu beyond the checks of conformance_test.cpp. Keys, refusals and the matrix
// need no GPU. On a GPU: every way of copying, negative cycles, the log.
#include "algorithms/searches/bellman_ford/bellman_ford_gpu.hpp"

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

namespace bellmark::bellman_ford_gpu {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

Settings resolved(const std::string& changes, const Graph& graph) {
  Settings settings = {
      {"storage", "csr"}, {"distance", "auto"}, {"copy", "excluded"}, {"transfer", "whole"}};
  const Settings changed = Settings::parse(changes);
  for (const auto& [key, value] : changed.entries()) settings.set(key, value);
  return bellman_ford_gpu::resolve(settings, graph);
}

std::string refusal(const std::string& changes, const Graph& graph) {
  try {
    resolved(changes, graph);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(BellmanFordGpuOptions, DistanceHoldsWalksOfNArcs) {
  const Graph fits = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 715'827'882}});
  EXPECT_EQ(resolved("", fits).get("distance"), "32");
  EXPECT_EQ(resolved("distance=64", fits).get("distance"), "64");
  const Graph too_long = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 715'827'883}});
  EXPECT_EQ(resolved("", too_long).get("distance"), "64");
  EXPECT_TRUE(contains(refusal("distance=32", too_long), "2147483649"))
      << refusal("distance=32", too_long);
}

TEST(BellmanFordGpuOptions, StreamingNeedsACopyOfAMatrix) {
  const Graph graph = testing::small_random_graph(1);
  EXPECT_EQ(refusal("storage=matrix,copy=included,transfer=streamed", graph), "accepted");
  EXPECT_TRUE(contains(refusal("copy=included,transfer=streamed", graph), "storage=matrix"));
  EXPECT_TRUE(contains(refusal("storage=matrix,transfer=streamed", graph), "copy=included"));
}

TEST(BellmanFordGpuMatrix, IsTransposedWithTheShortestOfParallelArcs) {
  const std::vector<Arc> arcs = {{0, 1, 5}, {0, 1, -3}, {0, 1, 4}, {2, 0, 7}, {1, 1, 0}};
  const Graph graph = Graph::from_arcs(3, arcs);
  const std::uint64_t pitch = matrix_pitch(3);
  std::vector<Length> matrix(matrix_bytes(3) / sizeof(Length));
  bellman_ford_gpu::fill_matrix(graph, matrix);
  EXPECT_EQ(matrix.size(), 3 * pitch);
  std::map<std::size_t, Length> entries;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (matrix[i] != bellman_ford_gpu::kNoArc) entries[i] = matrix[i];
  }
  const std::map<std::size_t, Length> expected = {{2, 7}, {pitch, -3}, {pitch + 1, 0}};
  EXPECT_EQ(entries, expected);
}

TEST(BellmanFordGpuMatrix, TooLargeToPinIsRefusedWithFigures) {
  EXPECT_EQ(matrix_pitch(128), 128u);
  EXPECT_EQ(matrix_pitch(129), 256u);
  EXPECT_EQ(matrix_bytes(10'000), 404'480'000u);
  constexpr std::uint64_t kGibi = std::uint64_t{1} << 30;
  EXPECT_NO_THROW(bellman_ford_gpu::require_pinnable(10'000, kGibi));
  try {
    bellman_ford_gpu::require_pinnable(264'346, 128 * kGibi);
    FAIL() << "accepted";
  } catch (const UnmetError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(contains(text, "266669 MiB") && contains(text, "131072 MiB")) << text;
  }
}

constexpr const char* kFamily = "sssp/bellman-ford-gpu";

std::vector<Selection> select(const std::string& keys) {
  return Registry::global().select("sssp/bellman-ford-gpu:" + keys);
}

/// Every instance, and every way of copying.
std::vector<Selection> all_ways() {
  std::vector<Selection> all;
  for (const char* keys :
       {"*", "storage=csr,compaction=*,distance=*,copy=included",
        "storage=matrix,shared=*,compaction=*,distance=*,copy=included",
        "storage=matrix,shared=*,compaction=*,distance=*,copy=included,transfer=streamed",
        "storage=matrix,shared=*,compaction=*,distance=*,copy=included,transfer=streamed,streams=1,"
        "parts=1",
        "storage=matrix,shared=*,compaction=*,distance=*,copy=included,transfer=streamed,streams=3,"
        "parts=1024"}) {
    const auto found = select(keys);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

/// Runs all queries; checks each answer by its certificate and against the oracle. Returns the
/// number of answers that were a negative cycle.
int check(const Selection& selection, SsspWorkload& workload) {
  const auto variant = testing::bind_where_it_fits(selection, workload);
  if (variant == nullptr) return 0;
  RunContext context;
  variant->prepare(context);
  int cycles = 0;
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    variant->run(query, 1, context);
    EXPECT_EQ(variant->certify(query), std::nullopt);
    const auto distances =
        testing::oracle_distances(workload.input, workload.queries[query].source);
    if (distances.empty()) {
      ++cycles;  // right by its certificate; any cycle will do
    } else {
      EXPECT_EQ(variant->digest(query), Sssp::digest({distances, {}}));
    }
  }
  return cycles;
}

TEST(BellmanFordGpu, PapersName) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  EXPECT_EQ(Registry::global().select("ma2022:bellman-ford-gpu").at(0).name(),
            "sssp/bellman-ford-gpu:device=gpu,storage=matrix,shared=on,compaction=on,distance=auto,"
            "copy=included,transfer=streamed");
  EXPECT_EQ(
      Registry::global().select("sssp/bellman-ford-gpu").at(0).name(),
      "sssp/bellman-ford-gpu:device=gpu,storage=csr,compaction=on,distance=auto,copy=excluded,"
      "transfer=whole");
}

TEST(BellmanFordGpu, WithoutADeviceSaysWhy) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  SsspWorkload workload(testing::small_random_graph(1), {{0}});
  RunContext context;
  try {
    testing::bind_where_it_fits(select("storage=matrix").at(0), workload)->prepare(context);
    FAIL() << "prepared";
  } catch (const UnmetError& error) {
    EXPECT_TRUE(contains(error.what(), gpu::unmet())) << error.what();
  }
}

TEST(BellmanFordGpu, EveryWayOfCopyingGivesRightAnswers) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Graph graph = testing::small_random_negative_graph(seed);
    SsspWorkload workload(graph, {{0}, {graph.vertex_count() - 1}, {0}});
    for (const Selection& selection : all_ways()) {
      SCOPED_TRACE(selection.name());
      check(selection, workload);
      if (HasFailure()) return;
    }
  }
}

/// More columns than a tile has, the last tile and the last part not full.
TEST(BellmanFordGpu, RowsOfSeveralTiles) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  SsspWorkload workload(make_graph("random:n=2600,m=26000,lengths=uniform:0..1000"), {{0}, {7}});
  for (const Selection& selection : all_ways()) {
    SCOPED_TRACE(selection.name());
    check(selection, workload);
    if (HasFailure()) return;
  }
}

/// A cycle far from the source is noticed, or else proved by round n.
TEST(BellmanFordGpu, NegativeCycleBehindAPath) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kCount = 100;
  std::vector<Arc> arcs;
  for (Vertex v = 1; v < kCount; ++v) arcs.push_back({v - 1, v, 2});
  for (const Vertex head : {kCount - 1, kCount - 2, Vertex{0}}) {
    auto with_cycle = arcs;
    const auto around = static_cast<Length>(2 * (kCount - 1 - head));
    with_cycle.push_back({kCount - 1, head, -around - 1});
    SsspWorkload negative(Graph::from_arcs(kCount, with_cycle), {{0}});
    with_cycle.back().length = -around;
    SsspWorkload zero(Graph::from_arcs(kCount, with_cycle), {{0}});
    for (const Selection& selection : select("*")) {
      SCOPED_TRACE(selection.name() + ", arc to " + std::to_string(head));
      EXPECT_EQ(check(selection, negative), 1);
      EXPECT_EQ(check(selection, zero), 0) << "a cycle of length 0 does no harm";
      if (HasFailure()) return;
    }
  }
}

/// The number of vertices that each round changes, on one thread: every instance has to go through
/// the same.
std::vector<std::uint64_t> updated_counts(const Graph& graph, Vertex source) {
  std::vector<Distance> distances(graph.vertex_count(), kUnreached);
  distances[source] = 0;
  std::vector<std::uint64_t> counts;
  do {
    const std::vector<Distance> old = distances;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      if (old[u] == kUnreached) continue;
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        Distance& distance = distances[graph.heads()[e]];
        distance = std::min(distance, old[u] + graph.length(e));
      }
    }
    std::uint64_t count = 0;
    for (Vertex v = 0; v < graph.vertex_count(); ++v) count += distances[v] != old[v] ? 1 : 0;
    counts.push_back(count);
  } while (counts.back() > 0);
  return counts;
}

TEST(BellmanFordGpu, RoundsAreTheSynchronousOnes) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  int graphs = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Graph graph = testing::small_random_negative_graph(seed);
    if (testing::oracle_distances(graph, 0).empty()) continue;
    ++graphs;
    SsspWorkload workload(graph, {{0}});
    const auto expected = updated_counts(graph, 0);
    for (const Selection& selection : all_ways()) {
      SCOPED_TRACE(selection.name() + " on graph " + std::to_string(seed));
      const auto variant = testing::bind_where_it_fits(selection, workload);
      if (variant == nullptr) continue;
      RunContext context;
      variant->prepare(context);
      variant->run(0, 1, context);
      const PhaseLog log = variant->phase_log();
      ASSERT_EQ(log.columns, (std::vector<std::string>{"updated_count", "host_ns"}));
      std::vector<std::uint64_t> counts;
      for (std::size_t i = 0; i < log.values.size(); i += 2) counts.push_back(log.values[i]);
      ASSERT_EQ(counts, expected);
    }
  }
  EXPECT_GT(graphs, 5);
}

TEST(BellmanFordGpu, AccountsItsMemory) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  SsspWorkload workload(graph, {{0}});
  const auto account = [&](const std::string& keys) {
    RunContext context;
    testing::bind_where_it_fits(select(keys).at(0), workload)->prepare(context);
    std::map<std::string, std::uint64_t> bytes;
    for (const auto& [what, held] : context.accounted()) bytes[what] = held;
    return bytes;
  };
  auto bytes = account("storage=matrix,compaction=off,distance=64,copy=included");
  EXPECT_EQ(bytes["device graph"], n * 128 * 4);
  EXPECT_EQ(bytes["device vertices"], 2 * 128 * 8 + 4 * n);
  EXPECT_EQ(bytes["device lists"], 0u);
  EXPECT_EQ(bytes["pinned graph"], n * 128 * 4);
  bytes = account("storage=csr,distance=64");
  EXPECT_EQ(bytes["device graph"], 2 * 4 * (n + 1) + (8 + 4) * m);
  EXPECT_GT(bytes["device lists"], 5 * n);
  EXPECT_EQ(bytes["pinned graph"], 0u);
}

}  // namespace
}  // namespace bellmark::bellman_ford_gpu
