// bfs/hybrid: a search by levels that change direction, on CPU threads. hiragushi2013, section 2;
// Beamer, Asanovic, Patterson, SC 2012.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/spin_barrier.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/options.hpp"
#include "base/parallel.hpp"

namespace bellmark {
namespace {

using bfs::Direction;
using bfs::Word;

/// Visited vertices are a bitmap, and so is the frontier of a level that goes bottom-up; top-down
/// it is a list. Vertices that are not in the bitmap keep the predecessors of an earlier search:
/// only the bitmap is cleared, n / 8 bytes. Levels, where they are written, are kept so too. Else
/// they follow from the predecessors.
class HybridSearch {
 public:
  HybridSearch(Direction direction, std::uint64_t alpha, std::uint64_t beta,
               std::size_t thread_count, bool writes_levels)
      : direction_(direction),
        alpha_(alpha),
        beta_(beta),
        writes_levels_(writes_levels),
        workers_(thread_count) {}

  /// O(n). Throws MachineError when the system starts no more threads.
  void prepare(const Graph& graph, RunContext& context) {
    block_ = bfs::Block(graph);
    const Vertex n = graph.vertex_count();
    rule_ = bfs::SwitchRule(alpha_, beta_, n, graph.arc_count());
    visited_.resize(bfs::word_count(n));
    frontier_set_.resize(visited_.size());
    next_set_.resize(visited_.size());
    frontier_ = std::make_unique<bfs::VertexList>(n);
    next_ = std::make_unique<bfs::VertexList>(n);
    predecessors_.resize(n);
    if (writes_levels_) levels_.resize(n);
    log_.reserve(n);
    team_ = std::make_unique<ThreadTeam>(workers_.size(), context);
    barrier_ = std::make_unique<SpinBarrier>(workers_.size());
    context.account("vertices", 3 * visited_.size() * sizeof(Word) + 2 * frontier_->bytes() +
                                    predecessors_.size() * sizeof(Vertex) +
                                    levels_.size() * sizeof(Level));
  }

  void run(Vertex source, SearchWork* work) {
    if (work == nullptr) return search<Untallied>(source);
    search<Tally>(source);
    count_work(*work);
  }

  const bfs::LevelLog& log() const { return log_; }
  std::uint64_t reached_count() const { return visited_count_; }

