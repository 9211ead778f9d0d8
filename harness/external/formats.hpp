// The forms in which a program may read a graph, and files of them that are written once and kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::external {

/// `gr`, `gr.gz`, `bmg`, `el`, `wel`, `mtx`, `sg`, `wsg`, `adj`, `galois`, `sp`.
const std::vector<std::string>& known_formats();

/// The number of the first vertex in files of the format: 0 or 1.
Vertex first_vertex_of(const std::string& format);

/// True if its files name the source of a query, so that each query has a file of its own.
bool is_of_a_query(const std::string& format);

/// The file of the graph in that form. A missing file is written, whole or not at all. Its name
/// holds the digest of the graph. Throws MachineError.
std::filesystem::path cached_file(const Graph& graph, const std::string& format);

/// A file of a graph and a source, in a format that is_of_a_query(). O(n + m). Throws MachineError.
void write_query(const Graph& graph, Vertex source, const std::filesystem::path& path);

}  // namespace bellmark::external
