// Every entry of the matrix lies on one rank, and every vertex in one piece of one rank. The groups
// are those of the blocks.
#include "algorithms/problems/distributed_bfs/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace bellmark::distributed_bfs {
namespace {

constexpr Vertex kSizes[] = {0, 1, 63, 64, 65, 200, 512, 1000, 4097};

std::vector<std::pair<PartitionKind, std::size_t>> all_partitions() {
  std::vector<std::pair<PartitionKind, std::size_t>> kinds;
  for (std::size_t ranks = 1; ranks <= 36; ++ranks) {
    kinds.emplace_back(PartitionKind::grid, ranks);
    kinds.emplace_back(PartitionKind::rows, ranks);
  }
  for (const std::size_t ranks : {2, 8, 32, 128}) kinds.emplace_back(PartitionKind::pairs, ranks);
  return kinds;
}

template <class Check>
void for_all(Check check) {
  for (const auto& [kind, ranks] : all_partitions()) {
    for (const Vertex n : kSizes) {
      SCOPED_TRACE(to_string(kind) + ", " + std::to_string(ranks) +
                   " ranks, n = " + std::to_string(n));
      check(Partition(kind, n, ranks));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Partition, EveryVertexIsInOnePieceOfOneRank) {
  for_all([](const Partition& partition) {
    Vertex end = 0;
    for (std::size_t k = 0; k < partition.piece_count(); ++k) {
      const VertexRange piece = partition.piece(k);
      EXPECT_EQ(piece.begin, end);
      EXPECT_TRUE(piece.begin % 64 == 0 || piece.size() == 0);
      end = piece.end;
      for (Vertex v = piece.begin; v < piece.end; ++v) {
        ASSERT_EQ(partition.piece_of(v), k);
        ASSERT_EQ(partition.owner_of(v), partition.owner(k));
      }
    }
    EXPECT_EQ(end, partition.vertex_count());
    std::vector<std::size_t> owned;
    for (std::size_t rank = 0; rank < partition.rank_count(); ++rank) {
      const auto& pieces = partition.pieces(rank);
      EXPECT_EQ(pieces.size(), partition.kind() == PartitionKind::pairs ? 2 : 1);
      EXPECT_TRUE(std::is_sorted(pieces.begin(), pieces.end()));
      for (const std::size_t k : pieces) EXPECT_EQ(partition.owner(k), rank);
      owned.insert(owned.end(), pieces.begin(), pieces.end());
    }
    std::sort(owned.begin(), owned.end());
    for (std::size_t k = 0; k < partition.piece_count(); ++k) ASSERT_EQ(owned.at(k), k);
  });
}

TEST(Partition, SomeFormsAreTheSame) {
  const auto blocks_of = [](const Partition& partition) {
    std::vector<std::vector<Partition::BlockPlace>> blocks;
    for (std::size_t rank = 0; rank < partition.rank_count(); ++rank) {
      blocks.push_back(partition.blocks(rank));
    }
    return blocks;
  };
  for_all([&](const Partition& partition) {
    for (const PartitionKind other : {PartitionKind::grid, PartitionKind::rows}) {
      const Partition another(other, partition.vertex_count(), partition.rank_count());
      EXPECT_EQ(partition.is_also(other), blocks_of(partition) == blocks_of(another))
          << to_string(other);
    }
    EXPECT_EQ(partition.is_also(PartitionKind::pairs), partition.kind() == PartitionKind::pairs);
  });
}

/// Pieces are as equal as whole words allow.
TEST(Partition, PiecesAreEqual) {
  for_all([](const Partition& partition) {
    Vertex least = partition.vertex_count();
    Vertex largest = 0;
    for (std::size_t k = 0; k < partition.piece_count(); ++k) {
      least = std::min(least, partition.piece(k).size());
      largest = std::max(largest, partition.piece(k).size());
    }
    EXPECT_LE(largest - least, 127U);  // a word, and the rest of n
  });
}

TEST(Partition, EveryEntryIsInOneBlockOfOneRank) {
  for_all([](const Partition& partition) {
    const Vertex n = partition.vertex_count();
    for (Vertex v = 0; v < n; ++v) {
      const VertexRange row = partition.row_part(partition.row_part_of(v));
      const VertexRange column = partition.column_part(partition.column_part_of(v));
      ASSERT_TRUE(row.begin <= v && v < row.end);
      ASSERT_TRUE(column.begin <= v && v < column.end);
    }
    std::map<std::pair<std::size_t, std::size_t>, int> holders;
    std::uint64_t area = 0;
    for (std::size_t rank = 0; rank < partition.rank_count(); ++rank) {
      const auto& blocks = partition.blocks(rank);
      for (std::size_t index = 0; index < blocks.size(); ++index) {
        const auto [i, j] = blocks[index];
        ++holders[{i, j}];
        EXPECT_EQ(partition.holder(i, j).rank, rank);
        EXPECT_EQ(partition.holder(i, j).index, index);
        area += std::uint64_t{partition.row_part(i).size()} * partition.column_part(j).size();
      }
    }
    EXPECT_EQ(area, std::uint64_t{n} * n);
    EXPECT_EQ(holders.size(), partition.row_part_count() * partition.column_part_count());
    for (const auto& [place, count] : holders) EXPECT_EQ(count, 1);
  });
}

TEST(Partition, GroupsAreTheHoldersOfAPartsBlocks) {
  for_all([](const Partition& partition) {
    const auto check = [&](const std::vector<std::size_t>& group, auto holds) {
      EXPECT_TRUE(std::is_sorted(group.begin(), group.end()));
      for (std::size_t rank = 0; rank < partition.rank_count(); ++rank) {
        const auto& blocks = partition.blocks(rank);
        EXPECT_EQ(std::count(group.begin(), group.end(), rank),
                  std::any_of(blocks.begin(), blocks.end(), holds) ? 1 : 0);
      }
    };
    std::size_t k = 0;
    for (std::size_t i = 0; i < partition.row_part_count(); ++i) {
      const auto& group = partition.row_group(i);
      check(group, [i](const Partition::BlockPlace& block) { return block.row_part == i; });
      EXPECT_EQ(partition.row_part(i).begin, partition.piece(k).begin);
      for (const std::size_t rank : group) EXPECT_EQ(partition.owner(k++), rank);
      EXPECT_EQ(partition.row_part(i).end, partition.piece(k - 1).end);
    }
    EXPECT_EQ(k, partition.piece_count());
    k = 0;
    for (std::size_t j = 0; j < partition.column_part_count(); ++j) {
      const auto& group = partition.column_group(j);
      check(group, [j](const Partition::BlockPlace& block) { return block.column_part == j; });
      EXPECT_EQ(partition.column_part(j).begin, partition.piece(k).begin);
      for (const std::size_t rank : group) EXPECT_EQ(partition.folder(k++), rank);
      EXPECT_EQ(partition.column_part(j).end, partition.piece(k - 1).end);
    }
    EXPECT_EQ(k, partition.piece_count());
  });
}

TEST(Partition, GridIsAsSquareAsCanBe) {
  const std::map<std::size_t, std::pair<std::size_t, std::size_t>> shapes = {
      {1, {1, 1}}, {2, {2, 1}}, {3, {3, 1}}, {4, {2, 2}},  {6, {3, 2}},
      {7, {7, 1}}, {8, {4, 2}}, {9, {3, 3}}, {12, {4, 3}}, {36, {6, 6}}};
  for (const auto& [ranks, shape] : shapes) {
    const Partition partition(PartitionKind::grid, 1000, ranks);
    EXPECT_EQ(partition.row_part_count(), shape.first) << ranks;
    EXPECT_EQ(partition.column_part_count(), shape.second) << ranks;
  }
}

TEST(Partition, PairsAreTransposes) {
  for (const std::size_t ranks : {2, 8, 32, 128}) {
    const Partition partition(PartitionKind::pairs, 5000, ranks);
    EXPECT_EQ(partition.row_part_count() * partition.row_part_count(), 2 * ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto& blocks = partition.blocks(rank);
      ASSERT_EQ(blocks.size(), 2U);
      if (blocks[0].row_part == blocks[0].column_part) {
        EXPECT_EQ(blocks[0].row_part % 2, 0U);
        EXPECT_EQ(blocks[1].row_part, blocks[0].row_part + 1);
        EXPECT_EQ(blocks[1].column_part, blocks[0].row_part + 1);
      } else {
        EXPECT_LT(blocks[0].row_part, blocks[0].column_part);
        EXPECT_EQ(blocks[1].row_part, blocks[0].column_part);
        EXPECT_EQ(blocks[1].column_part, blocks[0].row_part);
      }
    }
  }
}

TEST(Partition, RefusesWithTheReason) {
  const auto reason = [](PartitionKind kind, std::size_t ranks) -> std::string {
    try {
      const Partition partition(kind, 100, ranks);
    } catch (const UnmetError& error) {
      return error.what();
    }
    return {};
  };
  for (const std::size_t ranks : {0, 1, 3, 4, 5, 6, 7, 16, 64, 127}) {
    const std::string said = reason(PartitionKind::pairs, ranks);
    EXPECT_NE(said.find("can't be dealt to " + std::to_string(ranks) + " rank"), std::string::npos)
        << said;
    EXPECT_NE(said.find("use 2, 8, 32"), std::string::npos) << said;
    EXPECT_EQ(Partition::refuse(PartitionKind::pairs, ranks), said);
  }
  EXPECT_NE(reason(PartitionKind::grid, 0), "");
  EXPECT_EQ(Partition::refuse(PartitionKind::pairs, 32), "");
  EXPECT_EQ(Partition::refuse(PartitionKind::rows, 300), "");
}

}  // namespace
}  // namespace bellmark::distributed_bfs
