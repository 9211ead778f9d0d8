// Bellman-Ford: rounds over all arcs, and a queue of the vertices whose labels fell. ma2022,
// sections 2.2 and 3.2.1. Lengths may be negative.
//
// The reason why a negative cycle is found. Let a pass be a round over all arcs, or the content of
// the queue when the pass before ended. Let a label's pass be the one in which it last fell. Passes
// count from 0, and a source's first label has pass -1. If the label of v fell in pass i, that of
// p(v) fell in pass i - 1 or later. Otherwise its arc to v would have been relaxed before. So a
// walk from v along predecessors loses at most 1 a step. From a label that fell in pass n - 1 the
// walk can't end: the source, without a predecessor, is n steps away, and a path has n vertices. It
// meets a cycle, which is negative (predecessor_cycles.hpp). From the beginning of pass n on there
// is a cycle at any time, and sooner in most graphs.
//
// The least value of labels. A row is relaxed from the label that its vertex had at the beginning.
// So a row lowers the least label by at most c, where -c is the most negative length. While
// predecessors form a tree, a label is at least the length of a path in it, -(n - 1) c. Where they
// are tested every n rows, labels stay at or above -(2 n - 1) c. label_bound() goes by that.
//
// Cost of a row: its offsets and arcs in sequence (8 bytes an arc), and a label for each head (a
// cache line each, where labels don't fit).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/problems/sssp/predecessor_cycles.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/bellman_ford/options.hpp"
#include "graph/graph.hpp"

namespace bellmark::bellman_ford {

/// The counts of the last search.
struct Counts {
  std::uint64_t round_count = 0;       ///< passes over the arcs; of a queue, passes over it
  std::uint64_t relaxation_count = 0;  ///< arcs looked at
  std::uint64_t queued_count = 0;      ///< vertices that entered the queue, the sources too
};

inline void count_work(const Tally& tally, const Counts& counts, SearchWork& work) {
  tally.add_distances_to(work);
  work.add(WorkCount::rounds, counts.round_count);
  work.lacks(WorkCount::settled, kNotFinal);
  work.lacks_atomics(kOneThread);
}

/// Labels and predecessors, with the operations of the search on one thread and on several.
template <class Label>
class Labels {
 public:
  static constexpr Label kInfinite = std::numeric_limits<Label>::max();

  Labels() = default;
  explicit Labels(const Graph& graph)
      : graph_(graph), distances_(graph.vertex_count()), predecessors_(graph.vertex_count()) {}

  void begin() {
    std::fill(distances_.begin(), distances_.end(), kInfinite);
    std::fill(predecessors_.begin(), predecessors_.end(), kNoVertex);
  }
  void begin_at(Vertex source) { distances_[source] = 0; }

  Vertex vertex_count() const { return static_cast<Vertex>(distances_.size()); }
  bool has_negative_lengths() const { return graph_.properties().least_length < 0; }
  std::uint64_t degree(Vertex u) const {
    return graph_.row_offsets()[u + 1] - graph_.row_offsets()[u];
  }
  bool reached(Vertex v) const { return distances_[v] != kInfinite; }
  std::span<const Vertex> predecessors() const { return predecessors_; }

  /// Relaxes the arcs of a reached vertex; calls fallen(v) for each head whose label fell.
  template <class Fallen, class AnyTally>
  void relax_row(Vertex u, Fallen fallen, AnyTally& tally) {
    const Offset* const offsets = graph_.row_offsets().data();
    const Vertex* const heads = graph_.heads().data();
    const Label from = distances_[u];
    tally.scan();
    tally.relax(degree(u));
    for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
      const Vertex v = heads[e];
      const Label through = from + graph_.length(e);
      if (through >= distances_[v]) continue;
      distances_[v] = through;
      predecessors_[v] = u;
      tally.lower();
      fallen(v);
    }
  }

  /// The distances, or the cycle that shows that there are none.
  void extract(const std::vector<Vertex>& cycle, Sssp::Answer& answer) const {
    answer.negative_cycle = cycle;
    answer.distances.clear();
    answer.predecessors.clear();
    if (!cycle.empty()) return;
    for (const Label distance : distances_) {
      answer.distances.push_back(distance == kInfinite ? kUnreached : Distance{distance});
    }
    answer.predecessors = predecessors_;
  }

  std::uint64_t bytes() const { return distances_.size() * (sizeof(Label) + sizeof(Vertex)); }

 private:
  Graph graph_;
  std::vector<Label> distances_;
  std::vector<Vertex> predecessors_;
};

/// Relaxes all arcs, row by row, until a round lowers no label, but in at least `least_round_count`
/// rounds. O(n m). Where lengths are negative, predecessors are tested after each round, O(n) for a
/// round of O(n + m). A cycle ends the search.
template <class Label>
class RoundsSearch {
 public:
  void prepare(const Graph& graph, RunContext& context) {
    labels_ = Labels<Label>(graph);
    if (labels_.has_negative_lengths()) cycles_ = PredecessorCycles(graph.vertex_count());
    context.account("vertices", labels_.bytes() + cycles_.bytes());
  }

  void run(Vertex source, std::uint64_t least_round_count = 0, SearchWork* work = nullptr) {
    if (work == nullptr) {
      Untallied none;
      return search(source, least_round_count, none);
    }
    Tally tally;
    search(source, least_round_count, tally);
    count_work(tally, counts_, *work);
  }

