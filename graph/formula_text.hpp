// Common parts of the makers of graphs by formula: the graph's canonical text, and limits of its
// keys.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "graph/graph.hpp"
#include "graph/lengths.hpp"

namespace bellmark {

/// The canonical reference: the formula's own keys, then the common keys of all formulas.
inline std::string formula_text(const std::string& own_keys, const LengthScheme& lengths,
                                std::uint64_t seed) {
  return own_keys + ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
}

/// Throws InputError unless there is a vertex, and a number for each. The error names `reference`.
inline void check_vertex_count(const std::string& reference, std::uint64_t vertex_count) {
  if (vertex_count == 0) {
    throw InputError(reference, "there are no vertices", "give n of at least 1");
  }
  if (vertex_count > std::numeric_limits<Vertex>::max()) {
    throw InputError(reference, "more than 4294967295 vertices", "ask for a smaller graph");
  }
}

}  // namespace bellmark
