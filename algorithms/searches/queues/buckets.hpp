// The common part of all queues of buckets: an array of buckets' heads, and doubly linked lists of
// vertices through the vertex records. Yasui et al. (2011), section 2.2.2.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/layouts/layouts.hpp"

namespace bellmark::dijkstra {

/// Distance, predecessor and the links of a bucket's list; all bits set mean "unreached".
/// `previous` of the first vertex of bucket b is vertex_count + b. It says that the vertex is the
/// first, and its bucket, so that no record needs a field for its bucket. It is the record's
/// position (see VertexQueue), and a scanned vertex keeps the one scanned before it there.
/// 24 bytes with 64-bit distances and 32-bit ids (20 and 4 of padding), 32 with 64 bits for all,
/// 16 with 32 bits for all.
template <class Distance, class Id>
struct LinkedVertex {
  Distance distance;
  Id predecessor;
  Id next;
  Id previous;
};

template <class Distance, class Id>
class LinkedVertices {
 public:
  struct Cursor {
    LinkedVertex<Distance, Id>* at;
    Distance distance(Id v) const { return at[v].distance; }
    Id predecessor(Id v) const { return at[v].predecessor; }
    Id position(Id v) const { return at[v].previous; }
    Id next(Id v) const { return at[v].next; }
    void label(Id v, Distance distance, Id predecessor) const {
      at[v].distance = distance;
      at[v].predecessor = predecessor;
    }
    void place(Id v, Id previous) const { at[v].previous = previous; }
    void set_next(Id v, Id next) const { at[v].next = next; }
    void forget(Id v) const { at[v] = {kMost<Distance>, kMost<Id>, kMost<Id>, kMost<Id>}; }
  };

  LinkedVertices() = default;
  explicit LinkedVertices(std::size_t n) : records_(n) {}
  void forget_all() const {
    std::fill_n(reinterpret_cast<unsigned char*>(records_.data()), records_.bytes(), 0xff);
  }
  Cursor cursor() const { return {records_.data()}; }
  std::uint64_t bytes() const { return records_.bytes(); }

 private:
  Array<LinkedVertex<Distance, Id>> records_;
};

/// The first vertex of every bucket, the largest Id where there is none.
template <class Id>
class BucketHeads {
 public:
  BucketHeads() = default;
  /// vertex_count + bucket_count must be less than the largest Id.
  BucketHeads(std::size_t vertex_count, std::size_t bucket_count)
      : heads_(bucket_count), vertex_count_(static_cast<Id>(vertex_count)) {
    std::fill_n(heads_.data(), bucket_count, kMost<Id>);
  }

  Id* data() const { return heads_.data(); }
  std::size_t size() const { return heads_.size(); }
  Id vertex_count() const { return vertex_count_; }
  std::uint64_t bytes() const { return heads_.bytes(); }

  void clean(Id position) const {
    if (position >= vertex_count_) heads_.data()[position - vertex_count_] = kMost<Id>;
  }
  void clean_all(std::size_t held_count) const {
    if (held_count != 0) std::fill_n(heads_.data(), heads_.size(), kMost<Id>);
  }
  std::size_t clean_all_cost() const { return heads_.size(); }

 private:
  Array<Id> heads_;
  Id vertex_count_ = 0;
};

/// The lists of a search; first in is last out. An insertion or removal touches the vertex's
/// record, its neighbours' or the bucket's head: up to three cache lines.
template <class DistanceType, class IdType>
class BucketLists {
 public:
  using Distance = DistanceType;
  using Id = IdType;
  using WorkArea = LinkedVertices<Distance, Id>;
  using Vertices = typename WorkArea::Cursor;

  BucketLists(const BucketHeads<Id>& heads, Vertices vertices)
      : heads_(heads.data()), vertex_count_(heads.vertex_count()), vertices_(vertices) {}

  Id first(std::size_t bucket) const { return heads_[bucket]; }
  bool empty(std::size_t bucket) const { return heads_[bucket] == kMost<Id>; }
  Vertices vertices() const { return vertices_; }

  void insert(std::size_t bucket, Id v) const {
    const Id next = heads_[bucket];
    vertices_.set_next(v, next);
    vertices_.place(v, vertex_count_ + static_cast<Id>(bucket));
    if (next != kMost<Id>) vertices_.place(next, v);
    heads_[bucket] = v;
  }

  void remove(Id position, Id v) const {
    const Id next = vertices_.next(v);
    if (position >= vertex_count_) {
      heads_[position - vertex_count_] = next;
    } else {
      vertices_.set_next(position, next);
    }
    if (next != kMost<Id>) vertices_.place(next, position);
  }

  /// Moves the vertex to another bucket, or to the front of the same.
  void move(Id position, std::size_t bucket, Id v) const {
    remove(position, v);
    insert(bucket, v);
  }

  void remove_first(std::size_t bucket) const {
    const Id next = vertices_.next(heads_[bucket]);
    heads_[bucket] = next;
    if (next != kMost<Id>) vertices_.place(next, vertex_count_ + static_cast<Id>(bucket));
  }

  /// Empties the bucket. Returns its first vertex, from which the links still lead to the others.
  Id take(std::size_t bucket) const {
    const Id first = heads_[bucket];
    heads_[bucket] = kMost<Id>;
    return first;
  }

 private:
  Id* heads_;
  Id vertex_count_;
  Vertices vertices_;
};

}  // namespace bellmark::dijkstra
