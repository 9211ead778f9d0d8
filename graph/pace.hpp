// Graphs in the text form of the PACE challenge (Parameterized Algorithms and Computational
// Experiments, treewidth track 2016): `p tw N M`, then M lines `U V`, each an undirected edge.
// Comments begin with `c`. Plain or gzip. There are no lengths.
//
// The tolerance and the limits are those of the DIMACS readers (dimacs.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// Every edge gives the arcs there and back. The graph has no lengths. A self loop is an error.
/// Provenance is the file's name.
Graph read_pace(const std::filesystem::path& path);

/// Reads bytes in memory (plain or gzip). Errors name them `name`.
Graph parse_pace(std::string_view bytes, const std::string& name);

}  // namespace bellmark
