// The k-ary heap of Dijkstra's algorithm, with decrease-key. Yasui et al. (2011), sections 3.4 and
// 3.5. Algorithm 1 is top-down: swaps. Algorithm 2 is bottom-up: a hole moves, and each entry is
// written once; insert and decrease-key alike. Neither algorithm as printed takes the extracted
// entry off H.size; both do here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/extract.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

/// The entries of one heap. At least arity - 1 entries that are larger than any real one lie after
/// the last entry. So every group of children is complete, and finding the least child of a group
/// needs no test for its end. Every operation leaves them so.
template <class Distance, class Id, Layout layout, int arity>
class HeapStorage {
 public:
  using Block = Entries<Distance, Id, layout>;
  using Entry = typename Block::Entry;

  /// Room for `capacity` entries, none held.
  explicit HeapStorage(std::size_t capacity = 0) { reserve(capacity, 0); }

  std::size_t capacity() const { return capacity_; }
  typename Block::Cursor cursor() const { return block_.cursor(); }
  /// The bytes of the entries there is room for; the arity - 1 after them are not counted.
  std::uint64_t bytes() const { return std::uint64_t{capacity_} * Block::kBytes; }

  static Entry beyond() { return {kMost<Distance>, kMost<Id>}; }

  /// The vertices that a search left behind, by position.
  Id held(std::size_t position) const { return block_.cursor().get(position).vertex(); }
  void clean(Id position) const { block_.cursor().put(position, beyond()); }
  void clean_all(std::size_t held_count) const {
    for (std::size_t i = 0; i < held_count; ++i) block_.cursor().put(i, beyond());
  }
  std::size_t clean_all_cost() const { return 0; }  // its vertices' records include it

  /// Makes room for more than the `held` entries there are.
  [[gnu::noinline]] void grow(std::size_t held) {
    reserve(std::max<std::size_t>(256, 2 * held), held);
  }

 private:
  void reserve(std::size_t capacity, std::size_t held) {
    Block block(capacity + arity);
    for (std::size_t i = 0; i < block.size(); ++i) {
      block.cursor().put(i, i < held ? block_.cursor().get(i) : beyond());
    }
    block_ = std::move(block);
    capacity_ = capacity;
  }

  Block block_;
  std::size_t capacity_ = 0;
};

/// A heap over a storage, empty at first. `Positions` is told the place of every vertex:
/// place(vertex, position). It is a value of a few pointers, which its user keeps in registers. A
/// user who drops it before it is empty must put beyond() over the entries that it holds.
template <class DistanceType, class IdType, Layout layout, int arity, Extract extract, bool grows,
          class Positions>
class Heap {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using Storage = HeapStorage<Distance, Id, layout, arity>;
  using Entry = typename Storage::Entry;
  using Key = typename Entry::Key;

  static Storage storage(std::size_t vertex_count, std::uint64_t) {
    return Storage(grows ? 0 : vertex_count);
  }

  Heap(Storage& storage, Positions positions)
      : storage_(storage), entries_(storage.cursor()), positions_(positions) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Entry get(std::size_t i) const { return entries_.get(i); }
  Entry top() const { return entries_.get(0); }

  /// The vertex must not be in the heap.
  void push(Distance distance, Id vertex) {
    if constexpr (grows) {
      if (size_ == storage_.capacity()) [[unlikely]] {
        storage_.grow(size_);
        entries_ = storage_.cursor();
      }
    }
    move_up(size_++, {distance, vertex});
  }

  /// `distance` must be less than the entry's.
  void decrease(std::size_t position, Distance distance, Id vertex) {
    move_up(position, {distance, vertex});
  }

  /// Removes the top.
  void pop() {
    const Entry last = entries_.get(--size_);
    entries_.put(size_, Storage::beyond());
    if (size_ != 0) move_down(last);
  }

 private:
  static constexpr std::size_t parent(std::size_t i) { return (i - 1) / arity; }
  static constexpr std::size_t first_child(std::size_t i) { return i * arity + 1; }

  void put(std::size_t i, Entry entry) const {
    entries_.put(i, entry);
    positions_.place(entry.vertex(), static_cast<Id>(i));
  }

  void swap(std::size_t i, std::size_t j) const {
    const Entry entry = entries_.get(i);
    put(i, entries_.get(j));
    put(j, entry);
  }

  struct Child {
    std::size_t index;
    Key key;
  };

  /// The least of `count` entries from `first`, by halves: fewer dependent steps than one by one.
  template <int count>
  Child least(std::size_t first) const {
    if constexpr (count == 1) {
      return {first, entries_.key(first)};
    } else {
      constexpr int kHalf = (count + 1) / 2;
      const Child a = least<kHalf>(first);
      const Child b = least<count - kHalf>(first + kHalf);
      // Either is equally likely. It is a mask, because the compiler would make a branch of a
      // choice, and half of the branches would be predicted wrong.
      const std::size_t mask = std::size_t{0} - std::size_t{b.key < a.key};
      return {a.index ^ ((a.index ^ b.index) & mask), std::min(a.key, b.key)};
    }
  }

  void move_up(std::size_t i, Entry entry) const {
    if constexpr (extract == Extract::top_down) {
      put(i, entry);
      for (; i > 0 && entry.key() < entries_.key(parent(i)); i = parent(i)) swap(i, parent(i));
    } else {
      for (; i > 0; i = parent(i)) {
        const Entry above = entries_.get(parent(i));
        if (!(entry.key() < above.key())) break;
        put(i, above);
      }
      put(i, entry);
    }
  }

  /// Lets `entry` sink from the root, which is free.
  void move_down(Entry entry) const {
    std::size_t i = 0;
    if constexpr (extract == Extract::top_down) {
      put(0, entry);
      for (std::size_t child = first_child(i); child < size_; child = first_child(i)) {
        const Child down = least<arity>(child);
        if (!(down.key < entries_.key(i))) return;
        swap(i, down.index);
        i = down.index;
      }
    } else {
      for (std::size_t child = first_child(i); child < size_; child = first_child(i)) {
        const Child down = least<arity>(child);
        if (!(down.key < entry.key())) break;
        put(i, entries_.get(down.index));
        i = down.index;
      }
      put(i, entry);
    }
  }

  Storage& storage_;
  typename Storage::Block::Cursor entries_;
  Positions positions_;
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
