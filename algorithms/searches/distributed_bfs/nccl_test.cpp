// NCCL's groups and the search over them, with ranks that are threads, each with a GPU of its own.
// There are as many ranks as this machine has GPUs. Tests without a GPU run on any machine.
#include <gtest/gtest.h>

#include "algorithms/gpu/gpu.hpp"

#if BELLMARK_HAVE_CUDA

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/problems/distributed_bfs/test_support.hpp"
#include "algorithms/searches/distributed_bfs/gpu_test_support.hpp"
#include "algorithms/searches/distributed_bfs/nccl.hpp"
#include "algorithms/searches/distributed_bfs/nccl_grid_search.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::distributed_bfs {
namespace {

using testing::column;
using testing::oracle_answer;
using testing::part_of;
using testing::run_gpu_ranks;
using testing::scattered_graph;
using testing::sizes_from;

/// The reason why `count` ranks can't have a GPU each and NCCL; "" when they can.
std::string without_gpus(std::size_t count) {
  const std::string absence = nccl_absence();
  return absence.empty() ? testing::without_gpus(count) : absence;
}

TEST(Nccl, ItsAbsenceIsAnUnmetNeed) {
  if (nccl_absence().empty()) GTEST_SKIP() << "NCCL is here";
  SelfCommunicator alone;
  EXPECT_THROW(make_nccl_group(alone), UnmetError);
}

// Host memory: it is left alone, which shows that nothing is called.
TEST(Nccl, ARankAloneKeepsWhatItHas) {
  if (const std::string reason = nccl_absence(); !reason.empty()) GTEST_SKIP() << reason;
  SelfCommunicator alone;
  const auto group = make_nccl_group(alone);
  std::vector<std::uint32_t> values = {1, 2, 3};
  std::vector<std::uint32_t> received = {7, 8, 9};
  const std::vector<std::size_t> offsets = {0, 3};
  group->all_gather(values, offsets, nullptr);
  group->all_to_all(values, offsets, received, offsets, nullptr);
  EXPECT_EQ(values, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(received, (std::vector<std::uint32_t>{7, 8, 9}));
  EXPECT_EQ(group->traffic().call_count, 2U);
  EXPECT_EQ(group->traffic().sent_bytes, 0U);
}

TEST(Nccl, RanksThatShareAGpuAreRefused) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  run_ranks(2, [](Communicator& ranks) {
    try {
      make_nccl_group(ranks);
      ADD_FAILURE() << "two ranks share a GPU";
    } catch (const UnmetError& error) {
      EXPECT_NE(std::string(error.what()).find("ranks 0 and 1 use the same GPU"), std::string::npos)
          << error.what();
    }
  });
}

/// Arrays of device memory that begin as those of the host.
gpu::DeviceArray<std::uint32_t> on_device(const std::vector<std::uint32_t>& values) {
  gpu::DeviceArray<std::uint32_t> array(values.size());
  array.upload(values);
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return array;
}
std::vector<std::uint32_t> on_host(const gpu::DeviceArray<std::uint32_t>& array) {
  std::vector<std::uint32_t> values(array.size());
  array.download(values);
  return values;
}
std::span<std::uint32_t> span_of(const gpu::DeviceArray<std::uint32_t>& array) {
  return {array.data(), array.size()};
}

TEST(Nccl, AllGatherOfEvenAndUnevenShares) {
  if (const std::string reason = without_gpus(2); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::size_t size : sizes_from(2)) {
    run_gpu_ranks(size, [size](Communicator& ranks) {
      const auto group = make_nccl_group(ranks);
      const gpu::Stream stream;
      std::uint64_t sent_bytes = 0;
      // The same number each; then nothing for the first, and one more for each next.
      for (const std::size_t growth : {0, 1}) {
        std::vector<std::size_t> offsets = {0};
        for (std::size_t r = 0; r < size; ++r) {
          offsets.push_back(offsets.back() + (growth == 0 ? 1000 : 100 * r));
        }
        std::vector<std::uint32_t> expected(offsets.back());
        std::iota(expected.begin(), expected.end(), 5U);
        std::vector<std::uint32_t> own(expected.size());
        for (std::size_t i = offsets[ranks.rank()]; i < offsets[ranks.rank() + 1]; ++i) {
          own[i] = expected[i];
        }
        const auto all = on_device(own);
        group->all_gather(span_of(all), offsets, stream);
        stream.synchronize();
        EXPECT_EQ(on_host(all), expected);
        sent_bytes += 4 * (size - 1) * (offsets[ranks.rank() + 1] - offsets[ranks.rank()]);
        EXPECT_EQ(group->traffic().sent_bytes, sent_bytes);
      }
    });
  }
}

TEST(Nccl, AllToAllLeavesWhatIsOnesOwn) {
  if (const std::string reason = without_gpus(2); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::size_t size : sizes_from(2)) {
    run_gpu_ranks(size, [size](Communicator& ranks) {
      const auto group = make_nccl_group(ranks);
      const gpu::Stream stream;
      // Rank s sends r + 1 elements to rank r, and each says its sender and its receiver; rank 1
      // gets none from rank 0.
      const auto count = [](std::size_t from, std::size_t to) {
        return from == 0 && to == 1 ? 0 : to + 1;
      };
      const std::size_t self = ranks.rank();
      std::vector<std::uint32_t> sent;
      std::vector<std::uint32_t> expected;
      std::vector<std::size_t> send_offsets = {0};
      std::vector<std::size_t> received_offsets = {0};
      for (std::size_t r = 0; r < size; ++r) {
        sent.insert(sent.end(), count(self, r), static_cast<std::uint32_t>(100 * self + r));
        send_offsets.push_back(sent.size());
        const auto value = static_cast<std::uint32_t>(r == self ? 77 : 100 * r + self);
        expected.insert(expected.end(), count(r, self), value);
        received_offsets.push_back(expected.size());
      }
      const auto from = on_device(sent);
      const auto to = on_device(std::vector<std::uint32_t>(expected.size(), 77));
      group->all_to_all(span_of(from), send_offsets, span_of(to), received_offsets, stream);
      stream.synchronize();
      EXPECT_EQ(on_host(to), expected);
      EXPECT_EQ(group->traffic().sent_bytes, 4 * (sent.size() - count(self, self)));
    });
  }
}

TEST(Nccl, ExchangeWithOthersAndWithOneself) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::size_t size : sizes_from(1)) {
    run_gpu_ranks(size, [size](Communicator& ranks) {
      const auto group = make_nccl_group(ranks);
      const gpu::Stream stream;
      for (const std::size_t step : {std::size_t{0}, std::size_t{1}, size - 1}) {
        const std::size_t to = (ranks.rank() + step) % size;
        const std::size_t from = (ranks.rank() + size - step % size) % size;
        // Rank r's have r + 1 elements.
        const auto sent = on_device(
            std::vector<std::uint32_t>(ranks.rank() + 1, 10 + std::uint32_t(ranks.rank())));
        const auto received = on_device(std::vector<std::uint32_t>(from + 1, 0));
        const std::uint64_t before = group->traffic().sent_bytes;
        group->exchange(span_of(sent), to, span_of(received), from, stream);
        stream.synchronize();
        EXPECT_EQ(on_host(received),
                  std::vector<std::uint32_t>(from + 1, 10 + std::uint32_t(from)));
        EXPECT_EQ(group->traffic().sent_bytes - before,
                  to == ranks.rank() ? 0 : 4 * (ranks.rank() + 1));
      }
    });
  }
}

