// Buckets on several levels with a power of two as base: the common part of the multi-level queue
// and the hot queue. B. V. Cherkassky, A. V. Goldberg, C. Silverstein: Buckets, heaps, lists, and
// monotone priority queues, SIAM Journal on Computing 28 (1999); Denardo and Fox (1979).
//
// A distance is written in digits of `bits` bits. Its place follows from the highest digit in which
// it differs from the least distance held (mu): that digit's place is the level, its value the
// bucket. The top level is circular, and long enough that it can't lap itself.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/buckets.hpp"

namespace bellmark::dijkstra {

/// The shape of `levels` levels whose buckets are 2^(lowest * bits), 2^((lowest+1) * bits) ...
/// wide, for distances up to `range` above mu: the fewest bits with which the digits suffice.
struct Digits {
  int bits = 0;
  std::uint64_t lower = 1;  ///< buckets on each level but the top
  std::uint64_t top = 1;    ///< buckets on the top level, a power of two

  static constexpr Digits of(int levels, int lowest, std::uint64_t range) {
    const int digits = levels + lowest;
    Digits shape;
    shape.bits = (static_cast<int>(std::bit_width(range)) + digits - 1) / digits;
    shape.lower = std::uint64_t{1} << shape.bits;
    // A range of r whole buckets may touch r + 2 of them. With width 1 each distance of the range
    // has its bucket.
    const int shift = shape.bits * (digits - 1);
    shape.top = std::bit_ceil((range >> shift) + (shift == 0 ? 1 : 2));
    return shape;
  }
};

constexpr std::uint64_t level_bucket_count(int levels, int lowest, std::uint64_t range) {
  const Digits shape = Digits::of(levels, lowest, range);
  return static_cast<std::uint64_t>(levels - 1) * shape.lower + shape.top;
}

/// The heads of all levels, lowest first, then `extra` more. Each has a bit, which is set when a
/// vertex goes in and cleared when the bucket is found empty. So an empty stretch costs a word for
/// 64 heads.
template <class Id>
class LevelHeads : public BucketHeads<Id> {
 public:
  LevelHeads() = default;
  LevelHeads(std::size_t vertex_count, int levels, int lowest, std::uint64_t range,
             std::size_t extra)
      : BucketHeads<Id>(vertex_count, level_bucket_count(levels, lowest, range) + extra),
        shape_(Digits::of(levels, lowest, range)),
        maybe_filled_(this->size() / 64 + 1) {
    std::fill_n(maybe_filled_.data(), maybe_filled_.size(), 0);
  }

  const Digits& shape() const { return shape_; }
  std::uint64_t* maybe_filled() const { return maybe_filled_.data(); }
  std::uint64_t bytes() const { return BucketHeads<Id>::bytes() + maybe_filled_.bytes(); }

 private:
  Digits shape_;
  Array<std::uint64_t> maybe_filled_;
};

/// The levels of a search. `lowest` is the exponent of the lowest level's bucket width, as above.
template <class Lists, int levels, int lowest>
class Levels {
 public:
  using Distance = typename Lists::Distance;
  using Id = typename Lists::Id;
  using Vertices = typename Lists::Vertices;

  Levels(const LevelHeads<Id>& heads, Vertices vertices)
      : lists(heads, vertices),
        bits_(heads.shape().bits),
        lower_(heads.shape().lower),
        top_(heads.shape().top),
        maybe_filled_(heads.maybe_filled()) {}

  Lists lists;
  Distance mu = 0;  ///< no held vertex has less

  void insert(Distance distance, Id v) const {
    const std::size_t bucket = bucket_of(distance);
    maybe_filled_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
    lists.insert(bucket, v);
  }

  /// The bucket that holds the least vertices; there must be one.
  std::size_t first() const {
    for (int level = 0; level < levels - 1; ++level) {
      const std::size_t begin = static_cast<std::size_t>(level) * lower_;
      const std::size_t found = next(begin + (digit(mu, level) & (lower_ - 1)), begin + lower_);
      if (found != begin + lower_) return found;
    }
    const std::size_t begin = (levels - 1) * lower_;
    const std::size_t found = next(begin + (digit(mu, levels - 1) & (top_ - 1)), begin + top_);
    return found != begin + top_ ? found : next(begin, begin + top_);
  }

  /// The level of a bucket, and the exponent of the width of the buckets there.
  int level_of(std::size_t bucket) const {
    int level = 0;
    while (level < levels - 1 && bucket >= static_cast<std::size_t>(level + 1) * lower_) ++level;
    return level;
  }
  int width_exponent(int level) const { return bits_ * (level + lowest); }

  /// The least distance from `v` on to the end of its list.
  Distance least_of(Id v) const {
    Distance least = lists.vertices().distance(v);
    while ((v = lists.vertices().next(v)) != kMost<Id>) {
      least = std::min(least, lists.vertices().distance(v));
    }
    return least;
  }

 private:
  std::size_t digit(Distance distance, int level) const {
    return static_cast<std::size_t>(distance >> width_exponent(level));
  }

  std::size_t bucket_of(Distance distance) const {
    const Distance differs = distance ^ mu;
    int level = 0;
    while (level < levels - 1 && differs >> width_exponent(level + 1) != 0) ++level;
    const std::uint64_t count = level == levels - 1 ? top_ : lower_;
    return static_cast<std::size_t>(level) * lower_ + (digit(distance, level) & (count - 1));
  }

  /// The first bucket from `from` that holds vertices, or `end`.
  std::size_t next(std::size_t from, std::size_t end) const {
    while (from < end) {
      const std::uint64_t word = maybe_filled_[from / 64] >> from % 64;
      if (word == 0) {
        from = (from / 64 + 1) * 64;
        continue;
      }
      from += static_cast<std::size_t>(std::countr_zero(word));
      if (from >= end) break;
      if (!lists.empty(from)) return from;
      maybe_filled_[from / 64] &= ~(std::uint64_t{1} << from % 64);
    }
    return end;
  }

  int bits_;
  std::uint64_t lower_;
  std::uint64_t top_;
  std::uint64_t* maybe_filled_;
};

}  // namespace bellmark::dijkstra
