#include "graph/delaunay.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "graph/plane_points.hpp"

namespace bellmark {
namespace {

using Corner = std::uint32_t;    // a point's place by x, then y
using HalfEdge = std::uint32_t;  // its opposite has the last bit flipped

/// The edges of a subdivision of the plane, and their rings around each corner. The paper's edges
/// also have those of the dual graph, which the triangulation itself never uses.
class Subdivision {
 public:
  explicit Subdivision(std::size_t corner_count) { halves_.reserve(6 * corner_count); }

  static HalfEdge opposite(HalfEdge e) { return e ^ 1; }
  Corner origin(HalfEdge e) const { return halves_[e].origin; }
  Corner target(HalfEdge e) const { return origin(opposite(e)); }

  /// The next around the origin, counterclockwise; and clockwise.
  HalfEdge next(HalfEdge e) const { return halves_[e].next; }
  HalfEdge previous(HalfEdge e) const { return halves_[e].previous; }

  /// The next around the face to the left, and the edge before it around the face to the right.
  HalfEdge left_next(HalfEdge e) const { return previous(opposite(e)); }
  HalfEdge right_previous(HalfEdge e) const { return next(opposite(e)); }

  /// A new edge that touches no other.
  HalfEdge add(Corner from, Corner to) {
    HalfEdge e = free_;
    if (e == kNone) {
      e = static_cast<HalfEdge>(halves_.size());
      halves_.resize(halves_.size() + 2);
    } else {
      free_ = halves_[e].next;
    }
    halves_[e] = {from, e, e};
    halves_[opposite(e)] = {to, opposite(e), opposite(e)};
    return e;
  }

  /// Joins the rings of two half-edges, or splits their common ring.
  void splice(HalfEdge a, HalfEdge b) {
    const HalfEdge after_a = next(a);
    const HalfEdge after_b = next(b);
    halves_[a].next = after_b;
    halves_[b].next = after_a;
    halves_[after_b].previous = a;
    halves_[after_a].previous = b;
  }

  /// A new edge from the target of a to the origin of b, to the left of both.
  HalfEdge connect(HalfEdge a, HalfEdge b) {
    const HalfEdge e = add(target(a), origin(b));
    splice(e, left_next(a));
    splice(opposite(e), b);
    return e;
  }

  void remove(HalfEdge e) {
    splice(e, previous(e));
    splice(opposite(e), previous(opposite(e)));
    e &= ~HalfEdge{1};
    halves_[e].origin = kNone;
    halves_[e].next = free_;
    free_ = e;
  }

