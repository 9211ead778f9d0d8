// The layouts of Dijkstra's data: arcs, the vertex work area and the queue's entries, each as one
// array a field or as one array of structures. Yasui et al. (2011), section 3.3: (A_ary, N_ary) to
// (A_struct, N_struct).
//
// Every class here owns its arrays and hands out a cursor: plain pointers, passed by value. So the
// hot loop keeps them in registers, whatever it writes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "algorithms/searches/layouts/layout.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

template <int bits>
using Unsigned = std::conditional_t<bits == 32, std::uint32_t, std::uint64_t>;

template <class T>
inline constexpr T kMost = std::numeric_limits<T>::max();

inline constexpr std::size_t kLineBytes = 64;

/// An array of trivial values, not initialised, whose element `aligned` starts a cache line.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::size_t size, std::size_t aligned = 0)
      : size_(size), skip_((kLineBytes - aligned * sizeof(T) % kLineBytes) % kLineBytes) {
    constexpr auto kMostBytes =
        static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    if (size > (kMostBytes - kLineBytes) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = size * sizeof(T) + skip_;
    bytes_.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kLineBytes})));
  }

  T* data() const { return reinterpret_cast<T*>(bytes_.get() + skip_); }
  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return std::uint64_t{size_} * sizeof(T); }

 private:
  struct Free {
    void operator()(std::byte* bytes) const {
      ::operator delete (bytes, std::align_val_t{kLineBytes});
    }
  };
  std::size_t size_ = 0;
  std::size_t skip_ = 0;
  std::unique_ptr<std::byte[], Free> bytes_;
};

template <class Id>
struct ArcAos {
  Id head;
  Id length;
};

/// Row offsets and arcs. A row of vertex u is walked by
///   for (e = first(u); e != end(u); e = next(u, e)) head(u, e), length(u, e)
/// however the graph is stored (the others are in storage.hpp). 4(n+1) + 8m bytes with 32-bit ids,
/// 8(n+1) + 16m with 64-bit ones.
template <class Id, Layout layout>
class Arcs;

template <class Id>
class Arcs<Id, Layout::aos> {
 public:
  struct Cursor {
    const Id* offsets;
    const ArcAos<Id>* arcs;
    Id first(Id u) const { return offsets[u]; }
    Id end(Id u) const { return offsets[std::size_t{u} + 1]; }
    Id next(Id, Id e) const { return e + 1; }
    Id head(Id, Id e) const { return arcs[e].head; }
    Id length(Id, Id e) const { return arcs[e].length; }
    void prefetch_row(Id v) const { __builtin_prefetch(&arcs[offsets[v]]); }
  };

  Arcs() = default;
  explicit Arcs(const Graph& graph)
      : offsets_(graph.row_offsets().size()), arcs_(graph.arc_count()) {
    std::ranges::transform(graph.row_offsets(), offsets_.data(),
                           [](Offset offset) { return static_cast<Id>(offset); });
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      arcs_.data()[e] = {graph.heads()[e], static_cast<Id>(graph.length(e))};
    }
  }
  Cursor cursor() const { return {offsets_.data(), arcs_.data()}; }
  void set_length(Id e, Id length) { arcs_.data()[e].length = length; }
  std::uint64_t bytes() const { return offsets_.bytes() + arcs_.bytes(); }

 private:
  Array<Id> offsets_;
  Array<ArcAos<Id>> arcs_;
};

template <class Id>
class Arcs<Id, Layout::soa> {
 public:
  struct Cursor {
    const Id* offsets;
    const Id* heads;
    const Id* lengths;
    Id first(Id u) const { return offsets[u]; }
    Id end(Id u) const { return offsets[std::size_t{u} + 1]; }
    Id next(Id, Id e) const { return e + 1; }
    Id head(Id, Id e) const { return heads[e]; }
    Id length(Id, Id e) const { return lengths[e]; }
    void prefetch_row(Id v) const {
      __builtin_prefetch(&heads[offsets[v]]);
      __builtin_prefetch(&lengths[offsets[v]]);
    }
  };

  Arcs() = default;
  explicit Arcs(const Graph& graph)
      : offsets_(graph.row_offsets().size()),
        heads_(graph.arc_count()),
        lengths_(graph.arc_count()) {
    std::ranges::transform(graph.row_offsets(), offsets_.data(),
                           [](Offset offset) { return static_cast<Id>(offset); });
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      heads_.data()[e] = graph.heads()[e];
      lengths_.data()[e] = static_cast<Id>(graph.length(e));
    }
  }
  Cursor cursor() const { return {offsets_.data(), heads_.data(), lengths_.data()}; }
  std::uint64_t bytes() const { return offsets_.bytes() + heads_.bytes() + lengths_.bytes(); }

 private:
  Array<Id> offsets_;
  Array<Id> heads_;
  Array<Id> lengths_;
};

/// Distance, predecessor and position of every vertex; all bits set mean "unreached", so that
/// initialisation is a plain fill. The position is also the paper's state: kMost is unreached, a
/// place in the heap is labeled. A scanned vertex needs no mark, because no path improves it. Its
/// position holds the vertex scanned before it instead: a list of the vertices that a search
/// touched, which takes no room of its own.
/// 12n bytes with 32-bit ids and distances, 16n with 64-bit distances, 24n with 64 bits for all.
template <class Distance, class Id, Layout layout>
class Vertices;

template <class Distance, class Id>
struct VertexAos {
  Distance distance;
  Id predecessor;
  Id position;
};

