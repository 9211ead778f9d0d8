// The one-level radix heap: about log2 C buckets whose ranges double, C being the largest length.
// When the first bucket that holds vertices covers several distances, its range is divided among
// the buckets before it. Its vertices move there. R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E.
// Tarjan: Faster algorithms for the shortest path problem, Journal of the ACM 37 (1990); DIKR of
// Yasui et al. (2011), Table 15: log2 C + 3 buckets.
//
// A vertex only ever moves to lower buckets: O(m + n log C) for a search. Heads and bounds fit into
// a few cache lines; moving a vertex touches its record and a neighbour's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/buckets.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// Bucket 0 and one whose range has 2^(i-1) distances for each i, until they cover C + 1; the last
/// one has no bound.
constexpr std::uint64_t radix_bucket_count(std::uint64_t largest_length) {
  return static_cast<std::uint64_t>(std::bit_width(largest_length)) + 2;
}

/// With `walks` a vertex's bucket is sought downwards bucket by bucket, as DIKR does: from the last
/// one, or from the vertex's own.
template <class DistanceType, class IdType, class Lists = BucketLists<DistanceType, IdType>,
          bool walks = false>
class Radix {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = typename Lists::WorkArea;
  using Storage = BucketHeads<Id>;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t vertex_count, std::uint64_t largest_length) {
    return Storage(vertex_count, radix_bucket_count(largest_length));
  }

  Radix(const Storage& storage, typename WorkArea::Cursor vertices)
      : lists_(storage, vertices), last_(storage.size() - 1) {
    for (std::size_t i = 0; i < last_; ++i) bounds_[i] = bound(i);
    bounds_[last_] = kMost<Distance>;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance distance, Id vertex) {
    lists_.insert(bucket(distance, last_), vertex);
    ++size_;
  }

  void decrease(Id position, Distance distance, Id vertex) {
    std::size_t from = last_;
    if constexpr (walks) from = lists_.bucket_of(position);
    lists_.move(position, bucket(distance, from), vertex);
  }

  Entry top() {
    if (lists_.empty(0)) spread_first();
    return {least_, lists_.first(0)};
  }

  void pop() {
    lists_.remove_first(0);
    --size_;
  }

 private:
  /// The largest distance of bucket i when the range is divided from least_ on.
  Distance bound(std::size_t i) const {
    const Distance width = static_cast<Distance>((Distance{1} << i) - 1);
    return kMost<Distance> - least_ < width ? kMost<Distance>
                                            : static_cast<Distance>(least_ + width);
  }

  /// The first bucket whose bound is not less. No bound lies above least_ + 2^i - 1, because least_
  /// only grows after the bound is set. So the search can start at the distance's bit width.
  std::size_t bucket_by_width(Distance distance) const {
    auto i = std::min(
        last_, static_cast<std::size_t>(std::bit_width(static_cast<Distance>(distance - least_))));
    while (bounds_[i] < distance) ++i;
    return i;
  }

  /// The same; a walk starts at bucket `from`.
  std::size_t bucket(Distance distance, std::size_t from) const {
    if constexpr (!walks) return bucket_by_width(distance);
    while (from > 0 && distance <= bounds_[from - 1]) --from;
    return from;
  }

  /// Divides the first bucket that holds vertices; afterwards its least ones lie in bucket 0.
  void spread_first() {
    std::size_t first = 1;
    while (lists_.empty(first)) ++first;
    const Id head = lists_.take(first);
    least_ = kMost<Distance>;
    for (Id v = head; v != kMost<Id>; v = lists_.vertices().next(v)) {
      least_ = std::min(least_, lists_.vertices().distance(v));
    }
    for (std::size_t i = 0; i < first; ++i) bounds_[i] = std::min(bound(i), bounds_[first]);
    for (Id v = head; v != kMost<Id>;) {
      const Id next = lists_.vertices().next(v);
      lists_.insert(bucket_by_width(lists_.vertices().distance(v)), v);
      v = next;
    }
  }

  Lists lists_;
  std::size_t last_;
  Distance least_ = 0;  ///< no held vertex has less; bucket 0 holds just this distance
  std::size_t size_ = 0;
  std::array<Distance, 66> bounds_;  ///< the largest distance of each bucket
};

}  // namespace bellmark::dijkstra
