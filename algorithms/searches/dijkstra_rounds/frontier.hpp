// The open vertices of one thread, in no order, as one array a field.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "algorithms/searches/dijkstra_rounds/options.hpp"
#include "base/paged_array.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra_rounds {

/// The thresholds of a round, over all open vertices; the largest value where there is none.
template <class Distance>
struct Thresholds {
  Distance bound = std::numeric_limits<Distance>::max();  ///< D of open_out, L of out and in_out
  Distance least = std::numeric_limits<Distance>::max();  ///< M of in and in_out
};

/// A round reads an array of distances or bounds twice, in sequence. Blocks of 64 values of which
/// only the least is wanted need no branch, and a block with nothing in it is passed over. With
/// 32-bit labels that is 8 bytes a vertex and round, about half a nanosecond. Most rounds close a
/// few vertices of a few hundred, which stay in the first-level cache.
template <class Distance, Criterion criterion>
class Frontier {
 public:
  static constexpr Distance kInfinite = std::numeric_limits<Distance>::max();
  static constexpr std::uint32_t kNoArc = std::numeric_limits<std::uint32_t>::max();
  static constexpr bool kHasBounds = criterion != Criterion::in;
  static constexpr bool kHasLightestIn =
      criterion == Criterion::in || criterion == Criterion::in_out;
  static constexpr bool kHasArcs = criterion == Criterion::open_out;

  Frontier() = default;
  /// Room for `capacity` vertices, none held.
  explicit Frontier(std::size_t capacity) {
    const std::size_t padded = (capacity + kBlock - 1) / kBlock * kBlock;
    vertices_ = Array<Vertex>(padded);
    distances_ = filled(padded);
    if constexpr (kHasBounds) bounds_ = filled(padded);
    if constexpr (kHasLightestIn) {
      lightest_in_ = Array<std::uint32_t>(padded);
      std::fill_n(lightest_in_.data(), padded, 0U);
    }
    if constexpr (kHasArcs) arcs_ = Array<std::uint32_t>(padded);
  }

  std::size_t size() const { return size_; }
  std::uint64_t bytes() const {
    return vertices_.bytes() + distances_.bytes() + bounds_.bytes() + lightest_in_.bytes() +
           arcs_.bytes();
  }

  Vertex vertex(std::size_t i) const { return vertices_.data()[i]; }
  Distance distance(std::size_t i) const { return distances_.data()[i]; }
  /// The arc that gave the bound of vertex i, kNoArc before the first. Criterion::open_out.
  std::uint32_t& arc(std::size_t i) const { return arcs_.data()[i]; }
  void set_bound(std::size_t i, Distance bound) const { bounds_.data()[i] = bound; }

  /// Adds a vertex, and returns its place. `bound` is its distance and lightest arc, or no more
  /// than that with open_out; `lightest_in` that of an arc into it.
  std::size_t open(Vertex v, Distance distance, Distance bound, std::uint32_t lightest_in) {
    const std::size_t i = size_++;
    vertices_.data()[i] = v;
    distances_.data()[i] = distance;
    if constexpr (kHasBounds) bounds_.data()[i] = bound;
    if constexpr (kHasLightestIn) lightest_in_.data()[i] = lightest_in;
    if constexpr (kHasArcs) arcs_.data()[i] = kNoArc;
    return i;
  }

  /// Lowers the distance of vertex i; the lengths that its arcs add to it stay.
  void decrease(std::size_t i, Distance distance) const {
    if constexpr (kHasBounds) {
      Distance& bound = bounds_.data()[i];
      if (bound != kInfinite) bound -= distances_.data()[i] - distance;
    }
    distances_.data()[i] = distance;
  }

  /// The least bound and distance, of those that the criterion asks for. With open_out bounds may
  /// be too low: `refine(i)` makes that of vertex i right before it counts. It is called only where
  /// that bound could be the least.
  template <class Refine>
  Thresholds<Distance> thresholds(Refine refine) const {
    Thresholds<Distance> found;
    for (std::size_t block = 0; block < size_; block += kBlock) {
      if constexpr (kHasLightestIn) found.least = std::min(found.least, least(distances_, block));
      if constexpr (kHasBounds && !kHasArcs) {
        found.bound = std::min(found.bound, least(bounds_, block));
      }
      if constexpr (kHasArcs) {
        if (least(bounds_, block) >= found.bound) continue;
        const Distance* const bounds = bounds_.data();
        for (std::size_t i = block; i < std::min(block + kBlock, size_); ++i) {
          if (bounds[i] >= found.bound) continue;
          refine(i);
          found.bound = std::min(found.bound, bounds[i]);
        }
      }
    }
    return found;
  }

  /// Removes the vertices that are final by the thresholds. Calls close(vertex, distance) for each,
  /// and move(vertex, place) for each vertex that takes another's place.
  template <class Close, class Move>
  void close_final(const Thresholds<Distance>& thresholds, Close close, Move move) {
    // From the back: a vertex that fills a gap has been looked at.
    for (std::size_t block = (size_ + kBlock - 1) / kBlock * kBlock; block != 0;) {
      block -= kBlock;
      std::uint32_t any = 0;
      for (std::size_t i = block; i < block + kBlock; ++i) {
        any |= static_cast<std::uint32_t>(is_final(i, thresholds));
      }
      if (any == 0) continue;
      for (std::size_t i = std::min(block + kBlock, size_); i-- != block;) {
        if (!is_final(i, thresholds)) continue;
        close(vertex(i), distance(i));
        if (remove(i)) move(vertex(i), i);
      }
    }
  }

 private:
  template <class T>
  using Array = PagedArray<T>;
  static constexpr std::size_t kBlock = 64;

  /// Beyond the vertices held, distances and bounds are infinite: no block needs a test for its
  /// end.
  static Array<Distance> filled(std::size_t size) {
    Array<Distance> values(size);
    std::fill_n(values.data(), size, kInfinite);
    return values;
  }

  static Distance least(const Array<Distance>& values, std::size_t block) {
    const Distance* const value = values.data() + block;
    Distance least = kInfinite;
    for (std::size_t i = 0; i < kBlock; ++i) least = std::min(least, value[i]);
    return least;
  }

  bool is_final(std::size_t i, const Thresholds<Distance>& thresholds) const {
    bool proven = false;
    if constexpr (kHasBounds) proven |= distances_.data()[i] <= thresholds.bound;
    if constexpr (kHasLightestIn) {
      proven |=
          distances_.data()[i] <= static_cast<Distance>(thresholds.least + lightest_in_.data()[i]);
    }
    return proven;
  }

  /// Removes vertex i. Whether the last vertex has taken its place.
  bool remove(std::size_t i) {
    const std::size_t last = --size_;
    vertices_.data()[i] = vertices_.data()[last];
    distances_.data()[i] = distances_.data()[last];
    distances_.data()[last] = kInfinite;
    if constexpr (kHasBounds) {
      bounds_.data()[i] = bounds_.data()[last];
      bounds_.data()[last] = kInfinite;
    }
    if constexpr (kHasLightestIn) lightest_in_.data()[i] = lightest_in_.data()[last];
    if constexpr (kHasArcs) arcs_.data()[i] = arcs_.data()[last];
    return i != last;
  }

  std::size_t size_ = 0;
  Array<Vertex> vertices_;
  Array<Distance> distances_;
  Array<Distance> bounds_;
  Array<std::uint32_t> lightest_in_;
  Array<std::uint32_t> arcs_;
};

}  // namespace bellmark::dijkstra_rounds