  void extract(Bfs::Answer& answer) const {
    answer.predecessors.resize(predecessors_.size());
    answer.levels.resize(levels_.size());
    in_parallel(predecessors_.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
        const bool visited = bfs::contains(visited_, v);
        answer.predecessors[v] = visited ? predecessors_[v] : kNoVertex;
        if (writes_levels_) answer.levels[v] = visited ? levels_[v] : kNoLevel;
      }
    });
    if (!writes_levels_) answer.levels = bfs::levels_of(answer.predecessors, source_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class AnyTally>
  void search(Vertex source) {
    source_ = source;
    log_.clear();
    visited_words_.open(visited_.size());
    team_->run([this](std::size_t thread) {
      if (workers_.size() == 1) {
        work<false, AnyTally>(thread);
      } else {
        work<true, AnyTally>(thread);
      }
    });
  }

  void count_work(SearchWork& work) const {
    Tally all;
    for (const Worker& worker : workers_) all.add(worker.tally);
    work.add(WorkCount::settled, visited_count_);
    all.add_levels_to(work, log_.level_count(), workers_.size());
  }

  /// A thread's portion: large enough that taking it costs little, small enough that threads end
  /// together. A hub is one vertex; where hubs are, levels with many arcs go bottom-up.
  static constexpr std::size_t kVertices = 64;
  static constexpr std::size_t kWords = 64;

  struct alignas(128) Worker {
    std::uint64_t found_count = 0;
    std::uint64_t found_arc_count = 0;
    Tally tally;  ///< of the last search that was counted
  };

  /// The next level; thread 0 writes it while all others wait.
  struct Plan {
    bool finished = false;
    bool converts = false;  ///< the frontier, which the last level left as a list or a bitmap
    bfs::LevelRow level;
  };

  /// All levels, as each thread goes through them. A thread that threw would leave the others at
  /// the barrier for ever; nothing here allocates.
  template <bool kShared, class AnyTally>
  void work(std::size_t thread) noexcept {
    AnyTally tally;
    visited_words_.take(kWords, [this](std::size_t first, std::size_t last) {
      std::fill(visited_.begin() + static_cast<std::ptrdiff_t>(first),
                visited_.begin() + static_cast<std::ptrdiff_t>(last), Word{0});
    });
    barrier_->wait();
    if (thread == 0) begin();
    barrier_->wait();
    Worker& own = workers_[thread];
    while (!plan_.finished) {
      own.found_count = own.found_arc_count = 0;
      if (plan_.level.bottom_up) {
        if (plan_.converts) make_set<kShared>(tally);
        go_bottom_up(own, tally);
      } else {
        if (plan_.converts) make_list();
        go_top_down<kShared>(own, tally);
      }
      barrier_->wait();
      if (thread == 0) plan_next();
      barrier_->wait();
    }
    if constexpr (AnyTally::kCounts) own.tally = tally;
  }

  /// Counts a vertex that this thread has found.
  void found(Worker& own, Vertex v, Vertex predecessor) {
    predecessors_[v] = predecessor;
    if (writes_levels_) levels_[v] = found_level_;
    ++own.found_count;
    own.found_arc_count += arc_count_of(v);
  }

  template <bool kShared, class AnyTally>
  void go_top_down(Worker& own, AnyTally& tally) {
    bfs::Appender next(*next_);
    const std::span<const Vertex> frontier = frontier_->vertices();
    level_items_.take(kVertices, [&](std::size_t first, std::size_t last) {
      bfs::top_down<kShared>(
          block_, frontier.subspan(first, last - first), visited_,
          [&](Vertex v, Vertex u) {
            found(own, v, u);
            next.push(v);
          },
          tally);
    });
  }

  template <class AnyTally>
  void go_bottom_up(Worker& own, AnyTally& tally) {
    level_items_.take(kWords, [&](std::size_t first, std::size_t last) {
      bfs::bottom_up(
          block_, first, last, frontier_set_, visited_, next_set_,
          [&](Vertex v, Vertex u) { found(own, v, u); }, tally);
    });
  }

  /// The frontier's bitmap from its list.
  template <bool kShared, class AnyTally>
  void make_set(AnyTally& tally) {
    frontier_words_.take(kWords, [this](std::size_t first, std::size_t last) {
      std::fill(frontier_set_.begin() + static_cast<std::ptrdiff_t>(first),
                frontier_set_.begin() + static_cast<std::ptrdiff_t>(last), Word{0});
    });
    barrier_->wait();
    const std::span<const Vertex> frontier = frontier_->vertices();
    frontier_items_.take(kVertices, [&](std::size_t first, std::size_t last) {
      for (const Vertex v : frontier.subspan(first, last - first)) {
        bfs::insert<kShared>(frontier_set_, v, tally);
      }
    });
    barrier_->wait();
  }

  /// The frontier's list from its bitmap.
  void make_list() {
    {
      bfs::Appender list(*frontier_);
      frontier_words_.take(kWords, [&](std::size_t first, std::size_t last) {
        bfs::for_each_member(frontier_set_, first, last, [&](Vertex v) { list.push(v); });
      });
    }
    barrier_->wait();
  }

  /// The source as the first frontier, found top-down.
  void begin() {
    if (!visited_.empty()) visited_.back() = bfs::bits_beyond(block_.rows().end);
    bfs::insert<false>(visited_, source_);
    predecessors_[source_] = kNoVertex;
    if (writes_levels_) levels_[source_] = 0;
    found_level_ = 0;
    frontier_->clear();
    frontier_->append({&source_, 1});
    visited_count_ = 1;
    level_begin_ = Clock::now();
    plan_ = {};
    plan(1, arc_count_of(source_));
  }

  /// Closes the last level and plans the next one.
  void plan_next() {
    std::uint64_t found_count = 0;
    std::uint64_t found_arc_count = 0;
    for (const Worker& worker : workers_) {
      found_count += worker.found_count;
      found_arc_count += worker.found_arc_count;
    }
    visited_count_ += found_count;
    const Clock::time_point now = Clock::now();
    plan_.level.host_ns = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now - level_begin_).count());
    level_begin_ = now;
    log_.push(plan_.level);
    if (plan_.level.bottom_up) {
      std::swap(frontier_set_, next_set_);
    } else {
      std::swap(frontier_, next_);
    }
    plan(found_count, found_arc_count);
  }

