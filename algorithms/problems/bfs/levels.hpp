// One level of a breadth-first search by CPU threads: the steps along the rows of one Block, for
// the owner of the loop over levels. hiragushi2013, section 2 (its Figures 1 and 2).
//
// Sets of vertices are bitmaps, 64 vertices a word: 128 KiB for a million vertices. The test of an
// arc's head is then a read within L2. An array of predecessors would be 4 MiB.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/problem.hpp"

namespace bellmark::bfs {

/// Part of a bitmap: vertex v is bit v % 64 of word v / 64.
using Word = std::uint64_t;
inline constexpr Vertex kWordBits = 64;

constexpr std::size_t word_count(Vertex n) { return (std::size_t{n} + kWordBits - 1) / kWordBits; }
constexpr Word bit(Vertex v) { return Word{1} << (v % kWordBits); }

inline bool contains(std::span<const Word> set, Vertex v) {
  return (set[v / kWordBits] & bit(v)) != 0;
}

/// Adds v, and says whether it was missing. Shared: several threads may insert at once, and one of
/// them is told that it was missing. A vertex that is there already, as most are, costs no atomic
/// operation.
template <bool kShared, class AnyTally>
bool insert(std::span<Word> set, Vertex v, AnyTally& tally) {
  Word& word = set[v / kWordBits];
  if constexpr (kShared) {
    const std::atomic_ref<Word> shared(word);
    if ((shared.load(std::memory_order_relaxed) & bit(v)) != 0) return false;
    const bool was_missing = (shared.fetch_or(bit(v), std::memory_order_relaxed) & bit(v)) == 0;
    tally.try_atomic(was_missing);
    return was_missing;
  } else {
    if ((word & bit(v)) != 0) return false;
    word |= bit(v);
    return true;
  }
}
template <bool kShared>
bool insert(std::span<Word> set, Vertex v) {
  Untallied none;
  return insert<kShared>(set, v, none);
}

/// The bits beyond the last of n vertices, in the last word of a bitmap; 0 when there are none.
/// Where they count as visited, no search looks at them.
constexpr Word bits_beyond(Vertex n) {
  return n % kWordBits == 0 ? 0 : ~Word{0} << (n % kWordBits);
}

/// Calls visit(v) for the members in words [first, last), ascending.
template <class Visit>
void for_each_member(std::span<const Word> set, std::size_t first, std::size_t last, Visit visit) {
  for (std::size_t w = first; w < last; ++w) {
    for (Word rest = set[w]; rest != 0; rest &= rest - 1) {
      visit(static_cast<Vertex>(w * kWordBits) + static_cast<Vertex>(std::countr_zero(rest)));
    }
  }
}

/// Goes along the arcs of `frontier` (rows) and inserts their heads (columns) into `visited`. Calls
/// found(v, u) for each v that was missing, reached by an arc from u. Shared: several threads may
/// do so at once with the same `visited`, and one of them finds a vertex.
///
/// O(arcs of the frontier). Each arc takes 4 bytes in sequence and a read of the bitmap. Each
/// vertex of the frontier takes two lines, of the row offsets and of the heads.
template <bool kShared, class Found, class AnyTally>
void top_down(const Block& block, std::span<const Vertex> frontier, std::span<Word> visited,
              Found found, AnyTally& tally) {
  const Offset* const row_offsets = block.row_offsets().data();
  const Vertex* const heads = block.heads().data();
  for (const Vertex u : frontier) {
    tally.scan();
    tally.look(row_offsets[u + 1] - row_offsets[u]);
    for (Offset e = row_offsets[u]; e < row_offsets[u + 1]; ++e) {
      const Vertex v = heads[e];
      if (insert<kShared>(visited, v, tally)) found(v, u);
    }
  }
}
template <bool kShared, class Found>
void top_down(const Block& block, std::span<const Vertex> frontier, std::span<Word> visited,
              Found found) {
  Untallied none;
  top_down<kShared>(block, frontier, visited, found, none);
}

/// Takes each row v that is missing in words [first, last) of `visited`. Looks along its arcs and
/// stops at the first head u (a column) in `frontier`. It then calls found(v, u) and inserts v into
/// `visited`. It writes the new rows' words of `next` (all of [first, last), nothing else). Rows of
/// the block are heads here: top-down along the block's mirror finds the same arcs.
///
/// Threads that go bottom-up at once have words of their own, so that nothing is atomic. O(arcs
/// looked at): the words in sequence. Each unvisited row takes two lines, of the row offsets and of
/// the heads. Each arc takes a read of the frontier's bitmap.
template <class Found, class AnyTally>
void bottom_up(const Block& block, std::size_t first, std::size_t last,
               std::span<const Word> frontier, std::span<Word> visited, std::span<Word> next,
               Found found, AnyTally& tally) {
  const Offset* const row_offsets = block.row_offsets().data();
  const Vertex* const heads = block.heads().data();
  for (std::size_t w = first; w < last; ++w) {
    Word reached = 0;
    for (Word rest = ~visited[w]; rest != 0; rest &= rest - 1) {
      const auto v =
          static_cast<Vertex>(w * kWordBits) + static_cast<Vertex>(std::countr_zero(rest));
      tally.scan();
      for (Offset e = row_offsets[v]; e < row_offsets[v + 1]; ++e) {
        const Vertex u = heads[e];
        tally.look();
        if (!contains(frontier, u)) continue;
        found(v, u);
        reached |= rest & -rest;
        break;
      }
    }
    visited[w] |= reached;
    next[w] = reached;
  }
}
template <class Found>
void bottom_up(const Block& block, std::size_t first, std::size_t last,
               std::span<const Word> frontier, std::span<Word> visited, std::span<Word> next,
               Found found) {
  Untallied none;
  bottom_up(block, first, last, frontier, visited, next, found, none);
}

/// Work of one level, dealt to threads in portions: first come, first served.
class Portions {
 public:
  /// Items 0..count-1. Before the threads begin.
  void open(std::size_t count) {
    count_ = count;
    taken_.store(0, std::memory_order_relaxed);
  }
  /// Calls work(first, last) for portions of `size` items until all are taken.
  template <class Work>
  void take(std::size_t size, Work work) {
    while (true) {
      const std::size_t first = taken_.fetch_add(size, std::memory_order_relaxed);
      if (first >= count_) return;
      work(first, std::min(first + size, count_));
    }
  }

