// A search by levels on CPU threads that keeps no frontier where it goes bottom-up. Beamer,
// Asanovic, Patterson, SC 2012 (directions); Yasui, Fujisawa, Sato, ISC 2015 (rows by degree).
//
// One bitmap has the visited vertices. It stands for the frontier too: bottom-up an unvisited
// vertex has no visited neighbour but in the frontier, else it would have been visited before. So
// nothing is made when the direction changes to bottom-up. A level reads one bitmap and writes the
// next.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/spin_barrier.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/bfs/by_degree.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/cpu_rows.hpp"
#include "algorithms/searches/bfs/options.hpp"
#include "base/parallel.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

struct Tuning {
  std::size_t thread_count = 1;
  Order order = Order::as_given;
  std::uint64_t alpha = 1;
  std::uint64_t beta = 1;
  std::uint64_t share_from = 0;  ///< arcs, or vertices bottom-up: smaller levels are one thread's
};

/// Thread 0 takes a small level alone, without a barrier and without atomic operations. A search of
/// one thread does all levels so, and wakes nobody.
///
/// kWhole: run() writes levels, and renumber() the answer in the graph's ids. Else both are left to
/// extract().
template <class RowOffset, bool kWhole>
class CpuSearch {
 public:
  /// Rows, work area and threads. Throws MachineError when the system starts no more threads.
  CpuSearch(const Graph& graph, const Tuning& tuning, RunContext& context)
      : rows_(graph, tuning.order),
        rule_(tuning.alpha, tuning.beta, rows_.vertex_count(), rows_.arc_count()),
        share_from_(tuning.share_from),
        hub_count_(tuning.order == Order::by_degree ? count_hubs(rows_) : 0),
        visits_(std::size_t{rows_.vertex_count()} + 1),
        answer_(renumbers(tuning.order) ? graph.vertex_count() : 0),
        queue_(std::size_t{rows_.vertex_count()} + 1 + 2 * kAhead),
        found_from_(queue_.size()),
        visited_(word_count(rows_.vertex_count()) + 1),
        next_visited_(visited_.size()),
        workers_(tuning.thread_count),
        team_(tuning.thread_count, context),
        barrier_(tuning.thread_count) {
    std::fill_n(queue_.data(), queue_.size(), Vertex{0});
    std::fill_n(visits_.data(), visits_.size(), Written{});
    log_.reserve(graph.vertex_count());
    context.account("arcs", rows_.arc_bytes());
    context.account("vertices", rows_.vertex_bytes() + visits_.bytes() + answer_.bytes() +
                                    queue_.bytes() + found_from_.bytes() +
                                    2 * visited_.size() * sizeof(Word));
  }

  /// From `source`, a vertex of the graph. Reads the clock at each level where `timed`. Counts its
  /// work where there is a place for it.
  void run(Vertex source, bool timed, SearchWork* work) {
    if (work == nullptr) return search<Untallied>(source, timed);
    search<Tally>(source, timed);
    count_work(*work);
  }

  /// After run(): the answer in the graph's ids, where rows have others. O(n) by the team: 4 bytes
  /// of rank in sequence, a line of the vertex's visit, 8 bytes of answer in sequence. Predecessors
  /// have few different ids, those of hubs (SearchRows has them first).
  void renumber() {
    if constexpr (kWhole) {
      if (answer_.size() == 0) return;
      items_.open(answer_.size());
      team_.run([this](std::size_t) {
        items_.take(kIds, [this](std::size_t first, std::size_t last) { renumber(first, last); });
      });
      answer_[source_] = {kNoVertex, 0};  // without a number it reaches itself
    }
  }

  const LevelLog& log() const { return log_; }
  std::uint64_t reached_count() const { return reached_count_; }

