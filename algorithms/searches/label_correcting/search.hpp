// Label-correcting searches: with approximate buckets and with two queues. Both scan a vertex again
// when its label gets smaller after it was scanned; in exchange no queue keeps an order.
//
// Cost of a search on a road graph: an entry pushed and taken (8 bytes written and read in
// sequence), one row (half a cache line), a label for each of its heads. Rows and labels don't fit
// in the second level of cache. Buckets tell the next vertices long before, so that both are asked
// for in time. A row is asked for when its vertex is pushed, and again 2 * kAhead entries before
// its turn; the labels of its heads kAhead entries before.
//
// Measured in turns on one core, on the NE road graph with lengths: prefetching takes 47 % off the
// time. Four slots with labels in one record take 34 % off that of rows with labels in two arrays.
// Relaxing without branches does not pay: it writes every label and every bucket's end. Nor does
// last in, first out: more vertices are scanned again.
//
// Predecessors form a tree, zero lengths or not. A label is only ever replaced by a smaller one. To
// close a cycle would need a cycle of negative length (Cormen et al., lemma 24.16).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/label_correcting/buckets.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

/// The facts of the whole graph that a search of a part of it needs.
struct Whole {
  std::uint64_t largest_distance;  ///< bounds every distance
  std::uint64_t longest_step;      ///< bounds lengths of arcs, and distances between seeds
};

/// The counts of the last search.
struct Counts {
  std::uint64_t scanned_count = 0;  ///< rows visited; a vertex scanned again counts again
  std::uint64_t queued_count = 0;   ///< entries that entered the queue
};

inline void note(Phase& phase, const Counts& counts) {
  phase.note("scanned_count", counts.scanned_count);
  phase.note("queued_count", counts.queued_count);
}

/// The work of a search by one thread that may scan a vertex again.
inline void count_work(const Tally& tally, SearchWork& work) {
  tally.add_sequential_to(work);
  work.lacks(WorkCount::settled, kNotFinal);
}

/// Approximate buckets: vertices whose labels lie in the same interval of 2^delta_log2 are scanned
/// first in, first out, and again while labels in it improve. When a bucket is empty, every label
/// below its upper end is final.
///
/// With direction=push-pull, once 1/64 of the arcs were visited the search pushes only up to a
/// horizon. Labels from there on are left out, which in rows by length cuts a row off. When the
/// labels below are final, each other vertex takes the least distance over its own row, because the
/// graph is symmetric. The order by length cuts that row off too, and the search goes on. On a
/// Kronecker graph most arcs join vertices below the horizon and are never visited: 3.8 of 31
/// million are.
template <Options o, class Watch = Unwatched>
class ApproximateSearch {
 public:
  using Distance = std::conditional_t<o.distance == 32, std::uint32_t, std::uint64_t>;
  using Labelled = Epochs<Distance, o.rows>;
  using SharedRows = std::shared_ptr<const ArcRows<o.rows>>;

  ApproximateSearch() = default;
  explicit ApproximateSearch(const Tuning& tuning, Watch watch = {})
      : tuning_(tuning), watch_(watch) {}

  /// The graph's arcs in these rows, which several searches may read. O(n + m), by_length
  /// O(n + m log(largest degree)).
  static SharedRows make_rows(const Graph& graph, RunContext& context) {
    auto rows = std::make_shared<const ArcRows<o.rows>>(graph);
    context.account("arcs", rows->bytes());
    return rows;
  }

  /// Makes rows of its own and the work area.
  void prepare(const Graph& graph, RunContext& context) {
    prepare(graph, make_rows(graph, context), context);
  }

  /// Makes the work area for the rows of this graph. O(n + m).
  void prepare(const Graph& graph, SharedRows rows, RunContext& context) {
    const auto longest = static_cast<std::uint64_t>(graph.properties().largest_length);
    prepare(graph, {distance_bound(graph).value, longest}, std::move(rows), context);
  }

  /// The same for a graph that is a part of another. O(n + m).
  void prepare(const Graph& graph, const Whole& whole, SharedRows rows, RunContext& context) {
    rows_ = std::move(rows);
    labels_ = Labelled(graph.vertex_count(), whole.largest_distance);
    // A label pushed lies at most one step and one bucket beyond the bucket that is taken.
    buckets_ = Buckets<Entry>(
        static_cast<int>(std::bit_width((whole.longest_step >> tuning_.delta_log2) + 1)));
    core_ = graph.arc_count() / 64;
    context.account("vertices", labels_.bytes());
  }

