// Generated graphs: the same numbers on every machine, by a formula of seed and index alone.
// random_stream.hpp says what draw(), below() and fraction() are; streams: 0 keep, 1 tails, 2
// heads, 3 and 4 lengths (lengths.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/graph.hpp"
#include "graph/lengths.hpp"

namespace bellmark {

/// A grid of rows x columns vertices, vertex r * columns + c. Vertex v has edge 2v to its right
/// and edge 2v + 1 downwards, where there is such a neighbour; edge e is kept when
/// fraction(draw(seed, 0, e)) < keep, and gives the arcs there and back, of one length.
/// Arcs come by ascending e. Provenance is the reference that open_graph() takes.
/// Throws InputError on values out of range, MachineError when memory would not do.
Graph make_grid(std::uint64_t rows, std::uint64_t columns, double keep, const LengthScheme& lengths,
                std::uint64_t seed);

/// m arcs; arc i goes from below(draw(seed, 1, i), n) to below(draw(seed, 2, i), n). Self loops
/// and parallel arcs may occur. Provenance and errors as above.
Graph make_random(std::uint64_t vertex_count, std::uint64_t arc_count, const LengthScheme& lengths,
                  std::uint64_t seed);

/// Is it a generator's name with a colon behind it?
bool is_formula(std::string_view reference);

/// `grid:KEY=VALUE,...` with rows, columns (needed), keep (1), lengths (uniform:1..1000), seed (1);
/// `random:KEY=VALUE,...` with n, m (needed), lengths, seed. Throws InputError.
Graph make_graph(const std::string& reference);

}  // namespace bellmark
