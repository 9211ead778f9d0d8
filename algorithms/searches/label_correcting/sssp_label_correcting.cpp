// sssp/label-correcting: approximate buckets or two queues, one-to-all.
#include <optional>
#include <span>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/label_correcting/contracted_search.hpp"
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
    description.summary = "Label correcting with approximate buckets or two queues, in arrays";
    description.keys.push_back(contracted::contract_key());
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return label_correcting::resolve_contracting(settings, graph);
  }

  explicit SsspLabelCorrecting(const Settings& settings)
      : search_(label_correcting::tuning(settings)) {
    if constexpr (options.contracts()) {
      if (contracted::contracts(settings)) core_.emplace(label_correcting::tuning(settings));
    }
  }

  void prepare(const Graph& graph, RunContext& context) {
    if (core_) return core_->prepare(graph, context);
    search_.prepare(graph, context);
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    const Vertex source = queries[0].source;
    if (core_) {
      core_->run(source, context);
      return note(phase, core_->counts());
    }
    search_.run(source, {}, context);
    note(phase, search_.counts());
  }

  void extract(Sssp::Answer& answer) const {
    if (core_) return extract(core_->labels(), answer);
    extract(search_.labels(), answer);
  }

 private:
  static void extract(const auto& labels, Sssp::Answer& answer) {
    const Vertex n = labels.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      const bool reached = labels.reached(v);
      answer.distances[v] = reached ? static_cast<Distance>(labels.distance(v)) : kUnreached;
      answer.predecessors[v] = reached ? labels.cursor().predecessor(v) : kNoVertex;
    }
  }

  label_correcting::Search<options> search_;
  /// With contract=chains, in its stead.
  std::optional<label_correcting::ContractedSearch<options.contracting()>> core_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<SsspLabelCorrecting<label_correcting::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<label_correcting::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
