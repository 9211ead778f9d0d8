// distributed-bfs/persistent: numbers and rows on any machine. Where a GPU is, the search itself
// over ranks that are threads and share it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/distributed_bfs/test_support.hpp"
#include "algorithms/searches/distributed_bfs/persistent_layout.hpp"
#include "algorithms/testing/gpu_family.hpp"
#include "graph/generate.hpp"

#if BELLMARK_HAVE_CUDA
#include "algorithms/searches/distributed_bfs/gpu_test_support.hpp"
#endif

namespace bellmark::distributed_bfs::persistent {
namespace {

using testing::column;
using testing::scattered_graph;

TEST(DistributedPersistent, NumbersAreDealtInStripes) {
  for (const std::uint32_t piece_count : {1U, 2U, 3U, 7U, 32U}) {
    const Numbers numbers(piece_count);
    EXPECT_EQ(numbers.number({piece_count - 1, kStripe}), (2 * piece_count - 1) * kStripe);
    // The largest stripes, too.
    const Vertex last = ~Vertex{0} / kStripe / piece_count * kStripe - 1;
    for (const Vertex position : {Vertex{0}, kStripe - 1, kStripe, 5 * kStripe + 17, last}) {
      for (std::uint32_t piece = 0; piece < piece_count; ++piece) {
        const Place place = numbers.place(numbers.number({piece, position}));
        ASSERT_EQ(place.piece, piece) << piece_count << " pieces, position " << position;
        ASSERT_EQ(place.position, position) << piece_count << " pieces, piece " << piece;
      }
    }
  }
}

/// Every rank's rows, back in ids of the graph.
///
/// This function has more than 60 lines: all that it compares is read back by the same ids.
void expect_rows_of(const Graph& graph, std::size_t size, PartitionKind kind) {
  run_ranks(size, [&](Communicator& ranks) {
    const DistributedGraph distributed = DistributedGraph::of(graph, ranks, kind);
    const GridRanks grid(distributed.partition(), ranks);
    const Layout layout(distributed, grid);
    const std::size_t row_size = grid.row().size();
    const std::size_t column_size = grid.column().size();
    const std::size_t row_part = ranks.rank() / row_size;
    const std::size_t column_part = ranks.rank() % row_size;
    ASSERT_EQ(layout.row_offsets.size(), row_size * layout.piece_size() + 1);
    ASSERT_EQ(layout.column_count(), column_size * layout.piece_size());

    // Ids by rank and position.
    std::vector<Vertex> own(layout.piece_size(), kNoVertex);
    for (std::size_t position = 0; position < layout.originals.size(); ++position) {
      own[position] = grid.row().piece().begin + layout.originals[position];
      ASSERT_EQ(layout.positions[layout.originals[position]], position);
    }
    std::vector<Vertex> ids(own.size() * size);
    ranks.all_gather(own, ids);
    const auto id_of = [&](const Numbers& numbers, std::size_t first_rank, Vertex number) {
      const Place place = numbers.place(number);
      return ids[(first_rank + place.piece) * own.size() + place.position];
    };

    const auto offsets = graph.row_offsets();
    std::uint64_t arc_count = 0;
    for (Vertex row = 0; row + 1 < layout.row_offsets.size(); ++row) {
      const Vertex* const begin = layout.heads.data() + layout.row_offsets.data()[row];
      const Vertex* const end = layout.heads.data() + layout.row_offsets.data()[row + 1];
      ASSERT_TRUE(std::is_sorted(begin, end));
      const Vertex tail = id_of(layout.rows, row_part * row_size, row);
      if (tail == kNoVertex) {
        ASSERT_EQ(begin, end);
        continue;
      }
      std::multiset<Vertex> found;
      for (const Vertex* head = begin; head != end; ++head) {
        const Vertex id = id_of(layout.columns, column_part * column_size, *head);
        found.insert(id);
      }
      std::multiset<Vertex> expected;
      const bfs::VertexRange part = grid.column().part();
      for (Offset e = offsets[tail]; e < offsets[tail + 1]; ++e) {
        const Vertex head = graph.heads()[e];
        if (head >= part.begin && head < part.end) expected.insert(head);
      }
      ASSERT_EQ(found, expected);
      arc_count += found.size();
    }
    EXPECT_EQ(ranks.all_reduce(arc_count, Reduction::sum), graph.arc_count());
    ASSERT_EQ(layout.mean_degrees.size() * kWordVertices, layout.column_count());
    for (Vertex word = 0; word < layout.mean_degrees.size(); ++word) {
      double sum = 0;
      double count = 0;
      for (Vertex column = word * kWordVertices; column < (word + 1) * kWordVertices; ++column) {
        const Vertex id = id_of(layout.columns, column_part * column_size, column);
        if (id == kNoVertex) continue;
        sum += static_cast<double>(offsets[id + 1] - offsets[id]);
        ++count;
      }
      const double mean = count == 0 ? 0 : sum / count;
      ASSERT_NEAR(layout.mean_degrees.data()[word], mean, 0.5);
    }
    std::uint64_t with_number = 0;
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      const bool has_arcs = offsets[v + 1] > offsets[v];
      if (has_arcs || !graph.properties().symmetric) ++with_number;
    }
    EXPECT_EQ(layout.vertex_count, with_number);
    const auto sizes = ranks.all_gather(static_cast<std::uint32_t>(layout.originals.size()));
    const auto sizes_of = [&](std::size_t first_rank, std::size_t count) {
      const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(first_rank);
      return std::vector(first, first + static_cast<std::ptrdiff_t>(count));
    };
    EXPECT_EQ(layout.row_sizes, sizes_of(row_part * row_size, row_size));
    EXPECT_EQ(layout.column_sizes, sizes_of(column_part * column_size, column_size));
  });
}

TEST(DistributedPersistent, RowsAreThoseOfTheGraph) {
  for (const std::size_t size : {1, 2, 3, 4, 6, 9}) {
    for (const PartitionKind kind : {PartitionKind::grid, PartitionKind::rows}) {
      SCOPED_TRACE(to_string(kind) + ", " + std::to_string(size) + " ranks");
      for (const std::uint32_t seed : {1U, 2U, 3U}) {
        expect_rows_of(scattered_graph(seed, seed != 3), size, kind);
      }
      expect_rows_of(make_graph("kronecker:scale=13,edge-factor=4,seed=3"), size, kind);
      for (const auto& [name, graph] : testing::zoo()) expect_rows_of(graph, size, kind);
      if (HasFailure()) return;
    }
  }
}

class DistributedPersistentOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = testing::without_family("distributed-bfs/persistent");
        !reason.empty()) {
      GTEST_SKIP() << reason;
    }
    if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  }

  static void expect_right_with_all_keys(const Graph& graph, const std::vector<Vertex>& sources,
                                         const std::vector<std::size_t>& sizes = {2, 3, 4, 6}) {
    for (const std::size_t size : sizes) {
      for (const char* keys :
           {"", ":alpha=0", ":alpha=1000000000,beta=1000000000", ":alpha=1000000000,beta=1",
            ":alpha=1,beta=1", ":owner-lists=0", ":alpha=0,owner-lists=1000000000",
            ":alpha=1,beta=1,owner-lists=1000000000", ":alpha=0,owner-lists=3", ":partition=grid",
            ":partition=grid,alpha=0", ":partition=grid,alpha=1,beta=1"}) {
        const std::string variant = std::string("distributed-bfs/persistent") + keys;
        SCOPED_TRACE(variant + ", " + std::to_string(size) + " ranks");
        run_ranks(size, [&](Communicator& ranks) {
          testing::expect_right_answers(variant, graph, sources, ranks);
        });
        if (HasFailure()) return;
      }
    }
  }
};

