// The forms in which a program may read a graph, and files of them, written once and kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::external {

/// `gr`, `gr.gz`, `bmg`, `el`, `wel`, `mtx`.
const std::vector<std::string>& known_formats();

/// Where graph files are kept: $BELLMARK_CACHE, else the user's $XDG_CACHE_HOME/bellmark or
/// ~/.cache/bellmark.
std::filesystem::path cache_folder();

/// The file of the graph in that form. It is written where it is not there yet, whole or not at
/// all; its name has the digest of what the graph is. Throws MachineError.
std::filesystem::path cached_file(const Graph& graph, const std::string& format);

}  // namespace bellmark::external
