// The queue of searches that certify answers. Variants have their own in searches/queues/, because
// a proof shares no code with the search that it checks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

/// A priority queue whose keys never fall below the one on top: a radix heap. Ahuja, Mehlhorn,
/// Orlin, Tarjan: Faster algorithms for the shortest path problem, JACM 1990. An entry lies in the
/// bucket of the highest bit in which it differs from the last top, and moves to lower ones only.
/// So push() and pop() take O(log C) together, for keys that are at most C apart. Most of that is
/// one write: no entry is compared with entries of other buckets.
class MonotoneQueue {
 public:
  struct Entry {
    Distance distance;
    Vertex vertex;
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  /// `distance` is at least that of the last top, and at least 0.
  void push(Distance distance, Vertex vertex) {
    buckets_[bucket_of(distance)].push_back({distance, vertex});
    ++size_;
  }

  /// One of the least entries. The queue is not empty. Amortised over pushes.
  Entry top() {
    settle();
    return buckets_[0].back();
  }
  void pop() {
    settle();
    buckets_[0].pop_back();
    --size_;
  }

  void clear() {
    for (std::vector<Entry>& bucket : buckets_) bucket.clear();
    last_ = 0;
    size_ = 0;
  }

 private:
  std::size_t bucket_of(Distance distance) const {
    return static_cast<std::size_t>(
        std::bit_width(static_cast<std::uint64_t>(distance) ^ static_cast<std::uint64_t>(last_)));
  }

  /// Puts the least entries into the first bucket.
  void settle() {
    if (!buckets_[0].empty()) return;
    const auto bucket = std::ranges::find_if(buckets_, [](const auto& b) { return !b.empty(); });
    last_ = std::ranges::min(*bucket, {}, &Entry::distance).distance;
    for (const Entry& entry : *bucket) buckets_[bucket_of(entry.distance)].push_back(entry);
    bucket->clear();
  }

  static constexpr std::size_t kBits = std::numeric_limits<std::uint64_t>::digits;
  std::array<std::vector<Entry>, kBits + 1> buckets_;
  Distance last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace bellmark
