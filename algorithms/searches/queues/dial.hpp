// One-level buckets: one circular array of C + 1 buckets, C being the largest length. A vertex with
// distance d lies in bucket d mod (C + 1). R. B. Dial: Algorithm 360, Shortest-path forest with
// topological ordering, CACM 12 (1969); `buckets` and DIKB of Yasui et al. (2011), section 2.2.2.
//
// push and decrease are O(1). All pops together walk over one head for each unit of the largest
// distance (4 bytes each, in sequence): this makes the time grow with C.
#pragma once

#include "algorithms/searches/queues/buckets.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// Number of buckets, for lengths up to `largest_length`.
constexpr std::uint64_t dial_bucket_count(std::uint64_t largest_length) {
  return largest_length + 1;
}

template <class DistanceType, class IdType, class Lists = BucketLists<DistanceType, IdType>>
class Dial {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = typename Lists::WorkArea;
  using Storage = BucketHeads<Id>;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t vertex_count, std::uint64_t largest_length) {
    return Storage(vertex_count, dial_bucket_count(largest_length));
  }

  Dial(const Storage& storage, typename WorkArea::Cursor vertices)
      : lists_(storage, vertices), bucket_count_(storage.size()) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance distance, Id vertex) {
    lists_.insert(bucket(distance), vertex);
    ++size_;
  }

  void decrease(Id position, Distance distance, Id vertex) {
    lists_.move(position, bucket(distance), vertex);
  }

  Entry top() {
    while (lists_.empty(current_)) {
      ++least_;
      if (++current_ == bucket_count_) current_ = 0;
    }
    return {least_, lists_.first(current_)};
  }

  void pop() {
    lists_.remove_first(current_);
    --size_;
  }

 private:
  /// The bucket counted from the current one: a comparison instead of a division.
  std::size_t bucket(Distance distance) const {
    const std::size_t bucket = current_ + static_cast<std::size_t>(distance - least_);
    return bucket < bucket_count_ ? bucket : bucket - bucket_count_;
  }

  Lists lists_;
  std::size_t bucket_count_;
  std::size_t current_ = 0;  ///< the bucket of least_
  Distance least_ = 0;       ///< no held vertex has less
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
