// p2p/bidirectional: Dijkstra's algorithm from the source and, against the arcs, from the target,
// until no path through an unsettled vertex can be shorter than the best that was found. Dantzig
// (1963); the rule to stop is Pohl's, Bi-directional search, Machine Intelligence 6 (1971).
//
// What a settled vertex costs is what it costs p2p/dijkstra (searches/dijkstra/search.hpp), and
// each relaxation reads the other side's label too: one cache line more. On a road graph both sides
// together settle about half of the vertices that one would, because the area of two circles of
// half the radius is half that of one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/dijkstra/heap_labels.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark {
namespace {

using dijkstra::Arcs;
using dijkstra::kMost;
using dijkstra::Layout;

using Id = std::uint32_t;
constexpr Id kNone = kMost<Id>;

template <class Label>
class P2pBidirectional {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description;
    description.name = "p2p/bidirectional";
    description.summary = "Dijkstra's algorithm from the source and from the target, with heaps";
    description.source = "Pohl, Machine Intelligence 6, 1971";
    description.keys = {
        word_key("distance", "auto", {"auto", "32", "64"}, "bits of a distance label")};
    description.instance = {{"distance", std::to_string(8 * sizeof(Label))}};
    description.needs = {Need::non_negative};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    dijkstra::refuse_wide_rows("p2p/bidirectional", graph);
    Settings resolved = settings;
    resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph));
    return resolved;
  }

  explicit P2pBidirectional(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) {
    rows_[kForward] = std::make_shared<const Rows>(graph);
    rows_[kBackward] = graph.properties().symmetric
                           ? rows_[kForward]
                           : std::make_shared<const Rows>(transposed(graph));
    sides_ = {dijkstra::HeapLabels<Label>(graph.vertex_count()),
              dijkstra::HeapLabels<Label>(graph.vertex_count())};
    const bool is_shared = rows_[kForward] == rows_[kBackward];
    context.account("arcs", rows_[kForward]->bytes() + (is_shared ? 0 : rows_[kBackward]->bytes()));
    context.account("vertices", 2 * sides_[kForward].vertex_bytes());
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      for (dijkstra::HeapLabels<Label>& side : sides_) side.forget_touched();
    }
    Phase phase(context, "search");
    search(queries[0].source, queries[0].target);
    std::size_t settled = 0;
    std::size_t held = 0;
    for (const dijkstra::HeapLabels<Label>& side : sides_) {
      settled += side.scanned_count();
      held += side.held_count();
    }
    phase.note("settled_count", settled);
    phase.note("reached_count", settled + held);
    context.account("queue", sides_[kForward].queue_bytes() + sides_[kBackward].queue_bytes());
  }

  void extract(P2p::Answer& answer) const {
    answer.path.clear();
    answer.distance = kUnreached;
    if (meeting_ == kNone) return;
    answer.distance = static_cast<Distance>(best_);
    const auto forward = sides_[kForward].vertices();
    for (Id v = meeting_; v != kNone; v = forward.predecessor(v)) answer.path.push_back(v);
    std::ranges::reverse(answer.path);
    const auto backward = sides_[kBackward].vertices();
    for (Id v = backward.predecessor(meeting_); v != kNone; v = backward.predecessor(v)) {
      answer.path.push_back(v);
    }
  }

 private:
  enum : std::size_t { kForward, kBackward };
  using Rows = Arcs<Id, Layout::aos>;
  using Cursor = typename dijkstra::HeapLabels<Label>::Cursor;
  using Queue = typename dijkstra::HeapLabels<Label>::Queue;

  void search(Id source, Id target) {
    best_ = kNoPath;
    meeting_ = kNone;
    const Cursor forward = sides_[kForward].vertices();
    const Cursor backward = sides_[kBackward].vertices();
    Queue ahead = sides_[kForward].queue();
    Queue behind = sides_[kBackward].queue();
    forward.label(source, 0, kNone);
    ahead.push(0, source);
    backward.label(target, 0, kNone);
    behind.push(0, target);
    if (source == target) {
      best_ = 0;
      meeting_ = source;
    }
    // The side with fewer vertices in its heap goes on: its search is the narrower one.
    while (!ahead.empty() && !behind.empty()) {
      const Label near = ahead.top().distance();
      const Label far = behind.top().distance();
      if (std::uint64_t{near} + far >= best_) break;
      if (ahead.size() <= behind.size()) {
        scan(kForward, ahead, forward, backward, far);
      } else {
        scan(kBackward, behind, backward, forward, near);
      }
    }
    sides_[kForward].leaves(ahead.size());
    sides_[kBackward].leaves(behind.size());
  }

  /// Settles the top of `queue`. What the other side has not settled is at least `least` away from
  /// its end: a label that is no part of a path shorter than the best one is not made.
  void scan(std::size_t side, Queue& queue, Cursor own, Cursor other, Label least) {
    const auto rows = rows_[side]->cursor();
    const auto top = queue.top();
    const Id u = top.vertex();
    const Label distance = top.distance();
    rows.prefetch_row(u);
    queue.pop();
    sides_[side].scanned(u);
    const Id end = rows.end(u);
    for (Id e = rows.first(u); e != end; e = rows.next(u, e)) {
      const Id v = rows.head(u, e);
      const Label through = distance + static_cast<Label>(rows.length(u, e));
      if (through >= own.distance(v)) continue;
      const Label rest = other.distance(v);
      if (rest != dijkstra::HeapLabels<Label>::kInfinite && std::uint64_t{through} + rest < best_) {
        best_ = std::uint64_t{through} + rest;
        meeting_ = v;
      } else if (std::uint64_t{through} + least >= best_) {
        continue;
      }
      const Id position = own.position(v);
      own.label(v, through, u);
      if (position == kNone) {
        queue.push(through, v);
        rows.prefetch_row(v);
      } else {
        queue.decrease(position, through, v);
      }
    }
  }

  static constexpr std::uint64_t kNoPath = kMost<std::uint64_t>;

  std::array<std::shared_ptr<const Rows>, 2> rows_;
  std::array<dijkstra::HeapLabels<Label>, 2> sides_;
  std::uint64_t best_ = kNoPath;  ///< length of the shortest path found
  Id meeting_ = kNone;            ///< a vertex of it that both sides have labeled
};

using Bidirectional32 = P2pBidirectional<std::uint32_t>;
using Bidirectional64 = P2pBidirectional<std::uint64_t>;

BELLMARK_REGISTER(Bidirectional32, Bidirectional64);

}  // namespace
}  // namespace bellmark
