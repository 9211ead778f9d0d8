#include "algorithms/problems/distributed_bfs/partition.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/problems/bfs/levels.hpp"
#include "base/error.hpp"

namespace bellmark::distributed_bfs {

namespace {

/// C of R x C ranks with R >= C as near to each other as they can be.
std::size_t largest_column_part_count(std::size_t rank_count) {
  std::size_t count = 1;
  for (std::size_t c = 1; c * c <= rank_count; ++c) {
    if (rank_count % c == 0) count = c;
  }
  return count;
}

void check_rank_count(PartitionKind kind, std::size_t rank_count) {
  if (kind != PartitionKind::pairs) {
    if (rank_count > 0) return;
    throw UnmetError(to_string(kind), "no rank holds a block", "use 1 rank or more");
  }
  // 2, 8, 32, ...: a power of 2 with an odd exponent.
  if (std::has_single_bit(rank_count) && std::countr_zero(rank_count) % 2 != 0) return;
  throw UnmetError("partition=pairs",
                   "two blocks a rank can't be dealt to " + std::to_string(rank_count) +
                       (rank_count == 1 ? " rank" : " ranks"),
                   "use 2, 8, 32, ... (2^(2n + 1)) ranks, or partition=grid");
}

}  // namespace

std::string to_string(PartitionKind kind) {
  if (kind == PartitionKind::pairs) return "pairs";
  return kind == PartitionKind::grid ? "grid" : "rows";
}

Partition::Partition(PartitionKind kind, Vertex n, std::size_t rank_count) : kind_(kind), n_(n) {
  check_rank_count(kind, rank_count);
  if (kind == PartitionKind::pairs) {
    deal_pairs(rank_count);
  } else {
    deal_grid(rank_count, kind == PartitionKind::grid ? largest_column_part_count(rank_count) : 1);
  }
  holders_.resize(row_groups_.size() * column_groups_.size());
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    for (std::size_t index = 0; index < blocks_[rank].size(); ++index) {
      const BlockPlace& block = blocks_[rank][index];
      holders_[block.row_part * column_groups_.size() + block.column_part] = {rank, index};
      row_groups_[block.row_part].push_back(rank);
      column_groups_[block.column_part].push_back(rank);
    }
  }
  pieces_.resize(rank_count);
  for (std::size_t k = 0; k < piece_count(); ++k) pieces_[owner(k)].push_back(k);
}

std::string Partition::refuse(PartitionKind kind, std::size_t rank_count) {
  try {
    check_rank_count(kind, rank_count);
  } catch (const UnmetError& error) {
    return error.what();
  }
  return {};
}

void Partition::deal_grid(std::size_t rank_count, std::size_t column_part_count) {
  row_groups_.resize(rank_count / column_part_count);
  column_groups_.resize(column_part_count);
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    blocks_.push_back({{rank / column_groups_.size(), rank % column_groups_.size()}});
  }
}

void Partition::deal_pairs(std::size_t rank_count) {
  const std::size_t part_count = std::size_t{1} << (std::countr_zero(rank_count) + 1) / 2;
  row_groups_.resize(part_count);
  column_groups_.resize(part_count);
  for (std::size_t j = 1; j < part_count; ++j) {
    for (std::size_t i = 0; i < j; ++i) blocks_.push_back({{i, j}, {j, i}});
  }
  for (std::size_t i = 0; i < part_count; i += 2) blocks_.push_back({{i, i}, {i + 1, i + 1}});
}

bool Partition::is_also(PartitionKind kind) const {
  if (kind == kind_) return true;
  if (kind == PartitionKind::pairs || kind_ == PartitionKind::pairs) return false;
  return largest_column_part_count(rank_count()) == 1;
}

VertexRange Partition::pieces_from(std::size_t first, std::size_t count) const {
  const auto begin_of = [this](std::size_t k) {
    const auto words = static_cast<Vertex>(bfs::word_count(n_));
    if (k == piece_count()) return n_;
    const Vertex word =
        bfs::part(words, static_cast<Vertex>(k), static_cast<Vertex>(piece_count())).begin;
    return static_cast<Vertex>(std::min<std::uint64_t>(std::uint64_t{word} * bfs::kWordBits, n_));
  };
  return {begin_of(first), begin_of(first + count)};
}

VertexRange Partition::piece(std::size_t k) const { return pieces_from(k, 1); }

VertexRange Partition::row_part(std::size_t i) const {
  return pieces_from(i * row_groups_[i].size(), row_groups_[i].size());
}

VertexRange Partition::column_part(std::size_t j) const {
  return pieces_from(j * column_groups_[j].size(), column_groups_[j].size());
}

std::size_t Partition::piece_of(Vertex v) const {
  return bfs::part_of(static_cast<Vertex>(bfs::word_count(n_)), v / bfs::kWordBits,
                      static_cast<Vertex>(piece_count()));
}

}  // namespace bellmark::distributed_bfs
