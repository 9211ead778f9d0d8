// The search behind sssp/dijkstra-rounds: rounds that close and relax every open vertex that the
// criterion proves final.
//
// The cost of a round. It looks at every open vertex (frontier.hpp). Beyond that, with 32-bit
// labels:
//   a closed vertex   its row offsets and its row (8 bytes an arc), which were asked for when it
//                     was opened
//   a relaxation      the head's record (12 bytes: distance, predecessor, place in its frontier)
//   open-out          a row's offsets, one arc or the row, and the mark of a head (1 byte) for each
//                     vertex whose lightest arc is looked for
// The lightest arc of an open vertex to one not closed only grows heavier. So the arc found before,
// or none, is a bound from below. A new one is looked for only where it could be the least of the
// round. Most vertices come to it once or twice, when they are about to be closed.
//
// Threads. Every vertex has an owner, which alone writes its record and holds it in its frontier.
// 64 vertices in a row have the same owner, so that no two threads write one cache line. A shared
// round is
//   evaluate    each thread its frontier                                            (barrier)
//   close       each the final ones of its frontier; it relaxes their arcs to vertices of its own
//               and leaves notes for the owners of others                            (barrier)
//   receive     each the notes left for it
// No label is ever contended. Thread 0 does a round of few open vertices alone, for all owners,
// while the others wait at the barrier. Such a round has no notes and no barriers, and with one
// thread all rounds are so.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/spin_barrier.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/dijkstra_rounds/frontier.hpp"
#include "algorithms/searches/dijkstra_rounds/options.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "base/paged_array.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra_rounds {

/// The counts of one round, and of a search in all of its rounds.
struct Counts {
  std::uint64_t closed_count = 0;
  std::uint64_t open_count = 0;          ///< at the beginning
  std::uint64_t reevaluated_count = 0;   ///< vertices whose lightest arc was looked for
  std::uint64_t examined_arc_count = 0;  ///< arcs whose heads were looked at for it
};

/// Row offsets and arcs, each row sorted by length if asked for. 4(n+1) + 8m bytes.
class RowsOfArcs {
 public:
  using Arc = label_correcting::ArcRecord;

  RowsOfArcs() = default;
  /// O(n + m), sorted O(n + m log(largest degree)).
  RowsOfArcs(const Graph& graph, bool sorted)
      : offsets_(graph.row_offsets().size()), arcs_(graph.arc_count()) {
    std::transform(graph.row_offsets().begin(), graph.row_offsets().end(), offsets_.data(),
                   [](Offset offset) { return static_cast<std::uint32_t>(offset); });
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      arcs_.data()[e] = {graph.heads()[e], static_cast<std::uint32_t>(graph.length(e))};
    }
    if (!sorted) return;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      std::sort(arcs_.data() + begin(u), arcs_.data() + end(u), [](Arc a, Arc b) {
        return a.length != b.length ? a.length < b.length : a.head < b.head;
      });
    }
  }

  std::uint32_t begin(Vertex u) const { return offsets_.data()[u]; }
  std::uint32_t end(Vertex u) const { return offsets_.data()[std::size_t{u} + 1]; }
  Arc arc(std::uint32_t e) const { return arcs_.data()[e]; }
  void prefetch(Vertex u) const { __builtin_prefetch(arcs_.data() + begin(u)); }
  std::uint64_t bytes() const { return offsets_.bytes() + arcs_.bytes(); }

 private:
  PagedArray<std::uint32_t> offsets_;
  PagedArray<Arc> arcs_;
};

template <Options o>
class Search {
 public:
  using Distance = std::conditional_t<o.distance == 32, std::uint32_t, std::uint64_t>;
  static constexpr Distance kInfinite = std::numeric_limits<Distance>::max();
  static constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

  /// `share_from`: the threads share a round of at least this many open vertices.
  explicit Search(std::uint64_t share_from) : share_from_(share_from) {}

