// What every problem on a graph shares: facts, needs, and queries drawn from the vertices.
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
/// `largest_length`, `provenance`; where there are vertices `mean_degree`; where there are arcs
/// `mean_length`, `length_deviation` (the standard one, of all arcs) and
/// `lengths_at_most_<bound>_ratio` for bounds 1, 10, 100, ... up to the largest length; negative
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
///                    arc leaves (as Graph500 draws its roots: a search from there measures
///                    nothing), unless the graph has no arcs; a vertex drawn before is skipped too
///                    while there are `count` others
///   list             list: ids from 1; the first `count`, 0 for all
///   file             file: a DIMACS `.ss` file; the first `count`, 0 for all
/// Throws InputError on other kinds, naming `problem`, and on vertices that the graph lacks.
std::vector<Vertex> make_sources(const Graph& graph, const QueryRule& rule,
                                 std::string_view problem);

/// Problem::check_rule() of queries that are drawn by the kind `drawn`, listed or read: a kind that
/// is none of these, a count out of range, a list without ids, a file that can't be opened.
void check_vertex_rule(const QueryRule& rule, std::string_view problem, const std::string& drawn);

/// Of sources: they are drawn by `uniform-sources`.
void check_source_rule(const QueryRule& rule, std::string_view problem);

/// The vertex that a file or a person calls `id`; InputError when it is not in 1..n.
Vertex vertex_from_id(std::uint64_t id, const Graph& graph);

/// A vertex as files count it.
std::string id_text(Vertex vertex);

}  // namespace bellmark
