// Blocks that ranks make together are the blocks of the graph that one process makes.
#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "algorithms/parallel/thread_ranks.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/binary.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"

namespace bellmark::distributed_bfs {
namespace {

std::vector<std::pair<PartitionKind, std::size_t>> all_kinds() {
  return {{PartitionKind::grid, 1},  {PartitionKind::grid, 2},  {PartitionKind::grid, 3},
          {PartitionKind::grid, 4},  {PartitionKind::grid, 6},  {PartitionKind::grid, 8},
          {PartitionKind::pairs, 2}, {PartitionKind::pairs, 8}, {PartitionKind::pairs, 32}};
}

template <class T>
std::vector<T> to_vector(std::span<const T> values) {
  return {values.begin(), values.end()};
}

void expect_whole(const DistributedGraph& graph, const Graph& whole) {
  const Partition& partition = graph.partition();
  ASSERT_EQ(graph.vertex_count(), whole.vertex_count());
  EXPECT_EQ(graph.arc_count(), whole.arc_count());
  EXPECT_EQ(graph.symmetric(), whole.properties().symmetric);
  EXPECT_EQ(graph.provenance(), whole.provenance());
  const auto& places = partition.blocks(graph.ranks().rank());
  ASSERT_EQ(graph.blocks().size(), places.size());
  for (std::size_t index = 0; index < places.size(); ++index) {
    const bfs::Block expected(whole, partition.row_part(places[index].row_part),
                              partition.column_part(places[index].column_part));
    const bfs::Block& block = graph.blocks()[index];
    EXPECT_EQ(block.rows(), expected.rows());
    EXPECT_EQ(block.columns(), expected.columns());
    EXPECT_EQ(to_vector(block.row_offsets()), to_vector(expected.row_offsets()));
    EXPECT_EQ(to_vector(block.heads()), to_vector(expected.heads()));
  }
  std::vector<Offset> degrees;
  std::vector<Offset> list_degrees;
  const auto of_list = whole.edge_list_degrees();
  for (const std::size_t k : partition.pieces(graph.ranks().rank())) {
    for (Vertex v = partition.piece(k).begin; v < partition.piece(k).end; ++v) {
      degrees.push_back(whole.row_offsets()[v + 1] - whole.row_offsets()[v]);
      if (!of_list.empty()) list_degrees.push_back(of_list[v]);
    }
  }
  EXPECT_EQ(graph.degrees(), degrees);
  EXPECT_EQ(graph.edge_list_degrees(), list_degrees);
  EXPECT_EQ(graph.edge_list_edge_count().has_value(), !of_list.empty());
  EXPECT_EQ(graph.edge_list_edge_count().value_or(0), edge_list_edge_count(whole));
}

TEST(DistributedGraph, KroneckerIsTheSameAsInOneProcess) {
  for (const std::string reference :
       {"kronecker:scale=1,edge-factor=2", "kronecker:scale=5", "kronecker:scale=9,seed=3",
        "kronecker:scale=11,edge-factor=5,lengths=uniform:1..255,seed=7"}) {
    const Graph whole = make_graph(reference);
    for (const auto& [kind, size] : all_kinds()) {
      SCOPED_TRACE(reference + ", " + to_string(kind) + " of " + std::to_string(size));
      run_ranks(size, [&, kind = kind](Communicator& ranks) {
        const DistributedGraph graph = DistributedGraph::open(reference, ranks, kind);
        expect_whole(graph, whole);
        EXPECT_TRUE(graph.sorted_rows());
      });
      if (HasFailure()) return;
    }
  }
}

/// Several chunks of edges a round, long rows, columns of three bytes.
TEST(DistributedGraph, LargerKroneckerIsTheSameToo) {
  const std::string reference = "kronecker:scale=17,edge-factor=3,seed=11";
  const Graph whole = make_graph(reference);
  for (const auto& [kind, size] :
       {std::pair{PartitionKind::grid, 1}, std::pair{PartitionKind::grid, 3},
        std::pair{PartitionKind::pairs, 2}}) {
    for (const std::uint64_t round_edge_count :
         {std::uint64_t{100'000}, DistributedGraph::kRoundEdges}) {
      SCOPED_TRACE(to_string(kind) + " of " + std::to_string(size));
      run_ranks(size, [&, kind = kind](Communicator& ranks) {
        expect_whole(DistributedGraph::open(reference, ranks, kind, round_edge_count), whole);
      });
      if (HasFailure()) return;
    }
  }
}

/// No vertex for most ranks, no edge to draw for some, rounds of one edge.
TEST(DistributedGraph, MoreRanksThanVerticesOrEdges) {
  for (const std::string reference :
       {"kronecker:scale=1,edge-factor=1", "kronecker:scale=2,edge-factor=1,seed=3",
        "kronecker:scale=6,edge-factor=1"}) {
    const Graph whole = make_graph(reference);
    for (const auto& [kind, size] :
         {std::pair{PartitionKind::grid, 5}, std::pair{PartitionKind::grid, 7},
          std::pair{PartitionKind::grid, 12}, std::pair{PartitionKind::pairs, 8},
          std::pair{PartitionKind::pairs, 32}}) {
      for (const std::uint64_t round_edge_count : {0, 1, 3}) {
        SCOPED_TRACE(reference + ", " + to_string(kind) + " of " + std::to_string(size));
        run_ranks(size, [&, kind = kind](Communicator& ranks) {
          expect_whole(DistributedGraph::open(reference, ranks, kind, round_edge_count), whole);
        });
        if (HasFailure()) return;
      }
    }
  }
}

/// An edge factor of 0 gives vertices alone.
TEST(DistributedGraph, NoEdges) {
  const std::string reference = "kronecker:scale=8,edge-factor=0";
  const Graph whole = make_graph(reference);
  for (const auto& [kind, size] : all_kinds()) {
    run_ranks(size, [&, kind = kind](Communicator& ranks) {
      expect_whole(DistributedGraph::open(reference, ranks, kind), whole);
    });
    if (HasFailure()) return;
  }
}

/// Rounds of any size, some of them after a rank's share is drawn.
TEST(DistributedGraph, RoundsMakeNoDifference) {
  const std::string reference = "kronecker:scale=8,edge-factor=7,seed=2";
  const Graph whole = make_graph(reference);
  for (const std::uint64_t round_edge_count : {1, 100, 511, 1792, 100'000}) {
    for (const auto& [kind, size] : all_kinds()) {
      if (round_edge_count == 1 && size != 3) continue;
      run_ranks(size, [&, kind = kind](Communicator& ranks) {
        expect_whole(DistributedGraph::open(reference, ranks, kind, round_edge_count), whole);
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedGraph, OtherGraphsAreCut) {
  for (const std::string reference :
       {"grid:rows=20,columns=31,keep=0.8", "random:n=700,m=3000,seed=4",
        "kronecker:scale=7,order=breadth-first"}) {
    for (const auto& [kind, size] : all_kinds()) {
      SCOPED_TRACE(reference + ", " + to_string(kind) + " of " + std::to_string(size));
      run_ranks(size, [&, kind = kind](Communicator& ranks) {
        expect_whole(DistributedGraph::open(reference, ranks, kind), open_graph(reference));
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedGraph, AFileKeepsTheListOfEdges) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "bellmark_distributed.bmg";
  write_binary(make_graph("kronecker:scale=7,edge-factor=12,seed=6"), file);
  for (const auto& [kind, size] : all_kinds()) {
    SCOPED_TRACE(to_string(kind) + " of " + std::to_string(size));
    run_ranks(size, [&, kind = kind](Communicator& ranks) {
      const DistributedGraph graph = DistributedGraph::open(file.string(), ranks, kind);
      expect_whole(graph, open_graph(file.string()));
      EXPECT_EQ(graph.edge_list_edge_count(), std::uint64_t{12} << 7);
      EXPECT_EQ(graph.dealt_as(PartitionKind::grid).edge_list_edge_count(), std::uint64_t{12} << 7);
    });
    if (HasFailure()) break;
  }
  std::filesystem::remove(file);
}

TEST(DistributedGraph, ADamagedFileIsRefusedOrHarmless) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "bellmark_damaged.bmg";
  // Not the file's, which is mapped: it would change with each bit.
  const Graph whole = make_graph("kronecker:scale=5,seed=6");
  write_binary(whole, file);
  std::size_t refusal_count = 0;
  std::size_t flip_count = 0;
  const std::uintmax_t end = std::filesystem::file_size(file);
  for (std::uintmax_t at = 0; at < end; at += 13) {
    const auto flip = [&] {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(at));
      const int byte = stream.get();
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte ^ 0x80));
    };
    SCOPED_TRACE(at);
    flip();
    ++flip_count;
    try {
      run_ranks(2, [&](Communicator& ranks) {
        const DistributedGraph graph = DistributedGraph::open(file.string(), ranks);
        graph.verify(file.string());
        expect_whole(graph, whole);
      });
    } catch (const InputError&) {
      ++refusal_count;
    }
    flip();
  }
  EXPECT_GT(refusal_count, flip_count / 2);
  std::filesystem::remove(file);
}

TEST(DistributedGraph, ZooWithLoopsAndParallelArcs) {
  for (const auto& [name, whole] : testing::zoo()) {
    for (const auto& [kind, size] : all_kinds()) {
      SCOPED_TRACE(name + ", " + to_string(kind) + " of " + std::to_string(size));
      run_ranks(size, [&, kind = kind, &whole = whole](Communicator& ranks) {
        const DistributedGraph graph = DistributedGraph::of(whole, ranks, kind);
        expect_whole(graph, whole);
        EXPECT_EQ(graph.sorted_rows(), whole.properties().sorted_rows);
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedGraph, InAnotherForm) {
  const std::string reference = "kronecker:scale=8,seed=5";
  const Graph whole = make_graph(reference);
  run_ranks(8, [&](Communicator& ranks) {
    const DistributedGraph made = DistributedGraph::open(reference, ranks);
    const DistributedGraph cut = DistributedGraph::of(whole, ranks, PartitionKind::pairs);
    EXPECT_EQ(made.dealt_as(PartitionKind::grid).blocks()[0].heads().data(),
              made.blocks()[0].heads().data());
    expect_whole(made.dealt_as(PartitionKind::pairs), whole);
    expect_whole(cut.dealt_as(PartitionKind::grid), whole);
    expect_whole(made.dealt_as(PartitionKind::pairs).dealt_as(PartitionKind::grid), whole);
  });
}

TEST(DistributedGraph, RowsOfAGridPutTogether) {
  for (const std::string reference :
       {"kronecker:scale=6,edge-factor=1,seed=5", "kronecker:scale=12,seed=5"}) {
    const Graph whole = make_graph(reference);
    for (const std::size_t size : {1, 2, 4, 6, 9, 12}) {
      SCOPED_TRACE(reference + " of " + std::to_string(size));
      run_ranks(size, [&](Communicator& ranks) {
        const DistributedGraph grid = DistributedGraph::open(reference, ranks);
        const DistributedGraph rows = grid.dealt_as(PartitionKind::rows);
        expect_whole(rows, whole);
        expect_whole(rows.dealt_as(PartitionKind::grid), whole);
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedGraph, RefusesWhatTheGeneratorRefuses) {
  SelfCommunicator alone;
  for (const std::string reference :
       {"kronecker:scale=0", "kronecker:scale=32", "kronecker:edge-factor=3",
        "kronecker:scale=4,scale=4", "kronecker:scale=4,factor=2", "kronecker:scale=x",
        "kronecker:scale=20,edge-factor=1048577", "kronecker:scale=4,lengths=odd"}) {
    std::string expected;
    std::string said;
    try {
      open_graph(reference);
    } catch (const InputError& error) {
      expected = error.what();
    }
    try {
      DistributedGraph::open(reference, alone);
    } catch (const InputError& error) {
      said = error.what();
    }
    EXPECT_NE(expected, "") << reference;
    EXPECT_EQ(said, expected);
  }
  EXPECT_THROW(DistributedGraph::open("kronecker:scale=4", alone, PartitionKind::pairs),
               UnmetError);
}

}  // namespace
}  // namespace bellmark::distributed_bfs