  /// Calls visit(origin, target) for each edge.
  template <class Visit>
  void for_each_edge(Visit visit) const {
    for (HalfEdge e = 0; e < halves_.size(); e += 2) {
      if (origin(e) != kNone) visit(origin(e), target(e));
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Half {
    Corner origin;
    HalfEdge next;
    HalfEdge previous;
  };
  std::vector<Half> halves_;
  HalfEdge free_ = kNone;  // removed edges, a list through `next`
};

class Triangulation {
 public:
  /// `corners` ascend by x, then y, and no two are equal.
  explicit Triangulation(std::span<const Coordinate> corners)
      : corners_(corners), edges_(corners.size()) {
    if (corners.size() >= 2) triangulate(0, static_cast<Corner>(corners.size()));
  }

  const Subdivision& edges() const { return edges_; }

 private:
  /// The edges of a convex hull: counterclockwise out of the leftmost corner, and clockwise out of
  /// the rightmost one.
  struct Hull {
    HalfEdge left;
    HalfEdge right;
  };

  /// Twice the area of a triangle, above 0 if it is counterclockwise.
  std::int64_t area(Corner a, Corner b, Corner c) const {
    const auto at = [&](Corner corner) { return corners_[corner]; };
    const auto x = [&](Corner corner) { return std::int64_t{at(corner).longitude}; };
    const auto y = [&](Corner corner) { return std::int64_t{at(corner).latitude}; };
    return (x(b) - x(a)) * (y(c) - y(a)) - (y(b) - y(a)) * (x(c) - x(a));
  }

  bool is_left_of(Corner corner, HalfEdge e) const {
    return area(corner, edges_.origin(e), edges_.target(e)) > 0;
  }
  bool is_right_of(Corner corner, HalfEdge e) const {
    return area(corner, edges_.target(e), edges_.origin(e)) > 0;
  }

  /// True if d lies within the circle through a, b and c, which are counterclockwise.
  bool is_in_circle(Corner a, Corner b, Corner c, Corner d) const {
    struct Lifted {
      std::int64_t x;
      std::int64_t y;
      std::int64_t square;
    };
    const auto lifted = [&](Corner corner) {
      const std::int64_t x = std::int64_t{corners_[corner].longitude} - corners_[d].longitude;
      const std::int64_t y = std::int64_t{corners_[corner].latitude} - corners_[d].latitude;
      return Lifted{x, y, x * x + y * y};
    };
    const auto minor = [](const Lifted& p, const Lifted& q) { return p.x * q.y - q.x * p.y; };
    const Lifted p = lifted(a);
    const Lifted q = lifted(b);
    const Lifted r = lifted(c);
    return Int128{p.square} * minor(q, r) - Int128{q.square} * minor(p, r) +
               Int128{r.square} * minor(p, q) >
           0;
  }

  Hull triangulate_two(Corner first) {
    const HalfEdge e = edges_.add(first, first + 1);
    return {e, Subdivision::opposite(e)};
  }

  Hull triangulate_three(Corner first) {
    const HalfEdge a = edges_.add(first, first + 1);
    const HalfEdge b = edges_.add(first + 1, first + 2);
    edges_.splice(Subdivision::opposite(a), b);
    const std::int64_t turn = area(first, first + 1, first + 2);
    if (turn == 0) return {a, Subdivision::opposite(b)};
    const HalfEdge c = edges_.connect(b, a);
    if (turn > 0) return {a, Subdivision::opposite(b)};
    return {Subdivision::opposite(c), c};
  }

  /// The paper's procedure Delaunay.
  Hull triangulate(Corner begin, Corner end) {
    if (end - begin == 2) return triangulate_two(begin);
    if (end - begin == 3) return triangulate_three(begin);
    const Corner middle = begin + (end - begin) / 2;
    const Hull left = triangulate(begin, middle);
    const Hull right = triangulate(middle, end);
    return merge(left, right);
  }

  Hull merge(Hull left, Hull right) {
    // The lower common tangent.
    HalfEdge inner_left = left.right;
    HalfEdge inner_right = right.left;
    for (;;) {
      if (is_left_of(edges_.origin(inner_right), inner_left)) {
        inner_left = edges_.left_next(inner_left);
      } else if (is_right_of(edges_.origin(inner_left), inner_right)) {
        inner_right = edges_.right_previous(inner_right);
      } else {
        break;
      }
    }
    HalfEdge base = edges_.connect(Subdivision::opposite(inner_right), inner_left);
    if (edges_.origin(inner_left) == edges_.origin(left.left)) {
      left.left = Subdivision::opposite(base);
    }
    if (edges_.origin(inner_right) == edges_.origin(right.right)) right.right = base;
    while (rise(base)) {
    }
    return {left.left, right.right};
  }

  /// Puts the next triangle on the edge between both halves, which moves to its upper side. False
  /// at the upper common tangent.
  bool rise(HalfEdge& base) {
    const Corner from = edges_.target(base);
    const Corner to = edges_.origin(base);
    const auto is_above = [&](HalfEdge e) { return is_right_of(edges_.target(e), base); };
    HalfEdge left = edges_.next(Subdivision::opposite(base));
    if (is_above(left)) {
      while (is_in_circle(from, to, edges_.target(left), edges_.target(edges_.next(left)))) {
        const HalfEdge next = edges_.next(left);
        edges_.remove(left);
        left = next;
      }
    }
    HalfEdge right = edges_.previous(base);
    if (is_above(right)) {
      while (is_in_circle(from, to, edges_.target(right), edges_.target(edges_.previous(right)))) {
        const HalfEdge previous = edges_.previous(right);
        edges_.remove(right);
        right = previous;
      }
    }
    const bool has_left = is_above(left);
    const bool has_right = is_above(right);
    if (!has_left && !has_right) return false;
    if (!has_left || (has_right && is_in_circle(edges_.target(left), edges_.origin(left),
                                                edges_.origin(right), edges_.target(right)))) {
      base = edges_.connect(right, Subdivision::opposite(base));
    } else {
      base = edges_.connect(Subdivision::opposite(base), Subdivision::opposite(left));
    }
    return true;
  }

  std::span<const Coordinate> corners_;
  Subdivision edges_;
};

}  // namespace

std::vector<VertexPair> delaunay_edges(std::span<const Coordinate> points) {
  std::vector<std::pair<std::uint64_t, Vertex>> sorted(points.size());
  for (std::size_t v = 0; v < points.size(); ++v) {
    const auto x = static_cast<std::uint64_t>(points[v].longitude);
    const auto y = static_cast<std::uint64_t>(points[v].latitude);
    sorted[v] = {x << kPlaneBits | y, static_cast<Vertex>(v)};
  }
  std::ranges::sort(sorted);
  std::vector<Coordinate> corners;
  std::vector<Vertex> vertices;  // of the corners
  std::vector<VertexPair> edges;
  corners.reserve(points.size());
  vertices.reserve(points.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Vertex v = sorted[i].second;
    if (i > 0 && sorted[i].first == sorted[i - 1].first) {
      edges.emplace_back(vertices.back(), v);
    } else {
      corners.push_back(points[v]);
      vertices.push_back(v);
    }
  }
  sorted = {};
  const Triangulation triangulation(corners);
  edges.reserve(3 * points.size());
  triangulation.edges().for_each_edge(
      [&](Corner from, Corner to) { edges.emplace_back(vertices[from], vertices[to]); });
  return edges;
}

}  // namespace bellmark