  const Counts& counts() const { return counts_; }
  void extract(Sssp::Answer& answer) const { labels_.extract(cycle_, answer); }

 private:
  template <class AnyTally>
  void search(Vertex source, std::uint64_t least_round_count, AnyTally& tally) {
    labels_.begin();
    labels_.begin_at(source);
    tally.lower();
    counts_ = {};
    cycle_.clear();
    while ((round(tally) || counts_.round_count < least_round_count) && cycle_.empty()) {
      if (labels_.has_negative_lengths()) cycle_ = cycles_.find(labels_.predecessors());
    }
  }

  /// Whether a label fell.
  template <class AnyTally>
  bool round(AnyTally& tally) {
    bool changed = false;
    ++counts_.round_count;
    for (Vertex u = 0; u < labels_.vertex_count(); ++u) {
      if (!labels_.reached(u)) continue;
      counts_.relaxation_count += labels_.degree(u);
      labels_.relax_row(
          u, [&](Vertex) { changed = true; }, tally);
    }
    return changed;
  }

  Labels<Label> labels_;
  PredecessorCycles cycles_;
  std::vector<Vertex> cycle_;
  Counts counts_;
};

/// Relaxes the rows of the vertices whose labels fell after their last turn, first in, first out.
/// No vertex waits twice. O(n m).
template <class Label, Detection detection>
class QueueSearch {
 public:
  void prepare(const Graph& graph, RunContext& context) {
    labels_ = Labels<Label>(graph);
    const Vertex n = graph.vertex_count();
    waiting_.resize(n);
    queue_.resize(n);
    if (detection == Detection::count) entries_.resize(n);
    if (labels_.has_negative_lengths()) cycles_ = PredecessorCycles(n);
    context.account("vertices", labels_.bytes() + cycles_.bytes());
    context.account("queue", n * (sizeof(Vertex) + 1) + entries_.size() * sizeof(Vertex));
  }

  /// From all sources at once, each at distance 0. They are distinct.
  void run(std::span<const Vertex> sources, SearchWork* work = nullptr) {
    if (work == nullptr) {
      Untallied none;
      return search(sources, none);
    }
    Tally tally;
    search(sources, tally);
    count_work(tally, counts_, *work);
  }

  const Counts& counts() const { return counts_; }
  const std::vector<Vertex>& negative_cycle() const { return cycle_; }
  void extract(Sssp::Answer& answer) const { labels_.extract(cycle_, answer); }

 private:
  template <class AnyTally>
  void search(std::span<const Vertex> sources, AnyTally& tally) {
    labels_.begin();
    std::fill(waiting_.begin(), waiting_.end(), false);
    std::fill(entries_.begin(), entries_.end(), Vertex{0});
    scanned_count_ = 0;
    counts_ = {};
    cycle_.clear();
    first_ = 0;
    waiting_count_ = 0;
    suspect_ = kNoVertex;
    for (const Vertex source : sources) {
      labels_.begin_at(source);
      tally.lower();
      push(source);
    }
    while (waiting_count_ != 0 && cycle_.empty()) {
      ++counts_.round_count;
      for (Vertex left = waiting_count_; left != 0 && cycle_.empty(); --left) scan(tally);
    }
  }

  void push(Vertex v) {
    const std::size_t place = std::size_t{first_} + waiting_count_;
    queue_[place < queue_.size() ? place : place - queue_.size()] = v;
    ++waiting_count_;
    waiting_[v] = true;
    ++counts_.queued_count;
  }

  Vertex pop() {
    const Vertex u = queue_[first_];
    first_ = std::size_t{first_} + 1 < queue_.size() ? first_ + 1 : 0;
    --waiting_count_;
    waiting_[u] = false;
    return u;
  }

  template <class AnyTally>
  void scan(AnyTally& tally) {
    const Vertex u = pop();
    counts_.relaxation_count += labels_.degree(u);
    labels_.relax_row(
        u,
        [this](Vertex v) {
          if (waiting_[v]) return;
          push(v);
          // Without a negative cycle the last label falls in pass n - 2: n - 1 entries, one a pass.
          // The source's first entry does not count, or a single vertex would have too many.
          if constexpr (detection == Detection::count) {
            if (++entries_[v] == labels_.vertex_count()) suspect_ = v;
          }
        },
        tally);
    if (!labels_.has_negative_lengths()) return;
    if constexpr (detection == Detection::count) {
      if (suspect_ != kNoVertex) cycle_ = cycles_.find_from(labels_.predecessors(), suspect_);
    } else if (++scanned_count_ >= labels_.vertex_count()) {
      scanned_count_ = 0;
      cycle_ = cycles_.find(labels_.predecessors());
    }
  }

  Labels<Label> labels_;
  PredecessorCycles cycles_;
  std::vector<char> waiting_;
  std::vector<Vertex> queue_;    ///< a ring
  std::vector<Vertex> entries_;  ///< by vertex: its entries so far
  Vertex first_ = 0;
  Vertex waiting_count_ = 0;
  Vertex suspect_ = kNoVertex;       ///< entered n times
  std::uint64_t scanned_count_ = 0;  ///< after the last test of predecessors
  std::vector<Vertex> cycle_;
  Counts counts_;
};

}  // namespace bellmark::bellman_ford
