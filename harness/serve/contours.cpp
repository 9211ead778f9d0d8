#include "harness/serve/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bellmark::serve {
namespace {

/// Directions along the sides of squares: east, south, west, north. An outline has its squares on
/// the right, seen with y southwards.
struct Step {
  std::ptrdiff_t x;
  std::ptrdiff_t y;
};
constexpr std::array<Step, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

/// The square on the right of a side that begins at a corner and goes in a direction.
constexpr std::array<Step, 4> kRight = {{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};
constexpr std::array<Step, 4> kLeft = {{{0, -1}, {0, 0}, {-1, 0}, {-1, -1}}};

}  // namespace

Squares::Squares(const Box2D& box, std::size_t most, double least_side) {
  const double width = box.greatest.x - box.least.x;
  const double height = box.greatest.y - box.least.y;
  side_ = std::max(std::max(width, height) / static_cast<double>(most), least_side);
  origin_ = {box.least.x - side_ / 2, box.least.y - side_ / 2};
  columns_ = static_cast<std::ptrdiff_t>(width / side_) + 2;
  rows_ = static_cast<std::ptrdiff_t>(height / side_) + 2;
  in_.assign(static_cast<std::size_t>(columns_ * rows_), 0);
}

bool Squares::has(std::ptrdiff_t column, std::ptrdiff_t row) const {
  return column >= 0 && row >= 0 && column < columns_ && row < rows_ &&
         in_[static_cast<std::size_t>(row * columns_ + column)] != 0;
}

/// Amanatides and Woo: A fast voxel traversal algorithm, Eurographics 1987.
void Squares::add(const Place2D& a, const Place2D& b) {
  const double x = (a.x - origin_.x) / side_;
  const double y = (a.y - origin_.y) / side_;
  const double dx = (b.x - a.x) / side_;
  const double dy = (b.y - a.y) / side_;
  std::ptrdiff_t column = static_cast<std::ptrdiff_t>(std::floor(x));
  std::ptrdiff_t row = static_cast<std::ptrdiff_t>(std::floor(y));
  const std::ptrdiff_t last_column = static_cast<std::ptrdiff_t>(std::floor(x + dx));
  const std::ptrdiff_t last_row = static_cast<std::ptrdiff_t>(std::floor(y + dy));
  const auto first_crossing = [](double at, double step, std::ptrdiff_t square) {
    const double edge = static_cast<double>(square) + (step > 0 ? 1 : 0);
    return step == 0 ? HUGE_VAL : (edge - at) / step;
  };
  double next_x = first_crossing(x, dx, column);
  double next_y = first_crossing(y, dy, row);
  std::ptrdiff_t left = std::abs(last_column - column) + std::abs(last_row - row);
  for (;;) {
    if (column >= 0 && row >= 0 && column < columns_ && row < rows_) {
      in_[static_cast<std::size_t>(row * columns_ + column)] = 1;
    }
    if (left-- == 0) return;
    if (next_x < next_y) {
      column += dx > 0 ? 1 : -1;
      next_x += std::abs(1 / dx);
    } else {
      row += dy > 0 ? 1 : -1;
      next_y += std::abs(1 / dy);
    }
  }
}

std::vector<std::uint32_t> Squares::parts() const {
  std::vector<std::uint32_t> parts(in_.size(), 0);
  std::vector<std::ptrdiff_t> waiting;
  std::uint32_t count = 0;
  for (std::ptrdiff_t first = 0; first < columns_ * rows_; ++first) {
    if (in_[static_cast<std::size_t>(first)] == 0 || parts[static_cast<std::size_t>(first)] != 0) {
      continue;
    }
    parts[static_cast<std::size_t>(first)] = ++count;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const std::ptrdiff_t square = waiting.back();
      waiting.pop_back();
      for (const Step& step : kSteps) {
        const std::ptrdiff_t column = square % columns_ + step.x;
        const std::ptrdiff_t row = square / columns_ + step.y;
        if (!has(column, row)) continue;
        std::uint32_t& part = parts[static_cast<std::size_t>(row * columns_ + column)];
        if (part != 0) continue;
        part = count;
        waiting.push_back(row * columns_ + column);
      }
    }
  }
  return parts;
}

std::vector<Squares::Polygon> Squares::outline() const {
  const std::vector<std::uint32_t> parts = this->parts();
  const std::uint32_t part_count =
      parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
  std::vector<Polygon> polygons(part_count);
  // At most four sides begin at a corner, one in each direction.
  const std::ptrdiff_t corner_columns = columns_ + 1;
  std::vector<std::uint8_t> is_done(static_cast<std::size_t>(corner_columns * (rows_ + 1)), 0);
  const auto is_side = [&](std::ptrdiff_t x, std::ptrdiff_t y, std::size_t direction) {
    return has(x + kRight[direction].x, y + kRight[direction].y) &&
           !has(x + kLeft[direction].x, y + kLeft[direction].y);
  };
  const auto middle = [&](std::ptrdiff_t x, std::ptrdiff_t y, std::size_t direction) {
    return Place2D{origin_.x + side_ * (static_cast<double>(x) +
                                        0.5 * static_cast<double>(kSteps[direction].x)),
                   origin_.y + side_ * (static_cast<double>(y) +
                                        0.5 * static_cast<double>(kSteps[direction].y))};
  };
  for (std::ptrdiff_t row = 0; row <= rows_; ++row) {
    for (std::ptrdiff_t column = 0; column <= columns_; ++column) {
      // Every outline has a side that goes east.
      const auto done = [&](std::ptrdiff_t x, std::ptrdiff_t y) -> std::uint8_t& {
        return is_done[static_cast<std::size_t>(y * corner_columns + x)];
      };
      if (!is_side(column, row, 0) || (done(column, row) & 1) != 0) continue;
      Ring ring;
      std::ptrdiff_t x = column;
      std::ptrdiff_t y = row;
      std::size_t direction = 0;
      double twice_area = 0;
      do {
        done(x, y) |= static_cast<std::uint8_t>(1U << direction);
        ring.push_back(middle(x, y, direction));
        twice_area += static_cast<double>(x * kSteps[direction].y - y * kSteps[direction].x);
        x += kSteps[direction].x;
        y += kSteps[direction].y;
        // To the right first: squares that meet only at a corner belong to two parts.
        for (const std::size_t turn : {1U, 0U, 3U}) {
          if (!is_side(x, y, (direction + turn) % 4)) continue;
          direction = (direction + turn) % 4;
          break;
        }
      } while (x != column || y != row || direction != 0);
      ring.push_back(ring.front());
      // With y southwards the ring runs clockwise on the screen. RFC 7946 wants the other way.
      std::ranges::reverse(ring);
      const std::uint32_t part = parts[static_cast<std::size_t>(row * columns_ + column)];
      Polygon& polygon = polygons[part - 1];
      polygon.insert(twice_area > 0 ? polygon.begin() : polygon.end(), std::move(ring));
    }
  }
  return polygons;
}

}  // namespace bellmark::serve