  /// Makes the threads, the rows, and in each thread its frontier. O(n + m), sorted rows
  /// O(n + m log(largest degree)). Throws MachineError when the system starts no more threads.
  void prepare(const Graph& graph, std::size_t thread_count, RunContext& context) {
    vertex_count_ = graph.vertex_count();
    rows_ = RowsOfArcs(graph, kHasArcs && o.rows == Rows::by_length);
    records_ = Array<Record>(vertex_count_);
    if constexpr (kHasArcs) closed_ = Array<std::uint8_t>(vertex_count_);
    if constexpr (kHasLightestOut) find_lightest_out();
    if constexpr (kHasLightestIn) find_lightest_in();
    log_.reserve(std::min<std::size_t>(vertex_count_, kMostLogged));

    barrier_ = std::make_unique<SpinBarrier>(thread_count);
    team_ = std::make_unique<ThreadTeam>(thread_count, context);
    parts_ = std::vector<Part>(thread_count);
    std::vector<std::size_t> owned(thread_count);
    for (Vertex v = 0; v < vertex_count_; ++v) ++owned[owner(v)];
    team_->run([&](std::size_t thread) {
      Part& part = parts_[thread];
      part.frontier = OpenVertices(owned[thread]);
      part.closed.reserve(owned[thread]);
      part.notes.resize(thread_count);
    });
    account(context);
  }

  /// Makes every vertex unopened. O(n).
  void forget_all() {
    team_->run([&](std::size_t thread) {
      const auto share = [&](std::size_t i) { return vertex_count_ * i / parts_.size(); };
      const std::size_t begin = share(thread);
      const std::size_t count = share(thread + 1) - begin;
      std::fill_n(records_.data() + begin, count, Record{kInfinite, kNone, kNone});
      if constexpr (kHasArcs) std::fill_n(closed_.data() + begin, count, std::uint8_t{0});
    });
  }

  /// Searches from `source`. All vertices must be unopened before. closed(v, distance) is called
  /// for every vertex when it is closed, by its owner's thread or thread 0.
  template <class Closed>
  void run(Vertex source, Closed closed) {
    search<Untallied>(source, closed);
  }
  void run(Vertex source, SearchWork* work = nullptr) {
    const auto ignore = [](Vertex, Distance) {};
    if (work == nullptr) return search<Untallied>(source, ignore);
    search<Tally>(source, ignore);
    count_work(*work);
  }

  void account(RunContext& context) const {
    std::uint64_t queue_bytes = 0;
    std::uint64_t note_bytes = 0;
    for (const Part& part : parts_) {
      queue_bytes += part.frontier.bytes() + part.closed.capacity() * sizeof(Vertex);
      for (const auto& notes : part.notes) note_bytes += notes.capacity() * sizeof(Note);
    }
    context.account("arcs", rows_.bytes());
    context.account("vertices", records_.bytes() + closed_.bytes() + lightest_out_.bytes() +
                                    lightest_in_.bytes());
    context.account("queue", queue_bytes);
    context.account("notes", note_bytes);
  }

  Vertex vertex_count() const { return vertex_count_; }
  /// kInfinite where no path leads.
  Distance distance(Vertex v) const { return records_.data()[v].distance; }
  Vertex predecessor(Vertex v) const { return records_.data()[v].predecessor; }

  std::uint64_t round_count() const { return round_count_; }
  /// Of all rounds; without open_count.
  const Counts& total() const { return total_; }
  /// Round by round; empty when there were more than kMostLogged.
  PhaseLog phase_log() const {
    PhaseLog log;
    log.columns = {"closed_count", "open_count"};
    if constexpr (kHasArcs) {
      log.columns.insert(log.columns.end(), {"reevaluated_count", "examined_arc_count"});
    }
    if (round_count_ > log_.size()) return log;
    for (const Logged& round : log_) {
      log.values.insert(log.values.end(), {round.closed_count, round.open_count});
      if constexpr (!kHasArcs) continue;
      log.values.insert(log.values.end(), {round.reevaluated_count, round.examined_arc_count});
    }
    return log;
  }

 private:
  using OpenVertices = Frontier<Distance, o.criterion>;
  template <class T>
  using Array = PagedArray<T>;
  static constexpr bool kHasArcs = OpenVertices::kHasArcs;
  static constexpr bool kHasLightestIn = OpenVertices::kHasLightestIn;
  static constexpr bool kHasLightestOut = OpenVertices::kHasBounds && !kHasArcs;
  static constexpr std::size_t kLineBytes = 64;
  static constexpr int kOwnedLog2 = 6;  // as many marks as a cache line holds
  static constexpr std::size_t kMostLogged = std::size_t{1} << 20;

  struct Record {
    Distance distance;
    Vertex predecessor;
    Vertex place;  ///< in its owner's frontier, while it is open; kNone before
  };

