// p2p/bidirectional: Dijkstra's algorithm from both ends, with heaps.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/bidirectional/search.hpp"
#include "algorithms/searches/dijkstra/heap_labels.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "graph/graph.hpp"

namespace bellmark {

template <class Label, class Watch = Unwatched>
class P2pBidirectional {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description;
    description.name = "p2p/bidirectional";
    description.summary = "Dijkstra's algorithm from the source and the target, with heaps";
    description.source = "Pohl, Machine Intelligence 6, 1971";
    description.keys = {
        word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label")};
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

  explicit P2pBidirectional(const Settings&, Watch watch = {}) : search_(watch) {}

  void prepare(const Graph& graph, RunContext& context) {
    const auto rows = bidirectional::SharedRows::of(graph);
    search_.prepare(rows, graph.vertex_count());
    context.account("arcs", rows.bytes());
    context.account("vertices", search_.vertex_bytes());
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      search_.forget_touched();
    }
    Phase phase(context, "search");
    search_.run(queries[0].source, queries[0].target, context.work());
    phase.note("settled_count", search_.settled_count());
    phase.note("reached_count", search_.settled_count() + search_.held_count());
    context.account("queue", search_.queue_bytes());
  }

  void extract(P2p::Answer& answer) const { search_.extract(answer); }

 private:
  bidirectional::Search<Label, Watch> search_;
};

}  // namespace bellmark
