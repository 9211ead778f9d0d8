// p2p/lemon-dijkstra: LEMON's Dijkstra, until the target is processed.
#include <algorithm>
#include <cstdint>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/lemon_dijkstra/variant.hpp"

namespace bellmark {
namespace {

using lemon_dijkstra::Heap;

template <Heap heap, class Distance>
class P2pLemonDijkstra {
 public:
  using Problem = P2p;
  using Search = lemon_dijkstra::Search<heap, Distance>;

  static Description describe() {
    Description description = lemon_dijkstra::describe(heap, 8 * sizeof(Distance));
    description.name = "p2p/lemon-dijkstra";
    description.summary = "Dijkstra of LEMON on its static graph; stops at the target";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return lemon_dijkstra::resolve(settings, graph);
  }

  explicit P2pLemonDijkstra(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) {
    lemon_dijkstra::prepare(search_, graph, context);
  }

  /// The library makes all vertices unreached before each search: O(n) a query, in the time.
  void run(std::span<const P2p::Query> queries, RunContext& context) {
    const Phase phase(context, "search");
    target_ = queries[0].target;
    search_.run(queries[0].source, target_);
  }

  void extract(P2p::Answer& answer) const {
    answer.path.clear();
    answer.distance = kUnreached;
    if (!search_.reached(target_)) return;
    answer.distance = static_cast<bellmark::Distance>(search_.distance(target_));
    for (Vertex v = target_; v != kNoVertex; v = search_.predecessor(v)) answer.path.push_back(v);
    std::ranges::reverse(answer.path);
  }

 private:
  Search search_;
  Vertex target_ = 0;
};

using Binary32 = P2pLemonDijkstra<Heap::binary, std::uint32_t>;
using Binary64 = P2pLemonDijkstra<Heap::binary, std::uint64_t>;
using Quad32 = P2pLemonDijkstra<Heap::quad, std::uint32_t>;
using Quad64 = P2pLemonDijkstra<Heap::quad, std::uint64_t>;

BELLMARK_REGISTER(Binary32, Binary64, Quad32, Quad64);

}  // namespace
}  // namespace bellmark
