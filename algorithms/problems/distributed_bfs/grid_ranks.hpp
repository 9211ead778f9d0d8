// The ranks that speak to each other in a grid: a rank's row, its column, and the exchange between
// the two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/parallel/communicator.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/distributed_bfs/parcels.hpp"
#include "algorithms/problems/distributed_bfs/partition.hpp"

namespace bellmark::distributed_bfs {

using bfs::Word;

/// The members of a set, ascending, each plus `first`.
inline std::vector<Vertex> members_of(std::span<const Word> set, Vertex first = 0) {
  std::vector<Vertex> members;
  bfs::for_each_member(set, 0, set.size(), [&](Vertex v) { members.push_back(first + v); });
  return members;
}

inline void assign(std::span<Word> set, std::span<const Vertex> members) {
  std::fill(set.begin(), set.end(), 0);
  for (const Vertex v : members) bfs::insert<false>(set, v);
}

/// A group of ranks that know a part of the vertices together: each has one of its pieces.
class Group {
 public:
  /// The part's pieces are `first_piece` and those after it, one a member, in order.
  Group(std::unique_ptr<Communicator> members, const Partition& partition, std::size_t first_piece)
      : members_(std::move(members)) {
    const Vertex begin = partition.piece(first_piece).begin;
    for (std::size_t m = 0; m < members_->size(); ++m) {
      const VertexRange piece = partition.piece(first_piece + m);
      vertex_offsets_.push_back(piece.begin - begin);
      word_offsets_.push_back(bfs::word_count(piece.begin - begin));
      if (m == members_->rank()) piece_ = piece;
      part_ = {begin, piece.end};
    }
    vertex_offsets_.push_back(part_.size());
    word_offsets_.push_back(bfs::word_count(part_.size()));
    for (std::size_t m = 0; m <= members_->size(); ++m) {
      received_offsets_.push_back(m * bfs::word_count(piece_.size()));
    }
  }

  Communicator& members() const { return *members_; }
  std::size_t size() const { return members_->size(); }
  VertexRange part() const { return part_; }
  /// This member's piece.
  VertexRange piece() const { return piece_; }
  /// A member's piece, by the part's numbers.
  VertexRange range_of(std::size_t member) const {
    return {static_cast<Vertex>(vertex_offsets_[member]),
            static_cast<Vertex>(vertex_offsets_[member + 1])};
  }

  /// Collective: values of the part's vertices from those of each member's piece.
  template <class T>
  void gather_values(std::span<const T> own, std::span<T> all) const {
    members_->all_gather(own, all, vertex_offsets_);
  }
  /// Collective: the same for bitmaps, which the returned handle finishes.
  Pending start_gather_set(std::span<const Word> own, std::span<Word> all) const {
    return members_->start_all_gather(own, all, word_offsets_);
  }
  /// Collective: the same by lists. Each of the sets' members takes 4 bytes, and each set 8 more
  /// before them.
  void gather_list(std::span<const Word> own, std::span<Word> all) const {
    const std::vector<Vertex> list = members_of(own, piece_.begin - part_.begin);
    std::vector<std::size_t> offsets = {0};
    for (const std::size_t count : members_->all_gather(list.size())) {
      offsets.push_back(offsets.back() + count);
    }
    std::vector<Vertex> lists(offsets.back());
    members_->all_gather(list, lists, offsets);
    assign(all, lists);
  }
  /// Collective: each member gets the members of all sets in its piece. `received` gets size()
  /// bitmaps of this member's piece, the m-th from member m.
  void deal_set(std::span<const Word> set, std::span<Word> received) const {
    members_->all_to_all(set, word_offsets_, received, received_offsets_);
  }
  /// Collective: the same by lists, with 8 bytes for each before them.
  void deal_list(std::span<const Word> set, std::span<Word> received,
                 Parcels<Vertex>& parcels) const {
    for (std::size_t m = 0; m < size(); ++m) {
      parcels.to(m) =
          members_of(set.subspan(word_offsets_[m], word_offsets_[m + 1] - word_offsets_[m]));
    }
    parcels.deliver();
    const std::size_t count = bfs::word_count(piece_.size());
    for (std::size_t m = 0; m < size(); ++m)
      assign(received.subspan(m * count, count), parcels.from(m));
  }

 private:
  std::unique_ptr<Communicator> members_;
  VertexRange part_;
  VertexRange piece_;
  std::vector<std::size_t> vertex_offsets_;
  std::vector<std::size_t> word_offsets_;
  std::vector<std::size_t> received_offsets_;
};

/// A rank's two groups. It owns its piece of the row part. Its piece of the column part is another
/// rank's. to_column() and to_row() move a piece's values between the two ranks.
class GridRanks {
 public:
  /// Collective.
  GridRanks(const Partition& partition, Communicator& ranks)
      : ranks_(&ranks),
        row_(ranks.split(ranks.rank() / partition.column_part_count()), partition,
             ranks.rank() / partition.column_part_count() * partition.row_group(0).size()),
        column_(ranks.split(ranks.rank() % partition.column_part_count()), partition,
                ranks.rank() % partition.column_part_count() * partition.column_group(0).size()),
        folder_(partition.folder(ranks.rank())),
        owner_(partition.owner(partition.column_group(0).size() *
                                   (ranks.rank() % partition.column_part_count()) +
                               column_.members().rank())) {}

  Communicator& ranks() const { return *ranks_; }
  const Group& row() const { return row_; }
  const Group& column() const { return column_; }
  /// The rank that has this rank's own piece in its column.
  std::size_t folder() const { return folder_; }
  /// The owner of this rank's piece of the column.
  std::size_t owner() const { return owner_; }

  /// Collective: `of_column` gets, for the piece of the column, its owner's values.
  template <class T>
  void to_column(std::span<const T> of_row, std::span<T> of_column) const {
    ranks_->exchange(of_row, folder_, of_column, owner_);
  }
  /// Collective: the way back.
  template <class T>
  void to_row(std::span<const T> of_column, std::span<T> of_row) const {
    ranks_->exchange(of_column, owner_, of_row, folder_);
  }

 private:
  Communicator* ranks_;
  Group row_;
  Group column_;
  std::size_t folder_;
  std::size_t owner_;
};

}  // namespace bellmark::distributed_bfs