  void plan(std::uint64_t frontier_count, std::uint64_t frontier_arc_count) {
    const bool was_bottom_up = plan_.level.bottom_up;
    const bool bottom_up = direction_ == Direction::hybrid
                               ? rule_.bottom_up(was_bottom_up, frontier_count, frontier_arc_count)
                               : direction_ == Direction::bottom_up;
    plan_ = {.finished = frontier_count == 0,
             .converts = bottom_up != was_bottom_up,
             .level = {.bottom_up = bottom_up,
                       .frontier_count = frontier_count,
                       .frontier_arc_count = frontier_arc_count,
                       .unvisited_count = block_.rows().size() - visited_count_}};
    ++found_level_;
    next_->clear();
    if (plan_.converts && !bottom_up) frontier_->clear();
    frontier_words_.open(frontier_set_.size());
    frontier_items_.open(frontier_->vertices().size());
    level_items_.open(bottom_up ? visited_.size() : frontier_count);
  }

  Offset arc_count_of(Vertex v) const {
    return block_.row_offsets()[v + 1] - block_.row_offsets()[v];
  }

  Direction direction_;
  std::uint64_t alpha_;
  std::uint64_t beta_;
  bool writes_levels_;

  bfs::Block block_;
  bfs::SwitchRule rule_;
  std::unique_ptr<ThreadTeam> team_;
  std::unique_ptr<SpinBarrier> barrier_;
  std::vector<Worker> workers_;

  Vertex source_ = 0;
  std::vector<Vertex> predecessors_;
  std::vector<Level> levels_;  ///< none unless written
  Level found_level_ = 0;      ///< of the vertices that the planned level finds
  std::vector<Word> visited_;
  std::vector<Word> frontier_set_;
  std::vector<Word> next_set_;
  std::unique_ptr<bfs::VertexList> frontier_;
  std::unique_ptr<bfs::VertexList> next_;
  std::uint64_t visited_count_ = 0;

  Plan plan_;
  bfs::Portions visited_words_;
  bfs::Portions frontier_words_;
  bfs::Portions frontier_items_;
  bfs::Portions level_items_;
  bfs::LevelLog log_;
  Clock::time_point level_begin_;
};

template <Direction direction>
class BfsHybrid {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description;
    description.name = "bfs/hybrid";
    description.summary = "Levels top-down or bottom-up on CPU threads";
    description.source =
        "Hiragushi, Takahashi 2013, section 2; Beamer, Asanovic, Patterson, SC 2012 (Hybrid-BFS)";
    description.keys = {bfs::direction_key(), bfs::alpha_key(), bfs::beta_key(), bfs::threads_key(),
                        bfs::untimed_levels_key()};
    description.instance = {{"direction", bfs::to_string(direction)}};
    if (direction != Direction::top_down) description.needs = {Need::symmetric};
    if (direction == Direction::hybrid) {
      description.aliases = {
          {"hiragushi2013:cpu-only", "direction=hybrid,alpha=10,beta=14,untimed=levels"}};
    }
    return description;
  }

  explicit BfsHybrid(const Settings& settings)
      : search_(direction, static_cast<std::uint64_t>(settings.integer("alpha")),
                static_cast<std::uint64_t>(settings.integer("beta")),
                static_cast<std::size_t>(settings.integer("threads")),
                settings.get(kUntimed) == kNothing) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(queries[0].source, context.work());
    phase.note("level_count", search_.log().level_count());
    phase.note("reached_count", search_.reached_count());
  }

  void extract(Bfs::Answer& answer) const { search_.extract(answer); }

  PhaseLog phase_log() const { return search_.log().phase_log(); }

 private:
  HybridSearch search_;
};

BELLMARK_REGISTER(BfsHybrid<Direction::hybrid>, BfsHybrid<Direction::top_down>,
                  BfsHybrid<Direction::bottom_up>);

}  // namespace
}  // namespace bellmark
