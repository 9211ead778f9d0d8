// Graphs as sparse matrices in the Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR
// 5935, 1996), which the SuiteSparse collection uses. A file has a header, comments that begin with
// `%`, and a size line `ROWS COLUMNS ENTRIES`. Then each entry has a line `ROW COLUMN [VALUE]`.
// Plain or gzip.
//
// The tolerance and the limits are those of the DIMACS readers (dimacs.hpp). Comments may stand
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
/// The entry in row u and column v is an arc from u to v. Repeated entries are parallel arcs,
/// entries on the diagonal are self loops, and entries of value 0 are arcs of length 0. With the
/// symmetry `general` every entry is one arc. With `symmetric` an entry on the diagonal is one
/// arc. An entry off the diagonal, on either side of it, gives the arcs there and back.
///
/// With the field `integer` a value is a length, between -2^31 and 2^31. With `real` it is read as
/// a double, and a fraction is an error. With `pattern` the graph has no lengths. All other
/// matrices (`array`, `complex`, `hermitian`, `skew-symmetric`) are errors. Provenance is the
/// file's name.
///
/// With a `factor` values may be fractions. A length is the value times the factor, which
/// Scanner::take_scaled() rounds. A matrix without values is then an error.
Graph read_matrix_market(const std::filesystem::path& path,
                         std::optional<double> factor = std::nullopt);

/// Reads bytes in memory (plain or gzip). Errors name them `name`.
Graph parse_matrix_market(std::string_view bytes, const std::string& name,
                          std::optional<double> factor = std::nullopt);

}  // namespace bellmark