  /// A path that another thread found to a vertex.
  struct Note {
    Distance distance;
    Vertex vertex;
    Vertex predecessor;
  };

  /// An owner's report of its frontier at the beginning of a round. closed_count is of all rounds
  /// so far.
  struct Report {
    Thresholds<Distance> thresholds;
    Counts counts;
  };

  /// 16 bytes a round: its counts are in 32 bits, as arcs are.
  struct Logged {
    std::uint32_t closed_count;
    std::uint32_t open_count;
    std::uint32_t reevaluated_count;
    std::uint32_t examined_arc_count;
  };

  /// The data that one thread owns.
  struct alignas(kLineBytes) Part {
    Tally tally;  ///< of the last search that was counted
    OpenVertices frontier;
    std::vector<Vertex> closed;            ///< in this round, to be relaxed
    std::vector<std::vector<Note>> notes;  ///< to each owner
    std::uint64_t closed_count = 0;        ///< in this search
    Report report;                         ///< read by all while frontiers are closed
  };

  /// The owner of a vertex: a multiplicative hash of its 64, scaled to the threads without a
  /// division.
  std::size_t owner(Vertex v) const {
    constexpr std::uint32_t kGolden = 0x9E3779B9;
    const std::uint32_t hash = (v >> kOwnedLog2) * kGolden;
    return static_cast<std::size_t>(std::uint64_t{hash} * parts_.size() >> 32);
  }

  template <class AnyTally, class Closed>
  void search(Vertex source, Closed closed) {
    log_.clear();
    total_ = {};
    round_count_ = 0;
    for (Part& part : parts_) part.closed_count = 0;
    team_->run([&](std::size_t thread) { work<AnyTally>(thread, source, closed); });
  }

  void count_work(SearchWork& work) const {
    Tally all;
    for (const Part& part : parts_) all.add(part.tally);
    all.look(total_.examined_arc_count);  // by the criterion
    all.add_distances_to(work);
    work.add(WorkCount::settled, total_.closed_count);
    work.add(WorkCount::rounds, round_count_);
    work.lacks_atomics(kNoAtomics);
  }

  /// A label that its owner may be writing.
  std::atomic_ref<Distance> label(Vertex v) const {
    return std::atomic_ref<Distance>(records_.data()[v].distance);
  }

  /// A thread that threw would leave the others at the barrier for ever. Running out of memory for
  /// notes ends the process, which the harness reports.
  template <class AnyTally, class Closed>
  void work(std::size_t thread, Vertex source, Closed closed) noexcept {
    AnyTally tally;
    go_through_rounds(thread, source, closed, tally);
    if constexpr (AnyTally::kCounts) parts_[thread].tally = tally;
  }

  template <class Closed, class AnyTally>
  void go_through_rounds(std::size_t thread, Vertex source, Closed closed, AnyTally& tally) {
    if (thread == 0) {
      relax(parts_[owner(source)], source, 0, kNone, tally);
      for (Part& part : parts_) evaluate(part);
    }
    bool shared = false;
    while (true) {
      if (shared) {
        evaluate(parts_[thread]);
      } else if (thread == 0) {
        work_alone(closed, tally);
      }
      barrier_->wait();
      const Report all = combine();
      if (thread == 0) count_closed(all);
      if (all.counts.open_count == 0) return;
      shared = all.counts.open_count >= share_from_;
      if (!shared) {
        // Thread 0 writes the reports again: all must have read them.
        barrier_->wait();
        continue;
      }
      if (thread == 0) begin_round(all);
      close(parts_[thread], all.thresholds, closed);
      relax_shared(thread, tally);
      barrier_->wait();
      receive(thread, tally);
    }
  }

  /// Rounds by thread 0, until no vertex is open or enough for all threads.
  template <class Closed, class AnyTally>
  void work_alone(Closed closed, AnyTally& tally) {
    while (true) {
      const Report all = combine();
      count_closed(all);
      if (all.counts.open_count == 0) return;
      if (all.counts.open_count >= share_from_ && parts_.size() > 1) return;
      begin_round(all);
      for (Part& part : parts_) close(part, all.thresholds, closed);
      for (Part& part : parts_) {
        for_each_shorter(
            part.closed,
            [&](Vertex head, Distance through, Vertex u) {
              relax(parts_[owner(head)], head, through, u, tally);
            },
            tally);
      }
      for (Part& part : parts_) evaluate(part);
    }
  }

