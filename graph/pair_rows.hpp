// Turns a list of pairs into a graph whose rows are sorted sets.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "graph/lengths.hpp"

namespace bellmark {

using VertexPair = std::pair<Vertex, Vertex>;

enum class PairsAre {
  arcs,   ///< from the first vertex to the second
  edges,  ///< the same and back
};

/// The memory that graph_of_pairs() takes at once, for each vertex and for each arc.
inline constexpr double kPairRowsVertexBytes = 2 * sizeof(Offset);
inline constexpr double kPairRowsArcBytes = 2 * sizeof(Vertex) + sizeof(Length);

/// The graph of these pairs, in any order. Loops are dropped, and repeated pairs count once. Rows
/// are sorted, and every length is by the ends. Uses all threads, and the graph does not depend on
/// their number. O(n + m log(largest degree)).
Graph graph_of_pairs(Vertex vertex_count, std::vector<VertexPair> pairs, PairsAre meaning,
                     const LengthSource& length);

}  // namespace bellmark
