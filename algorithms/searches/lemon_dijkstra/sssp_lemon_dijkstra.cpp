// sssp/lemon-dijkstra: LEMON's Dijkstra, one-to-all.
#include <cstdint>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/lemon_dijkstra/variant.hpp"

namespace bellmark {
namespace {

using lemon_dijkstra::Heap;

template <Heap heap, class Distance>
class SsspLemonDijkstra {
 public:
  using Problem = Sssp;
  using Search = lemon_dijkstra::Search<heap, Distance>;

  static Description describe() {
    Description description = lemon_dijkstra::describe(heap, 8 * sizeof(Distance));
    description.name = "sssp/lemon-dijkstra";
    description.summary = "Dijkstra of LEMON on its static graph; settles every vertex";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return lemon_dijkstra::resolve(settings, graph);
  }

  explicit SsspLemonDijkstra(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) {
    lemon_dijkstra::prepare(search_, graph, context);
    vertex_count_ = graph.vertex_count();
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const Phase phase(context, "search");
    search_.run(queries[0].source, Search::kNone);
  }

  void extract(Sssp::Answer& answer) const {
    answer.distances.resize(vertex_count_);
    answer.predecessors.resize(vertex_count_);
    for (Vertex v = 0; v < vertex_count_; ++v) {
      const bool reached = search_.reached(v);
      answer.distances[v] =
          reached ? static_cast<bellmark::Distance>(search_.distance(v)) : kUnreached;
      answer.predecessors[v] = reached ? search_.predecessor(v) : kNoVertex;
    }
  }

 private:
  Search search_;
  Vertex vertex_count_ = 0;
};

using Binary32 = SsspLemonDijkstra<Heap::binary, std::uint32_t>;
using Binary64 = SsspLemonDijkstra<Heap::binary, std::uint64_t>;
using Quad32 = SsspLemonDijkstra<Heap::quad, std::uint32_t>;
using Quad64 = SsspLemonDijkstra<Heap::quad, std::uint64_t>;

BELLMARK_REGISTER(Binary32, Binary64, Quad32, Quad64);

}  // namespace
}  // namespace bellmark
