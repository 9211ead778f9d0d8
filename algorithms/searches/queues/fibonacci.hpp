// The Fibonacci heap: heap-ordered trees, consolidated when the least root is taken; decrease-key
// cuts. M. L. Fredman, R. E. Tarjan: Fibonacci heaps and their uses in improved network
// optimization algorithms, Journal of the ACM 34 (1987); DIKF of Yasui et al. (2011), Table 15.
//
// push and decrease are O(1) amortised, pop O(log n): O(m + n log n) for a search. All links lie in
// the vertex records, which a pop visits in no order: a cache miss or two for every tree linked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// A tree node; siblings form a ring, so that `next` is never empty while the vertex is held: it is
/// the record's position. All bits set mean "unreached". 32 bytes with 64-bit distances and 32-bit
/// ids, 56 with 64 bits for all.
template <class Distance, class Id>
struct FibonacciVertex {
  Distance distance;
  Id predecessor;
  Id next;
  Id previous;
  Id parent;
  Id child;            ///< any of its children
  Id degree_and_mark;  ///< twice the number of children, and 1 when it lost one since it got a
                       ///< parent
};

template <class Distance, class Id>
class FibonacciVertices {
 public:
  using Record = FibonacciVertex<Distance, Id>;
  struct Cursor {
    Record* at;
    Distance distance(Id v) const { return at[v].distance; }
    Id predecessor(Id v) const { return at[v].predecessor; }
    Id position(Id v) const { return at[v].next; }
    void label(Id v, Distance distance, Id predecessor) const {
      at[v].distance = distance;
      at[v].predecessor = predecessor;
    }
    void place(Id v, Id next) const { at[v].next = next; }
    void forget(Id v) const {
      constexpr Id kNone = kMost<Id>;
      at[v] = {kMost<Distance>, kNone, kNone, kNone, kNone, kNone, kNone};
    }
  };

  FibonacciVertices() = default;
  explicit FibonacciVertices(std::size_t n) : records_(n) {}
  void forget_all() const {
    std::fill_n(reinterpret_cast<unsigned char*>(records_.data()), records_.bytes(), 0xff);
  }
  Cursor cursor() const { return {records_.data()}; }
  std::uint64_t bytes() const { return records_.bytes(); }

 private:
  Array<Record> records_;
};

/// The heap itself has no storage. `Area` may have larger records: FibonacciRecord.
template <class DistanceType, class IdType, class Area = FibonacciVertices<DistanceType, IdType>>
class Fibonacci {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = Area;
  using Storage = NoStorage;
  using Entry = PlainEntry<Distance, Id>;

  static Storage storage(std::size_t, std::uint64_t) { return {}; }

  Fibonacci(const Storage&, typename WorkArea::Cursor vertices) : at_(vertices.at) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Distance distance, Id vertex) {
    at_[vertex].parent = at_[vertex].child = kNone;
    at_[vertex].degree_and_mark = 0;
    at_[vertex].next = at_[vertex].previous = vertex;
    add_root(distance, vertex);
    ++size_;
  }

  void decrease(Id, Distance distance, Id vertex) {
    const Id parent = at_[vertex].parent;
    if (parent == kNone) {
      if (distance < at_[least_].distance) least_ = vertex;
    } else if (distance < at_[parent].distance) {
      cut(vertex);
      // A parent that loses its second child is cut itself, and so on up.
      for (Id v = parent; at_[v].parent != kNone;) {
        if ((at_[v].degree_and_mark & 1) == 0) {
          at_[v].degree_and_mark |= 1;
          break;
        }
        const Id above = at_[v].parent;
        cut(v);
        v = above;
      }
    }
  }

  Entry top() const { return {at_[least_].distance, least_}; }

  void pop() {
    --size_;
    const Id gone = least_;
    // Its children become roots.
    if (const Id child = at_[gone].child; child != kNone) {
      Id v = child;
      do {
        at_[v].parent = kNone;
        v = at_[v].next;
      } while (v != child);
      join(gone, child);
    }
    const Id rest = at_[gone].next;
    leave_ring(gone);
    least_ = kNone;
    if (rest != gone) consolidate(rest);
  }

 private:
  static constexpr Id kNone = kMost<Id>;
  /// A tree of degree d has at least F(d+2) vertices (Fredman and Tarjan, Lemma 2): at most 92 for
  /// fewer than 2^64.
  static constexpr std::size_t kDegrees = 94;

  /// Joins two rings into one.
  void join(Id a, Id b) const {
    const Id after_a = at_[a].next;
    const Id before_b = at_[b].previous;
    at_[a].next = b;
    at_[b].previous = a;
    at_[before_b].next = after_a;
    at_[after_a].previous = before_b;
  }

  /// The vertex's own links stay as they are.
  void leave_ring(Id v) const {
    at_[at_[v].previous].next = at_[v].next;
    at_[at_[v].next].previous = at_[v].previous;
  }

  void add_root(Distance distance, Id v) {
    if (least_ == kNone) {
      least_ = v;
      return;
    }
    join(least_, v);
    if (distance < at_[least_].distance) least_ = v;
  }

  /// Makes a child a root.
  void cut(Id v) {
    const Id parent = at_[v].parent;
    at_[parent].degree_and_mark -= 2;
    at_[parent].child = at_[v].next == v ? kNone : at_[v].next;
    leave_ring(v);
    at_[v].next = at_[v].previous = v;
    at_[v].parent = kNone;
    at_[v].degree_and_mark &= ~Id{1};
    add_root(at_[v].distance, v);
  }

  /// Links the roots of the ring until all degrees differ, and makes them the new ring.
  void consolidate(Id ring) {
    std::array<Id, kDegrees> roots;
    std::size_t filled = 0;                // roots[filled] and beyond have no value yet
    at_[at_[ring].previous].next = kNone;  // a list from here on
    for (Id root = ring; root != kNone;) {
      const Id next = at_[root].next;
      Id tree = root;
      for (;;) {
        const auto degree = static_cast<std::size_t>(at_[tree].degree_and_mark >> 1);
        while (filled <= degree) roots[filled++] = kNone;
        if (roots[degree] == kNone) {
          roots[degree] = tree;
          break;
        }
        tree = link(tree, roots[degree]);
        roots[degree] = kNone;
      }
      root = next;
    }
    for (std::size_t degree = 0; degree < filled; ++degree) {
      const Id root = roots[degree];
      if (root == kNone) continue;
      at_[root].next = at_[root].previous = root;
      add_root(at_[root].distance, root);
    }
  }

  /// Makes the root with the larger distance a child of the other. Returns the one that stays a
  /// root.
  Id link(Id a, Id b) const {
    const Id parent = at_[b].distance < at_[a].distance ? b : a;
    const Id child = parent == a ? b : a;
    at_[child].parent = parent;
    at_[child].degree_and_mark &= ~Id{1};
    at_[child].next = at_[child].previous = child;
    if (at_[parent].child == kNone) {
      at_[parent].child = child;
    } else {
      join(at_[parent].child, child);
    }
    at_[parent].degree_and_mark += 2;
    return parent;
  }

  decltype(WorkArea::Cursor::at) at_;
  Id least_ = kNone;  ///< a root
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
