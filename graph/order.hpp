// Numbering a graph's vertices anew, and its rows in another order: where a vertex's neighbours lie
// in memory is part of what a search costs. And the arcs that make a directed graph an undirected
// one.
#pragma once

#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

/// The new order of the vertices: the one at place i becomes vertex i.
///   random         by draw(1, 9, v) of random_stream.hpp: the worst for a cache
///   degree         most arcs first, equal ones as before
///   breadth-first  as a breadth-first search from vertex 0 meets them, arcs in the order of the
///                  row; then from the first vertex that it has not met, and so on
///   depth-first    the same of a depth-first search
/// Throws InputError on another word. O(n + m); n log n where it sorts.
std::vector<Vertex> vertex_order(const Graph& graph, std::string_view word);

/// The same graph in vertex_order(): a row keeps the order of its arcs, and coordinates move with
/// their vertices. The provenance gets `,order=...` behind it. Throws InputError.
Graph reordered(const Graph& graph, std::string_view word);

inline constexpr std::string_view kByLength = "by-length";

/// The same graph with the arcs of each row in another order:
///   by-length      the shortest first, equal ones by their heads (ma2022, section 4.1.1)
/// The provenance gets `,row-order=...` behind it. Throws InputError on another word.
/// O(n + m log(largest degree)).
Graph with_row_order(const Graph& graph, std::string_view word);

/// The same vertices with every arc turned round, without coordinates and provenance. O(n + m).
Graph opposite(const Graph& graph);

/// The same graph with more arcs:
///   both           the fewest that make it symmetric: every arc (u, v, l) without a partner
///                  (v, u, l) of its own gets one, as of a file that lists undirected edges once.
///                  Self loops are their own partners. Rows come out sorted by heads, then lengths.
/// The provenance gets `,arcs=...` behind it. Throws InputError on another word.
/// O(n + m log(largest degree)).
Graph with_arcs(const Graph& graph, std::string_view word);

}  // namespace bellmark
