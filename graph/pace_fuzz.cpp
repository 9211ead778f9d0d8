// Fuzz target: a `.pace.gr` file, plain or gzip.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"
#include "graph/pace.hpp"

namespace bellmark {
namespace {

/// The edges of an accepted file, read in the plainest way.
std::vector<std::pair<Vertex, Vertex>> plain_edges(std::string_view text) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] < '0' || line[begin] > '9') continue;
    std::istringstream fields(line);
    Vertex u = 0;
    Vertex v = 0;
    std::string rest;
    require(static_cast<bool>(fields >> u >> v), "two numbers on an edge line");
    require(!(fields >> rest), "nothing behind them");
    edges.emplace_back(u - 1, v - 1);
  }
  return edges;
}

void check(std::string_view bytes) {
  const Graph graph = parse_pace(bytes, "fuzz.pace.gr");
  require_sound(graph);
  require(graph.lengths().empty(), "no lengths");
  require(graph.properties().symmetric, "symmetric");
  if (is_gzip(bytes)) return;
  std::vector<std::pair<Vertex, Vertex>> arcs;
  for (const auto& [u, v] : plain_edges(bytes)) {
    arcs.emplace_back(u, v);
    arcs.emplace_back(v, u);
  }
  std::ranges::stable_sort(arcs, {}, &std::pair<Vertex, Vertex>::first);
  std::vector<std::pair<Vertex, Vertex>> found;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      found.emplace_back(u, graph.heads()[e]);
    }
  }
  require(found == arcs, "the edges of the file, both ways");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({reinterpret_cast<const char*>(data), size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer. Any other exception is a finding.
  }
  return 0;
}
