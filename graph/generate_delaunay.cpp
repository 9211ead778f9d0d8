// Delaunay triangulations of random points. generate.hpp has the formula.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "graph/delaunay.hpp"
#include "graph/formula_text.hpp"
#include "graph/generate.hpp"
#include "graph/pair_rows.hpp"
#include "graph/plane_points.hpp"

namespace bellmark {

Graph make_delaunay(std::uint64_t vertex_count, const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference =
      formula_text("delaunay:n=" + std::to_string(vertex_count), lengths, seed);
  check_vertex_count(reference, vertex_count);
  // The six half-edges of each point have numbers of 32 bits.
  constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 29;
  if (vertex_count > kMostPoints) {
    throw InputError(reference, "more than 2^29 vertices", "ask for a smaller graph");
  }
  check_memory(reference, static_cast<double>(vertex_count) *
                              (sizeof(Coordinate) + kDelaunayPointBytes + kPairRowsVertexBytes));

  std::vector<Coordinate> points = draw_points(vertex_count, seed);
  const Graph graph = graph_of_pairs(static_cast<Vertex>(vertex_count), delaunay_edges(points),
                                     PairsAre::edges, LengthSource(lengths, seed));
  Graph placed = with_coordinates(graph, std::move(points));
  placed.set_provenance(reference);
  return placed;
}

}  // namespace bellmark
