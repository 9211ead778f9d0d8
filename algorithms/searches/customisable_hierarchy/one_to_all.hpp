// A hierarchy, prepared for sweeps by a team of threads.
//
// Among vertices at one distance, predecessors over arcs of length 0 could go round in a circle. So
// with such arcs a label counts a path's arcs too, in its lower bits (tie_bits()).
#pragma once

#include <cstddef>
#include <optional>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/options.hpp"
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

  /// Throws UnmetError where the elimination explodes. The time of eliminate(), unless it was
  /// loaded, and O(arcs x longest row + triangles).
  void prepare(const Graph& graph, RunContext& context) {
    if (!elimination_) elimination_ = eliminate(graph, Limits::of(graph));
    team_.emplace(thread_count_, context);
    const Tasks tasks = tasks_of(*team_);
    Customisation<Label> customisation(*elimination_, graph, task_count(thread_count_));
    tie_bits_ = tie_bits(graph);
    customisation.customise(graph.lengths(), longest_label(graph), tasks, tie_bits_);
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

  Vertex vertex_count() const { return sweep_.vertex_count(); }
  bool is_reached(Vertex v) const { return sweep_.is_reached(v); }
  Label distance(Vertex v) const { return sweep_.label(v) >> tie_bits_; }
  /// kNoVertex for the source, and where nothing was reached.
  Vertex predecessor(Vertex v) const { return sweep_.predecessor(v); }

 private:
  std::size_t thread_count_;
  unsigned tie_bits_ = 0;
  std::optional<Elimination> elimination_;
  std::optional<ThreadTeam> team_;
  Sweep<Label> sweep_;
};

}  // namespace bellmark::customisable_hierarchy
