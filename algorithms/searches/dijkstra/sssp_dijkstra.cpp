// sssp/dijkstra: Dijkstra's algorithm with any of its queues, one-to-all. Yasui et al. (2011).
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/search.hpp"

namespace bellmark {
namespace {

template <dijkstra::Options options>
class SsspDijkstra {
 public:
  using Problem = Sssp;
  using Search = dijkstra::Search<options>;

  static Description describe() {
    Description description = dijkstra::describe(options);
    description.name = "sssp/dijkstra";
    description.summary = "Dijkstra's algorithm with a heap or buckets; settles every vertex";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra::resolve(settings, graph);
  }

  explicit SsspDijkstra(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      search_.forget_all();
    }
    Phase phase(context, "search");
    search_.run(queries[0].source, Search::kNone, context);
    phase.note("settled_count", search_.scanned_count());
    phase.note("reached_count", search_.scanned_count() + search_.held_count());
  }

  void extract(Sssp::Answer& answer) const {
    const auto vertices = search_.vertices();
    const std::size_t n = search_.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto v = static_cast<typename Search::Id>(i);
      const auto distance = vertices.distance(v);
      answer.distances[i] =
          distance == Search::kInfinite ? kUnreached : static_cast<Distance>(distance);
      answer.predecessors[i] = static_cast<Vertex>(vertices.predecessor(v));
    }
  }

 private:
  Search search_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<SsspDijkstra<dijkstra::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<dijkstra::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
