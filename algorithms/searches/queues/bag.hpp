// A queue without any order, as a list: the labelled vertices are linked through their records, and
// a pop follows the links for the least distance. DIKQ of Yasui et al. (2011), Table 15, as B. V.
// Cherkassky, A. V. Goldberg and T. Radzik programmed it (1996).
//
// push and decrease are O(1), a pop reads the record of every vertex held: O(n^2) for a search.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/program_records.hpp"
#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra {

class Bag {
 public:
  using Distance = Word;
  using Id = Word;
  using WorkArea = ProgramVertices<BagRecord>;
  using Storage = NoStorage;
  using Entry = PlainEntry<Word, Word>;

  static Storage storage(std::size_t, std::uint64_t) { return {}; }

  Bag(const Storage&, WorkArea::Cursor vertices) : vertices_(vertices) {}

  bool empty() const { return begin_ == kNone; }
  std::size_t size() const { return size_; }

  void push(Word, Word vertex) {
    vertices_.set_next(vertex, begin_);
    vertices_.place(vertex, kInside);
    begin_ = vertex;
    ++size_;
  }

  void decrease(Word, Word, Word) const {}

  Entry top() {
    least_ = begin_;
    before_least_ = kNone;
    Word distance = vertices_.distance(begin_);
    for (Word before = begin_, v = vertices_.next(begin_); v != kNone; v = vertices_.next(v)) {
      if (vertices_.distance(v) < distance) {
        distance = vertices_.distance(v);
        least_ = v;
        before_least_ = before;
      }
      before = v;
    }
    return {distance, least_};
  }

  void pop() {
    const Word next = vertices_.next(least_);
    if (before_least_ == kNone) {
      begin_ = next;
    } else {
      vertices_.set_next(before_least_, next);
    }
    --size_;
  }

 private:
  static constexpr Word kNone = kMost<Word>;
  static constexpr Word kInside = 0;

  WorkArea::Cursor vertices_;
  Word begin_ = kNone;
  Word least_ = kNone;         ///< the place where top() found it
  Word before_least_ = kNone;  ///< none when it is the first
  std::size_t size_ = 0;
};

}  // namespace bellmark::dijkstra
