// Renumbers a graph's vertices, and reorders its rows: the place of a vertex's neighbours in memory
// is part of a search's cost. Also adds the arcs that make a directed graph undirected.
#pragma once

#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

/// The new order of the vertices: the vertex at place i becomes vertex i.
///   random         by draw(1, 9, v) of random_stream.hpp: the worst for a cache
///   degree         most arcs first, equal ones in their old order
///   breadth-first  in the order of a breadth-first search from vertex 0, arcs in the order of the
///                  row; then from the first vertex that it has not met, and so on
///   depth-first    in the order of a depth-first search, likewise
/// Throws InputError on another word. O(n + m); n log n if it sorts.
std::vector<Vertex> vertex_order(const Graph& graph, std::string_view word);

/// The same graph in vertex_order(). A row keeps the order of its arcs, and coordinates move with
/// their vertices. `,order=...` is added to the provenance. Throws InputError.
Graph reordered(const Graph& graph, std::string_view word);

inline constexpr std::string_view kByLength = "by-length";

/// The same graph with the arcs of each row in another order:
///   by-length      the shortest first, equal ones by their heads (ma2022, section 4.1.1)
/// `,row-order=...` is added to the provenance. Throws InputError on another word. O(n + m
/// log(largest degree)).
Graph with_row_order(const Graph& graph, std::string_view word);

/// The same vertices with every arc reversed, without coordinates and provenance. O(n + m).
Graph opposite(const Graph& graph);

/// The same graph with more arcs:
///   both           the fewest that make it symmetric: every arc (u, v, l) without a partner
///                  (v, u, l) of its own gets one, as of a file that lists undirected edges once.
///                  Self loops are their own partners. Rows come out sorted by heads, then lengths.
/// `,arcs=...` is added to the provenance. Throws InputError on another word. O(n + m log(largest
/// degree)).
Graph with_arcs(const Graph& graph, std::string_view word);

}  // namespace bellmark
