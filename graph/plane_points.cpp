#include "graph/plane_points.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {

std::vector<Coordinate> draw_points(std::uint64_t count, std::uint64_t seed) {
  const Stream stream(seed, Stream::points);
  std::vector<Coordinate> points(count);
  in_parallel(count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v) {
      points[v] = {static_cast<std::int32_t>(stream.below(2 * v, kPlaneSide)),
                   static_cast<std::int32_t>(stream.below(2 * v + 1, kPlaneSide))};
    }
  });
  return points;
}

PointCells::PointCells(std::span<const Coordinate> points, std::uint32_t columns)
    : columns_(columns), begins_(std::size_t{columns} * columns + 1), entries_(points.size()) {
  const auto cell_of = [&](const Coordinate& point) {
    return static_cast<std::size_t>(column_of(point.latitude) * columns_ +
                                    column_of(point.longitude));
  };
  for (const Coordinate& point : points) ++begins_[cell_of(point)];
  Vertex count = 0;
  for (Vertex& cell : begins_) {
    count += cell;
    cell = count;
  }
  // From the last point on, so that each cell's end moves to its beginning.
  for (std::size_t v = points.size(); v-- > 0;) {
    entries_[--begins_[cell_of(points[v])]] = {points[v], static_cast<Vertex>(v)};
  }
}

std::uint32_t columns_for(std::uint64_t point_count, double points_a_cell) {
  const double cells = static_cast<double>(point_count) / points_a_cell;
  return static_cast<std::uint32_t>(std::max(1.0, std::sqrt(cells)));
}

}  // namespace bellmark
