// Nearest-neighbour graphs of random points, by cells around each point. generate.hpp has the
// formula.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "graph/formula_text.hpp"
#include "graph/generate.hpp"
#include "graph/make_rows.hpp"
#include "graph/plane_points.hpp"

namespace bellmark {
namespace {

/// A point near another one. Of equal distances, the lower number is nearer.
using NearPoint = std::pair<std::int64_t, Vertex>;  // squared distance, vertex

/// The `count` nearest of vertex v, in no order. Searches the cells in rings around that of v,
/// until no point of a later ring can be nearer than the found ones.
std::vector<NearPoint> nearest_of(Vertex v, std::span<const Coordinate> points,
                                  const PointCells& cells, std::size_t count) {
  std::vector<NearPoint> found;  // a heap: the farthest first
  found.reserve(count + 1);
  const auto consider = [&](const PointCells::Entry& other) {
    if (other.vertex == v) return;
    const NearPoint near(squared_distance(points[v], other.point), other.vertex);
    if (found.size() == count && near > found.front()) return;
    found.push_back(near);
    std::ranges::push_heap(found);
    if (found.size() <= count) return;
    std::ranges::pop_heap(found);
    found.pop_back();
  };
  const std::int64_t column = cells.column_of(points[v].longitude);
  const std::int64_t row = cells.column_of(points[v].latitude);
  const std::int64_t cell_width = kPlaneSide / cells.columns();
  for (std::int64_t ring = 0; ring < cells.columns(); ++ring) {
    for (std::int64_t each = row - ring; each <= row + ring; ++each) {
      if (each == row - ring || each == row + ring) {
        cells.for_each_in(each, column - ring, column + ring, consider);
      } else {
        cells.for_each_in(each, column - ring, column - ring, consider);
        cells.for_each_in(each, column + ring, column + ring, consider);
      }
    }
    // The points of later rings are farther away.
    const std::int64_t covered = ring * cell_width;
    if (found.size() == count && found.front().first <= covered * covered) break;
  }
  return found;
}

}  // namespace

Graph make_nearest(std::uint64_t vertex_count, std::uint64_t neighbour_count,
                   const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference = formula_text(
      "nearest:n=" + std::to_string(vertex_count) + ",k=" + std::to_string(neighbour_count),
      lengths, seed);
  check_vertex_count(reference, vertex_count);
  if (neighbour_count < 1 || neighbour_count >= vertex_count) {
    throw InputError(reference, "k is not in 1..n-1",
                     "it is the number of other vertices that each has an arc to");
  }
  check_memory(reference,
               static_cast<double>(vertex_count) *
                   (kPointBytes + sizeof(Offset) +
                    static_cast<double>(neighbour_count) * (sizeof(Vertex) + sizeof(Length))));

  std::vector<Coordinate> points = draw_points(vertex_count, seed);
  // With half of the neighbours in a cell, most searches end after one ring.
  const double points_a_cell = std::max(1.0, 0.5 * static_cast<double>(neighbour_count));
  const PointCells cells(points, columns_for(vertex_count, points_a_cell));
  const LengthSource length(lengths, seed);
  const Graph graph = make_rows(
      static_cast<Vertex>(vertex_count), false, [&](Vertex) { return neighbour_count; },
      [&](Vertex v, std::span<Vertex> heads, std::span<Length> row_lengths) {
        std::ranges::transform(nearest_of(v, points, cells, heads.size()), heads.begin(),
                               &NearPoint::second);
        std::ranges::sort(heads);
        for (std::size_t i = 0; i < heads.size(); ++i) {
          row_lengths[i] = length.of_ends(v, heads[i]);
        }
      });
  Graph placed = with_coordinates(graph, std::move(points));
  placed.set_provenance(reference);
  return placed;
}

}  // namespace bellmark
