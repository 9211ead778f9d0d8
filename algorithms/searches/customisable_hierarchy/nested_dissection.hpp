// An order of elimination by nested dissection, without coordinates. Separators are least cuts
// between the ends of a part, as in inertial flow (Schild, Sommer: On balanced separators in road
// networks, SEA 2015). Distances in arcs from far vertices stand for coordinates.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

/// The graph's vertices, in the order of elimination. Vertices that have two neighbours at most
/// come first, those that separate the graph last. Lengths and directions count for nothing. All
/// threads that the process may use. Throws UnmetError where the least cut that it finds has more
/// than `most_cut` edges: its ends would become a clique. O((n + m) log n) and the flows.
std::vector<Vertex> nested_dissection(const Graph& graph, std::uint64_t most_cut);

}  // namespace bellmark::customisable_hierarchy