  /// Relaxes the arcs of the vertices that this thread closed in this round.
  template <class AnyTally>
  void relax_shared(std::size_t thread, AnyTally& tally) {
    Part& own = parts_[thread];
    for_each_shorter(
        own.closed,
        [&](Vertex head, Distance through, Vertex u) {
          const std::size_t to = owner(head);
          if (to == thread) {
            relax(own, head, through, u, tally);
          } else {
            own.notes[to].push_back({through, head, u});
          }
        },
        tally);
  }

  /// Calls found(head, distance, u) for every arc from one of `tails`, u, that makes the path to
  /// its head shorter.
  template <class Found, class AnyTally>
  void for_each_shorter(const std::vector<Vertex>& tails, Found found, AnyTally& tally) const {
    for (const Vertex u : tails) {
      const Distance distance = label(u).load(std::memory_order_relaxed);
      const std::uint32_t end = rows_.end(u);
      tally.scan();
      for (std::uint32_t e = rows_.begin(u); e != end; ++e) {
        const auto [head, length] = rows_.arc(e);
        tally.relax();
        const auto through = static_cast<Distance>(distance + length);
        if (through < label(head).load(std::memory_order_relaxed)) found(head, through, u);
      }
    }
  }

  template <class AnyTally>
  void receive(std::size_t thread, AnyTally& tally) {
    for (Part& from : parts_) {
      std::vector<Note>& notes = from.notes[thread];
      for (const Note& note : notes) {
        if (note.distance < records_.data()[note.vertex].distance) {
          relax(parts_[thread], note.vertex, note.distance, note.predecessor, tally);
        }
      }
      notes.clear();
    }
  }

  /// A shorter path to a vertex of this part, which is not closed.
  template <class AnyTally>
  void relax(Part& part, Vertex v, Distance through, Vertex predecessor, AnyTally& tally) {
    tally.lower();
    Record& record = records_.data()[v];
    label(v).store(through, std::memory_order_relaxed);
    record.predecessor = predecessor;
    if (record.place == kNone) {
      record.place = static_cast<Vertex>(
          part.frontier.open(v, through, first_bound(v, through), lightest_in(v)));
      rows_.prefetch(v);
    } else {
      part.frontier.decrease(record.place, through);
    }
  }

  Distance first_bound(Vertex v, Distance distance) const {
    if constexpr (kHasLightestOut) {
      const std::uint32_t lightest = lightest_out_.data()[v];
      return lightest == kNone ? kInfinite : static_cast<Distance>(distance + lightest);
    }
    return distance;
  }

  std::uint32_t lightest_in(Vertex v) const {
    if constexpr (kHasLightestIn) return lightest_in_.data()[v];
    return 0;
  }

  /// Writes the part's report.
  void evaluate(Part& part) const {
    Counts& counts = part.report.counts;
    counts.closed_count = part.closed_count;
    counts.open_count = part.frontier.size();
    counts.reevaluated_count = counts.examined_arc_count = 0;
    part.report.thresholds = part.frontier.thresholds([&](std::size_t i) {
      ++counts.reevaluated_count;
      counts.examined_arc_count += find_lightest(part.frontier, i);
    });
  }

  /// Finds the lightest arc of an open vertex to one that is not closed. Returns the number of arcs
  /// examined.
  std::uint32_t find_lightest(const OpenVertices& frontier, std::size_t i) const {
    const Vertex u = frontier.vertex(i);
    const std::uint32_t begin = rows_.begin(u);
    const std::uint32_t end = rows_.end(u);
    const std::uint32_t before = frontier.arc(i);
    std::uint32_t lightest = end;
    std::uint32_t examined = 0;
    if constexpr (o.rows == Rows::by_length) {
      const std::uint32_t first = before == OpenVertices::kNoArc ? begin : before;
      lightest = first;
      while (lightest != end && is_closed(lightest)) ++lightest;
      examined = lightest - first + (lightest != end ? 1 : 0);
    } else {
      if (before != OpenVertices::kNoArc) {
        if (!is_closed(before)) return 1;
        ++examined;
      }
      for (std::uint32_t e = begin; e != end; ++e) {
        if (is_closed(e)) continue;
        if (lightest == end || rows_.arc(e).length < rows_.arc(lightest).length) lightest = e;
      }
      examined += end - begin;
    }
    frontier.arc(i) = lightest;
    frontier.set_bound(i, lightest == end ? kInfinite
                                          : static_cast<Distance>(frontier.distance(i) +
                                                                  rows_.arc(lightest).length));
    return examined;
  }

