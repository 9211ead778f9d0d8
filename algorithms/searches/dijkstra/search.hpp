// Dijkstra's algorithm with any exact queue, the one loop behind sssp/dijkstra and p2p/dijkstra.
// Yasui et al. (2011), section 2.1.
//
// The memory that a search touches, as cache lines, with a heap, 32-bit ids and the default layouts
// (aos):
//   a settled vertex   its row offsets (4 bytes of a line that neighbours share), its row of
//                      arcs (8 bytes an arc), and a path down the heap: at each of its
//                      log_arity(entries) levels arity * 8 bytes (one line at most for arity 2, 4
//                      and 8) and one vertex record written
//   a relaxation       the head's record (12 bytes: distance, predecessor, position)
// On road graphs the heap has a few thousand entries. It stays in the first two levels of cache,
// and so do the records of its vertices. The first touch of a row misses. So the loop asks for the
// row when its vertex enters the heap, long before the vertex is scanned. On the New York road
// graph that alone takes 28 % off the time. Finding the least child without branches takes another
// 16 %.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/queue_of.hpp"
#include "algorithms/searches/dijkstra/storage.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// Work area and queue for searches on one graph, one search after the other. The arcs are only
/// read and may be shared by searches in several threads.
template <Options o, class Watch = Unwatched>
class Search {
 public:
  using Id = Unsigned<o.width>;
  using Distance = Unsigned<o.distance>;
  static constexpr Id kNone = kMost<Id>;
  static constexpr Distance kInfinite = kMost<Distance>;

  /// The vertices' records have a program's form, with the rows in them.
  static constexpr bool kProgram = o.records == Records::program;
  using GraphStorage = std::conditional_t<kProgram, ProgramArcs, StorageOf<Id, o.storage, o.arcs>>;
  using SharedArcs = std::shared_ptr<const GraphStorage>;

  Search() = default;
  explicit Search(Watch watch) : watch_(watch) {}

  /// Copies the graph's arcs into this storage and layout. O(n + m), of a matrix O(n^2).
  static SharedArcs make_arcs(const Graph& graph, RunContext& context) {
    auto arcs = std::make_shared<const GraphStorage>(graph);
    context.account("arcs", arcs->bytes());
    return arcs;
  }

  /// Makes arcs of its own and the work area, all unreached.
  void prepare(const Graph& graph, RunContext& context) {
    prepare(graph, make_arcs(graph, context), context);
  }

  /// Makes the work area for the arcs of this graph, which others may use too. O(n).
  void prepare(const Graph& graph, SharedArcs arcs, RunContext& context) {
    vertex_count_ = graph.vertex_count();
    arcs_ = std::move(arcs);
    vertices_ = WorkArea(vertex_count_);
    if constexpr (kProgram) vertices_.set_rows(graph);
    queue_ = queue_storage(graph);
    if constexpr (o.caliber) queue_.set_calibers(graph);
    held_count_ = scanned_count_ = 0;
    last_scanned_ = kNone;
    vertices_.forget_all();
    context.account("vertices", vertices_.bytes());
    context.account("queue", queue_.bytes());
  }

  /// Makes every vertex unreached. O(n), and O(buckets) after a search that stopped early.
  void forget_all() {
    vertices_.forget_all();
    queue_.clean_all(held_count_);
    held_count_ = 0;
    last_scanned_ = kNone;
  }

  /// Makes the vertices unreached that the last search touched. It goes one by one, which costs a
  /// cache miss each. Or it fills the whole work area when they are more than a fixed share of it,
  /// where filling is faster. O(those). Where the queue can't list its entries, O(arcs of the
  /// scanned vertices): every held vertex is the head of one.
  void forget_touched() {
    constexpr std::size_t kShare = 16;
    const std::size_t touched = scanned_count_ + held_count_;
    if (touched > (vertex_count_ + queue_.clean_all_cost()) / kShare) return forget_all();
    const auto vertices = vertices_.cursor();
    if constexpr (requires { queue_.held(held_count_); }) {
      for (std::size_t i = 0; i < held_count_; ++i) vertices.forget(queue_.held(i));
      queue_.clean_all(held_count_);
    } else if (held_count_ != 0) {
      forget_held();
    }
    while (last_scanned_ != kNone) {
      const Id before = vertices.position(last_scanned_);
      vertices.forget(last_scanned_);
      last_scanned_ = before;
    }
    held_count_ = 0;
  }

