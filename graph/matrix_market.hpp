// Graphs as sparse matrices in the Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR
// 5935, 1996), as the SuiteSparse collection gives them: a header, comments that begin with `%`, a
// size line `ROWS COLUMNS ENTRIES`, then a line `ROW COLUMN [VALUE]` for each entry; plain or gzip.
//
// Read with the tolerance and the limits of the DIMACS readers (dimacs.hpp); comments may stand
// anywhere below the header.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// `%%MatrixMarket matrix coordinate FIELD SYMMETRY` of a square matrix, in any letter case.
///
/// The entry in row u and column v is an arc from u to v. Entries that are listed twice are
/// parallel arcs, those on the diagonal are self loops, those with the value 0 are arcs of length
/// 0. With the symmetry `general` every entry is one arc; with `symmetric` an entry off the
/// diagonal, on whichever side of it, gives the arcs there and back, one on it gives one arc.
///
/// With the field `integer` a value is a length, between -2^31 and 2^31; with `real` too, each read
/// as a double, and one that is not whole is an error; with `pattern` the graph has no lengths. All
/// other matrices (`array`, `complex`, `hermitian`, `skew-symmetric`) are errors. Provenance is the
/// file's name.
///
/// With a `factor` values may be fractions: a length is the value times the factor, rounded as
/// Scanner::take_scaled() does; a matrix without values is then an error.
Graph read_matrix_market(const std::filesystem::path& path,
                         std::optional<double> factor = std::nullopt);

/// The same from bytes in memory (plain or gzip); `name` stands for the path in errors.
Graph parse_matrix_market(std::string_view bytes, const std::string& name,
                          std::optional<double> factor = std::nullopt);

}  // namespace bellmark
