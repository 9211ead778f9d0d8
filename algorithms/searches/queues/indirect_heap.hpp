// A 4-ary heap of vertices alone: their distances are read in their records, a cache line each.
// DIKH of Yasui et al. (2011), Table 15, as B. V. Cherkassky, A. V. Goldberg and T. Radzik
// programmed it (1996). A hole moves, down by one comparison with each child, and each vertex that
// moves is told its new place. The heap of h1-h3, whose programs are not public, is taken to be
// this one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/open_set.hpp"
#include "algorithms/searches/queues/program_records.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

template <class Area>
class IndirectHeap {
 public:
  using Distance = Word;
  using Id = Word;
  using WorkArea = Area;
  using Storage = OpenSetStorage<Word>;
  using Entry = PlainEntry<Word, Word>;

  static Storage storage(std::size_t vertex_count, std::uint64_t) { return Storage(vertex_count); }

  IndirectHeap(const Storage& storage, typename WorkArea::Cursor vertices)
      : heap_(storage.data()), vertices_(vertices) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Word distance, Word vertex) { move_up(size_++, distance, vertex); }

  void decrease(Word position, Word distance, Word vertex) { move_up(position, distance, vertex); }

  Entry top() const { return {vertices_.distance(heap_[0]), heap_[0]}; }

  void pop() {
    const Word last = heap_[--size_];
    if (size_ != 0) move_down(last);
  }

 private:
  static constexpr int kPower = 2;  ///< of the arity

  void put(std::size_t position, Word vertex) const {
    heap_[position] = vertex;
    vertices_.place(vertex, position);
  }

  void move_up(std::size_t i, Word distance, Word vertex) const {
    while (i > 0) {
      const std::size_t parent = (i - 1) >> kPower;
      const Word above = heap_[parent];
      if (distance >= vertices_.distance(above)) break;
      put(i, above);
      i = parent;
    }
    put(i, vertex);
  }

  /// Lets `vertex` sink from the root, which is free.
  void move_down(Word vertex) const {
    const Word distance = vertices_.distance(vertex);
    std::size_t i = 0;
    for (;;) {
      std::size_t down = (i << kPower) + 1;
      if (down >= size_) break;
      const std::size_t end = std::min(size_, down + (std::size_t{1} << kPower));
      Word least = vertices_.distance(heap_[down]);
      for (std::size_t child = down + 1; child < end; ++child) {
        const Word other = vertices_.distance(heap_[child]);
        if (other < least) {
          least = other;
          down = child;
        }
      }
      if (distance <= least) break;
      put(i, heap_[down]);
      i = down;
    }
    put(i, vertex);
  }

  Word* heap_;
  typename WorkArea::Cursor vertices_;
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
