// The graph in other forms than rows of arcs, walked through the same cursor (see Arcs): their cost
// is measured against it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// An n x n matrix of lengths; of parallel arcs it keeps the shortest. Scanning a vertex reads its
/// whole row, 4n bytes with 32-bit ids, for a handful of arcs. Yasui et al. (2011), Fig. 10.
/// 4n^2 bytes with 32-bit ids.
template <class Id>
class Matrix {
 public:
  static constexpr Id kAbsent = kMost<Id>;  ///< no length is as large

  struct Cursor {
    const Id* lengths;
    Id vertex_count;
    Id first(Id u) const { return present(row(u), 0); }
    Id end(Id) const { return vertex_count; }
    Id next(Id u, Id v) const { return present(row(u), v + 1); }
    Id head(Id, Id v) const { return v; }
    Id length(Id u, Id v) const { return row(u)[v]; }
    void prefetch_row(Id u) const { __builtin_prefetch(row(u)); }

   private:
    friend class Matrix;
    const Id* row(Id u) const { return lengths + std::size_t{u} * vertex_count; }
    Id present(const Id* row, Id v) const {
      while (v != vertex_count && row[v] == kAbsent) ++v;
      return v;
    }
  };

  Matrix() = default;
  explicit Matrix(const Graph& graph)
      : lengths_(std::size_t{graph.vertex_count()} * graph.vertex_count()),
        vertex_count_(graph.vertex_count()) {
    std::fill_n(lengths_.data(), lengths_.size(), kAbsent);
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      Id* row = lengths_.data() + std::size_t{u} * graph.vertex_count();
      for (Offset e = graph.row_offsets()[u]; e != graph.row_offsets()[std::size_t{u} + 1]; ++e) {
        Id& length = row[graph.heads()[e]];
        length = std::min(length, static_cast<Id>(graph.length(e)));
      }
    }
  }
  Cursor cursor() const { return {lengths_.data(), vertex_count_}; }
  std::uint64_t bytes() const { return lengths_.bytes(); }

 private:
  Array<Id> lengths_;
  Id vertex_count_ = 0;
};

/// A node for each arc and its successor's index, the first node of each vertex apart. Nodes lie in
/// the rows' order, as they do when a sorted file is read. They take 4n + 12m bytes with 32-bit
/// ids; rows take 4(n+1) + 8m (ma2022, section 2.6, compares the two).
template <class Id>
class LinkedList {
 public:
  struct Node {
    Id head;
    Id length;
    Id next;
  };

  struct Cursor {
    const Id* firsts;
    const Node* nodes;
    Id first(Id u) const { return firsts[u]; }
    Id end(Id) const { return kMost<Id>; }
    Id next(Id, Id e) const { return nodes[e].next; }
    Id head(Id, Id e) const { return nodes[e].head; }
    Id length(Id, Id e) const { return nodes[e].length; }
    void prefetch_row(Id u) const { __builtin_prefetch(&nodes[firsts[u]]); }
  };

  LinkedList() = default;
  explicit LinkedList(const Graph& graph)
      : firsts_(graph.vertex_count()), nodes_(graph.arc_count()) {
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      const Offset begin = graph.row_offsets()[u];
      const Offset end = graph.row_offsets()[std::size_t{u} + 1];
      firsts_.data()[u] = begin == end ? kMost<Id> : static_cast<Id>(begin);
      for (Offset e = begin; e != end; ++e) {
        nodes_.data()[e] = {static_cast<Id>(graph.heads()[e]), static_cast<Id>(graph.length(e)),
                            e + 1 == end ? kMost<Id> : static_cast<Id>(e + 1)};
      }
    }
  }
  Cursor cursor() const { return {firsts_.data(), nodes_.data()}; }
  std::uint64_t bytes() const { return firsts_.bytes() + nodes_.bytes(); }

 private:
  Array<Id> firsts_;
  Array<Node> nodes_;
};

template <class Id, Storage storage, Layout layout>
using StorageOf =
    std::conditional_t<storage == Storage::csr, Arcs<Id, layout>,
                       std::conditional_t<storage == Storage::matrix, Matrix<Id>, LinkedList<Id>>>;

}  // namespace bellmark::dijkstra
