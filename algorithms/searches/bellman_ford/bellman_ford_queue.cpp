// sssp/bellman-ford-queue: Bellman-Ford over a queue of the vertices whose labels fell. ma2022,
// section 3.2.1, whose condition is `detection=count`: a vertex that enters more than |V| - 1 times
// proves a negative cycle. (Its steps 2 to 4 would end after |V| - 1 vertices taken from the queue,
// which proves nothing.) Tests of the predecessors from time to time find most cycles far sooner:
// Cherkassky, Goldberg 1999, "Negative-cycle detection algorithms".
#include <cstdint>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/bellman_ford/options.hpp"
#include "algorithms/searches/bellman_ford/search.hpp"

namespace bellmark {
namespace {

using bellman_ford::Detection;

template <class Label, Detection detection>
class BellmanFordQueue {
 public:
  using Problem = Sssp;

  static Description describe() {
    const bool counts = detection == Detection::count;
    Description description;
    description.name = "sssp/bellman-ford-queue";
    description.summary = "Bellman-Ford with a queue of changed vertices; finds negative cycles";
    description.source = "ma2022 section 3.2.1";
    description.keys = {
        word_key("detection", "predecessor-cycle", {"count", "predecessor-cycle"},
                 "Sign of a negative cycle. count: a vertex entered the queue too often. "
                 "predecessor-cycle: predecessors form a cycle, tested every n vertices"),
        bellman_ford::distance_key()};
    description.instance = {{"detection", counts ? "count" : "predecessor-cycle"},
                            {"distance", std::to_string(8 * sizeof(Label))}};
    description.aliases = {{"ma2022:bellman-ford-queue", "detection=count"}};
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    const bool counts = settings.get("detection") == "count";
    Settings resolved = settings;
    resolved.set("distance", bellman_ford::resolve_distance(
                                 settings.get("distance"), graph,
                                 counts ? Detection::count : Detection::predecessor_cycle));
    return resolved;
  }

  explicit BellmanFordQueue(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(std::span(&queries[0].source, 1), context.work());
    phase.note("round_count", search_.counts().round_count);
    phase.note("relaxation_count", search_.counts().relaxation_count);
    phase.note("queued_count", search_.counts().queued_count);
  }

  void extract(Sssp::Answer& answer) const { search_.extract(answer); }

 private:
  bellman_ford::QueueSearch<Label, detection> search_;
};

using Count32 = BellmanFordQueue<std::int32_t, Detection::count>;
using Count64 = BellmanFordQueue<std::int64_t, Detection::count>;
using Cycle32 = BellmanFordQueue<std::int32_t, Detection::predecessor_cycle>;
using Cycle64 = BellmanFordQueue<std::int64_t, Detection::predecessor_cycle>;

BELLMARK_REGISTER(Count32, Count64, Cycle32, Cycle64);

}  // namespace
}  // namespace bellmark
