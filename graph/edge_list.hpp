// Graphs as plain lists of arcs. The GAP benchmark suite has this form (`.el`, `.wel`), and so has
// the SNAP collection (after its `.txt` is renamed `.el`). A line `TAIL HEAD` is an arc. In a
// `.wel` its length follows. Comments begin with `#` or `%`. Files are plain or gzip. Ids count
// from 0.
//
// The lists are read as directed: with_arcs() (order.hpp) adds the opposite arcs that a list of
// undirected edges leaves out. Readers accept CRLF, tabs, blank lines and a missing last line end.
// Any other departure from the format is an InputError that names file and line.
//
// The largest id gives the number of vertices: at most 2^31 + 1, and at most 1,000,000 + 32 x arcs.
// The row offsets of a list whose ids have wider gaps would take unlimited memory. A list without
// arcs is an error, because it says nothing about its vertices.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// The graph has no lengths. Provenance is the file's name.
Graph read_el(const std::filesystem::path& path);

/// Reads a list with lengths, between -2^31 and 2^31. With a `factor` they may be fractions in the
/// file, and Scanner::take_scaled() scales and rounds them.
Graph read_wel(const std::filesystem::path& path, std::optional<double> factor = std::nullopt);

/// Reads bytes in memory (plain or gzip). Errors name them `name`.
Graph parse_el(std::string_view bytes, const std::string& name);
Graph parse_wel(std::string_view bytes, const std::string& name,
                std::optional<double> factor = std::nullopt);

}  // namespace bellmark
