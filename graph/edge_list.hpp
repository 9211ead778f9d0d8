// Graphs as plain lists of arcs, as the GAP benchmark suite (`.el`, `.wel`) and the SNAP collection
// (once its `.txt` is called `.el`) give them: a line `TAIL HEAD` for each arc, with its length
// behind them in a `.wel`; comments begin with `#` or `%`; plain or gzip. Ids count from 0.
//
// The lists are read as directed: with_arcs() (order.hpp) adds the opposite arcs that a list of
// undirected edges leaves out. Readers accept CRLF, tabs, blank lines and a missing last line end.
// Whatever else departs from the format is an InputError that names file and line.
//
// There are as many vertices as the largest id says, at most 2^31 + 1 and at most 1,000,000 + 32 x
// arcs: a list whose ids have wider gaps would take memory without end for its row offsets. A list
// without arcs is an error, for it says nothing of its vertices.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// The graph has no lengths. Provenance is the file's name.
Graph read_el(const std::filesystem::path& path);

/// The same with lengths, between -2^31 and 2^31. With a `factor` they may be fractions in the
/// file, and are scaled and rounded as Scanner::take_scaled() does.
Graph read_wel(const std::filesystem::path& path, std::optional<double> factor = std::nullopt);

/// The same from bytes in memory (plain or gzip); `name` stands for the path in errors.
Graph parse_el(std::string_view bytes, const std::string& name);
Graph parse_wel(std::string_view bytes, const std::string& name,
                std::optional<double> factor = std::nullopt);

}  // namespace bellmark
