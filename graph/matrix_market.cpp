// Reads sparse matrices in the Matrix Market exchange format.
#include "graph/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <vector>

#include "base/input.hpp"
#include "base/text.hpp"
#include "graph/scan_file.hpp"
#include "graph/scanner.hpp"

namespace bellmark {
namespace {

enum class Field { pattern, integer, real };

struct Header {
  Field field = Field::pattern;
  bool symmetric = false;
};

/// The next word in lower case: a header ignores the letter case.
std::string take_header_word(Scanner& in) {
  std::string word(in.take_word());
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

[[noreturn]] void fail_header(const Scanner& in, const std::string& what) {
  in.fail(what,
          "the first line must be '%%MatrixMarket matrix coordinate pattern|integer|real "
          "general|symmetric'");
}

[[noreturn]] void fail_header_word(const Scanner& in, const std::string& part,
                                   const std::string& word) {
  fail_header(in, word.empty() ? part + " is missing from the header"
                               : "unknown " + part + " '" + shown(word) + "' in the header");
}

Field take_field(Scanner& in) {
  const std::string word = take_header_word(in);
  if (word == "pattern") return Field::pattern;
  if (word == "integer") return Field::integer;
  if (word == "real") return Field::real;
  if (word == "complex") {
    in.fail("the entries are complex numbers, which are no lengths",
            "write whole numbers and integer in the header, or no values and pattern");
  }
  fail_header_word(in, "field", word);
}

bool take_symmetry(Scanner& in) {
  const std::string word = take_header_word(in);
  if (word == "symmetric") return true;
  if (word == "general") return false;
  if (word == "skew-symmetric") {
    in.fail("opposite entries of a skew-symmetric matrix differ in sign, so an edge has no length",
            "list the entries of both sides and write general in the header, or make them "
            "symmetric");
  }
  if (word == "hermitian") {
    in.fail("opposite entries of a hermitian matrix are complex, which are no lengths",
            "write whole numbers and symmetric in the header");
  }
  fail_header_word(in, "symmetry", word);
}

Header take_header(Scanner& in) {
  if (!in.next_line() || take_header_word(in) != "%%matrixmarket") {
    fail_header(in, "there is no header; is this a Matrix Market file?");
  }
  const std::string object = take_header_word(in);
  if (object != "matrix") fail_header_word(in, "object", object);
  const std::string format = take_header_word(in);
  if (format == "array") {
    in.fail("an array has an entry for every pair of vertices, and so does not say which are arcs",
            "write the entries that are arcs, and coordinate in the header");
  }
  if (format != "coordinate") fail_header_word(in, "format", format);
  Header header;
  header.field = take_field(in);
  header.symmetric = take_symmetry(in);
  in.end_line();
  return header;
}

/// Moves to the next line that is not a comment; false at the end of the file.
bool next_line(Scanner& in) {
  while (in.next_line()) {
    if (in.first() != '%') [[likely]]
      return true;
    in.skip_line();
  }
  return false;
}

Length take_whole_real(Scanner& in) {
  constexpr const char* kRange = "-2147483647..2147483647";
  static_assert(kLeastLength == -2147483647);
  const std::string_view word = in.take_word();
  if (word.empty()) in.fail("length is missing", "the line ends too early");
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
    in.fail("length " + shown(word) + " is not a number",
            std::string("write a whole number in ") + kRange);
  }
  // Also for a number that no double holds, and for one that is not finite.
  if (error != std::errc() || !(std::abs(value) <= std::numeric_limits<Length>::max())) {
    in.fail("length " + shown(word) + " is out of range", std::string("it must be in ") + kRange);
  }
  if (value != std::floor(value)) {
    in.fail(
        "length " + shown(word) + " is not whole",
        "lengths are whole numbers: read it with ,lengths=scaled:1000 after the name, or remove "
        "the values and write pattern in the header");
  }
  return static_cast<Length>(value);
}

Length take_value(Scanner& in, Field field, std::optional<double> factor) {
  if (factor) return in.take_scaled(*factor, "length");
  switch (field) {
    case Field::pattern:
      if (in.first() != '\n') {
        in.fail("a value in a pattern matrix",
                "write integer or real in the header, or remove the value");
      }
      return 1;
    case Field::integer:
      return in.take_signed("length");
    case Field::real:
      break;
  }
  return take_whole_real(in);
}

Graph scan_matrix(Input& input, std::optional<double> factor) {
  Scanner in(input);
  const Header header = take_header(in);
  if (factor && header.field == Field::pattern) {
    in.fail("a pattern matrix has no values to scale", "leave lengths=scaled: out");
  }
  if (!next_line(in)) {
    in.fail("there is no size line", "write 'ROWS COLUMNS ENTRIES' below the header");
  }
  const std::uint64_t vertex_count = in.take_number(0, kMostVertices, "row count");
  const std::uint64_t column_count = in.take_number(0, kMostVertices, "column count");
  if (column_count != vertex_count) {
    in.fail(std::to_string(vertex_count) + " rows and " + std::to_string(column_count) + " columns",
            "a graph's matrix is square: if rows and columns are the same vertices, write the "
            "larger number twice");
  }
  const std::uint64_t entry_count = in.take_number(0, kMostArcs, "entry count");
  const std::string size_line = std::to_string(in.line());
  in.end_line();

  std::vector<Arc> arcs;
  // The shortest entry line has 4 bytes, and about 2 after compression.
  constexpr std::uint64_t kLeastEntryBytes = 2;
  arcs.reserve((header.symmetric ? 2 : 1) *
               std::min(entry_count, input.stored_bytes() / kLeastEntryBytes));
  std::uint64_t count = 0;
  for (; next_line(in); ++count) {
    if (count == entry_count) {
      in.fail("more entries than the " + std::to_string(entry_count) + " that line " + size_line +
                  " announces",
              "correct the size line or remove the rest");
    }
    const Vertex tail = take_vertex(in, static_cast<Vertex>(vertex_count), "row");
    const Vertex head = take_vertex(in, static_cast<Vertex>(vertex_count), "column");
    const Length length = take_value(in, header.field, factor);
    in.end_line();
    arcs.push_back({tail, head, length});
    if (header.symmetric && tail != head) arcs.push_back({head, tail, length});
  }
  if (count < entry_count) {
    in.fail("the file ends after " + std::to_string(count) + " of the " +
                std::to_string(entry_count) + " entries that line " + size_line + " announces",
            "fetch the file again or correct the size line");
  }
  check_vertex_count(input, vertex_count, count, "entries", "size line");
  return graph_of(input, static_cast<Vertex>(vertex_count), arcs, header.field != Field::pattern);
}

}  // namespace

Graph read_matrix_market(const std::filesystem::path& path, std::optional<double> factor) {
  Input input(path);
  return scan_matrix(input, factor);
}

Graph parse_matrix_market(std::string_view bytes, const std::string& name,
                          std::optional<double> factor) {
  Input input(bytes, name);
  return scan_matrix(input, factor);
}

}  // namespace bellmark
