// distributed-bfs/hybrid-gpu over ranks that are threads and share a GPU. It has both kinds, both
// directions at every level, and every split between CPU and GPU. Rows are all a warp's or all a
// thread's. GPUs find the same vertices as CPU threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/distributed_bfs/test_support.hpp"
#include "algorithms/testing/gpu_family.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::distributed_bfs::hybrid_gpu {
namespace {

using testing::column;
using testing::expect_right_answers;

const std::string kFamily = "distributed-bfs/hybrid-gpu";

struct Launch {
  std::string kind;
  std::size_t size;
};

const std::vector<Launch>& all_launches() {
  static const std::vector<Launch> launches = {{"grid", 1}, {"grid", 2},  {"grid", 4},
                                               {"grid", 8}, {"pairs", 2}, {"pairs", 8}};
  return launches;
}

/// Forced and free, as for distributed-bfs/hybrid; each with a threshold, a share of the CPU's, and
/// overlap or none.
const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> keys = {
      "direction=top-down",
      "direction=top-down,cpu_share=50,threads=2",
      "direction=bottom-up,threshold=1",
      "direction=bottom-up,threshold=1000000,overlap=off",
      "direction=bottom-up,cpu_share=25,threads=3",
      "direction=hybrid",
      "direction=hybrid,overlap=off",
      "direction=hybrid,alpha=1000000000,beta=1000000000,threshold=2",
      "direction=hybrid,alpha=1000000000,beta=1",
      "direction=hybrid,alpha=1000000000,beta=1,cpu_share=50",
      "direction=hybrid,alpha=1,beta=1,cpu_share=25,threads=2,overlap=off",
      "direction=hybrid,alpha=1000000000,beta=1,cpu_share=100",
  };
  return keys;
}

std::string variant_of(const Launch& launch, const std::string& keys) {
  return kFamily + ":partition=" + launch.kind + "," + keys;
}

void expect_right_with_all_keys(const Graph& graph, const std::vector<Vertex>& sources) {
  for (const Launch& launch : all_launches()) {
    for (const std::string& keys : all_keys()) {
      if (!graph.properties().symmetric && keys.rfind("direction=top-down", 0) != 0) continue;
      const std::string variant = variant_of(launch, keys);
      SCOPED_TRACE(variant + ", " + std::to_string(launch.size) + " ranks");
      run_ranks(launch.size,
                [&](Communicator& ranks) { expect_right_answers(variant, graph, sources, ranks); });
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// Every rank is refused with a text that has these words.
void expect_refused(const std::string& variant, std::size_t size, const std::string& words) {
  const Graph graph = testing::star_of(9);
  run_ranks(size, [&](Communicator& ranks) {
    try {
      expect_right_answers(variant, graph, {0}, ranks);
      ADD_FAILURE() << variant << " prepared";
    } catch (const UnmetError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  });
}

TEST(DistributedHybridGpu, NeedsASymmetricGraphUnlessAllIsTopDown) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  const auto needs = [](const std::string& keys) {
    return Registry::global().select(kFamily + keys).at(0).needs(Need::symmetric);
  };
  EXPECT_TRUE(needs(""));
  EXPECT_TRUE(needs(":partition=pairs,direction=bottom-up"));
  EXPECT_FALSE(needs(":partition=pairs,direction=top-down"));
}

TEST(DistributedHybridGpu, PaperNamesAreItsPairs) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  const auto name = [](const char* alias) { return Registry::global().select(alias).at(0).name(); };
  const std::string rest = ",direction=hybrid,alpha=10,beta=14,threshold=32,threads=1";
  EXPECT_EQ(name("hiragushi2013:cluster-gpu-only"),
            kFamily + ":partition=pairs,cpu_share=0" + rest);
  EXPECT_EQ(name("hiragushi2013:cluster-cpu+gpu"),
            kFamily + ":partition=pairs,cpu_share=25" + rest);
}

TEST(DistributedHybridGpu, WithoutADeviceSaysWhy) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  for (const std::string keys : {"", ":cpu_share=50", ":cpu_share=100"}) {
    expect_refused(kFamily + keys, 1, gpu::unmet());
  }
}

TEST(DistributedHybridGpu, RefusesWhatAFormHasNot) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  expect_refused(kFamily + ":gpus=2", 2, "a rank of a grid has one block");
  expect_refused(kFamily + ":exchange=by-group", 2, "partition=pairs has groups");
  expect_refused(kFamily + ":partition=pairs,frontier=auto", 2, "bitmaps alone");
  expect_refused(kFamily + ":partition=pairs,transfer=nccl", 2, "through the host");
  expect_refused(kFamily + ":cpu_share=1,transfer=nccl", 2, "cpu_share=0");
}

TEST(DistributedHybridGpu, ScatteredGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = testing::scattered_graph(seed, seed % 3 != 0);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {0, n / 2, n - 1});
    if (HasFailure()) return;
  }
}

TEST(DistributedHybridGpu, KroneckerGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  expect_right_with_all_keys(graph, {graph.heads()[0], graph.heads()[99], 1});
}

TEST(DistributedHybridGpu, HubsChainsLoopsAndCrumbs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  expect_right_with_all_keys(testing::star_of(3000), {0, 17, 3000});
  expect_right_with_all_keys(testing::chain_of(40), {0, 33});
  expect_right_with_all_keys(testing::hubs_and_crumbs(), {0, 1000, 296, 3});
}

TEST(DistributedHybridGpu, FewerVerticesThanRanks) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Graph both_ways = testing::both_ways(graph);
    for (const Launch& launch : all_launches()) {
      const std::string variant = variant_of(launch, "alpha=1000000000,beta=1,cpu_share=30");
      run_ranks(launch.size, [&](Communicator& ranks) {
        expect_right_answers(variant, both_ways, {0, both_ways.vertex_count() - 1}, ranks);
      });
    }
    if (HasFailure()) return;
  }
}

