// A queue without any order: the least of the labelled vertices is found by looking at each. E. W.
// Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959); DIKQ
// of Yasui et al. (2011), Table 15.
//
// push and decrease are O(1), a pop reads every entry held (16 bytes each with 64-bit distances, in
// sequence): O(n^2) for a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// Room for an entry a vertex.
template <class Distance, class Id>
class ScanStorage {
 public:
  using Block = Entries<Distance, Id, Layout::aos>;

  ScanStorage() = default;
  explicit ScanStorage(std::size_t vertex_count) : block_(vertex_count) {}

  typename Block::Cursor cursor() const { return block_.cursor(); }
  std::uint64_t bytes() const { return std::uint64_t{block_.size()} * Block::kBytes; }

  /// Entries beyond the held ones are never read: there is nothing to undo.
  void clean(Id) const {}
  void clean_all(std::size_t) const {}
  std::size_t clean_all_cost() const { return 0; }
  Id held(std::size_t position) const { return cursor().get(position).vertex(); }

 private:
  Block block_;
};

template <class DistanceType, class IdType>
class Scan {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = Vertices<Distance, Id, Layout::aos>;
  using Storage = ScanStorage<Distance, Id>;
  using Entry = typename Storage::Block::Entry;

  static Storage storage(std::size_t vertex_count, std::uint64_t) { return Storage(vertex_count); }

  Scan(const Storage& storage, typename WorkArea::Cursor vertices)
      : entries_(storage.cursor()), vertices_(vertices) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance distance, Id vertex) {
    vertices_.place(vertex, static_cast<Id>(size_));
    entries_.put(size_++, {distance, vertex});
  }

  void decrease(Id position, Distance distance, Id vertex) const {
    entries_.put(position, {distance, vertex});
  }

  Entry top() {
    least_ = 0;
    auto key = entries_.key(0);
    for (std::size_t i = 1; i < size_; ++i) {
      if (entries_.key(i) < key) {
        key = entries_.key(i);
        least_ = i;
      }
    }
    return entries_.get(least_);
  }

  void pop() {
    const Entry last = entries_.get(--size_);
    entries_.put(least_, last);
    vertices_.place(last.vertex(), static_cast<Id>(least_));
  }

 private:
  typename Storage::Block::Cursor entries_;
  typename WorkArea::Cursor vertices_;
  std::size_t least_ = 0;  ///< the place where top() found it
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
