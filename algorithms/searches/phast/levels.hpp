// A contraction hierarchy by levels, in the form that sweeps over it read: Delling, Goldberg,
// Nowatzyk, Werneck: PHAST: hardware-accelerated shortest path trees, IPDPS 2011.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "graph/graph.hpp"

namespace bellmark::phast {

/// An arc into a vertex.
struct Entering {
  Vertex tail;
  std::uint32_t length;
};

/// Arcs into vertices, row by row.
struct EnteringRows {
  std::vector<std::uint32_t> offsets;
  std::vector<Entering> arcs;
};

/// Places hold vertices, in the graph's own ids, lowest level first. Every arc of the hierarchy
/// leads from one level to another. So the vertices of a level don't wait for each other.
struct Levels {
  std::vector<Vertex> vertices;              ///< by place
  std::vector<std::uint32_t> level_offsets;  ///< the place where each level begins, and the end
  EnteringRows from_below;                   ///< by place: from less important vertices
  EnteringRows from_above;                   ///< by place: from more important ones
};

/// O(n + m), with the hierarchy's m.
Levels make_levels(const contraction_hierarchy::Hierarchy<std::uint32_t>& hierarchy);

/// The graph's own arcs by head: rows by vertex. O(n + m).
EnteringRows entering_rows(const Graph& graph);

}  // namespace bellmark::phast
