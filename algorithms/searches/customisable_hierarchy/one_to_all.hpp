// A hierarchy, prepared for sweeps by a team of threads.
#pragma once

#include <cstddef>
#include <optional>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/sweep.hpp"
#include "algorithms/searches/customisable_hierarchy/tasks.hpp"
#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

template <class Label>
class OneToAll {
 public:
  explicit OneToAll(std::size_t thread_count) : thread_count_(thread_count) {}

  void save(prepared::Writer& writer) const { write(*elimination_, writer); }
  void load(const Graph& graph, prepared::Reader& reader) {
    elimination_ = read(reader, graph.vertex_count());
  }

  /// Lengths are positive. Throws UnmetError where the elimination explodes. The time of
  /// eliminate(), unless it was loaded, and O(arcs x longest row + triangles).
  void prepare(const Graph& graph, RunContext& context) {
    if (!elimination_) elimination_ = eliminate(graph, Limits::of(graph));
    team_.emplace(thread_count_, context);
    const Tasks tasks = tasks_of(*team_);
    Customisation<Label> customisation(*elimination_, graph, task_count(thread_count_));
    customisation.customise(graph.lengths(), distance_bound(graph).value, tasks);
    sweep_.prepare(*elimination_, customisation.perfect(tasks), thread_count_);
    context.account("arcs", sweep_.arc_bytes());
    context.account("vertices", sweep_.vertex_bytes());
    context.account("elimination", elimination_->bytes());
  }

  /// O(n + arcs).
  void run(Vertex source, RunContext& context) {
    const Phase phase(context, "sweep");
    sweep_.run(source, *team_, context.work());
  }

  const Sweep<Label>& labels() const { return sweep_; }

 private:
  std::size_t thread_count_;
  std::optional<Elimination> elimination_;
  std::optional<ThreadTeam> team_;
  Sweep<Label> sweep_;
};

}  // namespace bellmark::customisable_hierarchy
