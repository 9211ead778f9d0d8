// sssp/bellman-ford on the CPU: rounds over all arcs, one thread. ma2022, section 2.2, Algorithm 2,
// makes |V| - 1 rounds in any case (rounds=all). rounds=needed ends with the round that lowers no
// label. Both prove a negative cycle; the paper's algorithm would give labels that mean nothing.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/bellman_ford/options.hpp"
#include "algorithms/searches/bellman_ford/search.hpp"

namespace bellmark {
namespace {

template <class Label>
class BellmanFord {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description;
    description.name = "sssp/bellman-ford";
    description.summary = "Bellman-Ford rounds over all arcs; finds negative cycles";
    description.source = "ma2022 section 2.2";
    description.keys = {word_key("device", "cpu", {"cpu"}, "Device that runs the search"),
                        at_run_time(word_key("rounds", "needed", {"needed", "all"},
                                             "needed: rounds end with one that lowers no label. "
                                             "all: at least one round fewer than vertices")),
                        bellman_ford::distance_key()};
    description.instance = {{"device", "cpu"}, {"distance", std::to_string(8 * sizeof(Label))}};
    description.aliases = {{"ma2022:bellman-ford", "device=cpu,rounds=all"}};
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    Settings resolved = settings;
    resolved.set("distance",
                 bellman_ford::resolve_distance(settings.get("distance"), graph,
                                                bellman_ford::Detection::predecessor_cycle));
    return resolved;
  }

  explicit BellmanFord(const Settings& settings) : all_rounds_(settings.get("rounds") == "all") {}

  void prepare(const Graph& graph, RunContext& context) {
    search_.prepare(graph, context);
    if (all_rounds_) least_round_count_ = std::max<Vertex>(graph.vertex_count(), 1) - 1;
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_.run(queries[0].source, least_round_count_, context.work());
    phase.note("round_count", search_.counts().round_count);
    phase.note("relaxation_count", search_.counts().relaxation_count);
  }

  void extract(Sssp::Answer& answer) const { search_.extract(answer); }

 private:
  bool all_rounds_;
  std::uint64_t least_round_count_ = 0;
  bellman_ford::RoundsSearch<Label> search_;
};

BELLMARK_REGISTER(BellmanFord<std::int32_t>, BellmanFord<std::int64_t>);

}  // namespace
}  // namespace bellmark