  /// From `source` until the distances of all `targets` are final, or without targets of all
  /// vertices.
  void run(Vertex source, std::span<const Vertex> targets, RunContext& context) {
    const contracted::End seed{source, 0};
    run(std::span(&seed, 1), targets, context);
  }

  /// The same from several vertices whose distances are known. One that is there twice takes the
  /// smaller distance.
  void run(std::span<const contracted::End> seeds, std::span<const Vertex> targets,
           RunContext& context) {
    if (context.work() == nullptr) {
      Untallied none;
      search(seeds, targets, none);
    } else {
      Tally tally;
      search(seeds, targets, tally);
      count_work(tally, *context.work());
    }
    context.account("queue", buckets_.bytes());
  }

  const Labelled& labels() const { return labels_; }
  const Counts& counts() const { return counts_; }

 private:
  using Entry = Pair<Distance>;
  /// Of push_pull: before the core is met; up to the horizon; behind it.
  enum class Stage { seeking, bounded, whole };
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::ptrdiff_t kAhead = 6;

  template <class AnyTally>
  void search(std::span<const contracted::End> seeds, std::span<const Vertex> targets,
              AnyTally& tally) {
    labels_.begin();
    counts_ = {};
    taken_count_ = visited_ = 0;
    limit_ = kNoLimit;
    stage_ = o.direction == Direction::push ? Stage::whole : Stage::seeking;
    const auto labels = labels_.cursor();
    std::uint64_t least = kNoLimit;
    for (const contracted::End& seed : seeds) {
      const std::uint64_t label = labels_.zero() + seed.distance;
      if (label >= labels.distance(seed.vertex)) continue;
      tally.lower();
      labels.set(seed.vertex, static_cast<Distance>(label), kNone);
      push(seed.vertex, static_cast<Distance>(label));
      least = std::min(least, label);
    }
    std::size_t final_count = 0;  // targets at the front whose distances are final
    for (std::uint64_t bucket = least >> tuning_.delta_log2;; ++bucket) {
      const std::uint64_t begin = bucket << tuning_.delta_log2;
      while (final_count < targets.size() && labels.distance(targets[final_count]) < begin) {
        ++final_count;
      }
      if (!targets.empty() && final_count == targets.size()) break;
      if constexpr (o.direction == Direction::push_pull) {
        if (stage_ == Stage::bounded && (queue_empty() || begin >= limit_)) {
          pull(tally);
          bucket = limit_ >> tuning_.delta_log2;
          limit_ = kNoLimit;
          stage_ = Stage::whole;
        }
      }
      if (queue_empty()) break;
      while (!buckets_.empty(bucket & buckets_.mask())) {
        buckets_.take(bucket & buckets_.mask(),
                      [&](const Entry* first, const Entry* last) { scan(first, last, tally); });
      }
    }
    buckets_.clear();
  }

  void push(Vertex v, Distance label) {
    buckets_.push((label >> tuning_.delta_log2) & buckets_.mask(), {label, v});
    ++counts_.queued_count;
  }

