// Reads plain lists of arcs.
#include "graph/edge_list.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/input.hpp"
#include "graph/scan_file.hpp"
#include "graph/scanner.hpp"

namespace bellmark {
namespace {

constexpr std::uint64_t kLargestId = std::uint64_t{1} << 31;

/// The most vertices that a list of this number of arcs may have. The widest gaps of a common list:
/// SNAP's cit-HepTh has ids up to 9,912,553 in 352,807 lines, 28 vertices an arc.
constexpr std::uint64_t most_listed_vertices(std::uint64_t arc_count) {
  return 1'000'000 + 32 * arc_count;
}

constexpr const char* kRenumber = "renumber the vertices, from 0 and without gaps";

Vertex take_id(Scanner& in, const char* what) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t id = in.take_number(0, kLargest, what);
  if (id > kLargestId) [[unlikely]] {
    constexpr int kOffsetsOfGibi = 27;  // 2^27 row offsets of 8 bytes
    in.fail(std::string(what) + " " + std::to_string(id) + (id == kLargest ? " or more" : "") +
                " is above " + std::to_string(kLargestId) + ": row offsets up to it would take " +
                std::to_string(id >> kOffsetsOfGibi) + " GiB",
            kRenumber);
  }
  return static_cast<Vertex>(id);
}

Length take_length(Scanner& in, std::optional<double> factor) {
  if (factor) return in.take_scaled(*factor, "length");
  return in.take_signed(
      "length",
      "lengths are whole numbers: read it with ,lengths=scaled:1000 after the name, or remove the "
      "lengths and let its name end in .el");
}

Graph scan_list(Input& input, bool has_lengths, std::optional<double> factor = std::nullopt) {
  Scanner in(input);
  std::vector<Arc> arcs;
  Vertex largest = 0;
  std::uint64_t largest_line = 1;
  while (in.next_line()) {
    if (in.first() == '#' || in.first() == '%') {
      if (in.take_word() == "%%MatrixMarket") {
        in.fail("this is a Matrix Market file, not an edge list", "let its name end in .mtx");
      }
      in.skip_line();
      continue;
    }
    const Vertex tail = take_id(in, "tail");
    const Vertex head = take_id(in, "head");
    if (!has_lengths && in.first() != '\n') {
      in.fail("a third field in a list without lengths",
              "let its name end in .wel if it is the length, or remove it");
    }
    arcs.push_back({tail, head, has_lengths ? take_length(in, factor) : 1});
    in.end_line();
    if (std::max(tail, head) > largest) {
      largest = std::max(tail, head);
      largest_line = in.line();
    }
  }
  if (arcs.empty()) in.fail("there is no arc", "is this an edge list?");
  const Vertex vertex_count = largest + 1;
  if (vertex_count > most_listed_vertices(arcs.size())) {
    constexpr int kOffsetsOfMebi = 17;
    throw InputError(
        input.name() + ":" + std::to_string(largest_line),
        "vertex " + std::to_string(largest) + " makes " + std::to_string(vertex_count) +
            " vertices (" + std::to_string(vertex_count >> kOffsetsOfMebi) +
            " MiB of row offsets) of a list of only " + std::to_string(arcs.size()) + " arcs",
        std::string("at most 1,000,000 + 32 x arcs are believed: ") + kRenumber);
  }
  return graph_of(input, vertex_count, arcs, has_lengths);
}

}  // namespace

Graph read_el(const std::filesystem::path& path) {
  Input input(path);
  return scan_list(input, false);
}

Graph read_wel(const std::filesystem::path& path, std::optional<double> factor) {
  Input input(path);
  return scan_list(input, true, factor);
}

Graph parse_el(std::string_view bytes, const std::string& name) {
  Input input(bytes, name);
  return scan_list(input, false);
}

Graph parse_wel(std::string_view bytes, const std::string& name, std::optional<double> factor) {
  Input input(bytes, name);
  return scan_list(input, true, factor);
}

}  // namespace bellmark
