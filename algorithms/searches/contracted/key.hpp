// The key `contract`, for families that can leave out leaves and chains.
#pragma once

#include "algorithms/contract/description.hpp"
#include "graph/graph.hpp"

namespace bellmark::contracted {

inline constexpr const char* kContract = "contract";

/// `contract`: whether the search leaves out leaves and chains, whose distances follow from the
/// others'.
Key contract_key();

/// False for settings without the key.
bool contracts(const Settings& settings);

/// Throws InputError where the graph has more arcs than contraction can number.
void refuse_large(const Graph& graph);

/// Whether more than an eighth of the vertices have one or two arcs. A search without leaves and
/// chains is then faster on every graph measured (road maps, grids with gaps). O(n).
bool has_chains(const Graph& graph);

}  // namespace bellmark::contracted
