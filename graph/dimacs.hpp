// The text formats of the 9th DIMACS Implementation Challenge (shortest paths): graphs (`.gr`),
// coordinates (`.co`), sources (`.ss`) and point-to-point queries (`.p2p`); plain or gzip.
//
// Readers accept CRLF, tabs, blank lines and a missing last line end. Any other departure from the
// format is an InputError that names file and line. Ids count from 1 in files, from 0 here. A file
// may announce at most 1,000,000 + 16 x arcs vertices: a header alone never decides an allocation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

inline constexpr Vertex kAnyVertexCount = std::numeric_limits<Vertex>::max();

/// `p sp N M`, then M lines `a TAIL HEAD LENGTH`, the length between -2^31 and 2^31. Provenance is
/// the file's name.
Graph read_gr(const std::filesystem::path& path);

/// `p aux sp co N`, then N lines `v ID LONGITUDE LATITUDE`, each vertex once.
std::vector<Coordinate> read_co(const std::filesystem::path& path, Vertex vertex_count);

/// `p aux sp ss K`, then K lines `s SOURCE`, in file order. Ids above `vertex_count` are errors.
std::vector<Vertex> read_ss(const std::filesystem::path& path,
                            Vertex vertex_count = kAnyVertexCount);

/// `p aux sp p2p K`, then K lines `q SOURCE TARGET`, in file order.
std::vector<std::pair<Vertex, Vertex>> read_p2p(const std::filesystem::path& path,
                                                Vertex vertex_count = kAnyVertexCount);

/// Reads bytes in memory (plain or gzip). Errors name them `name`.
Graph parse_gr(std::string_view bytes, const std::string& name);
std::vector<Coordinate> parse_co(std::string_view bytes, const std::string& name,
                                 Vertex vertex_count);
std::vector<Vertex> parse_ss(std::string_view bytes, const std::string& name,
                             Vertex vertex_count = kAnyVertexCount);
std::vector<std::pair<Vertex, Vertex>> parse_p2p(std::string_view bytes, const std::string& name,
                                                 Vertex vertex_count = kAnyVertexCount);

/// Writes a file for read_gr(), arcs by tail, with the provenance as a comment. It is compressed if
/// the name ends in `.gz`, and is written whole or not at all. A graph without lengths gets 1s.
/// Throws InputError for a graph that read_gr() would refuse for its isolated vertices,
/// MachineError when the machine fails.
void write_gr(const Graph& graph, const std::filesystem::path& path);

/// Writes the coordinates in the same way. Throws InputError when the graph has none.
void write_co(const Graph& graph, const std::filesystem::path& path);

/// The most vertices that a text file of this number of arcs may announce.
constexpr std::uint64_t most_vertices(std::uint64_t arc_count) {
  return 1'000'000 + 16 * arc_count;
}

}  // namespace bellmark