// Apart from the others because sanitizers can't watch kernels that wait for each other.
TEST_F(DistributedPersistentOnGpu, OneRank) {
  for (const std::uint32_t seed : {1U, 3U}) {
    const Graph graph = scattered_graph(seed, seed % 3 != 0);
    expect_right_with_all_keys(graph, {0, graph.vertex_count() - 1}, {1});
  }
  expect_right_with_all_keys(testing::hubs_and_crumbs(), {0, 1000, 3}, {1});
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  expect_right_with_all_keys(graph, {graph.heads()[0], 1}, {1});
}

TEST_F(DistributedPersistentOnGpu, ScatteredGraphs) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = scattered_graph(seed, seed % 3 != 0);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {0, n / 2, n - 1, n / 3});
    if (HasFailure()) return;
  }
}

TEST_F(DistributedPersistentOnGpu, KroneckerGraphsHubsAndChains) {
  for (const char* reference : {"kronecker:scale=12,edge-factor=8,seed=3", "kronecker:scale=16"}) {
    SCOPED_TRACE(reference);
    const Graph graph = make_graph(reference);
    expect_right_with_all_keys(graph, {graph.heads()[0], graph.heads()[99], 1, 2, 3});
    if (HasFailure()) return;
  }
  expect_right_with_all_keys(testing::star_of(3000), {0, 17, 3000});
  expect_right_with_all_keys(testing::chain_of(2000), {0, 1900});
  expect_right_with_all_keys(testing::hubs_and_crumbs(), {0, 1000, 296, 999, 3});
}