  bool is_closed(std::uint32_t e) const { return closed_.data()[rows_.arc(e).head] != 0; }

  /// Takes the final vertices of a part from its frontier to those closed in this round.
  template <class Closed>
  void close(Part& part, const Thresholds<Distance>& thresholds, Closed closed) {
    part.closed.clear();
    part.frontier.close_final(
        thresholds,
        [&](Vertex v, Distance distance) {
          if constexpr (kHasArcs) closed_.data()[v] = 1;
          part.closed.push_back(v);
          closed(v, distance);
        },
        [&](Vertex v, std::size_t place) {
          records_.data()[v].place = static_cast<Vertex>(place);
        });
    part.closed_count += part.closed.size();
  }

  /// The reports of all parts as one.
  Report combine() const {
    Report all;
    for (const Part& part : parts_) {
      const auto& [thresholds, counts] = part.report;
      all.thresholds.bound = std::min(all.thresholds.bound, thresholds.bound);
      all.thresholds.least = std::min(all.thresholds.least, thresholds.least);
      all.counts.closed_count += counts.closed_count;
      all.counts.open_count += counts.open_count;
      all.counts.reevaluated_count += counts.reevaluated_count;
      all.counts.examined_arc_count += counts.examined_arc_count;
    }
    return all;
  }

  void begin_round(const Report& all) {
    ++round_count_;
    total_.reevaluated_count += all.counts.reevaluated_count;
    total_.examined_arc_count += all.counts.examined_arc_count;
    if (log_.size() == log_.capacity()) return;
    log_.push_back({0, static_cast<std::uint32_t>(all.counts.open_count),
                    static_cast<std::uint32_t>(all.counts.reevaluated_count),
                    static_cast<std::uint32_t>(all.counts.examined_arc_count)});
  }

  /// The reports after the last round tell the vertices that it closed. The same report may come
  /// twice.
  void count_closed(const Report& all) {
    const std::uint64_t before = total_.closed_count;
    total_.closed_count = all.counts.closed_count;
    if (log_.empty()) return;
    log_.back().closed_count += static_cast<std::uint32_t>(total_.closed_count - before);
  }

  void find_lightest_out() {
    lightest_out_ = Array<std::uint32_t>(vertex_count_);
    for (Vertex u = 0; u < vertex_count_; ++u) {
      std::uint32_t lightest = kNone;
      for (std::uint32_t e = rows_.begin(u); e != rows_.end(u); ++e) {
        lightest = std::min(lightest, rows_.arc(e).length);
      }
      lightest_out_.data()[u] = lightest;
    }
  }

  void find_lightest_in() {
    lightest_in_ = Array<std::uint32_t>(vertex_count_);
    std::uint32_t* const lightest = lightest_in_.data();
    std::fill_n(lightest, vertex_count_, kNone);
    for (Vertex u = 0; u < vertex_count_; ++u) {
      for (std::uint32_t e = rows_.begin(u); e != rows_.end(u); ++e) {
        const auto [head, length] = rows_.arc(e);
        lightest[head] = std::min(lightest[head], length);
      }
    }
    // Only a source is opened without an arc into it, and then it is the nearest.
    std::replace(lightest, lightest + vertex_count_, kNone, std::uint32_t{0});
  }

  std::uint64_t share_from_;
  Vertex vertex_count_ = 0;
  RowsOfArcs rows_;
  Array<Record> records_;
  Array<std::uint8_t> closed_;         ///< marks; open_out
  Array<std::uint32_t> lightest_out_;  ///< length; kNone without arcs out. out and in_out
  Array<std::uint32_t> lightest_in_;   ///< in and in_out
  std::vector<Part> parts_;
  std::unique_ptr<SpinBarrier> barrier_;
  std::vector<Logged> log_;
  Counts total_;
  std::uint64_t round_count_ = 0;
  std::unique_ptr<ThreadTeam> team_;  ///< ends before the data that it works on
};

}  // namespace bellmark::dijkstra_rounds
