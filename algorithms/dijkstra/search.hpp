// Dijkstra's algorithm, the one loop behind sssp/dijkstra and p2p/dijkstra. Yasui et al. (2011),
// section 2.1.
//
// What a search touches, as cache lines, with 32-bit ids and the default layouts (aos):
//   a settled vertex   its row offsets (4 bytes of a line that neighbours share), its row of
//                      arcs (8 bytes an arc), and a path down the heap: at each of its
//                      log_arity(entries) levels arity * 8 bytes (one line at most for arity 2, 4
//                      and 8) and one vertex record written
//   a relaxation       the head's record (12 bytes: distance, predecessor, position)
// On road graphs the heap (a few thousand entries) stays in the first two levels of cache, and so
// do the records of the vertices in it. What misses is the first touch of a row: the loop asks for
// it when its vertex enters the heap, long before the vertex is scanned. On the New York road graph
// that alone took 28 % off the time, and finding the least child without branches another 16 %.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/dijkstra/heap.hpp"
#include "algorithms/dijkstra/layouts.hpp"
#include "algorithms/dijkstra/options.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// Work area and queue for searches on one graph, one search after the other. The arcs are only
/// read and may be shared by searches in several threads.
template <Options o>
class Search {
 public:
  using Id = Unsigned<o.width>;
  using Distance = Unsigned<o.distance>;
  static constexpr Id kNone = kMost<Id>;
  static constexpr Distance kInfinite = kMost<Distance>;

  using SharedArcs = std::shared_ptr<const Arcs<Id, o.arcs>>;

  Search() = default;

  /// Copies the graph's arcs into this layout. O(n + m).
  static SharedArcs make_arcs(const Graph& graph, RunContext& context) {
    auto arcs = std::make_shared<const Arcs<Id, o.arcs>>(graph);
    context.account("arcs", arcs->bytes());
    return arcs;
  }

  /// Makes arcs of its own and the work area, all unreached. O(n + m).
  void prepare(const Graph& graph, RunContext& context) {
    prepare(graph, make_arcs(graph, context), context);
  }

  /// Makes the work area for the arcs of this graph, which others may use too. O(n).
  void prepare(const Graph& graph, SharedArcs arcs, RunContext& context) {
    vertex_count_ = graph.vertex_count();
    arcs_ = std::move(arcs);
    vertices_ = WorkArea(vertex_count_);
    queue_ = Storage(kGrows ? 0 : vertex_count_);
    held_count_ = scanned_count_ = 0;
    last_scanned_ = kNone;
    vertices_.forget_all();
    context.account("vertices", vertices_.bytes());
    context.account("queue", queue_.bytes());
  }

  /// Makes every vertex unreached. O(n).
  void forget_all() {
    vertices_.forget_all();
    drop_queue();
    last_scanned_ = kNone;
  }

  /// Makes the vertices unreached that the last search touched. O(those): one by one, which costs a
  /// cache miss each, or by filling the whole work area when they are more than a fixed share of
  /// it, where filling is faster.
  void forget_touched() {
    constexpr std::size_t kShare = 16;
    if (scanned_count_ + held_count_ > vertex_count_ / kShare) return forget_all();
    const auto vertices = vertices_.cursor();
    for (std::size_t i = 0; i < held_count_; ++i) {
      vertices.forget(queue_.cursor().get(i).vertex());
    }
    while (last_scanned_ != kNone) {
      const Id before = vertices.position(last_scanned_);
      vertices.forget(last_scanned_);
      last_scanned_ = before;
    }
    drop_queue();
  }

  /// Searches from `source` until `target` is scanned, or everything reachable is when it is
  /// kNone. All vertices must be unreached before.
  void run(Id source, Id target, RunContext& context) {
    const auto arcs = arcs_->cursor();
    const auto vertices = vertices_.cursor();
    EntryHeap heap(queue_, vertices);
    Id scanned = kNone;
    std::size_t scanned_count = 0;

    vertices.label(source, 0, kNone);
    heap.push(0, source);
    while (!heap.empty()) {
      const auto top = heap.top();
      const Id u = top.vertex();
      const Distance distance = top.distance();
      arcs.prefetch_row(u);  // again: it may have left the cache since its vertex was labeled
      heap.pop();
      vertices.place(u, scanned);
      scanned = u;
      ++scanned_count;
      if (u == target) break;
      const Id end = arcs.offsets[std::size_t{u} + 1];
      for (Id e = arcs.offsets[u]; e != end; ++e) {
        const Id v = arcs.head(e);
        const Distance through = distance + static_cast<Distance>(arcs.length(e));
        if (through >= vertices.distance(v)) continue;
        const Id position = vertices.position(v);
        vertices.label(v, through, u);
        if (position == kNone) {
          heap.push(through, v);
          arcs.prefetch_row(v);
        } else {
          heap.decrease(position, through, v);
        }
      }
    }
    last_scanned_ = scanned;
    scanned_count_ = scanned_count;
    held_count_ = heap.size();
    if constexpr (kGrows) context.account("queue", queue_.bytes());
  }

  typename Vertices<Distance, Id, o.vertices>::Cursor vertices() const {
    return vertices_.cursor();
  }
  std::size_t vertex_count() const { return vertex_count_; }

  /// Vertices that the last search scanned.
  std::size_t scanned_count() const { return scanned_count_; }
  /// Vertices that the last search left in the queue.
  std::size_t held_count() const { return held_count_; }

 private:
  using Storage = HeapStorage<Distance, Id, o.vertices, o.arity>;
  using WorkArea = Vertices<Distance, Id, o.vertices>;
  static constexpr bool kGrows = o.queue == Queue::heap_dynamic;
  using EntryHeap =
      Heap<Distance, Id, o.vertices, o.arity, o.extract, kGrows, typename WorkArea::Cursor>;

  void drop_queue() {
    for (std::size_t i = 0; i < held_count_; ++i) queue_.cursor().put(i, Storage::beyond());
    held_count_ = 0;
  }

  std::size_t vertex_count_ = 0;
  SharedArcs arcs_;
  WorkArea vertices_;
  Storage queue_;
  std::size_t held_count_ = 0;
  std::size_t scanned_count_ = 0;
  Id last_scanned_ = kNone;
};

}  // namespace bellmark::dijkstra
