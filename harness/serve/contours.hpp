// The outline of squares in a grid, as polygons with holes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/serve/road_index.hpp"

namespace bellmark::serve {

/// Squares of one size over a part of the plane, each in or out.
class Squares {
 public:
  /// At most `most` squares a side over the box, and no side below `least_side`.
  Squares(const Box2D& box, std::size_t most, double least_side);

  double side() const { return side_; }
  /// Adds all squares that the line from a to b passes through. O(those).
  void add(const Place2D& a, const Place2D& b);

  using Ring = std::vector<Place2D>;
  /// An outer ring, then its holes. All are closed: the last corner is the first one.
  using Polygon = std::vector<Ring>;
  /// The outline of squares that share sides. Its corners are cut at the middles of its sides.
  /// Outer rings turn left, seen with y northwards, and holes turn right (RFC 7946). O(squares of
  /// the grid).
  std::vector<Polygon> outline() const;

 private:
  bool has(std::ptrdiff_t column, std::ptrdiff_t row) const;
  /// The part of each square; squares that share sides have one part, and 0 is none.
  std::vector<std::uint32_t> parts() const;

  Place2D origin_;
  double side_;
  std::ptrdiff_t columns_;
  std::ptrdiff_t rows_;
  std::vector<std::uint8_t> in_;
};

}  // namespace bellmark::serve
