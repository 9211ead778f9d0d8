// Values that every rank has for some of the others, delivered at once.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark::distributed_bfs {

/// Write to(rank), deliver(), read from(rank); and again. Buffers keep their capacity.
template <class T>
class Parcels {
 public:
  explicit Parcels(Communicator& ranks)
      : ranks_(&ranks), outgoing_(ranks.size()), offsets_(ranks.size() + 1) {}

  std::vector<T>& to(std::size_t rank) { return outgoing_[rank]; }

  /// Collective: the values written replace the values read. It is an all-to-all of 8 bytes a rank,
  /// for the counts, and one of the values.
  void deliver() {
    sent_.clear();
    std::vector<std::size_t> send_offsets = {0};
    for (std::vector<T>& values : outgoing_) {
      sent_.insert(sent_.end(), values.begin(), values.end());
      values.clear();
      send_offsets.push_back(sent_.size());
    }
    offsets_ = ranks_->all_to_all(sent_, send_offsets, received_);
  }

  /// The values of `rank` for this one, in the order in which they were written.
  std::span<const T> from(std::size_t rank) const {
    return std::span(received_).subspan(offsets_[rank], offsets_[rank + 1] - offsets_[rank]);
  }
  /// The values of all ranks, in their order, for an owner that keeps them.
  std::vector<T> take_received() { return std::move(received_); }

 private:
  Communicator* ranks_;
  std::vector<std::vector<T>> outgoing_;
  std::vector<T> sent_;
  std::vector<T> received_;
  std::vector<std::size_t> offsets_;
};

}  // namespace bellmark::distributed_bfs