/// Forced and free: a large alpha goes bottom-up at once, and beta 1 back after a level. They are
/// few, because NCCL takes most of a second to begin, for each of them.
std::vector<SearchOptions> all_options(bool symmetric) {
  using bfs::Direction;
  constexpr std::uint64_t kLarge = 1000000000;
  std::vector<SearchOptions> all = {{.direction = Direction::top_down}};
  if (!symmetric) return all;
  all.push_back({.direction = Direction::bottom_up, .threshold = 1});
  all.push_back({.direction = Direction::hybrid});
  all.push_back({.direction = Direction::hybrid, .alpha = kLarge, .beta = 1});
  return all;
}

/// One search after the other: levels are the oracle's, and each vertex's predecessor is a
/// neighbour one level above. Returns the phase log of the last one.
PhaseLog expect_right(const Graph& graph, const std::vector<Vertex>& sources,
                      const SearchOptions& options, Communicator& ranks) {
  const DistributedGraph distributed = DistributedGraph::of(graph, ranks);
  RunContext context;
  const auto search = make_nccl_grid_search(distributed, options, context);
  for (const Vertex source : sources) {
    const Bfs::Answer oracle = oracle_answer(graph, source);
    search->run(source);
    DistributedBfs::Answer answer;
    search->extract(answer);
    EXPECT_EQ(answer.levels, part_of(oracle, distributed).levels);
    const Vertex begin = distributed.partition().piece(ranks.rank()).begin;
    for (Vertex i = 0; i < answer.predecessors.size(); ++i) {
      const Vertex v = begin + i;
      const Vertex u = answer.predecessors[i];
      if (v == source || oracle.levels[v] == kNoLevel) {
        EXPECT_EQ(u, kNoVertex) << "of " << v;
        continue;
      }
      if (u >= graph.vertex_count()) {
        ADD_FAILURE() << v << " has predecessor " << u;
        continue;
      }
      EXPECT_EQ(oracle.levels[u] + 1, oracle.levels[v]) << u << ", " << v;
      const auto heads = graph.heads().subspan(graph.row_offsets()[u],
                                               graph.row_offsets()[u + 1] - graph.row_offsets()[u]);
      EXPECT_NE(std::find(heads.begin(), heads.end(), v), heads.end()) << u << ", " << v;
    }
    const auto reached =
        graph.vertex_count() - std::count(oracle.levels.begin(), oracle.levels.end(), kNoLevel);
    EXPECT_EQ(search->reached_count(), static_cast<std::uint64_t>(reached));
    if (::testing::Test::HasFailure()) break;
  }
  return search->phase_log();
}

