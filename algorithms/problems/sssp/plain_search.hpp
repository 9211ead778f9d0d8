// Plain searches: certificates and facts of graphs rest on them, and on no variant.
#pragma once

#include <optional>

#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark {

/// Dijkstra's algorithm in its plainest form. Sssp::Certificate must prove its answer before use.
/// O((n + m) log m). Throws UnmetError for a graph with negative lengths.
Sssp::Answer plain_search(const Graph& graph, Vertex source);

/// Whether the graph has a cycle of negative length, from anywhere. Labels start at 0 at every
/// vertex and fall while an arc lowers one. A cycle among predecessors ends the search. Nothing
/// where sums of lengths may not fit 64 bits: max(n C, 2 n c) for lengths from -c to C, a bound
/// that bellman_ford/search.hpp proves. O(n m).
std::optional<bool> has_negative_cycle(const Graph& graph);

}  // namespace bellmark
