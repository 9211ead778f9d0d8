// A graph as breadth-first search sees it, for engines of shortest paths.
#pragma once

#include <memory>

#include "graph/graph.hpp"

namespace bellmark::bfs {

/// The same graph with all arcs equally long; its arrays are shared. O(1).
inline Graph without_lengths(const Graph& graph) {
  const auto whole = std::make_shared<const Graph>(graph);
  GraphProperties properties = graph.properties();
  properties.least_length = properties.largest_length = graph.arc_count() == 0 ? 0 : 1;
  return Graph::adopt(whole, whole->row_offsets(), whole->heads(), {}, {}, properties);
}

}  // namespace bellmark::bfs
