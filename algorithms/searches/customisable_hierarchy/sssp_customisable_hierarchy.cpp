// sssp/customisable-hierarchy: distances by a sweep down a tree of separators (sweep.hpp).
#include <cstdint>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/one_to_all.hpp"
#include "algorithms/searches/customisable_hierarchy/options.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark {
namespace {

constexpr const char* kFamily = "sssp/customisable-hierarchy";

template <class Label>
class SsspCustomisableHierarchy {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description = customisable_hierarchy::describe_one_to_all(8 * sizeof(Label));
    description.name = kFamily;
    description.needs = {Need::non_negative};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    Settings resolved = customisable_hierarchy::resolve(kFamily, settings, graph);
    if (customisable_hierarchy::tie_bits(graph) == 0) return resolved;
    if (settings.get("distance") == "32") {
      throw InputError("distance=32", "arcs of length 0 take labels of 64 bits",
                       "use distance=64 or distance=auto");
    }
    if (!customisable_hierarchy::labels_fit(graph)) {
      throw InputError(kFamily,
                       "with arcs of length 0, distances up to " +
                           std::to_string(distance_bound(graph).value) +
                           " may need more than 64 bits",
                       "use sssp/auto");
    }
    resolved.set("distance", "64");
    return resolved;
  }

  explicit SsspCustomisableHierarchy(const Settings& settings)
      : search_(static_cast<std::size_t>(settings.integer("threads"))) {}

  prepared::Identity identity(const Graph& graph) const {
    return customisable_hierarchy::identity(graph);
  }
  void save(prepared::Writer& writer) const { search_.save(writer); }
  void load(const Graph& graph, prepared::Reader& reader) { search_.load(graph, reader); }

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    search_.run(queries[0].source, context);
  }

  void extract(Sssp::Answer& answer) const {
    const Vertex n = search_.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      answer.distances[v] =
          search_.is_reached(v) ? static_cast<Distance>(search_.distance(v)) : kUnreached;
      answer.predecessors[v] = search_.predecessor(v);
    }
  }

 private:
  customisable_hierarchy::OneToAll<Label> search_;
};

using Customisable32 = SsspCustomisableHierarchy<std::uint32_t>;
using Customisable64 = SsspCustomisableHierarchy<std::uint64_t>;

BELLMARK_REGISTER(Customisable32, Customisable64);

}  // namespace
}  // namespace bellmark
