// Reads the text formats of the 9th DIMACS Implementation Challenge.
#include "graph/dimacs.hpp"

#include <algorithm>

#include "base/input.hpp"
#include "graph/scan_file.hpp"
#include "graph/scanner.hpp"

namespace bellmark {
namespace {

Graph scan_gr(Input& input) {
  Scanner in(input);
  std::uint64_t vertex_count = 0;
  std::vector<Arc> arcs;
  scan_file(
      in, 'a', "arc",
      [&] {
        take_problem(in, {"sp"});
        vertex_count = in.take_number(0, kMostVertices, "vertex count");
        const std::uint64_t arc_count = in.take_number(0, kMostArcs, "arc count");
        // The shortest arc line has 8 bytes, and about 4 after compression.
        constexpr std::uint64_t kLeastArcBytes = 4;
        arcs.reserve(std::min(arc_count, input.stored_bytes() / kLeastArcBytes));
        return arc_count;
      },
      [&] {
        const Vertex tail = take_vertex(in, static_cast<Vertex>(vertex_count), "tail");
        const Vertex head = take_vertex(in, static_cast<Vertex>(vertex_count), "head");
        arcs.push_back({tail, head, in.take_signed("length")});
      });
  check_vertex_count(input, vertex_count, arcs.size(), "arcs");
  return graph_of(input, static_cast<Vertex>(vertex_count), arcs, true);
}

std::vector<Coordinate> scan_co(Input& input, Vertex vertex_count) {
  Scanner in(input);
  std::vector<Coordinate> coordinates(vertex_count);
  std::vector<bool> seen(vertex_count, false);
  scan_file(
      in, 'v', "vertex",
      [&] {
        take_problem(in, {"aux", "sp", "co"});
        const std::uint64_t announced = in.take_number(0, kMostVertices, "vertex count");
        if (announced != vertex_count) {
          in.fail("coordinates of " + std::to_string(announced) + " vertices for a graph of " +
                      std::to_string(vertex_count),
                  "name the file that belongs to the graph");
        }
        return announced;
      },
      [&] {
        const Vertex vertex = take_vertex(in, vertex_count, "vertex");
        if (seen[vertex]) {
          in.fail("vertex " + std::to_string(vertex + 1) + " occurs twice",
                  "give every vertex one coordinate");
        }
        seen[vertex] = true;
        const std::int32_t longitude = in.take_signed("longitude");
        coordinates[vertex] = {longitude, in.take_signed("latitude")};
      });
  return coordinates;
}

std::vector<Vertex> scan_ss(Input& input, Vertex vertex_count) {
  Scanner in(input);
  std::vector<Vertex> sources;
  scan_file(
      in, 's', "source",
      [&] {
        take_problem(in, {"aux", "sp", "ss"});
        return in.take_number(0, kMostArcs, "source count");
      },
      [&] { sources.push_back(take_vertex(in, vertex_count, "source")); });
  return sources;
}

std::vector<std::pair<Vertex, Vertex>> scan_p2p(Input& input, Vertex vertex_count) {
  Scanner in(input);
  std::vector<std::pair<Vertex, Vertex>> queries;
  scan_file(
      in, 'q', "query",
      [&] {
        take_problem(in, {"aux", "sp", "p2p"});
        return in.take_number(0, kMostArcs, "query count");
      },
      [&] {
        const Vertex source = take_vertex(in, vertex_count, "source");
        queries.emplace_back(source, take_vertex(in, vertex_count, "target"));
      });
  return queries;
}

}  // namespace

Graph read_gr(const std::filesystem::path& path) {
  Input input(path);
  return scan_gr(input);
}

std::vector<Coordinate> read_co(const std::filesystem::path& path, Vertex vertex_count) {
  Input input(path);
  return scan_co(input, vertex_count);
}

std::vector<Vertex> read_ss(const std::filesystem::path& path, Vertex vertex_count) {
  Input input(path);
  return scan_ss(input, vertex_count);
}

std::vector<std::pair<Vertex, Vertex>> read_p2p(const std::filesystem::path& path,
                                                Vertex vertex_count) {
  Input input(path);
  return scan_p2p(input, vertex_count);
}

Graph parse_gr(std::string_view bytes, const std::string& name) {
  Input input(bytes, name);
  return scan_gr(input);
}

std::vector<Coordinate> parse_co(std::string_view bytes, const std::string& name,
                                 Vertex vertex_count) {
  Input input(bytes, name);
  return scan_co(input, vertex_count);
}

std::vector<Vertex> parse_ss(std::string_view bytes, const std::string& name, Vertex vertex_count) {
  Input input(bytes, name);
  return scan_ss(input, vertex_count);
}

std::vector<std::pair<Vertex, Vertex>> parse_p2p(std::string_view bytes, const std::string& name,
                                                 Vertex vertex_count) {
  Input input(bytes, name);
  return scan_p2p(input, vertex_count);
}

}  // namespace bellmark