  /// O(n), by all threads that the process may use.
  void extract(Bfs::Answer& answer) const {
    if constexpr (kWhole) {
      const Vertex n = rows_.original_count();
      answer.levels.resize(n);
      answer.predecessors.resize(n);
      in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
        for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
          const Visit visit = answer_.size() == 0 ? visit_of(v) : answer_[v];
          answer.levels[v] = visit.level;
          answer.predecessors[v] = visit.predecessor;
        }
      });
      answer.predecessors[source_] = kNoVertex;
    } else {
      fill_answer(
          rows_.numbering(), source_, visits_.values(),
          [this](Vertex v) { return contains(visited_, v); }, answer);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kAhead = 8;  ///< heads are asked for this many vertices ahead
  static constexpr std::size_t kAheadIds = 32;
  static constexpr std::size_t kWordBlock = 4;      ///< words whose rows are asked for together
  static constexpr std::size_t kWords = 32;         ///< a thread takes at a time
  static constexpr std::size_t kMostVertices = 64;  ///< a thread takes at a time
  static constexpr RowOffset kMostArcs = 1024;      ///< of a hub that a thread takes at a time
  static constexpr std::size_t kBuffered = 256;     ///< vertices that a thread has found
  static constexpr std::size_t kIds = 4096;         ///< of an answer that a thread takes at a time

  using Written = std::conditional_t<kWhole, Visit, Vertex>;
  static Written written(Vertex predecessor, [[maybe_unused]] Level level) {
    if constexpr (kWhole) {
      return {predecessor, level};
    } else {
      return predecessor;
    }
  }

  struct alignas(128) Worker {
    std::uint64_t found_count = 0;
    std::size_t buffered_count = 0;
    Vertex found[kBuffered];
    Vertex found_from[kBuffered];
    Tally tally;  ///< of the last search that was counted
  };

  template <class AnyTally>
  void search(Vertex source, bool timed) {
    source_ = source;
    log_.clear(timed);
    begin();
    AnyTally tally;
    advance(tally);
    if constexpr (AnyTally::kCounts) {
      for (Worker& worker : workers_) worker.tally = {};
      workers_[0].tally = tally;
    }
    if (finished_) return;
    team_.run([this](std::size_t thread) { work<AnyTally>(thread); });
  }

  void count_work(SearchWork& work) const {
    Tally all;
    for (const Worker& worker : workers_) all.add(worker.tally);
    work.add(WorkCount::settled, reached_count_);
    all.add_levels_to(work, log_.level_count(), workers_.size());
  }

  /// A part of a hub's row.
  struct Piece {
    Vertex vertex;
    RowOffset begin;
    RowOffset end;
  };

  /// The number of vertices by degree that have more than kMostArcs.
  static Vertex count_hubs(const SearchRows<RowOffset>& rows) {
    Vertex count = 0;
    while (count < rows.vertex_count() &&
           rows.row_offsets()[count + 1] - rows.row_offsets()[count] > kMostArcs) {
      ++count;
    }
    return count;
  }

  static constexpr bool renumbers(Order order) { return kWhole && order == Order::by_degree; }

  static Vertex predecessor_of(Vertex predecessor) { return predecessor; }
  static Vertex predecessor_of(const Visit& visit) { return visit.predecessor; }

  /// The visit of a vertex by its number; kWhole.
  Visit visit_of(Vertex number) const {
    if constexpr (kWhole) {
      if (contains(visited_, number)) return visits_[number];
    }
    return {kNoVertex, kNoLevel};
  }

  /// Originals [first, last). No branch depends on a vertex: a third of a Kronecker graph's
  /// vertices have no number, and they are anywhere. A vertex that was not reached has all bits
  /// set: kNoVertex and kNoLevel.
  void renumber(std::size_t first, std::size_t last) requires kWhole {
    static_assert(kNoVertex == ~Vertex{0} && kNoLevel == ~Level{0});
    const Vertex n = rows_.vertex_count();
    const Vertex last_number = n == 0 ? 0 : n - 1;
    const Vertex* const numbers = rows_.numbering().numbers().data();
    const Vertex* const originals = rows_.numbering().originals().data();
    for (std::size_t i = first; i < last; ++i) {
      __builtin_prefetch(visits_.data() + std::min(numbers[std::min(i + kAheadIds, last - 1)], n));
      const Vertex number = std::min(numbers[i], n);
      const Written& visit = visits_[number];
      const Word is_reached = visited_[number / kWordBits] >> number % kWordBits & 1;
      const auto unreached = static_cast<Vertex>(is_reached & Word{number < n}) - 1;
      const Vertex predecessor = originals[std::min(visit.predecessor, last_number)];
      answer_[i] = {predecessor | unreached, visit.level | unreached};
    }
  }

  /// The level of the vertices that the planned level finds.
  Level found_level() const { return static_cast<Level>(log_.level_count() + 1); }

  void begin() {
    std::fill(visited_.begin(), visited_.end(), Word{0});
    const Vertex n = rows_.vertex_count();
    if (n > 0) visited_[word_count(n) - 1] = bits_beyond(n);
    level_ = {.frontier_count = 1, .unvisited_count = rows_.original_count() - 1};
    reached_count_ = 1;
    finished_ = false;
    if (log_.timed()) level_begin_ = Clock::now();
    const Vertex source = rows_.number(source_);
    first_ = 0;
    last_ = 0;
    if (source == kNoVertex) return;  // no arcs: a frontier that leads nowhere
    insert<false>(visited_, source);
    push(source, source);
  }

  /// Appends a vertex to the queue, whose part [first_, last_) is the frontier.
  void push(Vertex v, Vertex predecessor) {
    queue_.data()[last_] = v;
    found_from_.data()[last_] = predecessor;
    ++last_;
  }

  /// Thread 0, while the others wait: goes through levels alone until there is one to share, which
  /// is then planned, or until no level is left.
  template <class AnyTally>
  void advance(AnyTally& tally) {
    while (!finished_) {
      plan();
      if (shared_) return;
      if (level_.bottom_up) {
        flush_frontier(first_, last_);
        close_level(go_bottom_up(0, word_count(rows_.vertex_count()), tally));
      } else {
        close_level(go_top_down_alone(tally));
      }
    }
  }

  /// All levels that threads share.
  template <class AnyTally>
  void work(std::size_t thread) noexcept {
    AnyTally tally;
    Worker& own = workers_[thread];
    while (!finished_) {
      own.found_count = 0;
      if (level_.bottom_up) {
        items_.take(kMostVertices, [this](std::size_t first, std::size_t last) {
          flush_frontier(first_ + first, first_ + last);
        });
        words_.take(kWords, [&](std::size_t first, std::size_t last) {
          own.found_count += go_bottom_up(first, last, tally);
        });
      } else {
        hub_items_.take(1, [&](std::size_t first, std::size_t) {
          const Piece& piece = pieces_[first];
          go_along(own, piece.vertex, piece.begin, piece.end, tally);
        });
        items_.take(portion_, [&](std::size_t first, std::size_t last) {
          go_top_down(own, first_ + first, first_ + last, tally);
        });
        flush(own);
      }
      barrier_.wait();
      if (thread == 0) {
        std::uint64_t found_count = 0;
        for (const Worker& worker : workers_) found_count += worker.found_count;
        if (!level_.bottom_up) {
          first_ = std::exchange(last_, tail_.load(std::memory_order_relaxed));
        }
        close_level(found_count);
        advance(tally);
      }
      barrier_.wait();
    }
    if constexpr (AnyTally::kCounts) own.tally.add(tally);
  }

  /// Decides the direction of the level, and whether threads share it.
  void plan() {
    const bool was_bottom_up = level_.bottom_up;
    // The number of the frontier's arcs, or an upper bound that decides the same.
    std::uint64_t arc_count = 0;
    if (!was_bottom_up) arc_count = frontier_arc_count();
    level_.bottom_up = rule_.bottom_up(was_bottom_up, level_.frontier_count, arc_count);
    if (was_bottom_up && !level_.bottom_up) {
      list_frontier();
      arc_count = frontier_arc_count();
    }
    if (was_bottom_up && level_.bottom_up) first_ = last_ = 0;
    shared_ = workers_.size() > 1 &&
              (level_.bottom_up ? level_.unvisited_count : arc_count) >= share_from_;
    if (!shared_) return;
    if (!level_.bottom_up) cut_hubs();
    words_.open(word_count(rows_.vertex_count()));
    items_.open(last_ - first_);
    portion_ = std::clamp<std::size_t>((last_ - first_) / (8 * workers_.size()), 1, kMostVertices);
    tail_.store(last_, std::memory_order_relaxed);
  }

  /// Nearly every search meets hubs in its second level: tens of vertices, and one of them may have
  /// most of the arcs. Several threads go along such a row.
  void cut_hubs() {
    pieces_.clear();
    for (std::size_t i = first_; i < last_ && hub_count_ > 0; ++i) {
      const Vertex u = queue_.data()[i];
      if (u >= hub_count_) continue;
      const RowOffset end = rows_.row_offsets()[u + 1];
      for (RowOffset e = rows_.row_offsets()[u]; e < end;) {
        const RowOffset begin = std::exchange(e, end - e > kMostArcs ? e + kMostArcs : end);
        pieces_.push_back({u, begin, e});
      }
    }
    hub_items_.open(pieces_.size());
  }

  /// The number of arcs of the frontier in the queue. It counts no further than the decision needs.
  /// It does not count at all where even vertices of the largest degree would decide nothing.
  std::uint64_t frontier_arc_count() const {
    const auto enough = static_cast<std::uint64_t>(rule_.most_arc_count()) + 1;
    const std::uint64_t bound = std::uint64_t{last_ - first_} * rows_.largest_degree();
    const bool may_share = workers_.size() > 1 && bound >= share_from_;
    if (bound < enough && !may_share) return bound;
    const std::uint64_t last_word = std::max(enough, share_from_);
    const RowOffset* const row_offsets = rows_.row_offsets();
    std::uint64_t arc_count = 0;
    for (std::size_t i = first_; i < last_ && arc_count < last_word; ++i) {
      const Vertex u = queue_.data()[i];
      arc_count += row_offsets[u + 1] - row_offsets[u];
    }
    return arc_count;
  }

  void close_level(std::uint64_t found_count) {
    if (log_.timed()) {
      const Clock::time_point now = Clock::now();
      level_.host_ns = static_cast<std::uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(now - level_begin_).count());
      level_begin_ = now;
    }
    log_.push(level_);
    if (level_.bottom_up) std::swap(visited_, next_visited_);
    reached_count_ += found_count;
    level_.frontier_count = found_count;
    level_.unvisited_count -= found_count;
    finished_ = found_count == 0;
  }

  /// The vertices that the last level found bottom-up, as a list. O(n / 64).
  void list_frontier() {
    first_ = last_ = 0;
    for (std::size_t w = 0; w < word_count(rows_.vertex_count()); ++w) {
      for (Word rest = visited_[w] & ~next_visited_[w]; rest != 0; rest &= rest - 1) {
        const Vertex v = vertex_of(w, rest);
        push(v, predecessor_of(visits_[v]));
      }
    }
  }

  /// Writes predecessors of the frontier, which top-down does not go along.
  void flush_frontier(std::size_t first, std::size_t last) {
    const Level level = found_level() - 1;
    for (std::size_t i = first; i < last; ++i) {
      visits_[queue_[i]] = written(found_from_[i], level);
    }
  }

  /// One level by one thread; returns the number of vertices that it found.
  ///
  /// A search of a road map is nothing but this: 3 arcs a vertex, in frontiers of some hundred.
  /// Nothing can predict whether a vertex is new, so that no branch depends on it. A found vertex's
  /// own line is rarely near. Writes are made in order, and those after such a write would wait. So
  /// the predecessor goes to the queue's end first. It goes to its place when the vertex's turn
  /// comes, whose line was asked for in time.
  template <class AnyTally>
  std::uint64_t go_top_down_alone(AnyTally& tally) {
    const RowOffset* const row_offsets = rows_.row_offsets();
    const Vertex* const heads = rows_.heads();
    Word* const visited = visited_.data();
    Written* const visits = visits_.data();
    const Level level = found_level() - 1;
    Vertex* const queue = queue_.data();
    Vertex* const found_from = found_from_.data();
    const std::size_t last = last_;
    std::size_t tail = last;
    for (std::size_t i = first_; i < last; ++i) {
      // Beyond the queue's end are vertices of earlier searches, or 0.
      const Vertex ahead = queue[i + kAhead];
      __builtin_prefetch(row_offsets + queue[i + 2 * kAhead]);
      __builtin_prefetch(heads + row_offsets[ahead]);
      __builtin_prefetch(visits + ahead, 1);
      const Vertex u = queue[i];
      visits[u] = written(found_from[i], level);
      const RowOffset end = row_offsets[u + 1];
      tally.scan();
      tally.look(end - row_offsets[u]);
      for (RowOffset e = row_offsets[u]; e < end; ++e) {
        const Vertex v = heads[e];
        const Word word = visited[v / kWordBits];
        visited[v / kWordBits] = word | bit(v);
        queue[tail] = v;
        found_from[tail] = u;
        tail += (word & bit(v)) == 0 ? 1 : 0;
      }
    }
    first_ = last;
    last_ = tail;
    return tail - last;
  }

  /// A part of a level that threads share, without its hubs.
  template <class AnyTally>
  void go_top_down(Worker& own, std::size_t first, std::size_t last, AnyTally& tally) {
    const RowOffset* const row_offsets = rows_.row_offsets();
    const Vertex* const queue = queue_.data();
    flush_frontier(first, last);
    for (std::size_t i = first; i < last; ++i) {
      __builtin_prefetch(rows_.heads() + row_offsets[queue[std::min(i + kAhead, last - 1)]]);
      const Vertex u = queue[i];
      tally.scan();
      if (u >= hub_count_) go_along(own, u, row_offsets[u], row_offsets[u + 1], tally);
    }
  }

  /// Arcs [begin, end) of u, while other threads go along others.
  template <class AnyTally>
  void go_along(Worker& own, Vertex u, RowOffset begin, RowOffset end, AnyTally& tally) {
    const Vertex* const heads = rows_.heads();
    tally.look(end - begin);
    for (RowOffset e = begin; e < end; ++e) {
      const Vertex v = heads[e];
      if (!insert<true>(visited_, v, tally)) continue;
      own.found[own.buffered_count] = v;
      own.found_from[own.buffered_count] = u;
      if (++own.buffered_count == kBuffered) flush(own);
    }
  }

  /// Appends what a thread has found to the queue.
  void flush(Worker& own) {
    const std::size_t at = tail_.fetch_add(own.buffered_count, std::memory_order_relaxed);
    std::copy_n(own.found, own.buffered_count, queue_.data() + at);
    std::copy_n(own.found_from, own.buffered_count, found_from_.data() + at);
    own.found_count += own.buffered_count;
    own.buffered_count = 0;
  }

  /// Words [first, last) of a level; returns the number of vertices that it found.
  ///
  /// Every unvisited vertex is tested by its first head, without a branch: 4 bytes in sequence and
  /// a bit. Its predecessor is a guess until it is visited. The rows of the vertices that are left
  /// are asked for together, because each is another line of memory, and then looked through.
  template <class AnyTally>
  std::uint64_t go_bottom_up(std::size_t first, std::size_t last, AnyTally& tally) {
    std::uint64_t found_count = 0;
    Word reached[kWordBlock];
    Word missing[kWordBlock];
    for (std::size_t begin = first; begin < last; begin += kWordBlock) {
      const std::size_t count = std::min(kWordBlock, last - begin);
      for (std::size_t i = 0; i < count; ++i) {
        reached[i] = look_at_first_heads(begin + i, tally);
        missing[i] = ~visited_[begin + i] & ~reached[i] & long_rows(begin + i);
        ask_for_rows(begin + i, missing[i]);
      }
      for (std::size_t i = 0; i < count; ++i) {
        reached[i] |= look_along_rows(begin + i, missing[i], tally);
        next_visited_[begin + i] = visited_[begin + i] | reached[i];
        found_count += static_cast<std::uint64_t>(std::popcount(reached[i]));
      }
    }
    return found_count;
  }

  template <class AnyTally>
  Word look_at_first_heads(std::size_t w, AnyTally& tally) {
    const Word* const visited = visited_.data();
    const Vertex* const first_heads = rows_.first_heads();
    Written* const visits = visits_.data();
    const Level level = found_level();
    Word reached = 0;
    for (Word rest = ~visited[w]; rest != 0; rest &= rest - 1) {
      const Vertex v = vertex_of(w, rest);
      const Vertex u = first_heads[v];
      tally.scan();
      if constexpr (AnyTally::kCounts) {
        tally.look(rows_.row_offsets()[v] < rows_.row_offsets()[v + 1] ? 1 : 0);
      }
      visits[v] = written(u, level);
      reached |= (visited[u / kWordBits] >> (u % kWordBits) & 1) << (v % kWordBits);
    }
    return reached;
  }

  void ask_for_rows(std::size_t w, Word missing) const {
    for (Word rest = missing; rest != 0; rest &= rest - 1) {
      __builtin_prefetch(rows_.heads() + rows_.row_offsets()[vertex_of(w, rest)] + 1);
    }
  }

  /// The search from the second head on.
  template <class AnyTally>
  Word look_along_rows(std::size_t w, Word missing, AnyTally& tally) {
    const Level level = found_level();
    const RowOffset* const row_offsets = rows_.row_offsets();
    const Vertex* const heads = rows_.heads();
    const Word* const visited = visited_.data();
    Word reached = 0;
    for (Word rest = missing; rest != 0; rest &= rest - 1) {
      const Vertex v = vertex_of(w, rest);
      const RowOffset end = row_offsets[v + 1];
      for (RowOffset e = row_offsets[v] + 1; e < end; ++e) {
        const Vertex u = heads[e];
        tally.look();
        if ((visited[u / kWordBits] & bit(u)) == 0) continue;
        visits_[v] = written(u, level);
        reached |= rest & -rest;
        break;
      }
    }
    return reached;
  }

  /// The vertices of a word that have a second head, as far as numbers tell it.
  Word long_rows(std::size_t w) const {
    const std::size_t begin = w * kWordBits;
    if (begin >= rows_.long_count()) return 0;
    const std::size_t count = rows_.long_count() - begin;
    return count >= kWordBits ? ~Word{0} : (Word{1} << count) - 1;
  }

  /// The vertex of the lowest bit in a word.
  static Vertex vertex_of(std::size_t w, Word word) {
    return static_cast<Vertex>(w * kWordBits) + static_cast<Vertex>(std::countr_zero(word));
  }

  SearchRows<RowOffset> rows_;
  SwitchRule rule_;
  std::uint64_t share_from_;
  Vertex hub_count_;  ///< vertices before it are hubs

  Vertex source_ = 0;  ///< in the graph's numbers
  /// The visits of visited vertices; other places, and one place for no vertex, may hold anything.
  PagedArray<Written> visits_;
  PagedArray<Visit> answer_;       ///< by the graph's ids; empty where extract() makes it
  PagedArray<Vertex> queue_;       ///< the frontier and before it earlier ones, top-down
  PagedArray<Vertex> found_from_;  ///< predecessors of the vertices in the queue
  std::size_t first_ = 0;          ///< of the frontier in the queue
  std::size_t last_ = 0;
  std::vector<Word> visited_;       ///< the last word is always 0: it has no_head()
  std::vector<Word> next_visited_;  ///< after bottom-up: visited before the level
  std::uint64_t reached_count_ = 0;

  LevelRow level_;  ///< the level that is planned
  bool shared_ = false;
  bool finished_ = false;
  std::size_t portion_ = 1;
  Portions words_;
  Portions items_;
  Portions hub_items_;
  std::vector<Piece> pieces_;                      ///< of the frontier's hubs
  alignas(64) std::atomic<std::size_t> tail_ = 0;  ///< of the queue, while threads share

  LevelLog log_{false};
  Clock::time_point level_begin_;
  std::vector<Worker> workers_;
  ThreadTeam team_;
  SpinBarrier barrier_;
};

}  // namespace bellmark::bfs
