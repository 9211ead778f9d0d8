// p2p/contraction-hierarchy: two searches upwards in a hierarchy that preparing makes, from the
// source and from the target. Geisberger, Sanders, Schultes, Delling (WEA 2008).
//
// A query settles some hundreds of vertices, most of them near the top of the hierarchy. Vertices
// are numbered by importance, so that these lie side by side. A settled vertex costs its label, its
// row (12 bytes an arc with 32-bit labels) and the labels of the heads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "algorithms/searches/contraction_hierarchy/shortcuts.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/heap.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark {
template <class Label, class Watch = Unwatched>
class P2pContractionHierarchy {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description;
    description.name = "p2p/contraction-hierarchy";
    description.summary = "Upward searches in a contraction hierarchy, built in preparation";
    description.source = "Geisberger, Sanders, Schultes, Delling, WEA 2008";
    description.keys = {
        word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
        at_run_time(integer_key("threads", 1, 1, 64, "Number of threads that prepare")),
        implied(untimed_key({kNothing, "path"}))};
    description.instance = {{"distance", std::to_string(8 * sizeof(Label))}};
    description.needs = {Need::non_negative};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    if (graph.arc_count() > std::numeric_limits<std::uint32_t>::max() / 16) {
      throw InputError("p2p/contraction-hierarchy",
                       "shortcuts of " + std::to_string(graph.arc_count()) +
                           " arcs may be more than 32 bits can count",
                       "use p2p/dijkstra:width=64");
    }
    Settings resolved = settings;
    resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph));
    return resolved;
  }

  explicit P2pContractionHierarchy(const Settings& settings, Watch watch = {})
      : leaves_path_(settings.has(kUntimed) && settings.get(kUntimed) == "path"),
        thread_count_(static_cast<std::size_t>(settings.integer("threads"))),
        watch_(watch) {}

  prepared::Identity identity(const Graph& graph) const {
    return contraction_hierarchy::identity(graph, 8 * sizeof(Label));
  }
  void save(prepared::Writer& writer) const { write(*hierarchy_, writer); }
  void load(const Graph& graph, prepared::Reader& reader) {
    hierarchy_ = contraction_hierarchy::read<Label>(reader, graph.vertex_count(),
                                                    graph.properties().symmetric);
  }

  /// Throws UnmetError where shortcuts explode.
  void prepare(const Graph& graph, RunContext& context) {
    if (!hierarchy_) {
      ThreadTeam team(thread_count_, context);
      hierarchy_ = contraction_hierarchy::Contraction<Label>(
                       graph, distance_bound(graph).value, contraction_hierarchy::Limits::of(graph))
                       .contract_all(team, watch_);
    }
    is_symmetric_ = graph.properties().symmetric;
    for (Side& side : sides_) side.prepare(graph.vertex_count());
    const auto bytes = [](const contraction_hierarchy::UpwardRows<Label>& rows) {
      return rows.offsets.bytes() + rows.arcs.bytes();
    };
    context.account("arcs", bytes(hierarchy_->forward) + bytes(hierarchy_->backward));
    context.account("shortcuts", hierarchy_->shortcuts.bytes());
    context.account("vertices", 2 * sides_[kForward].vertices.bytes() +
                                    2 * sizeof(Vertex) * std::uint64_t{graph.vertex_count()});
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      for (Side& side : sides_) side.forget_touched();
    }
    Phase phase(context, "search");
    const Id source = hierarchy_->number[queries[0].source];
    const Id target = hierarchy_->number[queries[0].target];
    if (context.work() == nullptr) {
      Untallied none;
      search(source, target, none);
    } else {
      Tally tally;
      search(source, target, tally);
      count_work(tally, *context.work());
    }
    if (!leaves_path_) unpack(path_);
    std::size_t held = 0;
    std::size_t reached = 0;
    for (const Side& side : sides_) {
      held += side.held_count;
      reached += side.touched.size();
    }
    phase.note("settled_count", reached - held);
    phase.note("reached_count", reached);
    context.account("queue", sides_[kForward].storage.bytes() + sides_[kBackward].storage.bytes());
  }

  void extract(P2p::Answer& answer) const {
    answer.distance = meeting_ == kNone ? kUnreached : static_cast<Distance>(best_);
    if (leaves_path_) {
      unpack(answer.path);
    } else {
      answer.path = path_;
    }
  }

 private:
  enum : std::size_t { kForward, kBackward };
  using Id = std::uint32_t;
  using WorkArea = dijkstra::Vertices<Label, Id, dijkstra::Layout::aos>;
  using Cursor = typename WorkArea::Cursor;
  using Queue = dijkstra::Heap<Label, Id, dijkstra::Layout::aos, 4, dijkstra::Extract::bottom_up,
                               true, Cursor>;
  static constexpr Id kNone = dijkstra::kMost<Id>;
  static constexpr Label kInfinite = dijkstra::kMost<Label>;

  /// One of the two searches.
  struct Side {
    WorkArea vertices;
    typename Queue::Storage storage{0};
    std::vector<Id> touched;  ///< every vertex with a label
    std::size_t held_count = 0;

    void prepare(std::size_t vertex_count) {
      vertices = WorkArea(vertex_count);
      vertices.forget_all();
      touched.clear();
      held_count = 0;
    }
    void forget_touched() {
      storage.clean_all(held_count);
      held_count = 0;
      for (const Id v : touched) vertices.cursor().forget(v);
      touched.clear();
    }
  };

  const contraction_hierarchy::UpwardRows<Label>& rows(std::size_t side) const {
    return side == kForward || is_symmetric_ ? hierarchy_->forward : hierarchy_->backward;
  }
  static std::span<const contraction_hierarchy::UpwardArc<Label>> row(
      const contraction_hierarchy::UpwardRows<Label>& rows, Id v) {
    return std::span(rows.arcs).subspan(rows.offsets[v], rows.offsets[v + 1] - rows.offsets[v]);
  }

  void count_work(const Tally& tally, SearchWork& work) const {
    for (const Side& side : sides_) {
      work.add(WorkCount::settled, side.touched.size() - side.held_count);
    }
    tally.add_sequential_to(work);
  }

  template <class AnyTally>
  void search(Id source, Id target, AnyTally& tally) {
    best_ = dijkstra::kMost<std::uint64_t>;
    meeting_ = kNone;
    std::array<Queue, 2> queues = {
        Queue(sides_[kForward].storage, sides_[kForward].vertices.cursor()),
        Queue(sides_[kBackward].storage, sides_[kBackward].vertices.cursor())};
    tally.lower();
    tally.lower();
    begin(kForward, queues[kForward], source);
    begin(kBackward, queues[kBackward], target);
    for (std::size_t side = kForward;;) {
      // A side is over when all vertices that it holds are at least as far as the best way is long.
      const auto is_open = [&](std::size_t which) {
        return !queues[which].empty() && queues[which].top().distance() < best_;
      };
      if (!is_open(side)) side = 1 - side;
      if (!is_open(side)) break;
      if (!settle(side, queues[side], tally)) break;
      side = 1 - side;
    }
    for (const std::size_t side : {kForward, kBackward}) {
      sides_[side].held_count = queues[side].size();
    }
  }

  void begin(std::size_t side, Queue& queue, Id v) {
    sides_[side].vertices.cursor().label(v, 0, kNone);
    sides_[side].touched.push_back(v);
    queue.push(0, v);
  }

  /// Whether to go on.
  template <class AnyTally>
  [[gnu::flatten]] bool settle(std::size_t side, Queue& queue, AnyTally& tally) {
    const Cursor own = sides_[side].vertices.cursor();
    const Cursor other = sides_[1 - side].vertices.cursor();
    const Id u = queue.top().vertex();
    const Label distance = queue.top().distance();
    queue.pop();
    if (!queue.empty()) ask_for_row(queue.top().vertex());
    const Id before = own.predecessor(u);
    if (!watch_.settled(side, hierarchy_->vertex[u], distance,
                        before == kNone ? kNoVertex : hierarchy_->vertex[before])) {
      return false;
    }
    if (const Label rest = other.distance(u); rest != kInfinite) {
      if (const std::uint64_t whole = std::uint64_t{distance} + rest; whole < best_) {
        best_ = whole;
        meeting_ = u;
      }
    }
    // A shorter way leads down to u: no shortest path goes up from here (stall on demand).
    for (const contraction_hierarchy::UpwardArc<Label>& arc : row(rows(1 - side), u)) {
      tally.look();
      const Label above = own.distance(arc.vertex);
      if (above != kInfinite && std::uint64_t{above} + arc.length < distance) return true;
    }
    tally.scan();
    for (const contraction_hierarchy::UpwardArc<Label>& arc : row(rows(side), u)) {
      tally.relax();
      const std::uint64_t through = std::uint64_t{distance} + arc.length;
      const Label known = own.distance(arc.vertex);
      if (through >= known) continue;
      tally.lower();
      own.label(arc.vertex, static_cast<Label>(through), u);
      if (known == kInfinite) {
        sides_[side].touched.push_back(arc.vertex);
        ask_for_offset(arc.vertex);
        __builtin_prefetch(other.at + arc.vertex);
        queue.push(static_cast<Label>(through), arc.vertex);
      } else {
        queue.decrease(own.position(arc.vertex), static_cast<Label>(through), arc.vertex);
      }
    }
    return true;
  }

  /// The path in the graph's vertices.
  void unpack(std::vector<Vertex>& path) const {
    path.clear();
    if (meeting_ == kNone) return;
    tops_.clear();
    const Cursor forward = sides_[kForward].vertices.cursor();
    for (Id v = meeting_; v != kNone; v = forward.predecessor(v)) tops_.push_back(v);
    std::ranges::reverse(tops_);
    const Cursor backward = sides_[kBackward].vertices.cursor();
    for (Id v = backward.predecessor(meeting_); v != kNone; v = backward.predecessor(v)) {
      tops_.push_back(v);
    }
    stretches_.clear();
    for (std::size_t i = 0; i + 1 < tops_.size(); ++i) {
      stretches_.push_back(stretch_between(tops_[i], tops_[i + 1]));
      if (stretches_.back().is_arc()) continue;
      __builtin_prefetch(hierarchy_->shortcuts.all.data() + stretches_.back().number());
    }
    path.push_back(hierarchy_->vertex[tops_.front()]);
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      unpacking_.append(stretches_[i], hierarchy_->vertex[tops_[i + 1]], hierarchy_->shortcuts,
                        path);
    }
  }

  /// The stretch of the arc from u to v. Larger numbers are less important, and have it in their
  /// row.
  contraction_hierarchy::Stretch stretch_between(Id u, Id v) const {
    const bool is_upward = u > v;
    const auto& own = rows(is_upward ? kForward : kBackward);
    const std::uint32_t e = contraction_hierarchy::arc_between(own, std::max(u, v), std::min(u, v));
    const contraction_hierarchy::Stretch stretch = own.arcs[e].stretch;
    return is_symmetric_ && !is_upward ? stretch.reversed() : stretch;
  }

  void ask_for_offset(Id v) const {
    for (const std::size_t side : {kForward, kBackward}) {
      __builtin_prefetch(rows(side).offsets.data() + v);
      if (is_symmetric_) return;
    }
  }
  void ask_for_row(Id v) const {
    for (const std::size_t side : {kForward, kBackward}) {
      __builtin_prefetch(rows(side).arcs.data() + rows(side).offsets[v]);
      if (is_symmetric_) return;
    }
  }

  bool leaves_path_;
  std::size_t thread_count_;
  std::optional<contraction_hierarchy::Hierarchy<Label>> hierarchy_;
  bool is_symmetric_ = false;
  std::array<Side, 2> sides_;
  std::uint64_t best_ = dijkstra::kMost<std::uint64_t>;
  Id meeting_ = kNone;
  // Kept between answers: unpacking allocates nothing.
  mutable std::vector<Id> tops_;  ///< the path's vertices in the hierarchy
  mutable std::vector<contraction_hierarchy::Stretch> stretches_;  ///< between them
  mutable contraction_hierarchy::Unpacking unpacking_;
  std::vector<Vertex> path_;
  [[no_unique_address]] Watch watch_;
};

}  // namespace bellmark