TEST_F(DistributedPersistentOnGpu, GraphsThatLeaveNothingToDo) {
  expect_right_with_all_keys(testing::from_edges(300, {}), {0, 299});
  // Most vertices have no number, and most ranks no vertex.
  expect_right_with_all_keys(testing::from_edges(5000, {{1, 2}}), {0, 1, 2, 4999});
}

// Counts are those of CPU threads; the rule decides the direction of levels.
TEST_F(DistributedPersistentOnGpu, LevelsAreLogged) {
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  for (const auto& [keys, up] :
       {std::pair{":alpha=0", 0U}, std::pair{":alpha=1000000000,beta=1000000000", 1U}}) {
    run_ranks(2, [&, keys = keys, up = up](Communicator& ranks) {
      const std::vector<Vertex> sources = {graph.heads()[0]};
      const PhaseLog expected =
          testing::expect_right_answers("distributed-bfs/hybrid", graph, sources, ranks);
      const PhaseLog log = testing::expect_right_answers(
          std::string("distributed-bfs/persistent") + keys, graph, sources, ranks, true);
      for (const char* name : {"frontier_count", "unvisited_count"}) {
        EXPECT_EQ(column(log, name), column(expected, name)) << name;
      }
      const auto levels_up = column(log, "bottom_up");
      EXPECT_EQ(std::count(levels_up.begin(), levels_up.end(), up),
                static_cast<std::ptrdiff_t>(levels_up.size()));
      EXPECT_GT(column(log, "gather_sent_bytes")[0], 0U);
    });
  }
}

#if BELLMARK_HAVE_CUDA
TEST_F(DistributedPersistentOnGpu, AGpuARank) {
  if (const std::string reason = testing::without_gpus(2); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::size_t size : testing::sizes_from(2)) {
    for (const char* keys : {"", ":alpha=0", ":alpha=1000000000,beta=1000000000", ":partition=grid",
                             ":links=kept-awake"}) {
      const std::string variant = std::string("distributed-bfs/persistent") + keys;
      SCOPED_TRACE(variant + ", " + std::to_string(size) + " ranks");
      const Graph graph = make_graph("kronecker:scale=14,edge-factor=8,seed=3");
      testing::run_gpu_ranks(size, [&](Communicator& ranks) {
        testing::expect_right_answers(variant, scattered_graph(2, true), {0, 7}, ranks);
        testing::expect_right_answers(variant, graph, {graph.heads()[0], graph.heads()[99], 1},
                                      ranks);
      });
      if (HasFailure()) return;
    }
  }
}
#endif

}  // namespace
}  // namespace bellmark::distributed_bfs::persistent