 private:
  std::size_t count_ = 0;
  alignas(64) std::atomic<std::size_t> taken_ = 0;
};

/// A list that several threads append to, each through an Appender of its own.
class VertexList {
 public:
  VertexList() = default;
  /// Holds up to `capacity` vertices.
  explicit VertexList(Vertex capacity) : vertices_(capacity) {}

  void clear() { count_.store(0, std::memory_order_relaxed); }
  /// All that was flushed, in no order.
  std::span<const Vertex> vertices() const {
    return {vertices_.data(), count_.load(std::memory_order_relaxed)};
  }
  void append(std::span<const Vertex> more) {
    const std::size_t first = count_.fetch_add(more.size(), std::memory_order_relaxed);
    std::copy(more.begin(), more.end(), vertices_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  std::uint64_t bytes() const { return vertices_.size() * sizeof(Vertex); }

 private:
  std::vector<Vertex> vertices_;
  alignas(64) std::atomic<std::size_t> count_ = 0;
};

/// One thread's end of a VertexList: one atomic operation for kBuffered vertices.
class Appender {
 public:
  explicit Appender(VertexList& list) : list_(list) {}
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  ~Appender() { flush(); }

  void push(Vertex v) {
    buffer_[count_++] = v;
    if (count_ == kBuffered) flush();
  }

 private:
  static constexpr std::size_t kBuffered = 512;

  void flush() {
    if (count_ > 0) list_.append({buffer_, count_});
    count_ = 0;
  }

  VertexList& list_;
  std::size_t count_ = 0;
  Vertex buffer_[kBuffered];
};

/// The figures that a search by levels keeps of one level.
struct LevelRow {
  bool bottom_up = false;
  std::uint64_t frontier_count = 0;      ///< vertices whose arcs the level goes along
  std::uint64_t frontier_arc_count = 0;  ///< that leave the frontier
  std::uint64_t unvisited_count = 0;     ///< when the level begins
  std::uint64_t host_ns = 0;             ///< until the next level begins
};

/// The phase log of a search by levels. It takes no memory beyond its capacity: a search with more
/// levels keeps none.
class LevelLog {
 public:
  /// `counts_arcs`: whether rows know frontier_arc_count; otherwise the log lacks that column.
  explicit LevelLog(bool counts_arcs = true) : counts_arcs_(counts_arcs) {}

  /// Makes room for the levels of a search of n vertices, up to kMostLevels.
  void reserve(Vertex n) { rows_.reserve(std::min<std::size_t>(std::size_t{n} + 1, kMostLevels)); }
  /// Before a search. `timed`: whether its rows know host_ns; otherwise the log lacks that column.
  void clear(bool timed = true) {
    rows_.clear();
    level_count_ = 0;
    timed_ = timed;
  }
  bool timed() const { return timed_; }
  void push(const LevelRow& row) {
    ++level_count_;
    if (rows_.size() < rows_.capacity()) rows_.push_back(row);
  }
  std::size_t level_count() const { return level_count_; }
  PhaseLog phase_log() const {
    PhaseLog log;
    log.columns = {"bottom_up", "frontier_count"};
    if (counts_arcs_) log.columns.push_back("frontier_arc_count");
    log.columns.push_back("unvisited_count");
    if (timed_) log.columns.push_back("host_ns");
    if (rows_.size() < level_count_) return log;
    for (const LevelRow& row : rows_) {
      log.values.insert(log.values.end(), {std::uint64_t{row.bottom_up}, row.frontier_count});
      if (counts_arcs_) log.values.push_back(row.frontier_arc_count);
      log.values.push_back(row.unvisited_count);
      if (timed_) log.values.push_back(row.host_ns);
    }
    return log;
  }

 private:
  static constexpr std::size_t kMostLevels = std::size_t{1} << 16;

  bool counts_arcs_;
  bool timed_ = true;
  std::vector<LevelRow> rows_;
  std::size_t level_count_ = 0;
};

/// The result that a search by levels writes for a vertex when it visits it: both in one line of
/// memory.
struct alignas(8) Visit {
  Vertex predecessor;
  Level level;
};

/// The levels of a tree whose source and unreached vertices have kNoVertex as predecessor. O(n), by
/// all threads that the process may use: each walk ends where an earlier one has been. Predecessors
/// that form no tree are a fault that the problem's certificate names. Here their walks end too, at
/// kNoLevel, and in O(n).
std::vector<Level> levels_of(std::span<const Vertex> predecessors, Vertex source);

}  // namespace bellmark::bfs