template <class Distance, class Id>
class Vertices<Distance, Id, Layout::aos> {
 public:
  struct Cursor {
    VertexAos<Distance, Id>* at;
    Distance distance(Id v) const { return at[v].distance; }
    Id predecessor(Id v) const { return at[v].predecessor; }
    Id position(Id v) const { return at[v].position; }
    void label(Id v, Distance distance, Id predecessor) const {
      at[v].distance = distance;
      at[v].predecessor = predecessor;
    }
    void place(Id v, Id position) const { at[v].position = position; }
    void forget(Id v) const { at[v] = {kMost<Distance>, kMost<Id>, kMost<Id>}; }
  };

  Vertices() = default;
  explicit Vertices(std::size_t n) : records_(n) {}
  void forget_all() const {
    std::fill_n(reinterpret_cast<unsigned char*>(records_.data()), records_.bytes(), 0xff);
  }
  Cursor cursor() const { return {records_.data()}; }
  std::uint64_t bytes() const { return records_.bytes(); }

 private:
  Array<VertexAos<Distance, Id>> records_;
};

template <class Distance, class Id>
class Vertices<Distance, Id, Layout::soa> {
 public:
  struct Cursor {
    Distance* distances;
    Id* predecessors;
    Id* positions;
    Distance distance(Id v) const { return distances[v]; }
    Id predecessor(Id v) const { return predecessors[v]; }
    Id position(Id v) const { return positions[v]; }
    void label(Id v, Distance distance, Id predecessor) const {
      distances[v] = distance;
      predecessors[v] = predecessor;
    }
    void place(Id v, Id position) const { positions[v] = position; }
    void forget(Id v) const {
      distances[v] = kMost<Distance>;
      predecessors[v] = kMost<Id>;
      positions[v] = kMost<Id>;
    }
  };

  Vertices() = default;
  explicit Vertices(std::size_t n) : distances_(n), predecessors_(n), positions_(n) {}
  void forget_all() const {
    std::fill_n(distances_.data(), distances_.size(), kMost<Distance>);
    std::fill_n(predecessors_.data(), predecessors_.size(), kMost<Id>);
    std::fill_n(positions_.data(), positions_.size(), kMost<Id>);
  }
  Cursor cursor() const { return {distances_.data(), predecessors_.data(), positions_.data()}; }
  std::uint64_t bytes() const {
    return distances_.bytes() + predecessors_.bytes() + positions_.bytes();
  }

 private:
  Array<Distance> distances_;
  Array<Id> predecessors_;
  Array<Id> positions_;
};

/// A heap entry: a distance and its vertex, ordered by distance.
template <class Distance, class Id>
class PlainEntry {
 public:
  using Key = Distance;
  PlainEntry() = default;
  PlainEntry(Distance distance, Id vertex) : distance_(distance), vertex_(vertex) {}
  Key key() const { return distance_; }
  Distance distance() const { return distance_; }
  Id vertex() const { return vertex_; }

 private:
  Distance distance_;
  Id vertex_;
};

/// Both fields in one 64-bit word, the distance above: one load, one comparison, one store.
class PackedEntry {
 public:
  using Key = std::uint64_t;
  PackedEntry() = default;
  PackedEntry(std::uint32_t distance, std::uint32_t vertex)
      : word_(std::uint64_t{distance} << 32 | vertex) {}
  Key key() const { return word_; }
  std::uint32_t distance() const { return static_cast<std::uint32_t>(word_ >> 32); }
  std::uint32_t vertex() const { return static_cast<std::uint32_t>(word_); }

 private:
  std::uint64_t word_;
};

/// Storage for heap entries. Entry 1 starts a cache line, and with it the children of the root.
/// 8 bytes an entry with 32-bit distances, 16 with 64-bit ones (12 as soa with 32-bit ids).
template <class Distance, class Id, Layout layout>
class Entries;

template <class Distance, class Id>
class Entries<Distance, Id, Layout::aos> {
 public:
  using Entry = std::conditional_t<sizeof(Distance) + sizeof(Id) == sizeof(PackedEntry),
                                   PackedEntry, PlainEntry<Distance, Id>>;
  static constexpr std::size_t kBytes = sizeof(Entry);

  struct Cursor {
    Entry* at;
    typename Entry::Key key(std::size_t i) const { return at[i].key(); }
    Entry get(std::size_t i) const { return at[i]; }
    void put(std::size_t i, Entry entry) const { at[i] = entry; }
  };

  Entries() = default;
  explicit Entries(std::size_t size) : entries_(size, 1) {}
  std::size_t size() const { return entries_.size(); }
  Cursor cursor() const { return {entries_.data()}; }

 private:
  Array<Entry> entries_;
};

template <class Distance, class Id>
class Entries<Distance, Id, Layout::soa> {
 public:
  using Entry = PlainEntry<Distance, Id>;
  static constexpr std::size_t kBytes = sizeof(Distance) + sizeof(Id);

  struct Cursor {
    Distance* distances;
    Id* vertices;
    typename Entry::Key key(std::size_t i) const { return distances[i]; }
    Entry get(std::size_t i) const { return {distances[i], vertices[i]}; }
    void put(std::size_t i, Entry entry) const {
      distances[i] = entry.distance();
      vertices[i] = entry.vertex();
    }
  };

  Entries() = default;
  explicit Entries(std::size_t size) : distances_(size, 1), vertices_(size, 1) {}
  std::size_t size() const { return distances_.size(); }
  Cursor cursor() const { return {distances_.data(), vertices_.data()}; }

 private:
  Array<Distance> distances_;
  Array<Id> vertices_;
};

}  // namespace bellmark::dijkstra
