// Random geometric graphs of the unit square (Gilbert: Random Plane Networks, 1961), in whole
// numbers throughout. generate.hpp has the formula.
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

constexpr int kShareBits = 60;

/// The probability that two points of the unit square lie within r of each other, for r of at most
/// 1: pi r^2 - 8/3 r^3 + r^4 / 2, in units of 2^-60. `radius` is r in units of 2^-26. The square's
/// border cuts off the last two terms (Ghosh: Random Distances within a Rectangle and between Two
/// Rectangles, 1951).
std::int64_t share_within(std::int64_t radius) {
  constexpr Int128 kPi = 3'622'009'729'038'561'421;  // in units of 2^-60
  const Int128 square = Int128{radius} * radius;
  const Int128 cube = square * radius;
  return static_cast<std::int64_t>((kPi * square >> 2 * kPlaneBits) -
                                   (cube * 8 / 3 >> (3 * kPlaneBits - kShareBits)) +
                                   (square * square >> (4 * kPlaneBits + 1 - kShareBits)));
}

/// The largest radius at which a vertex has `degree` neighbours or fewer on average.
std::int64_t radius_for(const std::string& reference, std::uint64_t vertex_count, double degree) {
  constexpr int kDegreeBits = 20;
  const auto expected = [&](std::int64_t radius) {
    return Int128{share_within(radius)} * static_cast<std::int64_t>(vertex_count - 1);
  };
  const auto wanted = Int128{static_cast<std::int64_t>(degree * (1 << kDegreeBits))}
                      << (kShareBits - kDegreeBits);
  if (wanted > expected(kPlaneSide)) {
    throw InputError(reference, "degree is too large for a radius of 1, the square's side",
                     "give a degree of at most 0.97 (n - 1)");
  }
  std::int64_t low = 0;
  std::int64_t high = kPlaneSide;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (expected(middle) <= wanted) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

Graph make_geometric(std::uint64_t vertex_count, double degree, const LengthScheme& lengths,
                     std::uint64_t seed) {
  const std::string reference = formula_text(
      "geometric:n=" + std::to_string(vertex_count) + ",degree=" + shortest(degree), lengths, seed);
  check_vertex_count(reference, vertex_count);
  if (!(degree >= 0 && degree <= static_cast<double>(vertex_count - 1))) {
    throw InputError(reference, "degree is not in 0..n-1",
                     "it is the mean number of neighbours of a vertex");
  }
  const std::int64_t radius = radius_for(reference, vertex_count, degree);
  check_memory(reference,
               static_cast<double>(vertex_count) *
                   (kPointBytes + sizeof(Offset) + degree * (sizeof(Vertex) + sizeof(Length))));

  std::vector<Coordinate> points = draw_points(vertex_count, seed);
  // A cell is at least as wide as the radius, so neighbours lie in neighbouring cells.
  const auto columns = std::min<std::int64_t>(columns_for(vertex_count, 1),
                                              kPlaneSide / std::max<std::int64_t>(radius, 1));
  const PointCells cells(points, static_cast<std::uint32_t>(columns));
  const LengthSource length(lengths, seed);
  const auto for_each_neighbour = [&](Vertex v, auto visit) {
    const std::int64_t column = cells.column_of(points[v].longitude);
    const std::int64_t row = cells.column_of(points[v].latitude);
    for (std::int64_t near = row - 1; near <= row + 1; ++near) {
      cells.for_each_in(near, column - 1, column + 1, [&](const PointCells::Entry& other) {
        if (other.vertex == v) return;
        if (squared_distance(points[v], other.point) <= radius * radius) visit(other.vertex);
      });
    }
  };
  const Graph graph = make_rows(
      static_cast<Vertex>(vertex_count), length.opposite_agree(),
      [&](Vertex v) {
        Offset row_size = 0;
        for_each_neighbour(v, [&](Vertex) { ++row_size; });
        return row_size;
      },
      [&](Vertex v, std::span<Vertex> heads, std::span<Length> row_lengths) {
        std::size_t i = 0;
        for_each_neighbour(v, [&](Vertex neighbour) { heads[i++] = neighbour; });
        std::ranges::sort(heads);
        for (i = 0; i < heads.size(); ++i) row_lengths[i] = length.of_ends(v, heads[i]);
      });
  Graph placed = with_coordinates(graph, std::move(points));
  placed.set_provenance(reference);
  return placed;
}

}  // namespace bellmark
