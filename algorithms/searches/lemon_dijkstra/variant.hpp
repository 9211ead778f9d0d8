// The common part of sssp/lemon-dijkstra and p2p/lemon-dijkstra.
#pragma once

#include <limits>
#include <string>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/lemon_dijkstra/search.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::lemon_dijkstra {

template <Heap heap, class Distance>
void prepare(Search<heap, Distance>& search, const Graph& graph, RunContext& context) {
  search.prepare(graph.vertex_count(), graph.row_offsets().data(), graph.heads().data(),
                 graph.lengths().empty() ? nullptr : graph.lengths().data());
  const std::uint64_t n = graph.vertex_count();
  // StaticDigraph: two offsets a vertex; head, tail and the next arc in an arc, and its length.
  context.account("arcs", 8 * n + (12 + sizeof(Distance)) * graph.arc_count());
  // Distance, predecessor arc, place in the heap. The heap's entries are not counted.
  context.account("vertices", (sizeof(Distance) + 8) * n);
}

inline Description describe(Heap heap, int distance_bits) {
  Description description;
  description.source = std::string("LEMON ") + version() + ", StaticDigraph";
  description.keys = {
      word_key("heap", "binary", {"binary", "quad"}, "Heap of LEMON: BinHeap or QuadHeap"),
      word_key("distance", "auto", {"auto", "32", "64"},
               "Bits of a distance label and of a length"),
  };
  description.instance = {{"heap", heap == Heap::binary ? "binary" : "quad"},
                          {"distance", std::to_string(distance_bits)}};
  description.needs = {Need::non_negative};
  return description;
}

/// `distance=auto` becomes 32 or 64 by the rule of our own Dijkstra. Throws InputError, also for a
/// graph whose arcs 31 bits can't count.
inline Settings resolve(const Settings& settings, const Graph& graph) {
  if (graph.arc_count() > std::numeric_limits<std::int32_t>::max()) {
    throw InputError("lemon-dijkstra",
                     std::to_string(graph.arc_count()) + " arcs can't be counted in 31 bits",
                     "use a smaller graph, or our own dijkstra");
  }
  Settings resolved = settings;
  resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph));
  return resolved;
}

}  // namespace bellmark::lemon_dijkstra