void expect_right_with_all_options(const Graph& graph, const std::vector<Vertex>& sources) {
  for (const std::size_t size : sizes_from(1)) {
    for (const SearchOptions& options : all_options(graph.properties().symmetric)) {
      SCOPED_TRACE(std::to_string(size) + " ranks, " + to_string(options.direction) + ", alpha " +
                   std::to_string(options.alpha));
      run_gpu_ranks(size,
                    [&](Communicator& ranks) { expect_right(graph, sources, options, ranks); });
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(NcclGridSearch, ScatteredGraphs) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = scattered_graph(seed, seed % 3 != 0);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_options(graph, {0, n / 2, n - 1, n / 3});
    if (HasFailure()) return;
  }
}

TEST(NcclGridSearch, KroneckerGraphsHubsChainsAndCrumbs) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  for (const char* reference : {"kronecker:scale=8,seed=2", "kronecker:scale=12,edge-factor=8"}) {
    const Graph graph = make_graph(reference);
    expect_right_with_all_options(graph, {graph.heads()[0], graph.heads()[99], 1});
  }
  expect_right_with_all_options(testing::star_of(3000), {0, 17, 3000});
  expect_right_with_all_options(testing::chain_of(90), {0, 80});
  expect_right_with_all_options(testing::hubs_and_crumbs(), {0, 1000, 296, 999, 3});
}

TEST(NcclGridSearch, FewerVerticesThanRanks) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  expect_right_with_all_options(testing::star_of(4), {0, 4});
  expect_right_with_all_options(testing::chain_of(100), {99});
}

// The model is GridSearch's and that of NcclGridSearch's comment. 2^12 vertices are 64 words.
TEST(NcclGridSearch, SendsWhatItsModelSays) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  constexpr std::uint64_t kBitmap = 4096 / 8;
  for (const std::size_t size : sizes_from(1)) {
    const Partition partition(PartitionKind::grid, 4096, size);
    const std::uint64_t rows = partition.row_part_count();
    const std::uint64_t columns = partition.column_part_count();
    std::uint64_t moving_bytes = 0;  // of bitmaps of pieces at two ranks
    for (std::size_t k = 0; k < size; ++k) {
      if (partition.owner(k) == partition.folder(k)) continue;
      moving_bytes += bfs::word_count(partition.piece(k).size()) * sizeof(bfs::Word);
    }
    run_gpu_ranks(size, [&](Communicator& ranks) {
      const PhaseLog log = expect_right(graph, {graph.heads()[0]}, {}, ranks);
      const auto up = column(log, "bottom_up");
      ASSERT_GT(std::count(up.begin(), up.end(), 1U), 0);
      ASSERT_GT(std::count(up.begin(), up.end(), 0U), 0);
      std::vector<std::uint64_t> predecessors(up.size());
      predecessors.back() = 32 * (kBitmap * (rows - 1 + columns - 1) + moving_bytes);
      for (std::size_t level = 0; level < up.size(); ++level) {
        const bool bottom_up = up[level] == 1;
        EXPECT_EQ(column(log, "expand_sent_bytes")[level],
                  kBitmap * (columns - 1 + (bottom_up ? rows - 1 : 0)));
        EXPECT_EQ(column(log, "fold_sent_bytes")[level],
                  kBitmap * (bottom_up ? columns - 1 : rows - 1));
        EXPECT_EQ(column(log, "transpose_sent_bytes")[level], moving_bytes);
      }
      EXPECT_EQ(column(log, "predecessors_sent_bytes"), predecessors);
      const auto frontier = column(log, "frontier_count");
      EXPECT_EQ(frontier.front(), 1U);
    });
    if (HasFailure()) return;
  }
}

TEST(NcclGridSearch, RefusesWhatOthersHave) {
  if (const std::string reason = without_gpus(1); !reason.empty()) GTEST_SKIP() << reason;
  run_gpu_ranks(1, [](Communicator& ranks) {
    const DistributedGraph graph = DistributedGraph::of(testing::star_of(9), ranks);
    RunContext context;
    EXPECT_THROW(make_nccl_grid_search(graph, {.by_group = true}, context), UnmetError);
    EXPECT_THROW(make_nccl_grid_search(graph, {.lists = true}, context), UnmetError);
  });
}

}  // namespace
}  // namespace bellmark::distributed_bfs

#else

TEST(NcclGridSearch, NeedsCuda) { GTEST_SKIP() << bellmark::gpu::unmet(); }

#endif
