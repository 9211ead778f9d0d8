// Reads the text form of the PACE challenge.
#include "graph/pace.hpp"

#include <algorithm>
#include <vector>

#include "base/input.hpp"
#include "graph/scan_file.hpp"
#include "graph/scanner.hpp"

namespace bellmark {
namespace {

Graph scan_pace(Input& input) {
  Scanner in(input);
  std::uint64_t vertex_count = 0;
  std::vector<Arc> arcs;
  scan_file(
      in, kNoLetter, "edge",
      [&] {
        take_problem(in, {"tw"});
        vertex_count = in.take_number(0, kMostVertices, "vertex count");
        const std::uint64_t edge_count = in.take_number(0, kMostArcs, "edge count");
        // The shortest edge line has 4 bytes, and about 2 after compression.
        constexpr std::uint64_t kLeastEdgeBytes = 2;
        arcs.reserve(2 * std::min(edge_count, input.stored_bytes() / kLeastEdgeBytes));
        return edge_count;
      },
      [&] {
        const Vertex u = take_vertex(in, static_cast<Vertex>(vertex_count), "vertex");
        const Vertex v = take_vertex(in, static_cast<Vertex>(vertex_count), "vertex");
        if (u == v) {
          in.fail("edge from vertex " + std::to_string(u + 1) + " to itself",
                  "remove the line: a PACE graph has no self loops");
        }
        arcs.push_back({u, v, 1});
        arcs.push_back({v, u, 1});
      });
  check_vertex_count(input, vertex_count, arcs.size() / 2, "edges");
  return graph_of(input, static_cast<Vertex>(vertex_count), arcs, false);
}

}  // namespace

Graph read_pace(const std::filesystem::path& path) {
  Input input(path);
  return scan_pace(input);
}

Graph parse_pace(std::string_view bytes, const std::string& name) {
  Input input(bytes, name);
  return scan_pace(input);
}

}  // namespace bellmark
