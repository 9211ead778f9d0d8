// The lists of buckets of the programs that Yasui et al. (2011) compare theirs with. Each bucket's
// vertices are in a ring, every one with its bucket in its record; first in is first out.
// BucketLists is ours.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/searches/queues/buckets.hpp"
#include "algorithms/searches/queues/program_records.hpp"

namespace bellmark::dijkstra {

/// The interface of BucketLists. The position of a vertex in bucket b is vertex_count + b.
template <std::size_t more>
class BucketRings {
 public:
  using Distance = Word;
  using Id = Word;
  using WorkArea = ProgramVertices<RingRecord<more>>;
  using Vertices = typename WorkArea::Cursor;

  BucketRings(const BucketHeads<Word>& heads, Vertices vertices)
      : heads_(heads.data()), vertex_count_(heads.vertex_count()), vertices_(vertices) {}

  Word first(std::size_t bucket) const { return heads_[bucket]; }
  bool empty(std::size_t bucket) const { return heads_[bucket] == kMost<Word>; }
  Vertices vertices() const { return vertices_; }
  std::size_t bucket_of(Word position) const { return position - vertex_count_; }

  void insert(std::size_t bucket, Word v) const {
    const Word first = heads_[bucket];
    if (first == kMost<Word>) {
      heads_[bucket] = v;
      link(v, v);
    } else {
      link(vertices_.previous(first), v);
      link(v, first);
    }
    vertices_.place(v, vertex_count_ + bucket);
  }

  void remove(Word position, Word v) const {
    Word& head = heads_[bucket_of(position)];
    const Word next = vertices_.next(v);
    if (next == v) {
      head = kMost<Word>;
    } else {
      link(vertices_.previous(v), next);
      if (head == v) head = next;
    }
  }

  void remove_first(std::size_t bucket) const { remove(vertex_count_ + bucket, heads_[bucket]); }

  /// The programs leave a vertex where it is when its bucket stays the same.
  void move(Word position, std::size_t bucket, Word v) const {
    if (bucket_of(position) == bucket) return;
    remove(position, v);
    insert(bucket, v);
  }

  Word take(std::size_t bucket) const {
    const Word first = heads_[bucket];
    vertices_.set_next(vertices_.previous(first), kMost<Word>);
    heads_[bucket] = kMost<Word>;
    return first;
  }

 private:
  void link(Word before, Word after) const {
    vertices_.set_next(before, after);
    vertices_.set_previous(after, before);
  }

  Word* heads_;
  Word vertex_count_;
  Vertices vertices_;
};

}  // namespace bellmark::dijkstra