  template <class AnyTally>
  void scan(const Entry* first, const Entry* last, AnyTally& tally) {
    const auto rows = rows_->cursor();
    const auto labels = labels_.cursor();
    // Kept in registers: the compiler can't know that no label lies over these members.
    const int delta_log2 = tuning_.delta_log2;
    const std::size_t mask = buckets_.mask();
    std::uint64_t queued_count = 0;
    std::uint64_t scanned_count = 0;
    for (const Entry* entry = first; entry != last; ++entry) {
      if constexpr (o.prefetch) {
        if (last - entry > kAhead) rows.prefetch_heads(entry[kAhead].vertex(), labels);
        if (last - entry > 2 * kAhead) {
          rows.prefetch(entry[2 * kAhead].vertex());
          labels.prefetch(entry[2 * kAhead].vertex());
        }
      }
      const Vertex u = entry->vertex();
      const Distance label = entry->distance();
      if (labels.distance(u) != label) continue;  // a smaller one was scanned, or will be
      ++scanned_count;
      tally.scan();
      watch_.settled(0, u, label - labels_.zero(), labels.predecessor(u));
      const auto relax = [&](Vertex v, std::uint32_t length) {
        if constexpr (AnyTally::kCounts) {
          if (v < labels_.vertex_count()) tally.relax();  // beyond it: a row's free slot
        }
        const std::uint64_t through = std::uint64_t{label} + length;
        if (through >= labels.distance(v)) return;
        tally.lower();
        labels.set(v, static_cast<Distance>(through), u);
        buckets_.push((through >> delta_log2) & mask, {static_cast<Distance>(through), v});
        ++queued_count;
        if constexpr (o.prefetch && o.rows == Rows::four_slots) rows.prefetch(v);
      };
      if constexpr (o.direction == Direction::push_pull) {
        visit_below_limit(u, label, relax);
      } else {
        rows.visit(u, relax);
      }
    }
    taken_count_ += static_cast<std::uint64_t>(last - first);
    counts_.queued_count += queued_count;
    counts_.scanned_count += scanned_count;
  }

  bool queue_empty() const { return counts_.queued_count == taken_count_; }

  template <class Relax>
  void visit_below_limit(Vertex u, Distance label, Relax relax) {
    const auto rows = rows_->cursor();
    if (stage_ == Stage::whole) return rows.visit(u, relax);
    const std::uint64_t room = limit_ - label;
    const ArcRecord* arc = rows.begin(u);
    for (; arc != rows.end(u) && arc->length < room; ++arc) relax(arc->head, arc->length);
    visited_ += static_cast<std::uint64_t>(arc - rows.begin(u));
    if (stage_ == Stage::seeking && visited_ > core_) set_limit(label);
  }

  /// The horizon is a bucket's lower end. A horizon beyond every distance bounds nothing, and would
  /// take labels of earlier searches for this one's.
  void set_limit(Distance label) {
    const std::uint64_t wanted = label + tuning_.horizon;
    limit_ = ((wanted >> tuning_.delta_log2) + 1) << tuning_.delta_log2;
    stage_ = Stage::bounded;
    if (limit_ < labels_.end()) return;
    limit_ = kNoLimit;
    stage_ = Stage::whole;
  }

  /// Labels below limit_ are final; every other vertex takes the least distance that their arcs
  /// offer. O(n), and the rows of the others as far as they can matter.
  template <class AnyTally>
  void pull(AnyTally& tally) {
    const auto rows = rows_->cursor();
    const auto labels = labels_.cursor();
    for (Vertex v = 0; v < labels_.vertex_count(); ++v) {
      const std::uint64_t label = labels.distance(v);
      if (label < limit_) continue;
      std::uint64_t least = label;
      Vertex predecessor = kNone;
      const ArcRecord* arc = rows.begin(v);
      for (; arc != rows.end(v) && labels_.zero() + arc->length < least; ++arc) {
        tally.relax();
        const std::uint64_t from = labels.distance(arc->head);
        if (from >= limit_ || from + arc->length >= least) continue;
        least = from + arc->length;
        predecessor = arc->head;
      }
      if (predecessor == kNone) continue;
      tally.lower();
      labels.set(v, static_cast<Distance>(least), predecessor);
      push(v, static_cast<Distance>(least));
    }
  }

  Tuning tuning_;
  SharedRows rows_;
  Labelled labels_;
  Buckets<Entry> buckets_;
  Counts counts_;
  std::uint64_t taken_count_ = 0;  ///< entries that left the queue
  std::uint64_t visited_ = 0;      ///< arcs, until the pull
  std::uint64_t core_ = 0;         ///< this many mean that the search has met the core
  std::uint64_t limit_ = kNoLimit;
  Stage stage_ = Stage::whole;
  [[no_unique_address]] Watch watch_;
};

/// Pallottino 1984: a vertex that enters for the first time goes to the end of the second queue.
/// One that comes back goes to the end of the first, which is served before. The search keeps to a
/// neighbourhood until that is right, and stays near in memory. How often it comes back depends on
/// the lengths. No distance is final before the end. O(n m min(n, largest length)).
template <Options o, class Watch = Unwatched>
class TwoQueueSearch {
 public:
  using Distance = std::conditional_t<o.distance == 32, std::uint32_t, std::uint64_t>;
  using Labelled = Epochs<Distance, o.rows>;

