// sssp/owned-regions: one source, several threads, each of which owns regions of the graph.
#include <cstdint>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/owned_regions/options.hpp"
#include "algorithms/searches/owned_regions/search.hpp"

namespace bellmark {
namespace {

template <class Label>
class SsspOwnedRegions {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description = owned_regions::describe(8 * sizeof(Label));
    description.name = "sssp/owned-regions";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return owned_regions::resolve(settings, graph);
  }

  explicit SsspOwnedRegions(const Settings& settings) : search_(owned_regions::tuning(settings)) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(queries[0].source, context);
    note(phase, search_.counts());
  }

  void extract(Sssp::Answer& answer) const {
    const auto& labels = search_.labels();
    const Vertex n = labels.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      const bool reached = labels.reached(v);
      answer.distances[v] = reached ? static_cast<Distance>(labels.distance(v)) : kUnreached;
      answer.predecessors[v] = reached ? labels.cursor().predecessor(v) : kNoVertex;
    }
  }

 private:
  owned_regions::Search<Label> search_;
};

BELLMARK_REGISTER(SsspOwnedRegions<std::uint32_t>, SsspOwnedRegions<std::uint64_t>);

}  // namespace
}  // namespace bellmark
