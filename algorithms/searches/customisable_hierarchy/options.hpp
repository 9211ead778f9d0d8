// The settings that families over a customisable hierarchy share.
#pragma once

#include <cstddef>
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

}  // namespace bellmark::customisable_hierarchy
