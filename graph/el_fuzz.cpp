// Fuzz target: an edge list, plain or gzip, read as a `.el` and as a `.wel` file.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "graph/edge_list.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

/// The arcs of an accepted file, read in the plainest way.
std::vector<Arc> plain_arcs(std::string_view text, bool has_lengths) {
  std::vector<Arc> arcs;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#' || line[begin] == '%') continue;
    std::istringstream fields(line);
    Arc arc{0, 0, 1};
    std::string rest;
    require(static_cast<bool>(fields >> arc.tail >> arc.head), "two ids on a line");
    require(!has_lengths || static_cast<bool>(fields >> arc.length), "a length after them");
    require(!(fields >> rest), "nothing behind them");
    arcs.push_back(arc);
  }
  return arcs;
}

void check(std::string_view bytes, bool has_lengths) {
  const Graph graph = has_lengths ? parse_wel(bytes, "fuzz.wel") : parse_el(bytes, "fuzz.el");
  require_sound(graph);
  require(graph.has_lengths() == has_lengths, "lengths where the file has them");
  if (is_gzip(bytes)) return;
  std::vector<Arc> arcs = plain_arcs(bytes, has_lengths);
  Vertex largest = 0;
  for (const Arc& arc : arcs) largest = std::max({largest, arc.tail, arc.head});
  require(graph.vertex_count() == largest + 1, "vertices up to the largest id");
  std::ranges::stable_sort(arcs, {}, &Arc::tail);
  std::vector<Arc> found;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      found.push_back({u, graph.heads()[e], graph.length(e)});
    }
  }
  require(found == arcs, "the arcs of the file");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool has_lengths : {false, true}) {
    try {
      bellmark::check({reinterpret_cast<const char*>(data), size}, has_lengths);
    } catch (const bellmark::InputError&) {
      // A refusal is a good answer. Any other exception is a finding.
    }
  }
  return 0;
}
