// Multi-level buckets: the first bucket above the lowest level is spread over the level below it.
// E. V. Denardo, B. L. Fox: Shortest-route methods, Operations Research 27 (1979); A. V. Goldberg,
// C. Silverstein: Implementations of Dijkstra's algorithm based on multi-level buckets (1995).
//
// With the caliber heuristic (A. V. Goldberg: A simple shortest path algorithm with linear average
// time, ESA 2001) some vertices go past the buckets. These are labelled vertices whose distance
// exceeds mu by at most their caliber, the length of their shortest incoming arc: no path can
// improve them. That paper analyses base 2, with one level for each bit of C: O(m + n log C),
// linear on average for random lengths. Here there are few levels of a larger power of two, 1 to 3,
// so that heads stay in cache and vertices move seldom. `levels=auto` goes by the size of a cache.
// mbp.hpp has the levels of mbp, the benchmark code of the 9th DIMACS Challenge, and b1, b2, b3.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/levels.hpp"
#include "algorithms/searches/queues/queue.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// The largest distance of a label above mu. With calibers a vertex up to C above mu is scanned,
/// and labels others up to C above itself.
constexpr std::uint64_t multi_level_range(std::uint64_t largest_length, bool caliber) {
  return caliber ? 2 * largest_length : largest_length;
}

constexpr std::uint64_t multi_level_bucket_count(int levels, bool caliber,
                                                 std::uint64_t largest_length) {
  return level_bucket_count(levels, 0, multi_level_range(largest_length, caliber)) +
         (caliber ? 1 : 0);
}

/// The heads, and with calibers one more for the vertices past the buckets.
template <class Id, int levels, bool has_calibers>
class MultiLevelHeads : public LevelHeads<Id> {
 public:
  MultiLevelHeads() = default;
  MultiLevelHeads(std::size_t vertex_count, std::uint64_t largest_length)
      : LevelHeads<Id>(vertex_count, levels, 0, multi_level_range(largest_length, has_calibers),
                       has_calibers ? 1 : 0),
        calibers_(has_calibers ? vertex_count : 0) {
    std::fill_n(calibers_.data(), calibers_.size(), Id{0});
  }

  /// For each vertex, at most the length of its shortest incoming arc: 0 at first, which holds for
  /// any graph.
  const Id* calibers() const { return calibers_.data(); }
  /// O(n + m).
  void set_calibers(const Graph& graph) const {
    Id* calibers = calibers_.data();
    std::fill_n(calibers, calibers_.size(), static_cast<Id>(graph.properties().largest_length));
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      Id& caliber = calibers[graph.heads()[e]];
      caliber = std::min(caliber, static_cast<Id>(graph.length(e)));
    }
  }
  std::uint64_t bytes() const { return LevelHeads<Id>::bytes() + calibers_.bytes(); }

 private:
  Array<Id> calibers_;
};

template <class DistanceType, class IdType, int levels, bool caliber>
class MultiLevel {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = LinkedVertices<Distance, Id>;
  using Storage = MultiLevelHeads<Id, levels, caliber>;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t vertex_count, std::uint64_t largest_length) {
    return Storage(vertex_count, largest_length);
  }

  MultiLevel(const Storage& storage, typename WorkArea::Cursor vertices)
      : levels_(storage, vertices), calibers_(storage.calibers()), exact_(storage.size() - 1) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance distance, Id vertex) {
    insert(distance, vertex);
    ++size_;
  }

  void decrease(Id position, Distance distance, Id vertex) {
    levels_.lists.remove(position, vertex);
    insert(distance, vertex);
  }

  Entry top() {
    const auto vertices = levels_.lists.vertices();
    for (;;) {
      if constexpr (caliber) {
        if (!levels_.lists.empty(exact_)) return entry(levels_.lists.first(exact_));
      }
      const std::size_t bucket = levels_.first();
      const Id first = levels_.lists.first(bucket);
      // One alone need not move: it is the least.
      if (levels_.level_of(bucket) == 0 || vertices.next(first) == kMost<Id>) {
        levels_.mu = vertices.distance(first);
        return entry(first);
      }
      levels_.mu = levels_.least_of(first);
      for (Id v = levels_.lists.take(bucket); v != kMost<Id>;) {
        const Id next = vertices.next(v);
        insert(vertices.distance(v), v);
        v = next;
      }
    }
  }

  void pop() {
    levels_.lists.remove(levels_.lists.vertices().position(next_), next_);
    --size_;
  }

 private:
  Entry entry(Id v) {
    next_ = v;
    return {levels_.lists.vertices().distance(v), v};
  }

  void insert(Distance distance, Id v) const {
    if constexpr (caliber) {
      if (distance - levels_.mu <= calibers_[v]) return levels_.lists.insert(exact_, v);
    }
    levels_.insert(distance, v);
  }

  Levels<BucketLists<Distance, Id>, levels, 0> levels_;
  const Id* calibers_;
  std::size_t exact_;  ///< with calibers: the bucket of vertices that no path can improve
  Id next_ = 0;        ///< the vertex that top() gave
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
