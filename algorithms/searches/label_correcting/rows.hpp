// Arcs and labels of the label-correcting searches, on large pages.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "base/paged_array.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

inline constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

/// A distance and a vertex, in one word where both have 32 bits.
template <class Distance>
using Pair = typename dijkstra::Entries<Distance, Vertex, dijkstra::Layout::aos>::Entry;

struct ArcRecord {
  Vertex head;
  std::uint32_t length;
};

/// The rows of a graph, by `rows`. A cursor is a few pointers, passed by value:
///   visit(u, relax)    calls relax(head, length) for every arc of u
///   prefetch(u)        asks for the row of u
///   prefetch_heads(u, labels)  asks for the labels of the first heads of u, whose row is there
template <Rows rows>
class ArcRows;

/// Four slots a vertex, half a cache line. The row of a vertex is at its number, and its end is no
/// branch to predict. Free slots lead to a vertex that no path improves. The fourth slot of a
/// longer row holds {beyond the vertices: a place in `more`, count} instead. 32n bytes, and 8 for
/// every arc from the fourth on of a longer row.
template <>
class ArcRows<Rows::four_slots> {
 public:
  static constexpr std::size_t kSlots = 4;

  struct Cursor {
    const ArcRecord* slots;
    const ArcRecord* more;
    Vertex padding;

    template <class Relax>
    void visit(Vertex u, Relax relax) const {
      const ArcRecord* row = slots + kSlots * u;
      for (std::size_t i = 0; i + 1 < kSlots; ++i) relax(row[i].head, row[i].length);
      const ArcRecord last = row[kSlots - 1];
      if (last.head <= padding) [[likely]] {
        relax(last.head, last.length);
        return;
      }
      const ArcRecord* arc = more + (last.head - padding - 1);
      for (const ArcRecord* end = arc + last.length; arc != end; ++arc) {
        relax(arc->head, arc->length);
      }
    }
    void prefetch(Vertex u) const { __builtin_prefetch(slots + kSlots * u); }
    template <class Labels>
    void prefetch_heads(Vertex u, Labels labels) const {
      const ArcRecord* row = slots + kSlots * u;
      for (std::size_t i = 0; i < kSlots; ++i) labels.prefetch(row[i].head);
    }
  };

  ArcRows() = default;
  explicit ArcRows(const Graph& graph)
      : padding_(graph.vertex_count()), slots_(kSlots * graph.vertex_count()) {
    std::size_t more_count = 0;
    for (Vertex u = 0; u < padding_; ++u) {
      const Offset degree = graph.row_offsets()[u + 1] - graph.row_offsets()[u];
      if (degree > kSlots) more_count += degree - kSlots + 1;
    }
    more_ = PagedArray<ArcRecord>(more_count);
    std::size_t more = 0;
    for (Vertex u = 0; u < padding_; ++u) {
      const Offset first = graph.row_offsets()[u];
      const Offset degree = graph.row_offsets()[u + 1] - first;
      ArcRecord* row = slots_.data() + kSlots * u;
      const auto record = [&](Offset i) {
        return ArcRecord{graph.heads()[first + i],
                         static_cast<std::uint32_t>(graph.length(first + i))};
      };
      for (std::size_t i = 0; i < kSlots; ++i) {
        row[i] = i < degree ? record(i) : ArcRecord{padding_, 0};
      }
      if (degree <= kSlots) continue;
      row[kSlots - 1] = {static_cast<Vertex>(padding_ + 1 + more),
                         static_cast<std::uint32_t>(degree - kSlots + 1)};
      for (Offset i = kSlots - 1; i < degree; ++i) more_.data()[more++] = record(i);
    }
  }
  Cursor cursor() const { return {slots_.data(), more_.data(), padding_}; }
  std::uint64_t bytes() const { return slots_.bytes() + more_.bytes(); }

 private:
  Vertex padding_ = 0;
  PagedArray<ArcRecord> slots_;
  PagedArray<ArcRecord> more_;
};

/// Row offsets, and rows ordered by length: a search with a horizon stops in the middle of one.
/// 8(n+1) + 8m bytes. Made in O(n + m log(largest degree)).
template <>
class ArcRows<Rows::by_length> {
 public:
  struct Cursor {
    const Offset* offsets;
    const ArcRecord* arcs;

    const ArcRecord* begin(Vertex u) const { return arcs + offsets[u]; }
    const ArcRecord* end(Vertex u) const { return arcs + offsets[std::size_t{u} + 1]; }
    template <class Relax>
    void visit(Vertex u, Relax relax) const {
      for (const ArcRecord* arc = begin(u); arc != end(u); ++arc) relax(arc->head, arc->length);
    }
    void prefetch(Vertex u) const { __builtin_prefetch(begin(u)); }
    template <class Labels>
    void prefetch_heads(Vertex u, Labels labels) const {
      constexpr std::ptrdiff_t kHeads = 8;  // the arcs of one cache line
      const ArcRecord* stop = begin(u) + std::min(kHeads, end(u) - begin(u));
      for (const ArcRecord* arc = begin(u); arc != stop; ++arc) labels.prefetch(arc->head);
    }
  };

