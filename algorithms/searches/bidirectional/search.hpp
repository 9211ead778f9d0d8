// Dijkstra's algorithm from the source and, against the arcs, from the target: the loop behind
// p2p/bidirectional. It ends when no path through an unsettled vertex can be shorter than the best
// path found. Dantzig (1963); the rule to stop is Pohl's, Bi-directional search, Machine
// Intelligence 6 (1971).
//
// A settled vertex costs as much as in p2p/dijkstra (searches/dijkstra/search.hpp). Each relaxation
// reads the other side's label too: one cache line more. On a road graph both sides together settle
// about half of the vertices that one side would. Two circles of half the radius have half the area
// of one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "algorithms/contract/search_work.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/dijkstra/heap_labels.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark::bidirectional {

using dijkstra::Arcs;
using dijkstra::kMost;
using dijkstra::Layout;

using Id = std::uint32_t;
inline constexpr Id kNone = kMost<Id>;

/// The arcs of a graph for both sides, which searches in several threads may share. A symmetric
/// graph has the same rows for both.
struct SharedRows {
  using Rows = Arcs<Id, Layout::aos>;
  std::array<std::shared_ptr<const Rows>, 2> of_side;

  /// O(n + m).
  static SharedRows of(const Graph& graph) {
    SharedRows rows;
    rows.of_side[0] = std::make_shared<const Rows>(graph);
    rows.of_side[1] = graph.properties().symmetric
                          ? rows.of_side[0]
                          : std::make_shared<const Rows>(transposed(graph));
    return rows;
  }
  std::uint64_t bytes() const {
    return of_side[0]->bytes() + (of_side[0] == of_side[1] ? 0 : of_side[1]->bytes());
  }
};

/// A work area for searches on one graph, one search after the other.
template <class Label, class Watch = Unwatched>
class Search {
 public:
  Search() = default;
  explicit Search(Watch watch) : watch_(watch) {}

  /// O(n).
  void prepare(SharedRows rows, Vertex vertex_count) {
    rows_ = std::move(rows);
    sides_ = {dijkstra::HeapLabels<Label>(vertex_count), dijkstra::HeapLabels<Label>(vertex_count)};
  }

  /// Makes the vertices unreached that the last search touched. O(those).
  void forget_touched() {
    for (dijkstra::HeapLabels<Label>& side : sides_) side.forget_touched();
  }

  std::uint64_t vertex_bytes() const { return 2 * sides_[kForward].vertex_bytes(); }
  std::uint64_t queue_bytes() const {
    return sides_[kForward].queue_bytes() + sides_[kBackward].queue_bytes();
  }
  /// Vertices that the last search settled, of both sides together.
  std::size_t settled_count() const {
    return sides_[kForward].scanned_count() + sides_[kBackward].scanned_count();
  }
  /// The number of vertices that it left in the heaps.
  std::size_t held_count() const {
    return sides_[kForward].held_count() + sides_[kBackward].held_count();
  }

  /// All vertices must be unreached before.
  void run(Id source, Id target, SearchWork* work = nullptr) {
    if (work == nullptr) {
      Untallied none;
      return search(source, target, none);
    }
    Tally tally;
    search(source, target, tally);
    work->add(WorkCount::settled, settled_count());
    tally.add_sequential_to(*work);
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
  using Cursor = typename dijkstra::HeapLabels<Label>::Cursor;
  using Queue = typename dijkstra::HeapLabels<Label>::Queue;

  template <class AnyTally>
  void search(Id source, Id target, AnyTally& tally) {
    best_ = kNoPath;
    meeting_ = kNone;
    const Cursor forward = sides_[kForward].vertices();
    const Cursor backward = sides_[kBackward].vertices();
    Queue ahead = sides_[kForward].queue();
    Queue behind = sides_[kBackward].queue();
    tally.lower();
    tally.lower();
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
        if (!scan(kForward, ahead, forward, backward, far, tally)) break;
      } else {
        if (!scan(kBackward, behind, backward, forward, near, tally)) break;
      }
    }
    sides_[kForward].leaves(ahead.size());
    sides_[kBackward].leaves(behind.size());
  }

  /// Settles the top of `queue`. A vertex that the other side has not settled is at least `least`
  /// away from its end. So a label that is no part of a path shorter than the best one is not made.
  /// Returns whether to go on.
  template <class AnyTally>
  [[gnu::flatten]] bool scan(std::size_t side, Queue& queue, Cursor own, Cursor other, Label least,
                             AnyTally& tally) {
    const auto rows = rows_.of_side[side]->cursor();
    const auto top = queue.top();
    const Id u = top.vertex();
    const Label distance = top.distance();
    rows.prefetch_row(u);
    queue.pop();
    sides_[side].scanned(u);
    if (!watch_.settled(side, u, distance, own.predecessor(u))) return false;
    tally.scan();
    const Id end = rows.end(u);
    for (Id e = rows.first(u); e != end; e = rows.next(u, e)) {
      if (watch_.closed(side, e)) continue;
      const Id v = rows.head(u, e);
      const Label through = distance + static_cast<Label>(rows.length(u, e));
      tally.relax();
      if (through >= own.distance(v)) continue;
      const Label rest = other.distance(v);
      if (rest != dijkstra::HeapLabels<Label>::kInfinite && std::uint64_t{through} + rest < best_) {
        best_ = std::uint64_t{through} + rest;
        meeting_ = v;
      } else if (std::uint64_t{through} + least >= best_) {
        continue;
      }
      tally.lower();
      const Id position = own.position(v);
      own.label(v, through, u);
      if (position == kNone) {
        queue.push(through, v);
        rows.prefetch_row(v);
      } else {
        queue.decrease(position, through, v);
      }
    }
    return true;
  }

  static constexpr std::uint64_t kNoPath = kMost<std::uint64_t>;

  SharedRows rows_;
  std::array<dijkstra::HeapLabels<Label>, 2> sides_;
  std::uint64_t best_ = kNoPath;  ///< length of the shortest path found
  Id meeting_ = kNone;            ///< a vertex of that path that both sides labeled
  [[no_unique_address]] Watch watch_;
};

}  // namespace bellmark::bidirectional
