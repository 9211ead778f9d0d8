// sssp/customisable-hierarchy: a walk up a tree of separators and a sweep down (sweep.hpp). Threads
// sweep subtrees apart, and none waits for another below the top.
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/options.hpp"
#include "algorithms/searches/customisable_hierarchy/sweep.hpp"
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
    Description description;
    description.name = kFamily;
    description.summary = "A sweep down a tree of separators; preparation gives it the lengths";
    description.source = "Dibbelt, Strasser, Wagner, SEA 2014; PHAST: Delling et al., IPDPS 2011";
    description.keys = {
        customisable_hierarchy::distance_key(),
        at_run_time(integer_key("threads", 1, 1, 256,
                                "Number of threads that customise, and that share a query")),
    };
    description.instance = {{"distance", std::to_string(8 * sizeof(Label))}};
    description.needs = {Need::non_negative};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    if (graph.arc_count() > 0 && graph.properties().least_length == 0) {
      throw UnmetError(kFamily, "the graph has arcs of length 0, which leave predecessors open",
                       "use sssp/auto");
    }
    return customisable_hierarchy::resolve(kFamily, settings, graph);
  }

  explicit SsspCustomisableHierarchy(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  prepared::Identity identity(const Graph& graph) const {
    return customisable_hierarchy::identity(graph);
  }
  void save(prepared::Writer& writer) const { write(*elimination_, writer); }
  void load(const Graph& graph, prepared::Reader& reader) {
    elimination_ = customisable_hierarchy::read(reader, graph.vertex_count());
  }

  /// Throws UnmetError where the elimination explodes.
  void prepare(const Graph& graph, RunContext& context) {
    using customisable_hierarchy::Customisation;
    using customisable_hierarchy::Limits;
    if (!elimination_) elimination_ = eliminate(graph, Limits::of(graph));
    team_.emplace(thread_count_, context);
    const customisable_hierarchy::Tasks tasks = customisable_hierarchy::tasks_of(*team_);
    Customisation<Label> customisation(*elimination_, graph,
                                       customisable_hierarchy::task_count(team_->size()));
    customisation.customise(graph.lengths(), distance_bound(graph).value, tasks);
    sweep_.prepare(*elimination_, customisation.perfect(tasks), thread_count_);
    context.account("arcs", sweep_.arc_bytes());
    context.account("vertices", sweep_.vertex_bytes());
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const Phase phase(context, "sweep");
    sweep_.run(queries[0].source, *team_, context.work());
  }

  void extract(Sssp::Answer& answer) const {
    const Vertex n = sweep_.vertex_count();
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    for (Vertex v = 0; v < n; ++v) {
      answer.distances[v] =
          sweep_.is_reached(v) ? static_cast<Distance>(sweep_.distance(v)) : kUnreached;
      answer.predecessors[v] = sweep_.predecessor(v);
    }
  }

 private:
  std::size_t thread_count_;
  std::optional<customisable_hierarchy::Elimination> elimination_;
  std::optional<ThreadTeam> team_;
  customisable_hierarchy::Sweep<Label> sweep_;
};

using Customisable32 = SsspCustomisableHierarchy<std::uint32_t>;
using Customisable64 = SsspCustomisableHierarchy<std::uint64_t>;

BELLMARK_REGISTER(Customisable32, Customisable64);

}  // namespace
}  // namespace bellmark
