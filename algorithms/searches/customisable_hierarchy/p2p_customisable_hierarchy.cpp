// p2p/customisable-hierarchy: two walks up a tree that preparing makes without lengths. Other
// lengths take a customisation, some hundredth of that time. Dibbelt, Strasser, Wagner:
// Customizable contraction hierarchies, SEA 2014.
//
// A query looks at all ancestors of both ends, some hundreds, without a queue. It costs the rows of
// these: 8 bytes an arc with 32-bit labels. Labels lie by depth, in the nearest cache.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/options.hpp"
#include "algorithms/searches/customisable_hierarchy/query.hpp"
#include "graph/graph.hpp"

namespace bellmark {
namespace {

using customisable_hierarchy::Customisation;
using customisable_hierarchy::Elimination;
using customisable_hierarchy::Limits;
using customisable_hierarchy::Metric;
using customisable_hierarchy::Rows;

template <class Label>
class P2pCustomisableHierarchy {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description;
    description.name = "p2p/customisable-hierarchy";
    description.summary = "Walks up a tree of separators; preparation gives it the lengths";
    description.source = "Dibbelt, Strasser, Wagner, SEA 2014";
    description.keys = {
        customisable_hierarchy::distance_key(),
        at_run_time(
            word_key("customisation", "basic", {"basic", "perfect"},
                     "Arcs that are kept. basic: all. perfect: only those that are shortest paths"),
            true),
        at_run_time(integer_key("threads", 1, 1, 64, "Number of threads that customise")),
        implied(untimed_key({kNothing, "path"})),
    };
    description.instance = {{"distance", std::to_string(8 * sizeof(Label))}};
    description.needs = {Need::non_negative};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return customisable_hierarchy::resolve("p2p/customisable-hierarchy", settings, graph);
  }

  explicit P2pCustomisableHierarchy(const Settings& settings)
      : is_perfect_(settings.get("customisation") == "perfect"),
        leaves_path_(settings.has(kUntimed) && settings.get(kUntimed) == "path"),
        thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  prepared::Identity identity(const Graph& graph) const {
    return customisable_hierarchy::identity(graph);
  }
  void save(prepared::Writer& writer) const { write(*elimination_, writer); }
  void load(const Graph& graph, prepared::Reader& reader) {
    elimination_ = customisable_hierarchy::read(reader, graph.vertex_count());
  }

  /// Throws UnmetError where the elimination explodes.
  void prepare(const Graph& graph, RunContext& context) {
    if (!elimination_) elimination_ = eliminate(graph, Limits::of(graph));
    ThreadTeam team(thread_count_, context);
    const customisable_hierarchy::Tasks tasks = customisable_hierarchy::tasks_of(team);
    customisation_.emplace(*elimination_, graph, customisable_hierarchy::task_count(team.size()));
    customisation_->customise(graph.lengths(), distance_bound(graph).value, tasks);
    const Rows<Label>* forward = &customisation_->rows(0);
    const Rows<Label>* backward = &customisation_->rows(1);
    if (is_perfect_) {
      perfect_ = customisation_->perfect(tasks);
      customisation_.reset();
      forward = &perfect_.forward;
      backward = &perfect_.backward;
    }
    if (graph.properties().symmetric) backward = forward;
    query_.prepare(*elimination_, *forward, *backward);
    context.account("arcs", forward->bytes() + (forward == backward ? 0 : backward->bytes()));
    context.account("vertices", query_.bytes());
    context.account("elimination", elimination_->bytes());
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    query_.run(queries[0].source, queries[0].target, context.work());
    if (!leaves_path_) query_.unpack(path_);
    phase.note("settled_count", query_.settled_count());
  }

  void extract(P2p::Answer& answer) const {
    answer.distance = query_.is_reached() ? static_cast<Distance>(query_.distance()) : kUnreached;
    if (leaves_path_) {
      query_.unpack(answer.path);
    } else {
      answer.path = path_;
    }
  }

 private:
  bool is_perfect_;
  bool leaves_path_;
  std::size_t thread_count_;
  std::optional<Elimination> elimination_;
  std::optional<Customisation<Label>> customisation_;
  Metric<Label> perfect_;
  customisable_hierarchy::Query<Label> query_;
  std::vector<Vertex> path_;
};

using Customisable32 = P2pCustomisableHierarchy<std::uint32_t>;
using Customisable64 = P2pCustomisableHierarchy<std::uint64_t>;

BELLMARK_REGISTER(Customisable32, Customisable64);

}  // namespace
}  // namespace bellmark