  /// Searches from `source` until `target` is scanned or, when it is kNone, until everything
  /// reachable is. All vertices must be unreached before.
  void run(Id source, Id target, RunContext& context) {
    if (context.work() == nullptr) {
      Untallied none;
      search(source, target, none);
    } else {
      Tally tally;
      search(source, target, tally);
      context.work()->add(WorkCount::settled, scanned_count_);
      tally.add_sequential_to(*context.work());
    }
    if constexpr (QueueOf<o>::kGrows) context.account("queue", queue_.bytes());
  }

  typename QueueOf<o>::WorkArea::Cursor vertices() const { return vertices_.cursor(); }
  std::size_t vertex_count() const { return vertex_count_; }

  /// Vertices that the last search scanned.
  std::size_t scanned_count() const { return scanned_count_; }
  /// Vertices that the last search left in the queue.
  std::size_t held_count() const { return held_count_; }

 private:
  using PriorityQueue = typename QueueOf<o>::Type;
  using WorkArea = typename QueueOf<o>::WorkArea;
  static_assert(VertexQueue<PriorityQueue>);

  template <class AnyTally>
  [[gnu::flatten]] void search(Id source, Id target, AnyTally& tally) {
    const auto vertices = vertices_.cursor();
    const auto arcs = arcs_at(vertices);
    PriorityQueue queue(queue_, vertices);
    Id scanned = kNone;
    std::size_t scanned_count = 0;

    vertices.label(source, 0, kNone);
    tally.lower();
    queue.push(0, source);
    while (!queue.empty()) {
      const auto top = queue.top();
      const Id u = top.vertex();
      const Distance distance = top.distance();
      arcs.prefetch_row(u);  // again: it may have left the cache since its vertex was labeled
      queue.pop();
      vertices.place(u, scanned);
      scanned = u;
      ++scanned_count;
      if (!watch_.settled(0, u, distance, vertices.predecessor(u)) || u == target) break;
      tally.scan();
      const Id end = arcs.end(u);
      for (Id e = arcs.first(u); e != end; e = arcs.next(u, e)) {
        if (watch_.closed(0, e)) continue;
        const Id v = arcs.head(u, e);
        const Distance through = distance + static_cast<Distance>(arcs.length(u, e));
        tally.relax();
        if (through >= vertices.distance(v)) continue;
        tally.lower();
        const Id position = vertices.position(v);
        vertices.label(v, through, u);
        if (position == kNone) {
          queue.push(through, v);
          arcs.prefetch_row(v);
        } else {
          queue.decrease(position, through, v);
        }
      }
    }
    last_scanned_ = scanned;
    scanned_count_ = scanned_count;
    held_count_ = queue.size();
  }

  auto arcs_at(typename WorkArea::Cursor vertices) const {
    if constexpr (kProgram) {
      return arcs_->cursor(vertices);
    } else {
      return arcs_->cursor();
    }
  }

  auto queue_storage(const Graph& graph) const {
    const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
    if constexpr (requires { PriorityQueue::storage(vertex_count_, largest, largest); }) {
      const auto least = static_cast<std::uint64_t>(graph.properties().least_length);
      return PriorityQueue::storage(vertex_count_, largest, least);
    } else {
      return PriorityQueue::storage(vertex_count_, largest);
    }
  }

  /// Makes the held vertices unreached, and the scanned ones too but for their positions.
  void forget_held() {
    const auto vertices = vertices_.cursor();
    const auto arcs = arcs_at(vertices);
    for (Id u = last_scanned_; u != kNone; u = vertices.position(u)) {
      vertices.label(u, kInfinite, kNone);
    }
    for (Id u = last_scanned_; u != kNone; u = vertices.position(u)) {
      const Id end = arcs.end(u);
      for (Id e = arcs.first(u); e != end; e = arcs.next(u, e)) {
        const Id v = arcs.head(u, e);
        if (vertices.distance(v) == kInfinite) continue;
        queue_.clean(vertices.position(v));
        vertices.forget(v);
      }
    }
  }

  std::size_t vertex_count_ = 0;
  SharedArcs arcs_;
  WorkArea vertices_;
  typename PriorityQueue::Storage queue_;
  std::size_t held_count_ = 0;
  std::size_t scanned_count_ = 0;
  Id last_scanned_ = kNone;
  [[no_unique_address]] Watch watch_;
};

}  // namespace bellmark::dijkstra