  ArcRows() = default;
  explicit ArcRows(const Graph& graph)
      : offsets_(std::size_t{graph.vertex_count()} + 1), arcs_(graph.arc_count()) {
    offsets_.data()[0] = 0;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      const Offset end = graph.row_offsets()[u + 1];
      offsets_.data()[u + 1] = end;
      for (Offset e = graph.row_offsets()[u]; e < end; ++e) {
        arcs_.data()[e] = {graph.heads()[e], static_cast<std::uint32_t>(graph.length(e))};
      }
      std::sort(arcs_.data() + graph.row_offsets()[u], arcs_.data() + end,
                [](ArcRecord a, ArcRecord b) {
                  return a.length != b.length ? a.length < b.length : a.head < b.head;
                });
    }
  }
  Cursor cursor() const { return {offsets_.data(), arcs_.data()}; }
  std::uint64_t bytes() const { return offsets_.bytes() + arcs_.bytes(); }

 private:
  PagedArray<Offset> offsets_;
  PagedArray<ArcRecord> arcs_;
};

/// Distance and predecessor of every vertex and of the one that pads rows.
///   four_slots  one record: an arc that improves, one in three on a road graph, touches one line
///   by_length   two arrays: most arcs to a core improve nothing and read distances alone
/// 8(n+1) bytes, 16(n+1) or 12(n+1) with 64-bit distances.
template <class Distance, Rows rows>
class Labels;

template <class Distance>
class Labels<Distance, Rows::four_slots> {
 public:
  using Record = Pair<Distance>;
  /// Whether a record is one word, so that threads can share it.
  static constexpr bool kSharesRecords = sizeof(Record) <= sizeof(std::uint64_t);
  struct Cursor {
    Record* records;
    Distance distance(Vertex v) const { return records[v].distance(); }
    Vertex predecessor(Vertex v) const { return records[v].vertex(); }
    void set(Vertex v, Distance distance, Vertex predecessor) const {
      records[v] = {distance, predecessor};
    }
    /// A record, and its replacement. If kSharesRecords, another thread may do so meanwhile.
    Record load(Vertex v) const {
      if constexpr (kSharesRecords) {
        return std::atomic_ref(records[v]).load(std::memory_order_relaxed);
      } else {
        return records[v];
      }
    }
    void store(Vertex v, Record record) const {
      if constexpr (kSharesRecords) {
        std::atomic_ref(records[v]).store(record, std::memory_order_relaxed);
      } else {
        records[v] = record;
      }
    }
    void prefetch(Vertex v) const { __builtin_prefetch(records + v); }
  };
  Labels() = default;
  explicit Labels(std::size_t count) : records_(count) {}
  Cursor cursor() const { return {records_.data()}; }
  std::uint64_t bytes() const { return records_.bytes(); }

 private:
  PagedArray<Record> records_;
};

template <class Distance>
class Labels<Distance, Rows::by_length> {
 public:
  using Record = Pair<Distance>;
  static constexpr bool kSharesRecords = false;
  struct Cursor {
    Distance* distances;
    Vertex* predecessors;
    Distance distance(Vertex v) const { return distances[v]; }
    Vertex predecessor(Vertex v) const { return predecessors[v]; }
    void set(Vertex v, Distance distance, Vertex predecessor) const {
      distances[v] = distance;
      predecessors[v] = predecessor;
    }
    Record load(Vertex v) const { return {distances[v], predecessors[v]}; }
    void store(Vertex v, Record record) const { set(v, record.distance(), record.vertex()); }
    void prefetch(Vertex v) const { __builtin_prefetch(distances + v); }
  };
  Labels() = default;
  explicit Labels(std::size_t count) : distances_(count), predecessors_(count) {}
  Cursor cursor() const { return {distances_.data(), predecessors_.data()}; }
  std::uint64_t bytes() const { return distances_.bytes() + predecessors_.bytes(); }

 private:
  PagedArray<Distance> distances_;
  PagedArray<Vertex> predecessors_;
};

/// Labels that never have to be made unreached between searches. Each search counts distances from
/// a zero of its own, more than the largest distance below the last one's. So every old label is
/// larger than any that the search sets. When the zeros are used up, all labels are filled and it
/// begins again: once in (2^bits / largest distance) searches, 1100 on New York.
template <class Distance, Rows rows>
class Epochs {
 public:
  static constexpr bool kSharesRecords = Labels<Distance, rows>::kSharesRecords;

  Epochs() = default;
  explicit Epochs(const Graph& graph) : Epochs(graph.vertex_count(), distance_bound(graph).value) {}
  Epochs(Vertex vertex_count, std::uint64_t largest_distance)
      : count_(vertex_count), span_(largest_distance + 1), labels_(std::size_t{vertex_count} + 1) {}

  /// All vertices are unreached. O(1), and at times O(n).
  void begin() {
    if (zero_ < span_) {
      for (Vertex v = 0; v < count_; ++v) cursor().set(v, kMost, kNone);
      cursor().set(count_, 0, kNone);  // the vertex that pads rows: no label is less
      zero_ = kFirst;
    }
    zero_ -= span_;
  }

  /// The label of distance 0. No label of this search reaches end() but an unfinished one.
  std::uint64_t zero() const { return zero_; }
  std::uint64_t end() const { return zero_ + span_; }
  bool reached(Vertex v) const { return cursor().distance(v) < end(); }
  std::uint64_t distance(Vertex v) const { return cursor().distance(v) - zero_; }
  Vertex vertex_count() const { return count_; }

  typename Labels<Distance, rows>::Cursor cursor() const { return labels_.cursor(); }
  std::uint64_t bytes() const { return labels_.bytes(); }

 private:
  static constexpr Distance kMost = std::numeric_limits<Distance>::max();
  // Labels are added to in 64 bits: half of them are left free, so that nothing overflows.
  static constexpr std::uint64_t kFirst = std::min(std::uint64_t{kMost}, std::uint64_t{1} << 63);

  Vertex count_ = 0;
  std::uint64_t span_ = 1;
  std::uint64_t zero_ = 0;
  Labels<Distance, rows> labels_;
};

}  // namespace bellmark::label_correcting
