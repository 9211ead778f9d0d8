// The vertex records of the programs that Yasui et al. (2011) compare theirs with, field by field,
// all of 64 bits. They have in common that the first arc lies in the vertex's record, and that a
// record after the last one ends the last row.
//
// DIKQ, DIKH, DIKR, DIKF, DIKB and DIKBD are those of B. V. Cherkassky, A. V. Goldberg, T. Radzik:
// Shortest paths algorithms: theory and experimental evaluation, Mathematical Programming 73 (1996)
// (SPLIB). mbp is the benchmark solver of the 9th DIMACS Challenge. Their records are public. Those
// of b1-b3 and h1-h3 are not: only their size is known, by the memory in the paper's Table 16.
// docs/papers/yasui2011.md has the sums. Vertices and arcs are numbers here, pointers there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

using Word = std::uint64_t;

/// DIKQ. `position` is its status: in the bag or out of it.
struct BagRecord {
  Word first;
  Word distance;
  Word predecessor;
  Word next;
  Word position;
  Word& state() { return position; }
};
static_assert(sizeof(BagRecord) == 40);

/// DIKH.
struct IndirectHeapRecord {
  Word first;
  Word distance;
  Word predecessor;
  Word position;
  Word temporary;  ///< the program's parser has it
  Word& state() { return position; }
};
static_assert(sizeof(IndirectHeapRecord) == 40);

template <std::size_t count>
struct Spare {
  std::array<Word, count> words;
};
template <>
struct Spare<0> {};

/// Queues of buckets. `position` tells the bucket. DIKR and mbp have it too; DIKB and DIKBD have a
/// status in this place. `more` words follow that a search does not touch.
template <std::size_t more>
struct RingRecord {
  Word first;
  Word distance;
  Word predecessor;
  Word next;
  Word previous;
  Word position;
  [[no_unique_address]] Spare<more> rest;
  Word& state() { return position; }
};
static_assert(sizeof(RingRecord<0>) == 48 && sizeof(RingRecord<3>) == 72);

/// DIKF. The mark shares the degree's word here and has `status` there.
struct FibonacciRecord {
  Word first;
  Word distance;
  Word predecessor;
  Word next;
  Word previous;
  Word parent;
  Word child;
  Word degree_and_mark;
  Word status;
  Word& state() { return next; }
};
static_assert(sizeof(FibonacciRecord) == 72);

/// The records of a graph's vertices, with their rows. All bits set mean "unreached".
template <class Record>
class ProgramVertices {
 public:
  struct Cursor {
    Record* at;
    Word first(Word v) const { return at[v].first; }
    Word distance(Word v) const { return at[v].distance; }
    Word predecessor(Word v) const { return at[v].predecessor; }
    Word position(Word v) const { return at[v].state(); }
    Word next(Word v) const { return at[v].next; }
    Word previous(Word v) const { return at[v].previous; }
    void label(Word v, Word distance, Word predecessor) const {
      at[v].distance = distance;
      at[v].predecessor = predecessor;
    }
    void place(Word v, Word position) const { at[v].state() = position; }
    void set_next(Word v, Word next) const { at[v].next = next; }
    void set_previous(Word v, Word previous) const { at[v].previous = previous; }
    void forget(Word v) const {
      label(v, kMost<Word>, kMost<Word>);
      place(v, kMost<Word>);
    }
  };

  ProgramVertices() = default;
  explicit ProgramVertices(std::size_t n) : records_(n + 1) {
    std::fill_n(reinterpret_cast<unsigned char*>(records_.data()), records_.bytes(), 0);
  }
  void set_rows(const Graph& graph) const {
    for (std::size_t v = 0; v < records_.size(); ++v) {
      records_.data()[v].first = graph.row_offsets()[v];
    }
  }
  void forget_all() const {
    for (std::size_t v = 0; v + 1 < records_.size(); ++v) cursor().forget(v);
  }
  Cursor cursor() const { return {records_.data()}; }
  std::uint64_t bytes() const { return records_.bytes(); }

 private:
  Array<Record> records_;
};

/// The arcs alone, 16m bytes; a row's begin and end lie in the vertices' records.
class ProgramArcs {
 public:
  template <class Vertices>
  struct Cursor {
    const ArcAos<Word>* arcs;
    Vertices vertices;
    Word first(Word u) const { return vertices.first(u); }
    Word end(Word u) const { return vertices.first(u + 1); }
    Word next(Word, Word e) const { return e + 1; }
    Word head(Word, Word e) const { return arcs[e].head; }
    Word length(Word, Word e) const { return arcs[e].length; }
    void prefetch_row(Word) const {}  ///< none of the programs does
  };

  ProgramArcs() = default;
  explicit ProgramArcs(const Graph& graph) : arcs_(graph.arc_count()) {
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      arcs_.data()[e] = {graph.heads()[e], static_cast<Word>(graph.length(e))};
    }
  }
  template <class Vertices>
  Cursor<Vertices> cursor(Vertices vertices) const {
    return {arcs_.data(), vertices};
  }
  std::uint64_t bytes() const { return arcs_.bytes(); }

 private:
  Array<ArcAos<Word>> arcs_;
};

}  // namespace bellmark::dijkstra
