// The settings that families over a customisable hierarchy share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "algorithms/contract/description.hpp"
#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

/// `distance`: bits of a label.
Key distance_key();

/// Everything of a family from one source to all vertices, but its name and needs.
Description describe_one_to_all(std::size_t distance_bits);

/// Turns `distance=auto` into 32 where twice the longest distance fits, else 64. Throws InputError
/// for more arcs than an elimination can number, and where an explicit 32 doesn't fit. O(n + m).
Settings resolve(const std::string& family, const Settings& settings, const Graph& graph);

/// The lower bits of a sweep's label that count arcs; 0 for a graph without arcs of length 0. Such
/// labels have 64 bits. See Customisation::customise().
unsigned tie_bits(const Graph& graph);

/// The longest distance, as labels count it.
std::uint64_t longest_label(const Graph& graph);

/// False where labels of 64 bits may be too short for distances and tie_bits().
bool labels_fit(const Graph& graph);

}  // namespace bellmark::customisable_hierarchy
