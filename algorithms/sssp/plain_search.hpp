// What certificates search with.
#pragma once

#include "algorithms/sssp/problem.hpp"

namespace bellmark {

/// Dijkstra's algorithm as plainly as it can be written. Its answer is to be proved by
/// Sssp::Certificate before use. O((n + m) log m). Throws UnmetError for a graph with negative
/// lengths.
Sssp::Answer plain_search(const Graph& graph, Vertex source);

}  // namespace bellmark
