// sssp/dijkstra-rounds: Dijkstra's algorithm with many vertices closed a round. ma2022,
// sections 3.1.3 and 4.1, on CPU threads; Crauser et al. 1998.
#include <cstddef>
#include <span>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra_rounds/search.hpp"

namespace bellmark {
namespace {

template <dijkstra_rounds::Options options>
class SsspDijkstraRounds {
 public:
  using Problem = Sssp;
  using Search = dijkstra_rounds::Search<options>;

  static Description describe() {
    Description description = dijkstra_rounds::describe(options);
    description.name = "sssp/dijkstra-rounds";
    description.summary = "Dijkstra's algorithm in rounds that close all vertices proven final";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra_rounds::resolve(settings, graph);
  }

  explicit SsspDijkstraRounds(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))),
        search_(static_cast<std::uint64_t>(settings.integer("share-from"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    search_.prepare(graph, thread_count_, context);
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    {
      const Phase phase(context, "initialise");
      search_.forget_all();
    }
    Phase phase(context, "search");
    search_.run(queries[0].source, context.work());
    phase.note("round_count", search_.round_count());
    phase.note("closed_count", search_.total().closed_count);
    if constexpr (options.criterion == dijkstra_rounds::Criterion::open_out) {
      phase.note("reevaluated_count", search_.total().reevaluated_count);
      phase.note("examined_arc_count", search_.total().examined_arc_count);
    }
    search_.account(context);
  }

  void extract(Sssp::Answer& answer) const {
    const Vertex n = search_.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      const auto distance = search_.distance(v);
      answer.distances[v] =
          distance == Search::kInfinite ? kUnreached : static_cast<Distance>(distance);
      answer.predecessors[v] = search_.predecessor(v);
    }
  }

  PhaseLog phase_log() const { return search_.phase_log(); }

 private:
  std::size_t thread_count_;
  Search search_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<SsspDijkstraRounds<dijkstra_rounds::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<dijkstra_rounds::kBuilt.size()>());

}  // namespace
}  // namespace bellmark

BELLMARK_RENAMED("sssp/dijkstra-batch", "sssp/dijkstra-rounds");
