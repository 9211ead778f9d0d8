// bfs/customisable-hierarchy: levels by a sweep down a tree of separators (sweep.hpp), for maps
// with many small levels. The hierarchy counts each arc as 1.
#include <cstdint>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/equal_lengths.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/one_to_all.hpp"
#include "algorithms/searches/customisable_hierarchy/options.hpp"
#include "graph/graph.hpp"

namespace bellmark {
namespace {

using bfs::without_lengths;

class BfsCustomisableHierarchy {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description = customisable_hierarchy::describe_one_to_all(32);
    description.name = "bfs/customisable-hierarchy";
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return customisable_hierarchy::resolve("bfs/customisable-hierarchy", settings,
                                           without_lengths(graph));
  }

  explicit BfsCustomisableHierarchy(const Settings& settings)
      : search_(static_cast<std::size_t>(settings.integer("threads"))) {}

  prepared::Identity identity(const Graph& graph) const {
    return customisable_hierarchy::identity(graph);
  }
  void save(prepared::Writer& writer) const { search_.save(writer); }
  void load(const Graph& graph, prepared::Reader& reader) { search_.load(graph, reader); }

  void prepare(const Graph& graph, RunContext& context) {
    search_.prepare(without_lengths(graph), context);
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    search_.run(queries[0].source, context);
  }

  void extract(Bfs::Answer& answer) const {
    const Vertex n = search_.vertex_count();
    answer.levels.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      answer.levels[v] = search_.is_reached(v) ? search_.distance(v) : kNoLevel;
      answer.predecessors[v] = search_.predecessor(v);
    }
  }

 private:
  customisable_hierarchy::OneToAll<std::uint32_t> search_;
};

BELLMARK_REGISTER(BfsCustomisableHierarchy);

}  // namespace
}  // namespace bellmark
