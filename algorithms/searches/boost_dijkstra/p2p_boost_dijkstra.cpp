// p2p/boost-dijkstra: Boost.Graph's Dijkstra, stopped by its visitor when the target is examined.
#include <algorithm>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/boost_dijkstra/boost_dijkstra.hpp"

namespace bellmark {
namespace {

/// Thrown to leave the library's loop: its documented way to stop early.
struct TargetReached {};

struct StopAt : boost::default_dijkstra_visitor {
  explicit StopAt(Vertex vertex) : target(vertex) {}
  template <class AnyGraph>
  void examine_vertex(Vertex vertex, const AnyGraph&) const {
    if (vertex == target) throw TargetReached();
  }
  Vertex target;
};

/// The library makes all vertices unreached before each search: O(n) a query, in the time.
template <bool color_map, class Distance>
class P2pBoostDijkstra {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description = boost_dijkstra::describe(color_map, 8 * sizeof(Distance));
    description.name = "p2p/boost-dijkstra";
    description.summary = "Dijkstra of Boost.Graph on its CSR graph; stops at the target";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return boost_dijkstra::resolve(settings, graph);
  }

  explicit P2pBoostDijkstra(const Settings&) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    const Phase phase(context, "search");
    query_ = queries[0];
    if (context.work() == nullptr) {
      search(StopAt(query_.target));
      return;
    }
    Tally tally;
    tally.lower();  // the source, by no arc
    const bool is_found = search(boost_dijkstra::Counting(StopAt(query_.target), tally));
    context.work()->add(WorkCount::settled, tally.scanned_count + (is_found ? 1 : 0));
    tally.add_sequential_to(*context.work());
  }

  void extract(P2p::Answer& answer) const {
    const Distance distance = search_.distances()[query_.target];
    answer.path.clear();
    answer.distance = kUnreached;
    if (distance == search_.kInfinite) return;
    answer.distance = static_cast<bellmark::Distance>(distance);
    const auto predecessors = search_.predecessors();
    for (Vertex v = query_.target; v != query_.source; v = predecessors[v]) {
      answer.path.push_back(v);
    }
    answer.path.push_back(query_.source);
    std::ranges::reverse(answer.path);
  }

 private:
  /// Whether the target was found.
  template <class Visitor>
  bool search(Visitor visitor) {
    try {
      search_.run(query_.source, visitor);
      return false;
    } catch (const TargetReached&) {
      return true;
    }
  }

  boost_dijkstra::Search<color_map, Distance> search_;
  P2p::Query query_{};
};

using NoColor32 = P2pBoostDijkstra<false, std::uint32_t>;
using NoColor64 = P2pBoostDijkstra<false, std::uint64_t>;
using Color32 = P2pBoostDijkstra<true, std::uint32_t>;
using Color64 = P2pBoostDijkstra<true, std::uint64_t>;

BELLMARK_REGISTER(NoColor32, NoColor64, Color32, Color64);

}  // namespace
}  // namespace bellmark
