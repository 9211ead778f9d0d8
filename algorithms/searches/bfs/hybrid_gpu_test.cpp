// bfs/hybrid-gpu and bfs/hybrid-cpu-gpu beyond right answers, which conformance_test.cpp checks.
// All rows are a warp's or all a thread's, and both directions come at every level. Levels have
// more arcs than the queue between top-down's phases holds. Row offsets are wide, and the CPU and
// the GPU split in every way.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/testing/gpu_family.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::bfs {
namespace {

using testing::BfsWorkload;
using testing::column;
using testing::expect_right_levels;

constexpr const char* kGpu = "bfs/hybrid-gpu";
constexpr const char* kCpuGpu = "bfs/hybrid-cpu-gpu";

/// Forced and free: a large alpha goes bottom-up at once, and beta 1 back after a level. Alpha 1
/// goes late, and a large beta stays.
const std::vector<std::string>& directions() {
  static const std::vector<std::string> keys = {
      "direction=top-down",
      "direction=bottom-up",
      "direction=hybrid",
      "direction=hybrid,alpha=1000000000,beta=1000000000",
      "direction=hybrid,alpha=1000000000,beta=1",
      "direction=hybrid,alpha=1,beta=1",
  };
  return keys;
}

std::vector<std::string> gpu_variants() {
  std::vector<std::string> variants;
  for (const std::string& direction : directions()) {
    for (const char* threshold : {"1", "32", "1000000"}) {
      for (const char* row_offsets : {"32", "64"}) {
        variants.push_back(std::string(kGpu) + ":" + direction + ",threshold=" + threshold +
                           ",row_offsets=" + row_offsets);
      }
    }
  }
  return variants;
}

std::vector<std::string> cpu_gpu_variants() {
  std::vector<std::string> variants;
  for (const std::string& direction : directions()) {
    for (const char* cpu_share : {"0", "25", "50", "100"}) {
      for (const char* rest : {"threads=1,row_offsets=32", "threads=3,row_offsets=64"}) {
        variants.push_back(std::string(kCpuGpu) + ":" + direction + ",cpu_share=" + cpu_share +
                           "," + rest);
      }
    }
  }
  return variants;
}

void expect_right(const std::vector<std::string>& variants, const Graph& graph,
                  std::vector<Bfs::Query> queries) {
  BfsWorkload workload(graph, std::move(queries));
  for (const std::string& variant : variants) {
    expect_right_levels(variant, workload);
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_right_on_all_graphs(const std::vector<std::string>& variants) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    expect_right(variants, testing::both_ways(graph), {{0}, {n / 2}, {n - 1}});
    if (::testing::Test::HasFailure()) return;
  }
  expect_right(variants, testing::star_of(5000), {{0}, {17}, {5000}});
  expect_right(variants, testing::chain_of(150), {{0}, {75}, {149}});
  // The last queries begin at vertices of small components, one of them alone: vertices that
  // earlier searches reached are not reached here.
  expect_right(variants, testing::hubs_and_crumbs(), {{0}, {1000}, {296}, {999}, {3}});
  expect_right(variants, make_graph("kronecker:scale=10,seed=2"), {{0}, {7}, {1023}, {0}});
  expect_right(variants, testing::both_ways(make_graph("random:n=5001,m=12000,seed=9")),
               {{0}, {2500}, {5000}});
  // Vertices apart at both ends of the ids, and the last word of a bitmap with one vertex.
  expect_right(variants, testing::from_edges(4097, {{1, 4096}, {4096, 33}, {33, 33}, {33, 1}}),
               {{4096}, {0}, {4095}});
}

TEST(BfsHybridGpu, PapersNames) {
  if (const std::string reason = testing::without_family(kGpu); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  EXPECT_EQ(Registry::global().select("hiragushi2013:gpu-only").at(0).name(),
            "bfs/hybrid-gpu:direction=hybrid,alpha=10,beta=14,threshold=32,untimed=levels");
  EXPECT_EQ(Registry::global().select("hiragushi2013:cpu+gpu").at(0).name(),
            "bfs/hybrid-cpu-gpu:cpu_share=25,direction=hybrid,alpha=10,beta=14,threshold=32,"
            "threads=1,untimed=levels");
}

TEST(BfsHybridGpu, NeedsASymmetricGraphUnlessAllIsTopDown) {
  if (const std::string reason = testing::without_family(kGpu); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  for (const std::string family : {kGpu, kCpuGpu}) {
    const auto needs = [&](const char* direction) {
      const std::string variant = family + ":row_offsets=32,direction=" + direction;
      return Registry::global().select(variant).at(0).needs(Need::symmetric);
    };
    EXPECT_TRUE(needs("hybrid")) << family;
    EXPECT_TRUE(needs("bottom-up")) << family;
    EXPECT_FALSE(needs("top-down")) << family;
  }
}

TEST(BfsHybridGpu, RowOffsetsAreAsWideAsTheArcsAsk) {
  const auto resolved = [](const char* wanted, Offset arc_count) {
    return resolve_row_offsets({{"row_offsets", wanted}}, arc_count).get("row_offsets");
  };
  constexpr Offset kMany = Offset{1} << 32;
  EXPECT_EQ(resolved("auto", 4'000'000'000), "32");
  EXPECT_EQ(resolved("auto", kMany), "64");
  EXPECT_EQ(resolved("64", 7), "64");
  EXPECT_EQ(resolved("32", 7), "32");
  EXPECT_THROW(resolved("32", kMany), InputError);
}

TEST(BfsHybridGpu, WithoutADeviceSaysWhy) {
  if (const std::string reason = testing::without_family(kGpu); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  BfsWorkload workload(testing::star_of(3), {{0}});
  for (const char* family : {kGpu, kCpuGpu}) {
    const Selection selection = Registry::global().select(family).at(0);
    RunContext context;
    try {
      testing::bind_where_it_fits(selection, workload)->prepare(context);
      FAIL() << family << " prepared";
    } catch (const UnmetError& error) {
      EXPECT_NE(std::string(error.what()).find(gpu::unmet()), std::string::npos) << error.what();
    }
  }
}

TEST(BfsHybridGpu, RightOnAllGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  expect_right_on_all_graphs(gpu_variants());
}

TEST(BfsHybridCpuGpu, RightOnAllGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  expect_right_on_all_graphs(cpu_gpu_variants());
}

TEST(BfsHybridGpu, PreparesAGraphWithoutVertices) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  BfsWorkload workload(Graph::from_arcs(0, {}), {});
  for (const char* variant : {"bfs/hybrid-gpu", "bfs/hybrid-cpu-gpu:cpu_share=50",
                              "bfs/hybrid-cpu-gpu:cpu_share=100,threads=2"}) {
    RunContext context;
    const Selection selection = Registry::global().select(variant).at(0);
    EXPECT_NO_THROW(testing::bind_where_it_fits(selection, workload)->prepare(context)) << variant;
  }
}

TEST(BfsHybridGpu, DirectedGraphsTopDown) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("random:n=3001,m=9000,seed=4");
  ASSERT_FALSE(graph.properties().symmetric);
  expect_right({"bfs/hybrid-gpu:direction=top-down",
                "bfs/hybrid-cpu-gpu:direction=top-down,cpu_share=30,threads=2"},
               graph, {{0}, {1500}, {3000}});
}

/// 2100 rows of 2100 arcs in one level: more than the queue's 2^22.
TEST(BfsHybridGpu, LevelsWithMoreArcsThanTheQueueHolds) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kSide = 2100;
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex u = 0; u < kSide; ++u) {
    for (Vertex v = 0; v < kSide; ++v) edges.push_back({u, kSide + v});
  }
  expect_right({"bfs/hybrid-gpu:direction=top-down,row_offsets=32",
                "bfs/hybrid-gpu:direction=top-down,row_offsets=64",
                "bfs/hybrid-cpu-gpu:direction=top-down,cpu_share=50,threads=2"},
               testing::from_edges(2 * kSide, edges), {{0}, {kSide}});
}

/// A chain of 4 to a hub with 1000 leaves: 1003 edges. The hub's 1001 arcs are more than 100.
TEST(BfsHybridGpu, PhaseLogSaysWhichWayEachLevelWent) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<std::pair<Vertex, Vertex>> edges = {{0, 1}, {1, 2}, {2, 3}};
  for (Vertex leaf = 4; leaf < 1004; ++leaf) edges.push_back({3, leaf});
  BfsWorkload workload(testing::from_edges(1004, edges), {{0}});
  using Values = std::vector<std::uint64_t>;
  for (const char* variant :
       {"bfs/hybrid-gpu", "bfs/hybrid-cpu-gpu:cpu_share=0", "bfs/hybrid-cpu-gpu:cpu_share=50",
        "bfs/hybrid-cpu-gpu:cpu_share=100,threads=2"}) {
    const PhaseLog log = expect_right_levels(variant, workload);
    EXPECT_EQ(column(log, "bottom_up"), (Values{0, 0, 0, 1, 1})) << variant;
    EXPECT_EQ(column(log, "frontier_count"), (Values{1, 1, 1, 1, 1000})) << variant;
    EXPECT_EQ(column(log, "frontier_arc_count"), (Values{1, 2, 2, 1001, 1000})) << variant;
    EXPECT_EQ(column(log, "unvisited_count"), (Values{1003, 1002, 1001, 1000, 0})) << variant;
    EXPECT_EQ(column(log, "gpu_ns"), Values{}) << variant;
  }
}

/// Where both sides find the same vertices top-down, each counts once.
TEST(BfsHybridCpuGpu, CountsWhatBothSidesFindOnce) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  // From 0 to 999 vertices, which all lead to the same 1000.
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex middle = 1; middle < 1000; ++middle) {
    edges.push_back({0, middle});
    for (Vertex last = 1000; last < 2000; ++last) edges.push_back({middle, last});
  }
  BfsWorkload workload(testing::from_edges(2000, edges), {{0}});
  using Values = std::vector<std::uint64_t>;
  for (const char* cpu_share : {"25", "50", "75"}) {
    const PhaseLog log = expect_right_levels(
        std::string("bfs/hybrid-cpu-gpu:direction=top-down,threads=2,cpu_share=") + cpu_share,
        workload);
    EXPECT_EQ(column(log, "frontier_count"), (Values{1, 999, 1000})) << cpu_share;
    EXPECT_EQ(column(log, "frontier_arc_count"), (Values{999, 999 * 1001, 999 * 1000}))
        << cpu_share;
  }
}

