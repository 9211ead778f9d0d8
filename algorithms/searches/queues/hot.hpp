// Hot queue (heap on top): multi-level buckets in which a heap holds the vertices of the first
// bucket instead of the levels below it, while they are few. B. V. Cherkassky, A. V. Goldberg, C.
// Silverstein: Buckets, heaps, lists, and monotone priority queues, SIAM Journal on Computing 28
// (1999); h1, h2, h3 of Yasui et al. (2011), Table 16.
//
// Here the lowest level's buckets are one digit wide. The heap takes the place of the level below
// them, where plain buckets would have width 1. So with one level the first bucket always goes into
// the heap. With more levels, a first bucket on a higher level with more than kHotMost vertices is
// spread over the level below. A heap that outgrows kHotMost goes back there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/heap.hpp"
#include "algorithms/searches/queues/levels.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// A heap of this size stays in the first level of cache.
inline constexpr std::size_t kHotMost = 256;

constexpr std::uint64_t hot_bucket_count(int levels, std::uint64_t largest_length) {
  return level_bucket_count(levels, 1, largest_length);
}

template <class HeapType, int levels>
class HotStorage : public LevelHeads<typename HeapType::Id> {
 public:
  using Heads = LevelHeads<typename HeapType::Id>;
  using Entries = typename HeapType::Storage;

  HotStorage() = default;
  HotStorage(std::size_t vertex_count, std::uint64_t largest_length)
      : Heads(vertex_count, levels, 1, largest_length, 0),
        entries_(HeapType::storage(vertex_count, largest_length)) {}

  Entries& entries() { return entries_; }
  std::uint64_t bytes() const { return Heads::bytes() + entries_.bytes(); }

 private:
  Entries entries_;
};

/// In the heap a vertex's position is its index there, and its `next` says so.
template <class DistanceType, class IdType, int levels,
          class Lists = BucketLists<DistanceType, IdType>,
          class HeapType = Heap<DistanceType, IdType, Layout::aos, 4, Extract::bottom_up, true,
                                typename Lists::Vertices>>
class Hot {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = typename Lists::WorkArea;
  using Storage = HotStorage<HeapType, levels>;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t vertex_count, std::uint64_t largest_length) {
    return Storage(vertex_count, largest_length);
  }

  Hot(Storage& storage, typename WorkArea::Cursor vertices)
      : levels_(storage, vertices), entries_(storage.entries()), heap_(entries_, vertices) {}
  /// Leaves the heap's storage clean after a search that stopped early.
  ~Hot() { entries_.clean_all(heap_.size()); }
  Hot(const Hot&) = delete;
  Hot& operator=(const Hot&) = delete;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance distance, Id vertex) {
    insert(distance, vertex);
    ++size_;
  }

  void decrease(Id position, Distance distance, Id vertex) {
    if (levels_.lists.vertices().next(vertex) == kInHeap) {
      heap_.decrease(position, distance, vertex);
    } else {
      levels_.lists.remove(position, vertex);
      insert(distance, vertex);
    }
  }

  Entry top() {
    while (heap_.empty()) open_first();
    const auto least = heap_.top();
    levels_.mu = least.distance();
    return {least.distance(), least.vertex()};
  }

  void pop() {
    heap_.pop();
    --size_;
  }

 private:
  /// No vertex has this id: see BucketHeads.
  static constexpr Id kInHeap = kMost<Id> - 1;
  static constexpr int kClosed = -1;

  bool in_active_range(Distance distance) const {
    return active_ != kClosed && (distance ^ levels_.mu) >> active_ == 0;
  }

  void insert(Distance distance, Id v) {
    if (!in_active_range(distance)) return levels_.insert(distance, v);
    put_in_heap(distance, v);
    if constexpr (levels > 1) {
      if (heap_.size() > kHotMost && active_ > levels_.width_exponent(0)) empty_heap();
    }
  }

  void put_in_heap(Distance distance, Id v) {
    levels_.lists.vertices().set_next(v, kInHeap);
    heap_.push(distance, v);
  }

  /// Puts the heap's vertices back to their places without it.
  void empty_heap() {
    active_ = kClosed;
    while (!heap_.empty()) {
      const auto entry = heap_.top();
      heap_.pop();
      levels_.insert(entry.distance(), entry.vertex());
    }
  }

  /// Moves the vertices of the first bucket into the heap, or to the level below.
  void open_first() {
    const auto vertices = levels_.lists.vertices();
    const std::size_t bucket = levels_.first();
    const int level = levels_.level_of(bucket);
    const Id first = levels_.lists.take(bucket);
    std::size_t count = 0;
    for (Id v = first; v != kMost<Id> && count <= kHotMost; v = vertices.next(v)) ++count;
    levels_.mu = levels_.least_of(first);
    const bool small = level == 0 || count <= kHotMost;
    active_ = small ? levels_.width_exponent(level) : kClosed;
    for (Id v = first; v != kMost<Id>;) {
      const Id next = vertices.next(v);
      if (small) {
        put_in_heap(vertices.distance(v), v);
      } else {
        levels_.insert(vertices.distance(v), v);
      }
      v = next;
    }
  }

  Levels<Lists, levels, 1> levels_;
  typename Storage::Entries& entries_;
  HeapType heap_;
  int active_ = kClosed;  ///< exponent of the range around mu whose vertices lie in the heap
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
