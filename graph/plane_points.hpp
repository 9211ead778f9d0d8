// Random points of a square with whole coordinates, and cells that find the points near a point.
//
// Whole numbers make every test of a distance or an angle exact: no rounding, and the same graph on
// every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

/// Coordinates are below 2^26. As micro-degrees they are 0 to 67.1 degrees, which are valid on a
/// map too. A product of two differences is below 2^53, one of four below 2^107.
inline constexpr int kPlaneBits = 26;
inline constexpr std::int64_t kPlaneSide = std::int64_t{1} << kPlaneBits;

__extension__ typedef __int128 Int128;

/// Point v has x = below(draw(seed, 8, 2 v), 2^26), its longitude, and y = below(draw(seed, 8, 2 v
/// + 1), 2^26), its latitude. Uses all threads. O(count).
std::vector<Coordinate> draw_points(std::uint64_t count, std::uint64_t seed);

/// The squared distance in the plane, below 2^53.
inline std::int64_t squared_distance(const Coordinate& a, const Coordinate& b) {
  const std::int64_t x = std::int64_t{a.longitude} - b.longitude;
  const std::int64_t y = std::int64_t{a.latitude} - b.latitude;
  return x * x + y * y;
}

/// Points, by their cell of a square grid.
class PointCells {
 public:
  struct Entry {
    Coordinate point;
    Vertex vertex;
  };

  /// `columns` by `columns` cells, at least one. O(points + cells).
  PointCells(std::span<const Coordinate> points, std::uint32_t columns);

  std::int64_t columns() const { return columns_; }

  /// The column of an x, the row of a y. Two numbers that are k columns apart, k of at least 1,
  /// differ by more than (k - 1) * 2^26 / columns().
  std::int64_t column_of(std::int32_t x) const { return x * columns_ >> kPlaneBits; }

  /// Calls visit(entry) for the points in the cells of a row from one column to another, ends
  /// included. Cells outside the grid have none.
  template <class Visit>
  void for_each_in(std::int64_t row, std::int64_t first, std::int64_t last, Visit visit) const {
    if (row < 0 || row >= columns_) return;
    first = first < 0 ? 0 : first;
    last = last < columns_ ? last : columns_ - 1;
    if (first > last) return;
    const std::uint64_t begin = begins_[static_cast<std::uint64_t>(row * columns_ + first)];
    const std::uint64_t end = begins_[static_cast<std::uint64_t>(row * columns_ + last) + 1];
    for (std::uint64_t i = begin; i < end; ++i) visit(entries_[i]);
  }

 private:
  std::int64_t columns_;
  std::vector<Vertex> begins_;  // of the cells' entries, and their end
  std::vector<Entry> entries_;
};

/// The columns of a grid with about that many points in each cell.
std::uint32_t columns_for(std::uint64_t point_count, double points_a_cell);

/// The memory of draw_points() and PointCells for each point, with one point in each cell.
inline constexpr double kPointBytes =
    sizeof(Coordinate) + sizeof(PointCells::Entry) + sizeof(Vertex);

}  // namespace bellmark
