// Double buckets: high-level buckets of width D, of which the current one is spread over D
// low-level buckets of width 1. E. V. Denardo, B. L. Fox: Shortest-route methods, Operations
// Research 27 (1979); DIKBD of B. V. Cherkassky, A. V. Goldberg, T. Radzik: Shortest paths
// algorithms: theory and experimental evaluation, Mathematical Programming 73 (1996), and of Yasui
// et al. (2011), Table 15, where D = ceil(C / 2^11), C being the largest length.
//
// A vertex moves at most twice: O(m + n(D + C/D)) for a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/buckets.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// The width of a high-level bucket, and the number of low-level ones.
constexpr std::uint64_t double_bucket_width(std::uint64_t largest_length) {
  return std::max<std::uint64_t>(1, largest_length / 2048 + (largest_length % 2048 != 0 ? 1 : 0));
}

/// A held distance is less than width + C above the begin of the current high-level bucket.
constexpr std::uint64_t double_bucket_count(std::uint64_t largest_length) {
  const std::uint64_t width = double_bucket_width(largest_length);
  return width + (width - 1 + largest_length) / width + 1;
}

/// The heads of both levels, low before high.
template <class Id>
class DoubleBucketHeads : public BucketHeads<Id> {
 public:
  DoubleBucketHeads() = default;
  DoubleBucketHeads(std::size_t vertex_count, std::uint64_t largest_length)
      : BucketHeads<Id>(vertex_count, double_bucket_count(largest_length)),
        width_(double_bucket_width(largest_length)) {}
  std::size_t width() const { return width_; }

 private:
  std::size_t width_ = 1;
};

template <class DistanceType, class IdType, class Lists = BucketLists<DistanceType, IdType>>
class DoubleBuckets {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = typename Lists::WorkArea;
  using Storage = DoubleBucketHeads<Id>;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t vertex_count, std::uint64_t largest_length) {
    return Storage(vertex_count, largest_length);
  }

  DoubleBuckets(const Storage& storage, typename WorkArea::Cursor vertices)
      : lists_(storage, vertices),
        width_(storage.width()),
        high_count_(storage.size() - storage.width()) {}

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
    for (;; spread_next()) {
      for (; low_ < width_; ++low_) {
        if (!lists_.empty(low_)) return {begin_ + static_cast<Distance>(low_), lists_.first(low_)};
      }
    }
  }

  void pop() {
    lists_.remove_first(low_);
    --size_;
  }

 private:
  std::size_t bucket(Distance distance) const {
    const auto offset = static_cast<std::uint64_t>(distance - begin_);
    if (offset < width_) return offset;
    // Offsets mostly fit in 32 bits, where a division takes a fraction of the time.
    const std::uint64_t ahead =
        (offset | width_) >> 32 == 0
            ? static_cast<std::uint32_t>(offset) / static_cast<std::uint32_t>(width_)
            : offset / width_;
    const std::size_t high = high_ + ahead;
    return width_ + (high < high_count_ ? high : high - high_count_);
  }

  /// Makes the next high-level bucket that holds vertices the current one.
  void spread_next() {
    do {
      begin_ += static_cast<Distance>(width_);
      if (++high_ == high_count_) high_ = 0;
    } while (lists_.empty(width_ + high_));
    low_ = width_;
    for (Id v = lists_.take(width_ + high_); v != kMost<Id>;) {
      const Id next = lists_.vertices().next(v);
      const auto low = static_cast<std::size_t>(lists_.vertices().distance(v) - begin_);
      lists_.insert(low, v);
      low_ = std::min(low_, low);
      v = next;
    }
  }

  Lists lists_;
  std::size_t width_;
  std::size_t high_count_;
  Distance begin_ = 0;    ///< of the current high-level bucket
  std::size_t high_ = 0;  ///< the current high-level bucket, itself empty
  std::size_t low_ = 0;   ///< low-level buckets before this one are empty
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
