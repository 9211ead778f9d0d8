// p2p/dijkstra: Dijkstra's algorithm with any of its queues, until the target is scanned. Yasui et
// al. (2011).
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/path.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/search.hpp"

namespace bellmark {
namespace {

template <dijkstra::Options options>
class P2pDijkstra {
 public:
  using Problem = P2p;
  using Search = dijkstra::Search<options>;

  static Description describe() {
    Description description = dijkstra::describe(options);
    description.name = "p2p/dijkstra";
    description.summary = "Dijkstra's algorithm with a heap or buckets; stops at the target";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra::resolve(settings, graph);
  }

  explicit P2pDijkstra(const Settings&) {}

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

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<P2pDijkstra<dijkstra::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<dijkstra::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