TEST(BfsHybridGpu, InstrumentedRunsTimeTheSides) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  BfsWorkload workload(make_graph("kronecker:scale=10,seed=2"), {{0}});
  for (const std::string family : {kGpu, kCpuGpu}) {
    const Selection selection = Registry::global().select(family).at(0);
    const auto variant = testing::bind_where_it_fits(selection, workload);
    ASSERT_NE(variant, nullptr);
    RunContext context;
    variant->prepare(context);
    variant->run(0, 1, context);
    const PhaseLog plain = variant->phase_log();
    context.set_instrumented(true);
    variant->run(0, 1, context);
    EXPECT_EQ(variant->certify(0), std::nullopt);
    const PhaseLog timed = variant->phase_log();
    EXPECT_EQ(column(timed, "frontier_count"), column(plain, "frontier_count")) << family;
    EXPECT_EQ(column(timed, "gpu_ns").size(), plain.phase_count()) << family;
    EXPECT_EQ(column(timed, "cpu_ns").size(), family == kCpuGpu ? plain.phase_count() : 0);
  }
}

TEST(BfsHybridGpu, AccountsItsMemory) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::uint64_t kVertices = 5001;
  constexpr std::uint64_t kArcs = 10'000;
  constexpr std::uint64_t kWordBytes = 79 * 8;
  BfsWorkload workload(testing::star_of(5000), {{0}});
  const auto bytes_of = [&](const std::string& variant) {
    RunContext context;
    const Selection selection = Registry::global().select(variant).at(0);
    testing::bind_where_it_fits(selection, workload)->prepare(context);
    return std::map<std::string, std::uint64_t>(context.accounted().begin(),
                                                context.accounted().end());
  };
  const auto gpu = bytes_of("bfs/hybrid-gpu:row_offsets=64");
  EXPECT_EQ(gpu.at("device graph"), 8 * (kVertices + 1) + 4 * kArcs);
  EXPECT_EQ(gpu.at("device bitmaps"), 4 * kWordBytes);
  EXPECT_EQ(gpu.at("device vertices"), (4 + 4) * kVertices);
  EXPECT_EQ(gpu.at("device lists"), (4 + 8) * kVertices + 8 * kArcs);
  EXPECT_EQ(bytes_of("bfs/hybrid-gpu:untimed=levels").at("device vertices"), 4 * kVertices);
  const auto both = bytes_of("bfs/hybrid-cpu-gpu:cpu_share=50,row_offsets=32");
  EXPECT_EQ(both.at("device graph"), 4 * (kVertices + 1) + 4 * kArcs);
  EXPECT_EQ(both.at("device merge"), 2 * kWordBytes);
  EXPECT_EQ(both.at("pinned"), 3 * kWordBytes + 4 * kVertices);
  EXPECT_EQ(bytes_of("bfs/hybrid-cpu-gpu:cpu_share=0").at("pinned"), 0U);
}

}  // namespace
}  // namespace bellmark::bfs
