// p2p/alt: A* with landmarks. Dijkstra's algorithm first takes the vertex with the least sum of the
// way to it and the bound for the way ahead. Goldberg, Harrelson (SODA 2005).
//
// A settled vertex costs as much as in p2p/dijkstra (searches/dijkstra/search.hpp). Besides, each
// relaxation that makes a label reads the distances of its vertex to the landmarks in use. They
// take 8 bytes a landmark with 32-bit labels, one or two cache lines. The nearer the bounds are to
// the distances, the fewer vertices are settled.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/problems/p2p/path.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/alt/landmarks.hpp"
#include "algorithms/searches/dijkstra/heap_labels.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark {

template <class Label, class Watch = Unwatched>
class P2pAlt {
 public:
  using Problem = P2p;
  using Id = std::uint32_t;
  static constexpr Id kNone = dijkstra::kMost<Id>;
  static constexpr Label kInfinite = dijkstra::kMost<Label>;

  static Description describe() {
    Description description;
    description.name = "p2p/alt";
    description.summary = "A* with landmarks, chosen in preparation; stops at the target";
    description.source = "Goldberg, Harrelson, SODA 2005";
    description.keys = {
        word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
        at_run_time(integer_key("landmarks", 16, 1, 64,
                                "Number of landmarks that preparation chooses, farthest first"),
                    true),
        at_run_time(integer_key("active", 4, 1, 8,
                                "Number of landmarks that bound the distances of a query"),
                    true),
    };
    description.instance = {{"distance", std::to_string(8 * sizeof(Label))}};
    description.needs = {Need::non_negative};
    return description;
  }

  /// A label and a bound are added: 32 bits must hold twice the longest distance.
  static Settings resolve(const Settings& settings, const Graph& graph) {
    dijkstra::refuse_wide_rows("p2p/alt", graph);
    const std::uint64_t arc = static_cast<std::uint64_t>(graph.properties().largest_length);
    Settings resolved = settings;
    resolved.set("distance",
                 dijkstra::resolve_distance(settings.get("distance"), graph,
                                            saturated(distance_bound(graph).value, arc)));
    return resolved;
  }

  explicit P2pAlt(const Settings& settings, Watch watch = {})
      : landmark_count_(static_cast<std::size_t>(settings.integer("landmarks"))),
        active_count_(static_cast<std::size_t>(settings.integer("active"))),
        watch_(watch) {}

  prepared::Identity identity(const Graph& graph) const {
    return {"p2p/alt:distance=" + std::to_string(8 * sizeof(Label)) +
                ",landmarks=" + std::to_string(landmark_count_),
            1, graph.content_digest()};
  }
  void save(prepared::Writer& writer) const { landmarks_.save(writer); }
  void load(const Graph& graph, prepared::Reader& reader) {
    landmarks_.load(graph.vertex_count(), landmark_count_, reader);
  }

  void prepare(const Graph& graph, RunContext& context) {
    if (!landmarks_.is_ready()) landmarks_.prepare(graph, landmark_count_, watch_);
    context.account("landmarks", landmarks_.bytes());
    rows_ = Rows(graph);
    labels_ = dijkstra::HeapLabels<Label>(graph.vertex_count());
    context.account("arcs", rows_.bytes());
    context.account("vertices", labels_.vertex_bytes());
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      labels_.forget_touched();
    }
    Phase phase(context, "search");
    target_ = queries[0].target;
    choose_active(queries[0].source);
    if (context.work() == nullptr) {
      Untallied none;
      search(queries[0].source, none);
    } else {
      Tally tally;
      search(queries[0].source, tally);
      context.work()->add(WorkCount::settled, labels_.scanned_count());
      tally.add_sequential_to(*context.work());
    }
    phase.note("settled_count", labels_.scanned_count());
    phase.note("reached_count", labels_.scanned_count() + labels_.held_count());
    context.account("queue", labels_.queue_bytes());
  }

  void extract(P2p::Answer& answer) const { extract_path(*this, target_, answer); }

  auto vertices() const { return labels_.vertices(); }

 private:
  using Rows = dijkstra::Arcs<Id, dijkstra::Layout::aos>;
  static constexpr std::size_t kMostActive = 8;

  static std::uint64_t saturated(std::uint64_t a, std::uint64_t b) {
    return a > dijkstra::kMost<std::uint64_t> - b ? dijkstra::kMost<std::uint64_t> : a + b;
  }

  /// The landmarks that bound the whole way best. A search keeps them, so that its bounds stay
  /// consistent.
  void choose_active(Vertex source) {
    const auto from = landmarks_.row(source);
    const auto to = landmarks_.row(target_);
    order_.clear();
    for (std::size_t i = 0; i < landmarks_.count(); ++i) {
      order_.emplace_back(alt::least_distance(from[i], to[i]), static_cast<std::uint32_t>(i));
    }
    used_count_ = std::min(active_count_, order_.size());
    std::ranges::partial_sort(order_, order_.begin() + static_cast<std::ptrdiff_t>(used_count_),
                              std::greater<>());
    for (std::size_t i = 0; i < used_count_; ++i) active_[i] = order_[i].second;
  }

  /// The bound for the distance from v to the target; kInfinite: there is no way.
  Label bound(Vertex v) const {
    const auto at = landmarks_.row(v);
    const auto end = landmarks_.row(target_);
    Label least = 0;
    for (std::size_t i = 0; i < used_count_; ++i) {
      least = std::max(least, alt::least_distance(at[active_[i]], end[active_[i]]));
    }
    return least;
  }

  template <class AnyTally>
  [[gnu::flatten]] void search(Id source, AnyTally& tally) {
    const auto vertices = labels_.vertices();
    const auto rows = rows_.cursor();
    auto queue = labels_.queue();
    const Label whole = bound(source);
    if (whole != kInfinite) {
      tally.lower();
      vertices.label(source, 0, kNone);
      queue.push(whole, source);
    }
    while (!queue.empty()) {
      const Id u = queue.top().vertex();
      rows.prefetch_row(u);
      queue.pop();
      labels_.scanned(u);
      const Label distance = vertices.distance(u);
      if (!watch_.settled(0, u, distance, vertices.predecessor(u)) || u == target_) break;
      tally.scan();
      const Id end = rows.end(u);
      for (Id e = rows.first(u); e != end; e = rows.next(u, e)) {
        const Id v = rows.head(u, e);
        const Label through = distance + static_cast<Label>(rows.length(u, e));
        tally.relax();
        if (through >= vertices.distance(v)) continue;
        const Label ahead = bound(v);
        if (ahead == kInfinite) continue;
        tally.lower();
        const Id position = vertices.position(v);
        vertices.label(v, through, u);
        if (position == kNone) {
          queue.push(through + ahead, v);
          rows.prefetch_row(v);
        } else {
          queue.decrease(position, through + ahead, v);
        }
      }
    }
    labels_.leaves(queue.size());
  }

  std::size_t landmark_count_;
  std::size_t active_count_;
  alt::Landmarks<Label> landmarks_;
  Rows rows_;
  dijkstra::HeapLabels<Label> labels_;
  std::array<std::uint32_t, kMostActive> active_{};
  std::size_t used_count_ = 0;
  std::vector<std::pair<Label, std::uint32_t>> order_;  ///< kept: a query allocates nothing
  Id target_ = kNone;
  [[no_unique_address]] Watch watch_;
};

}  // namespace bellmark
