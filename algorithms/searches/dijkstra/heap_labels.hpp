// The labels and the heap of a search with 32-bit ids, for searches that have a loop of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/heap.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// Throws InputError for a graph with more arcs than 32 bits can count; `name` is the variant's.
inline void refuse_wide_rows(const std::string& name, const Graph& graph) {
  if (graph.arc_count() <= std::numeric_limits<std::uint32_t>::max()) return;
  throw InputError(name, std::to_string(graph.arc_count()) + " arcs can't be counted in 32 bits",
                   "use p2p/dijkstra:width=64");
}

/// Labels of all vertices and a heap of four children, whose room grows with its entries. One
/// search after the other.
template <class Label>
class HeapLabels {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = kMost<Id>;
  static constexpr Label kInfinite = kMost<Label>;
  using WorkArea = Vertices<Label, Id, Layout::aos>;
  using Cursor = typename WorkArea::Cursor;
  using Queue = Heap<Label, Id, Layout::aos, 4, Extract::bottom_up, true, Cursor>;

  /// All unreached. O(n).
  explicit HeapLabels(std::size_t vertex_count = 0) : vertices_(vertex_count), storage_(0) {
    vertices_.forget_all();
  }

  Cursor vertices() const { return vertices_.cursor(); }
  Queue queue() { return Queue(storage_, vertices()); }
  std::uint64_t vertex_bytes() const { return vertices_.bytes(); }
  std::uint64_t queue_bytes() const { return storage_.bytes(); }

  /// A vertex was scanned, after all others.
  void scanned(Id vertex) {
    vertices().place(vertex, last_scanned_);
    last_scanned_ = vertex;
    ++scanned_count_;
  }
  /// The search left so many vertices in its heap.
  void leaves(std::size_t held_count) { held_count_ = held_count; }

  std::size_t scanned_count() const { return scanned_count_; }
  std::size_t held_count() const { return held_count_; }

  /// Makes the vertices unreached that the last search touched. O(those).
  void forget_touched() {
    const Cursor at = vertices();
    for (std::size_t i = 0; i < held_count_; ++i) at.forget(storage_.held(i));
    storage_.clean_all(held_count_);
    while (last_scanned_ != kNone) {
      const Id before = at.position(last_scanned_);
      at.forget(last_scanned_);
      last_scanned_ = before;
    }
    held_count_ = scanned_count_ = 0;
  }

 private:
  WorkArea vertices_;
  typename Queue::Storage storage_;
  Id last_scanned_ = kNone;
  std::size_t scanned_count_ = 0;
  std::size_t held_count_ = 0;
};

}  // namespace bellmark::dijkstra
