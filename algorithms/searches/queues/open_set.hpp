// The open vertices, in no order: of the states unopened, open and closed only the open ones are
// looked at for the least distance. ma2022, section 3.1.1; the base of its comparisons.
//
// It holds vertices, whose distances are where a search keeps them. decrease is free and push O(1).
// A pop reads every vertex held (4 bytes with 32-bit ids, in sequence) and its record, a cache line
// that it shares with neighbours at best. `scan` holds distances too, and reads nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// Room for every vertex.
template <class Id>
class OpenSetStorage {
 public:
  OpenSetStorage() = default;
  explicit OpenSetStorage(std::size_t vertex_count) : vertices_(vertex_count) {}

  Id* data() const { return vertices_.data(); }
  std::uint64_t bytes() const { return vertices_.bytes(); }

  /// Places beyond the held ones are never read: there is nothing to undo.
  void clean(Id) const {}
  void clean_all(std::size_t) const {}
  std::size_t clean_all_cost() const { return 0; }
  Id held(std::size_t position) const { return vertices_.data()[position]; }

 private:
  Array<Id> vertices_;
};

template <class DistanceType, class IdType>
class OpenSet {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = Vertices<Distance, Id, Layout::aos>;
  using Storage = OpenSetStorage<Id>;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t vertex_count, std::uint64_t) { return Storage(vertex_count); }

  OpenSet(const Storage& storage, typename WorkArea::Cursor vertices)
      : open_(storage.data()), vertices_(vertices) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance, Id vertex) {
    vertices_.place(vertex, static_cast<Id>(size_));
    open_[size_++] = vertex;
  }

  void decrease(Id, Distance, Id) const {}

  Entry top() {
    least_ = 0;
    Distance distance = vertices_.distance(open_[0]);
    for (std::size_t i = 1; i < size_; ++i) {
      const Distance other = vertices_.distance(open_[i]);
      if (other < distance) {
        distance = other;
        least_ = i;
      }
    }
    return {distance, open_[least_]};
  }

  void pop() {
    const Id last = open_[--size_];
    open_[least_] = last;
    vertices_.place(last, static_cast<Id>(least_));
  }

 private:
  Id* open_;
  typename WorkArea::Cursor vertices_;
  std::size_t least_ = 0;  ///< the place where top() found it
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
