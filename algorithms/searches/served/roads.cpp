#include "algorithms/searches/served/roads.hpp"

#include <utility>

#include "algorithms/searches/dijkstra/heap_labels.hpp"
#include "base/error.hpp"

namespace bellmark::served {

Roads Roads::of(Graph graph) {
  dijkstra::refuse_wide_rows("roads", graph);
  if (graph.properties().least_length < 0) {
    throw InputError(graph.provenance(), "has negative lengths", "roads have none");
  }
  Roads roads;
  roads.rows = bidirectional::SharedRows::of(graph);
  roads.backward = transposed(graph);
  roads.graph = std::move(graph);
  return roads;
}

Closures::Closures(const Roads& roads)
    : graph_(roads.graph),
      backward_graph_(roads.backward),
      forward_(graph_.arc_count(), 0),
      backward_(graph_.arc_count(), 0) {}

std::size_t Closures::close(Vertex u, Vertex v) {
  const std::size_t before = closed_.size();
  for (const auto& [tail, head] : {std::pair(u, v), std::pair(v, u)}) {
    const auto mark = [](const Graph& graph, Vertex from, Vertex to, auto visit) {
      for (Offset e = graph.row_offsets()[from]; e < graph.row_offsets()[std::size_t{from} + 1];
           ++e) {
        if (graph.heads()[e] == to) visit(e);
      }
    };
    std::vector<Offset> mirrored;
    mark(backward_graph_, head, tail, [&](Offset e) { mirrored.push_back(e); });
    std::size_t i = 0;
    mark(graph_, tail, head, [&](Offset e) {
      const Offset mirror = mirrored[i++];
      if (forward_[e] != 0) return;
      forward_[e] = backward_[mirror] = 1;
      closed_.emplace_back(e, mirror);
    });
    if (u == v) break;
  }
  return closed_.size() - before;
}

void Closures::open_all() {
  for (const auto& [forward, backward] : closed_) forward_[forward] = backward_[backward] = 0;
  closed_.clear();
}

Graph Closures::without(const Graph& graph) const {
  std::vector<Arc> arcs;
  arcs.reserve(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      if (!is_closed(e)) arcs.push_back({u, graph.heads()[e], graph.length(e)});
    }
  }
  return Graph::from_arcs(graph.vertex_count(), arcs);
}

}  // namespace bellmark::served
