// sssp/delta-stepping: one source, several threads.
#include <span>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/delta_stepping/search.hpp"

namespace bellmark {
namespace {

template <delta_stepping::Options options>
class SsspDeltaStepping {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description = delta_stepping::describe(options);
    description.name = "sssp/delta-stepping";
    description.summary = "Delta-stepping by threads that share a query and hand over work";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return delta_stepping::resolve(settings, graph);
  }

  explicit SsspDeltaStepping(const Settings& settings)
      : search_(delta_stepping::tuning(settings)) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(queries[0].source, context);
    const delta_stepping::Counts& counts = search_.counts();
    phase.note("round_count", counts.round_count);
    phase.note("scanned_count", counts.scanned_count);
    phase.note("queued_count", counts.queued_count);
    phase.note("fused_count", counts.fused_count);
    phase.note("parcel_count", counts.parcel_count);
    if (context.recorder() == nullptr) return;
    context.recorder()->note_later("rescanned_count", [this] { return search_.rescanned_count(); });
  }

  void extract(Sssp::Answer& answer) const {
    const delta_stepping::Labels& labels = search_.labels();
    const Vertex n = labels.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      const bool reached = labels.reached(v);
      answer.distances[v] = reached ? static_cast<Distance>(labels.distance(v)) : kUnreached;
      answer.predecessors[v] = reached ? labels.predecessor(v) : kNoVertex;
    }
  }

 private:
  delta_stepping::Search<options> search_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<SsspDeltaStepping<delta_stepping::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<delta_stepping::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
