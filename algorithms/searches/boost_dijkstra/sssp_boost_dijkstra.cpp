// sssp/boost-dijkstra: Boost.Graph's Dijkstra, one-to-all.
#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/boost_dijkstra/boost_dijkstra.hpp"

namespace bellmark {
namespace {

template <bool color_map, class Distance>
class SsspBoostDijkstra {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description = boost_dijkstra::describe(color_map, 8 * sizeof(Distance));
    description.name = "sssp/boost-dijkstra";
    description.summary = "Dijkstra of Boost.Graph on its CSR graph; settles every vertex";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return boost_dijkstra::resolve(settings, graph);
  }

  explicit SsspBoostDijkstra(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const Phase phase(context, "search");
    source_ = queries[0].source;
    const boost::default_dijkstra_visitor visitor;
    if (context.work() == nullptr) return search_.run(source_, visitor);
    Tally tally;
    tally.lower();  // the source, by no arc
    search_.run(source_, boost_dijkstra::Counting(visitor, tally));
    context.work()->add(WorkCount::settled, tally.scanned_count);
    tally.add_sequential_to(*context.work());
  }

  void extract(Sssp::Answer& answer) const {
    const auto distances = search_.distances();
    const auto predecessors = search_.predecessors();
    answer.distances.resize(distances.size());
    answer.predecessors.resize(distances.size());
    for (std::size_t v = 0; v < distances.size(); ++v) {
      const bool reached = distances[v] != search_.kInfinite;
      answer.distances[v] = reached ? static_cast<bellmark::Distance>(distances[v]) : kUnreached;
      answer.predecessors[v] = predecessors[v] == v ? kNoVertex : predecessors[v];
    }
  }

 private:
  boost_dijkstra::Search<color_map, Distance> search_;
  Vertex source_ = 0;
};

using NoColor32 = SsspBoostDijkstra<false, std::uint32_t>;
using NoColor64 = SsspBoostDijkstra<false, std::uint64_t>;
using Color32 = SsspBoostDijkstra<true, std::uint32_t>;
using Color64 = SsspBoostDijkstra<true, std::uint64_t>;

BELLMARK_REGISTER(NoColor32, NoColor64, Color32, Color64);

}  // namespace
}  // namespace bellmark
