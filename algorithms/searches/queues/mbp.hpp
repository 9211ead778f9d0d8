// The multi-level buckets of mbp, the benchmark solver of the 9th DIMACS Challenge: A. V.
// Goldberg's smart queue (A simple shortest path algorithm with linear average time, ESA 2001)
// without calibers. Yasui et al. (2011) compare their programs with it. multi_level.hpp is ours.
//
// The number of levels follows from the lengths (levels_of). Of a bucket above the lowest level the
// least vertex is settled at once, and the others are dealt to lower levels. Each level counts its
// vertices and knows its first bucket that may hold one. Empty buckets are walked over one by one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/bucket_rings.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// The lowest level's buckets hold 2^lowest distances, and those of each next level 2^bits times
/// that. Each level has 2^bits buckets, the top one twice that number.
struct LevelShape {
  int lowest = 0;
  int bits = 0;
  int levels = 1;

  constexpr std::uint64_t lower_count() const { return std::uint64_t{1} << bits; }
  constexpr std::uint64_t top_count() const { return std::uint64_t{2} << bits; }
  /// The number of buckets; the largest number where it can't be counted.
  constexpr std::uint64_t bucket_count() const {
    if (bits >= 48) return kMost<std::uint64_t>;
    return static_cast<std::uint64_t>(levels - 1) * lower_count() + top_count();
  }
  friend constexpr bool operator==(const LevelShape&, const LevelShape&) = default;
};

/// The shape for lengths up to 2^63 - 1. With 0 `levels` the solver's rule chooses them: about 2^4
/// times as many buckets a level as levels, then the fewest levels, then the fewest bits. Other
/// `levels` (b1-b3) get the fewest bits.
constexpr LevelShape levels_of(std::uint64_t least_length, std::uint64_t largest_length,
                               int levels = 0) {
  constexpr int kLeastBits = 4;
  const auto shares = [](int bits, int count) { return (bits + count - 1) / count; };
  LevelShape shape;
  shape.lowest = least_length <= 1 ? 0 : static_cast<int>(std::bit_width(least_length - 1));
  const int digits = static_cast<int>(std::bit_width(largest_length)) - shape.lowest;
  if (levels != 0) {
    shape.levels = levels;
  } else if (digits > kLeastBits) {
    int bits = kLeastBits;
    while (bits << (bits - kLeastBits) < digits) ++bits;
    shape.levels = shares(digits, bits);
  }
  shape.bits = shares(digits, shape.levels);
  return shape;
}

class MbpHeads : public BucketHeads<Word> {
 public:
  MbpHeads() = default;
  MbpHeads(std::size_t vertex_count, const LevelShape& shape, std::uint64_t least_length)
      : BucketHeads<Word>(vertex_count, shape.bucket_count()),
        shape_(shape),
        any_of_lowest_(std::uint64_t{1} << shape.lowest <= least_length || shape.lowest == 0) {}

  const LevelShape& shape() const { return shape_; }
  /// Whether no vertex of a lowest bucket can improve another. The solver takes this for granted.
  /// It is wrong where the least length is no power of two: least 5 makes buckets of 8 distances.
  /// There the least vertex of the bucket has to be found.
  bool any_of_lowest() const { return any_of_lowest_; }

 private:
  LevelShape shape_;
  bool any_of_lowest_ = true;
};

/// `levels` 0: by the rule. `more`: see RingRecord.
template <int levels, std::size_t more>
class Mbp {
 public:
  using Distance = Word;
  using Id = Word;
  using Lists = BucketRings<more>;
  using WorkArea = typename Lists::WorkArea;
  using Storage = MbpHeads;
  using Entry = PlainEntry<Word, Word>;

  static Storage storage(std::size_t vertex_count, std::uint64_t largest_length,
                         std::uint64_t least_length = 0) {
    return Storage(vertex_count, levels_of(least_length, largest_length, levels), least_length);
  }

