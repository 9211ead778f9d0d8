// Generated graphs: the same numbers on every machine, by a formula of seed and index alone.
//
// With mix() the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
// Generators, OOPSLA 2014) and g = 0x9e3779b97f4a7c15:
//   draw(seed, stream, i)  = mix(mix(seed + stream * g) + (i + 1) * g)      all modulo 2^64
//   below(x, count)        = ((x >> 32) * count) >> 32                       for count <= 2^32
//   fraction(x)            = (x >> 11) * 2^-53                               in [0, 1)
// Streams: 0 keep, 1 tails, 2 heads, 3 lengths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// How arcs get their lengths.
struct LengthScheme {
  enum class Kind {
    unit,     ///< every length is 1
    uniform,  ///< least + below(draw(seed, 3, i), largest - least + 1), i the edge's (random:
              ///< arc's) index
    hash,     ///< the same with i = min(u, v) * 2^32 + max(u, v): parallel and opposite arcs agree
  };
  Kind kind = Kind::unit;
  Length least = 1;
  Length largest = 1;
  friend bool operator==(const LengthScheme&, const LengthScheme&) = default;
};

/// `unit`, `uniform:LO..HI` or `hash:LO..HI` with 0 <= LO <= HI < 2^31. Throws InputError.
LengthScheme parse_lengths(std::string_view text);
std::string to_string(const LengthScheme& scheme);

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

/// `grid:KEY=VALUE,...` with rows, columns (needed), keep (1), lengths (uniform:1..1000), seed (1);
/// `random:KEY=VALUE,...` with n, m (needed), lengths, seed. Throws InputError.
Graph make_graph(const std::string& reference);

}  // namespace bellmark
