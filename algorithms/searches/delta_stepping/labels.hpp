// Labels that several threads lower at once: a distance and a predecessor in one word.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "algorithms/contract/search_work.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "base/paged_array.hpp"
#include "graph/graph.hpp"

namespace bellmark::delta_stepping {

/// A distance and a vertex in 64 bits, the distance above: comparing words compares distances. The
/// vertex gets the bits that the graph's vertices need, the distance all others.
struct Packing {
  int vertex_bits = 1;
  std::uint64_t vertex_mask = 1;
  /// A word grows by this much with each unit of length. A multiplication is faster than a shift by
  /// a number that the compiler doesn't know, which ties up a register.
  std::uint64_t unit = 2;

  Packing() = default;
  explicit Packing(Vertex vertex_count)
      : vertex_bits(static_cast<int>(std::bit_width(vertex_count))),
        vertex_mask((std::uint64_t{1} << vertex_bits) - 1),
        unit(vertex_mask + 1) {}

  std::uint64_t word(std::uint64_t distance, std::uint64_t vertex) const {
    return distance << vertex_bits | vertex;
  }
  std::uint64_t distance(std::uint64_t word) const { return word >> vertex_bits; }
  Vertex vertex(std::uint64_t word) const { return static_cast<Vertex>(word & vertex_mask); }
  /// The greatest word with the distance of this one, below every word with a larger distance.
  std::uint64_t above(std::uint64_t word) const { return word | vertex_mask; }
  bool same_distance(std::uint64_t a, std::uint64_t b) const { return (a ^ b) <= vertex_mask; }
  std::uint64_t distance_end() const { return std::uint64_t{1} << (64 - vertex_bits); }
};

/// The labels of all vertices, and of the vertex that pads rows. Labels are not made unreached
/// between searches: as in label_correcting::Epochs, each search counts from a lower zero. 8(n+1)
/// bytes.
///
/// A label is a word that is read and replaced whole, so that its two parts always belong together.
/// Relaxed order is enough: nobody finds other data through a label. The thread that scans a vertex
/// got it from a queue, after the label was set.
class Labels {
 public:
  /// A few values, passed by value: hot loops keep them in registers.
  struct Cursor {
    std::uint64_t* words;
    Packing packing;

    std::uint64_t word(Vertex v) const {
      return std::atomic_ref(words[v]).load(std::memory_order_relaxed);
    }
    std::uint64_t distance(Vertex v) const { return packing.distance(word(v)); }
    /// For a thread that is alone with v.
    void set(Vertex v, std::uint64_t word) const {
      std::atomic_ref(words[v]).store(word, std::memory_order_relaxed);
    }
    /// Sets v's label to `word` if its distance is smaller than that of v's label, and returns
    /// whether it did. `above` is packing.above(word). With one thread no atomic operation is
    /// needed.
    template <bool kShared, class AnyTally>
    bool lower(Vertex v, std::uint64_t above, std::uint64_t word, AnyTally& tally) const {
      std::atomic_ref label(words[v]);
      std::uint64_t before = label.load(std::memory_order_relaxed);
      if (above >= before) return false;
      if constexpr (kShared) {
        while (!label.compare_exchange_weak(before, word, std::memory_order_relaxed)) {
          tally.try_atomic(false);
          if (above >= before) return false;
        }
        tally.try_atomic(true);
      } else {
        label.store(word, std::memory_order_relaxed);
      }
      return true;
    }
    void prefetch(Vertex v) const { __builtin_prefetch(words + v); }
  };

  Labels() = default;
  /// Expects that refuse_label() found nothing. O(n).
  explicit Labels(const Graph& graph)
      : count_(graph.vertex_count()),
        packing_(count_),
        span_(distance_bound(graph).value + 1),
        // One arc more than a label must not overflow its bits.
        unreached_(packing_.distance_end() - 1 -
                   static_cast<std::uint64_t>(graph.properties().largest_length)),
        words_(std::size_t{count_} + 1) {
    fill();
  }

  /// All vertices are unreached. O(1), and O(n) once in 2^(64 - bits of a vertex) / largest
  /// distance searches.
  void begin() {
    if (zero_ < span_) fill();
    zero_ -= span_;
  }

  /// The label of distance 0. No final label of this search reaches end().
  std::uint64_t zero() const { return zero_; }
  std::uint64_t end() const { return zero_ + span_; }
  bool reached(Vertex v) const { return cursor().distance(v) < end(); }
  std::uint64_t distance(Vertex v) const { return cursor().distance(v) - zero_; }
  /// Of a vertex that was reached; kNoVertex of the source.
  Vertex predecessor(Vertex v) const {
    const Vertex found = packing_.vertex(cursor().word(v));
    return found < count_ ? found : label_correcting::kNone;
  }
  Vertex vertex_count() const { return count_; }
  const Packing& packing() const { return packing_; }

  Cursor cursor() const { return {words_.data(), packing_}; }
  std::uint64_t bytes() const { return words_.bytes(); }

 private:
  void fill() {
    for (Vertex v = 0; v < count_; ++v) {
      cursor().set(v, packing_.above(packing_.word(unreached_, 0)));
    }
    cursor().set(count_, 0);  // the vertex that pads rows: no word is less
    zero_ = unreached_;
  }

  Vertex count_ = 0;
  Packing packing_;
  std::uint64_t span_ = 1;
  std::uint64_t unreached_ = 0;
  std::uint64_t zero_ = 0;
  PagedArray<std::uint64_t> words_;
};

/// The reason why distances of the graph don't fit into such labels, with the figures; "" when they
/// do. O(n + m).
std::string refuse_label(const Graph& graph);

}  // namespace bellmark::delta_stepping
