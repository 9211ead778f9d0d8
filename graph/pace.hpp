// Graphs in the text form of the PACE challenge (Parameterized Algorithms and Computational
// Experiments, treewidth track 2016): `p tw N M`, then M lines `U V`, an undirected edge each;
// comments begin with `c`; plain or gzip. There are no lengths.
//
// Read with the tolerance and the limits of the DIMACS readers (dimacs.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// Every edge gives the arcs there and back. The graph has no lengths. A self loop is an error.
/// Provenance is the file's name.
Graph read_pace(const std::filesystem::path& path);

/// The same from bytes in memory (plain or gzip); `name` stands for the path in errors.
Graph parse_pace(std::string_view bytes, const std::string& name);

}  // namespace bellmark
