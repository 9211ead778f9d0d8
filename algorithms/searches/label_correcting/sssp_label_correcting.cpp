// sssp/label-correcting: approximate buckets or two queues, one-to-all.
#include <span>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/label_correcting/search.hpp"

namespace bellmark {
namespace {

template <label_correcting::Options options>
class SsspLabelCorrecting {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description = label_correcting::describe(options);
    description.name = "sssp/label-correcting";
    description.summary = "Label correcting with array queues: approximate buckets or two queues";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return label_correcting::resolve(settings, graph);
  }

  explicit SsspLabelCorrecting(const Settings& settings)
      : search_(label_correcting::tuning(settings)) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(queries[0].source, {}, context);
    phase.note("scanned_count", search_.counts().scanned_count);
    phase.note("queued_count", search_.counts().queued_count);
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
  label_correcting::Search<options> search_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<SsspLabelCorrecting<label_correcting::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<label_correcting::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