  TwoQueueSearch() = default;
  explicit TwoQueueSearch(const Tuning&, Watch watch = {}) : watch_(watch) {}

  /// O(n + m).
  void prepare(const Graph& graph, RunContext& context) {
    rows_ = ArcRows<o.rows>(graph);
    labels_ = Labelled(graph);
    const Vertex n = graph.vertex_count();
    waiting_ = PagedArray<bool>(n);
    std::fill_n(waiting_.data(), n, false);
    mask_ = std::bit_ceil(std::size_t{n} + 1) - 1;
    first_ = PagedArray<Vertex>(mask_ + 1);
    second_ = PagedArray<Vertex>(mask_ + 1);
    context.account("arcs", rows_.bytes());
    context.account("vertices", labels_.bytes() + waiting_.bytes());
    context.account("queue", first_.bytes() + second_.bytes());
  }

  /// From `source` to all vertices, for any targets.
  void run(Vertex source, std::span<const Vertex> /*targets*/, RunContext& context) {
    if (context.work() == nullptr) {
      Untallied none;
      return search(source, none);
    }
    Tally tally;
    search(source, tally);
    count_work(tally, *context.work());
  }

  const Labelled& labels() const { return labels_; }
  const Counts& counts() const { return counts_; }

 private:
  static constexpr std::size_t kAhead = 4;

  /// A queue of at most mask vertices: one that waits is in one queue, once.
  struct Ring {
    Vertex* vertices;
    std::size_t mask;
    std::size_t head = 0;
    std::size_t tail = 0;
    bool empty() const { return head == tail; }
    std::size_t size() const { return tail - head; }
    Vertex peek(std::size_t i) const { return vertices[(head + i) & mask]; }
    Vertex pop() { return vertices[head++ & mask]; }
    void push(Vertex v) { vertices[tail++ & mask] = v; }
  };

  template <class AnyTally>
  void search(Vertex source, AnyTally& tally) {
    labels_.begin();
    counts_ = {};
    const auto rows = rows_.cursor();
    const auto labels = labels_.cursor();
    bool* const waiting = waiting_.data();
    Ring first{first_.data(), mask_};
    Ring second{second_.data(), mask_};
    tally.lower();
    labels.set(source, static_cast<Distance>(labels_.zero()), kNone);
    second.push(source);
    while (!first.empty() || !second.empty()) {
      Vertex u = kNone;
      if (!first.empty()) {
        u = first.pop();
      } else {
        if (second.size() > kAhead) rows.prefetch_heads(second.peek(kAhead), labels);
        u = second.pop();
      }
      waiting[u] = false;
      ++counts_.scanned_count;
      tally.scan();
      const Distance label = labels.distance(u);
      watch_.settled(0, u, label - labels_.zero(), labels.predecessor(u));
      rows.visit(u, [&](Vertex v, std::uint32_t length) {
        if constexpr (AnyTally::kCounts) {
          if (v < labels_.vertex_count()) tally.relax();
        }
        const std::uint64_t through = std::uint64_t{label} + length;
        const std::uint64_t before = labels.distance(v);
        if (through >= before) return;
        tally.lower();
        labels.set(v, static_cast<Distance>(through), u);
        if (waiting[v]) return;
        waiting[v] = true;
        (before < labels_.end() ? first : second).push(v);
        rows.prefetch(v);
      });
    }
    counts_.queued_count = counts_.scanned_count;
  }

  ArcRows<o.rows> rows_;
  Labelled labels_;
  PagedArray<bool> waiting_;
  PagedArray<Vertex> first_;
  PagedArray<Vertex> second_;
  std::size_t mask_ = 0;
  Counts counts_;
  [[no_unique_address]] Watch watch_;
};

/// A watch can end it only by throwing.
template <Options o, class Watch = Unwatched>
using Search = std::conditional_t<o.queue == Queue::approximate, ApproximateSearch<o, Watch>,
                                  TwoQueueSearch<o, Watch>>;

}  // namespace bellmark::label_correcting
