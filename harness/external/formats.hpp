// The forms in which a program may read a graph, and files of them, written once and kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::external {

/// `gr`, `gr.gz`, `bmg`, `el`, `wel`, `mtx`, `sg`, `wsg`, `adj`, `galois`, `sp`.
const std::vector<std::string>& known_formats();

/// What files of the format call the first vertex: 0 or 1.
Vertex first_vertex_of(const std::string& format);

/// Whether its files name the source of a query, so that each query has a file of its own.
bool is_of_a_query(const std::string& format);

/// Where graph files are kept: $BELLMARK_CACHE, else the user's $XDG_CACHE_HOME/bellmark or
/// ~/.cache/bellmark.
std::filesystem::path cache_folder();

/// The file of the graph in that form. It is written where it is not there yet, whole or not at
/// all; its name has the digest of what the graph is. Throws MachineError.
std::filesystem::path cached_file(const Graph& graph, const std::string& format);

/// A file of a graph and a source, in a format that is_of_a_query(). O(n + m). Throws MachineError.
void write_query(const Graph& graph, Vertex source, const std::filesystem::path& path);

}  // namespace bellmark::external