TEST(DistributedHybridGpu, PairsSpeakGroupByGroup) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("kronecker:scale=11,edge-factor=4,seed=6");
  for (const std::size_t size : {2, 8}) {
    for (const std::string keys : {"direction=top-down", "cpu_share=25", "overlap=off"}) {
      SCOPED_TRACE(keys + ", " + std::to_string(size) + " ranks");
      run_ranks(size, [&](Communicator& ranks) {
        expect_right_answers(variant_of({"pairs", size}, "exchange=by-group," + keys), graph,
                             {graph.heads()[0], 5}, ranks);
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedHybridGpu, GridsSendLists) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("kronecker:scale=11,edge-factor=4,seed=6");
  for (const std::string keys : {"direction=top-down", "cpu_share=25", "overlap=off"}) {
    run_ranks(4, [&](Communicator& ranks) {
      expect_right_answers(variant_of({"grid", 4}, "frontier=auto," + keys), graph,
                           {graph.heads()[0], 5}, ranks);
    });
    if (HasFailure()) return;
  }
}

TEST(DistributedHybridGpu, PairsWithAGpuForEachBlock) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("kronecker:scale=11,edge-factor=4,seed=6");
  std::string unmet;
  for (const std::size_t size : {2, 8}) {
    for (const std::string keys :
         {"direction=top-down", "direction=bottom-up", "alpha=1000000000,beta=1,cpu_share=25",
          "alpha=1000000000,beta=1,overlap=off", "exchange=by-group"}) {
      run_ranks(size, [&](Communicator& ranks) {
        try {
          expect_right_answers(variant_of({"pairs", size}, "gpus=2," + keys), graph,
                               {graph.heads()[0], 5}, ranks);
        } catch (const UnmetError& error) {
          EXPECT_NE(std::string(error.what()).find("sees 1 CUDA device"), std::string::npos);
          if (ranks.rank() == 0) unmet = error.what();
        }
      });
      if (HasFailure()) return;
      if (!unmet.empty()) GTEST_SKIP() << unmet;
    }
  }
}

/// 2100 rows of 2100 arcs in one level, which blocks of threads take in turn.
TEST(DistributedHybridGpu, LevelsOfMoreTilesThanBlocks) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kSide = 2100;
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex u = 0; u < kSide; ++u) {
    for (Vertex v = 0; v < kSide; ++v) edges.push_back({u, kSide + v});
  }
  const Graph graph = testing::from_edges(2 * kSide, edges);
  for (const Launch& launch : {Launch{"grid", 1}, Launch{"grid", 2}, Launch{"pairs", 2}}) {
    run_ranks(launch.size, [&](Communicator& ranks) {
      expect_right_answers(variant_of(launch, "direction=top-down"), graph, {0, kSide}, ranks);
    });
  }
}

/// The traffic depends on each rank's finds, and on nothing else.
TEST(DistributedHybridGpu, FindsWhatCpuThreadsFind) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  for (const Launch& launch : all_launches()) {
    for (const std::string cpu_share : {"0", "25", "50"}) {
      SCOPED_TRACE(launch.kind + ", " + std::to_string(launch.size) + " ranks, " + cpu_share);
      run_ranks(launch.size, [&](Communicator& ranks) {
        const std::vector<Vertex> sources = {graph.heads()[7], graph.heads()[0]};
        const PhaseLog expected = expect_right_answers(
            "distributed-bfs/hybrid:partition=" + launch.kind, graph, sources, ranks);
        const PhaseLog log = expect_right_answers(variant_of(launch, "cpu_share=" + cpu_share),
                                                  graph, sources, ranks);
        std::size_t compared_count = 0;
        for (const std::string& name : expected.columns) {
          if (name.find("_ns") != std::string::npos) continue;
          EXPECT_EQ(column(log, name), column(expected, name)) << name;
          ++compared_count;
        }
        EXPECT_EQ(compared_count, launch.kind == "grid" ? 24U : 21U);
        EXPECT_EQ(column(expected, "copy_median_ns").size(), 0U);
        EXPECT_EQ(column(log, "copy_median_ns").size(), expected.phase_count());
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedHybridGpu, AccountsItsMemory) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::uint64_t kVertices = 5001;
  constexpr std::uint64_t kArcs = 10'000;
  constexpr std::uint64_t kWordBytes = 79 * 8;
  const Graph graph = testing::star_of(5000);
  run_ranks(1, [&](Communicator& ranks) {
    const auto bytes_of = [&](const std::string& keys) {
      detail::WorkloadOf<DistributedBfs> workload(DistributedGraph::of(graph, ranks), {{0}});
      RunContext context;
      const Selection selection = Registry::global().select(kFamily + keys).at(0);
      testing::bind_where_it_fits(selection, workload)->prepare(context);
      return std::map<std::string, std::uint64_t>(context.accounted().begin(),
                                                  context.accounted().end());
    };
    const auto alone = bytes_of("");
    EXPECT_EQ(alone.at("device graph"), 4 * (kVertices + 1) + 4 * kArcs + kWordBytes);
    EXPECT_EQ(alone.at("device lists"), (4 + 4) * kVertices);
    EXPECT_EQ(alone.at("device bitmaps"), 2 * 3 * kWordBytes);
    EXPECT_EQ(alone.at("device vertices"), 2 * 4 * kVertices);
    EXPECT_EQ(alone.count("pinned"), 0U);
    EXPECT_EQ(bytes_of(":cpu_share=50").at("pinned"), 2 * kWordBytes);
  });
}

}  // namespace
}  // namespace bellmark::distributed_bfs::hybrid_gpu
