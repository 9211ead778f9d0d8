// bfs/owned-regions: breadth-first search of graphs with many levels, by threads that each own
// regions. A level of a road map is a few hundred vertices, less than a barrier is worth. Here a
// level is a bucket, and no thread waits at its end. Leaves and chains need no search
// (contract=chains): an arc of the core then counts for all arcs that it stands for.
#include <cstdint>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/equal_lengths.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/owned_regions/options.hpp"
#include "algorithms/searches/owned_regions/search.hpp"

namespace bellmark {
namespace {

using bfs::without_lengths;

class BfsOwnedRegions {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description = owned_regions::describe(32);
    description.name = "bfs/owned-regions";
    description.needs = {};
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return owned_regions::resolve(settings, without_lengths(graph));
  }

  explicit BfsOwnedRegions(const Settings& settings) : search_(owned_regions::tuning(settings)) {}

  void prepare(const Graph& graph, RunContext& context) {
    search_.prepare(without_lengths(graph), context);
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(queries[0].source, context);
    note(phase, search_.counts());
  }

  void extract(Bfs::Answer& answer) const {
    const auto& labels = search_.labels();
    const Vertex n = labels.vertex_count();
    answer.levels.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      const bool reached = labels.reached(v);
      answer.levels[v] = reached ? static_cast<Level>(labels.distance(v)) : kNoLevel;
      answer.predecessors[v] = reached ? labels.cursor().predecessor(v) : kNoVertex;
    }
  }

 private:
  owned_regions::Search<std::uint32_t> search_;
};

BELLMARK_REGISTER(BfsOwnedRegions);

}  // namespace
}  // namespace bellmark
