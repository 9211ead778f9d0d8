// p2p/dijkstra: Dijkstra's algorithm with any of its queues, until the target is scanned. Yasui et
// al. (2011).
#pragma once

#include <span>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/problems/p2p/path.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/search.hpp"

namespace bellmark {

template <dijkstra::Options options, class Watch = Unwatched>
class P2pDijkstra {
 public:
  using Problem = P2p;
  using Search = dijkstra::Search<options, Watch>;

  static Description describe() {
    Description description = dijkstra::describe(options);
    description.name = "p2p/dijkstra";
    description.summary = "Dijkstra's algorithm with a heap or buckets; stops at the target";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra::resolve(settings, graph);
  }

  explicit P2pDijkstra(const Settings&, Watch watch = {}) : search_(watch) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      search_.forget_touched();
    }
    Phase phase(context, "search");
    target_ = queries[0].target;
    search_.run(queries[0].source, target_, context);
    phase.note("settled_count", search_.scanned_count());
    phase.note("reached_count", search_.scanned_count() + search_.held_count());
  }

  void extract(P2p::Answer& answer) const { extract_path(search_, target_, answer); }

 private:
  Search search_;
  Vertex target_ = kNoVertex;
};

}  // namespace bellmark
