// The common part of all problems on a graph: facts, needs, and queries drawn from the vertices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// `digest`, `vertex_count`, `arc_count`, `symmetric`, `sorted_rows`, `least_length`,
/// `largest_length`, `provenance`. Where there are vertices: `mean_degree`. Where there are arcs:
/// `mean_length`, `length_deviation` (the standard one, of all arcs) and
/// `lengths_at_most_<bound>_ratio` for bounds 1, 10, 100, ... up to the largest length. Negative
/// lengths are within the first. O(m).
Facts graph_facts(const Graph& graph);

/// Problem::unmet for graphs: `non-negative`, `symmetric` and `sorted-rows` from the graph's
/// properties; other needs are the machine's, and met as far as a graph can tell.
std::string graph_unmet(Need need, const Graph& graph);

/// Length of the shortest of the parallel arcs from u to v, or nothing without such an arc.
/// O(degree of u).
std::optional<Length> shortest_arc(const Graph& graph, Vertex u, Vertex v);

/// Streams of draws: independent numbers from one seed.
enum class DrawStream : std::uint64_t { sources = 4, targets = 5, spots = 6 };

/// Draw i of a stream, uniform over 0..n-1. The same on every machine: with mix() the finalizer of
/// SplitMix64, g = 0x9e3779b97f4a7c15 and all arithmetic modulo 2^64,
///   x = mix(mix(seed + stream * g) + (i + 1) * g),   draw = ((x >> 32) * n) >> 32.
/// These are the formulas of graph/generate.hpp, whose streams are 0 to 3.
Vertex draw_vertex(std::uint64_t seed, DrawStream stream, std::uint64_t i, Vertex n);

/// Sources of searches. Kinds:
///   uniform-sources  count, seed: draws 0, 1, ... of stream `sources`, without vertices that no
///                    arc leaves, unless the graph has no arcs. Graph500 draws its roots so: a
///                    search from there measures nothing. A vertex drawn before is skipped too
///                    while there are `count` others
///   list             list: ids from 1; the first `count`, 0 for all
///   file             file: a DIMACS `.ss` file; the first `count`, 0 for all
/// Throws InputError on other kinds, naming `problem`, and on vertices that the graph lacks.
std::vector<Vertex> make_sources(const Graph& graph, const QueryRule& rule,
                                 std::string_view problem);

/// Problem::check_rule() of queries that are listed, read or drawn by the kind `drawn`. It refuses
/// any other kind, a count out of range, a list without ids, a file that can't be opened.
void check_vertex_rule(const QueryRule& rule, std::string_view problem, const std::string& drawn);

/// The same for sources: they are drawn by `uniform-sources`.
void check_source_rule(const QueryRule& rule, std::string_view problem);

/// The vertex that a file or a person calls `id`; InputError when it is not in 1..n.
Vertex vertex_from_id(std::uint64_t id, const Graph& graph);

/// A vertex's id in files.
std::string id_text(Vertex vertex);

}  // namespace bellmark