  Mbp(const Storage& storage, typename WorkArea::Cursor vertices)
      : lists_(storage, vertices),
        shape_(storage.shape()),
        any_of_lowest_(storage.any_of_lowest()) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Word distance, Word vertex) {
    insert(place_of(distance), vertex);
    ++size_;
  }

  void decrease(Word position, Word distance, Word vertex) {
    const Place to = place_of(distance);
    const std::size_t from = lists_.bucket_of(position);
    if (from == to.bucket) return;
    lists_.remove(position, vertex);
    --counts_[level_of(from)];
    insert(to, vertex);
  }

  Entry top() {
    if (next_ == kNone) take_least();
    return {lists_.vertices().distance(next_), next_};
  }

  void pop() {
    next_ = kNone;
    --size_;
  }

 private:
  static constexpr Word kNone = kMost<Word>;
  /// 2^63 - 1 takes eight.
  static constexpr std::size_t kMostLevelsByRule = 8;

  struct Place {
    std::size_t level;
    std::size_t bucket;
  };

  std::size_t begin_of(std::size_t level) const { return level * shape_.lower_count(); }
  std::size_t top_level() const { return static_cast<std::size_t>(shape_.levels) - 1; }
  std::size_t level_of(std::size_t bucket) const {
    return std::min(bucket >> shape_.bits, top_level());
  }

  std::size_t bucket_on(std::size_t level, Word distance) const {
    const std::uint64_t count = level == top_level() ? shape_.top_count() : shape_.lower_count();
    const int shift = shape_.lowest + shape_.bits * static_cast<int>(level);
    return begin_of(level) + ((distance >> shift) & (count - 1));
  }

  Place place_of(Word distance) const {
    Word differs = (distance ^ mu_) >> shape_.lowest;
    std::size_t level = 0;
    while (level < top_level() && (differs >>= shape_.bits) != 0) ++level;
    return {level, bucket_on(level, distance)};
  }

  void insert(Place place, Word v) {
    lists_.insert(place.bucket, v);
    if (counts_[place.level]++ == 0) firsts_[place.level] = bucket_on(place.level, mu_);
    least_level_ = std::min(least_level_, place.level);
  }

  /// The first bucket of a level that holds vertices.
  std::size_t first_of(std::size_t level) {
    std::size_t& first = firsts_[level];
    while (lists_.empty(first)) {
      if (++first == begin_of(level) + shape_.top_count()) first = begin_of(level);
    }
    return first;
  }

  /// The least vertex of a bucket: the first of several.
  Word least_in(std::size_t bucket) const {
    const auto vertices = lists_.vertices();
    Word least = lists_.first(bucket);
    for (Word v = vertices.next(least); v != lists_.first(bucket); v = vertices.next(v)) {
      if (vertices.distance(v) < vertices.distance(least)) least = v;
    }
    return least;
  }

  /// Takes out the vertex that is to be scanned next.
  void take_least() {
    while (counts_[least_level_] == 0) ++least_level_;
    const std::size_t level = least_level_;
    const std::size_t bucket = first_of(level);
    const auto vertices = lists_.vertices();
    next_ = level == 0 && any_of_lowest_ ? lists_.first(bucket) : least_in(bucket);
    mu_ = vertices.distance(next_) >> shape_.lowest << shape_.lowest;
    if (level == 0) {
      lists_.remove(vertices.position(next_), next_);
      --counts_[0];
      return;
    }
    for (Word v = lists_.take(bucket); v != kNone;) {
      const Word after = vertices.next(v);
      --counts_[level];
      if (v != next_) insert(place_of(vertices.distance(v)), v);
      v = after;
    }
  }

  Lists lists_;
  LevelShape shape_;
  bool any_of_lowest_;
  Word mu_ = 0;                  ///< no held vertex has less
  Word next_ = kNone;            ///< taken out of its bucket by top()
  std::size_t least_level_ = 0;  ///< those below hold nothing
  std::size_t size_ = 0;
  std::array<std::size_t, kMostLevelsByRule> counts_{};
  std::array<std::size_t, kMostLevelsByRule> firsts_{};
};

}  // namespace bellmark::dijkstra
