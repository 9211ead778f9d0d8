// Graphs of random points in a square, against definitions that look at all pairs of points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/delaunay.hpp"
#include "graph/generate.hpp"
#include "graph/plane_points.hpp"
#include "graph/random_stream.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using Points = std::vector<Coordinate>;
using PointPairs = std::set<VertexPair>;

/// Each pair with the lower vertex first.
PointPairs edge_set(const std::vector<VertexPair>& edges) {
  PointPairs set;
  for (const auto& [u, v] : edges) {
    EXPECT_NE(u, v);
    EXPECT_TRUE(set.emplace(std::min(u, v), std::max(u, v)).second) << u << ' ' << v;
  }
  return set;
}

PointPairs arc_set(const Graph& graph) {
  PointPairs set;
  for (const Arc& arc : arcs_of(graph)) {
    EXPECT_NE(arc.tail, arc.head);
    EXPECT_TRUE(set.emplace(arc.tail, arc.head).second);
  }
  return set;
}

bool is_connected(std::size_t vertex_count, const PointPairs& edges) {
  std::vector<Vertex> parents(vertex_count);
  for (Vertex v = 0; v < vertex_count; ++v) parents[v] = v;
  const auto root = [&](Vertex v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  std::size_t components = vertex_count;
  for (const auto& [u, v] : edges) {
    if (root(u) == root(v)) continue;
    parents[root(u)] = root(v);
    --components;
  }
  return components <= 1;
}

TEST(GeneratePlane, PointsAreTheirFormula) {
  const Stream stream(5, Stream::points);
  const Points points = draw_points(10'000, 5);
  for (const Vertex v : {0U, 1U, 9'999U}) {
    EXPECT_EQ(points[v].longitude, static_cast<std::int32_t>(stream.draw(2 * v) >> 38));
    EXPECT_EQ(points[v].latitude, static_cast<std::int32_t>(stream.draw(2 * v + 1) >> 38));
  }
  for (const char* text : {"geometric:n=10000,degree=2,seed=5", "delaunay:n=10000,seed=5",
                           "nearest:n=10000,k=2,seed=5"}) {
    EXPECT_TRUE(std::ranges::equal(make_graph(text).coordinates(), points)) << text;
  }
}

/// The radius in the square of side 1.
double radius_by_doubles(double n, double degree) {
  double low = 0;
  double high = 1;
  for (int round = 0; round < 60; ++round) {
    const double r = (low + high) / 2;
    const double share = std::numbers::pi * r * r - 8.0 / 3 * r * r * r + r * r * r * r / 2;
    ((n - 1) * share < degree ? low : high) = r;
  }
  return low;
}

TEST(GeneratePlane, GeometricJoinsThoseWithinARadius) {
  for (const auto& [n, degree] : {std::pair<Vertex, double>{300, 8},
                                  {300, 0.1},
                                  {300, 150},
                                  {300, 290},
                                  {2, 0.5},
                                  {1, 0},
                                  {40, 0}}) {
    const Graph graph = make_geometric(n, degree, parse_lengths("hash:1..9"), 11);
    verify_graph(graph, "geometric");
    EXPECT_TRUE(graph.properties().symmetric);
    EXPECT_TRUE(graph.properties().sorted_rows);
    const PointPairs arcs = arc_set(graph);
    const auto places = graph.coordinates();
    std::int64_t longest = 0;
    std::int64_t shortest_left_out = std::numeric_limits<std::int64_t>::max();
    for (Vertex u = 0; u < n; ++u) {
      for (Vertex v = 0; v < n; ++v) {
        if (u == v) continue;
        const std::int64_t distance = squared_distance(places[u], places[v]);
        if (arcs.contains({u, v})) {
          longest = std::max(longest, distance);
        } else {
          shortest_left_out = std::min(shortest_left_out, distance);
        }
      }
    }
    EXPECT_LE(longest, shortest_left_out);
    if (n < 2) continue;
    const double radius = radius_by_doubles(n, degree) * static_cast<double>(kPlaneSide);
    EXPECT_LE(std::sqrt(static_cast<double>(longest)), radius + 1) << degree;
    EXPECT_GE(std::sqrt(static_cast<double>(shortest_left_out)), radius - 1) << degree;
  }
}

TEST(GeneratePlane, GeometricHasTheMeanDegree) {
  for (const double degree : {1.0, 6.0, 25.0}) {
    const Graph graph = make_geometric(1 << 16, degree, parse_lengths("unit"), 2);
    EXPECT_NEAR(static_cast<double>(graph.arc_count()) / (1 << 16), degree, 0.02 * degree);
  }
}

TEST(GeneratePlane, NearestAreNearest) {
  for (const auto& [n, k] :
       {std::pair<Vertex, Vertex>{300, 1}, {300, 7}, {300, 150}, {300, 299}, {2, 1}, {30, 29}}) {
    const Graph graph = make_nearest(n, k, parse_lengths("hash:1..9"), 13);
    verify_graph(graph, "nearest");
    EXPECT_TRUE(graph.properties().sorted_rows);
    const auto places = graph.coordinates();
    PointPairs expected;
    for (Vertex u = 0; u < n; ++u) {
      std::vector<std::pair<std::int64_t, Vertex>> others;
      for (Vertex v = 0; v < n; ++v) {
        if (v != u) others.emplace_back(squared_distance(places[u], places[v]), v);
      }
      std::ranges::sort(others);
      for (Vertex i = 0; i < k; ++i) expected.emplace(u, others[i].second);
    }
    EXPECT_EQ(arc_set(graph), expected) << n << ' ' << k;
  }
}

TEST(GeneratePlane, NearestMadeUndirectedHasEachEdgeOnce) {
  const Graph directed = make_graph("nearest:n=2000,k=4");
  EXPECT_EQ(directed.arc_count(), 8000U);
  EXPECT_FALSE(directed.properties().symmetric);
  const Graph both = make_graph("nearest:n=2000,k=4,arcs=both");
  EXPECT_TRUE(both.properties().symmetric);
  // Lengths are by the ends: arcs both ways agree, and none occurs twice.
  PointPairs expected;
  for (const auto& [u, v] : arc_set(directed)) {
    expected.emplace(u, v);
    expected.emplace(v, u);
  }
  EXPECT_EQ(arc_set(both), expected);
  EXPECT_EQ(both.coordinates().size(), 2000U);
}

/// Twice the area of a triangle, above 0 if it is counterclockwise.
std::int64_t turn_of(const Coordinate& a, const Coordinate& b, const Coordinate& c) {
  return (std::int64_t{b.longitude} - a.longitude) * (std::int64_t{c.latitude} - a.latitude) -
         (std::int64_t{b.latitude} - a.latitude) * (std::int64_t{c.longitude} - a.longitude);
}

/// Above 0 if d lies within the circle through a, b and c, 0 on it.
int within_circle(const Coordinate& a, const Coordinate& b, const Coordinate& c,
                  const Coordinate& d) {
  const auto lift = [&](const Coordinate& p) { return Int128{squared_distance(p, d)}; };
  const Int128 inside =
      lift(a) * turn_of(d, b, c) + lift(b) * turn_of(d, c, a) + lift(c) * turn_of(d, a, b);
  const int sign = inside > 0 ? 1 : inside < 0 ? -1 : 0;
  return turn_of(a, b, c) > 0 ? sign : -sign;
}

/// All edges of triangles whose circumcircle has no point within, and all further edges.
PointPairs delaunay_by_all_triangles(const Points& points) {
  PointPairs edges;
  const auto n = static_cast<Vertex>(points.size());
  for (Vertex a = 0; a < n; ++a) {
    for (Vertex b = a + 1; b < n; ++b) {
      for (Vertex c = b + 1; c < n; ++c) {
        if (turn_of(points[a], points[b], points[c]) == 0) continue;
        const bool is_empty = std::ranges::none_of(points, [&](const Coordinate& d) {
          return within_circle(points[a], points[b], points[c], d) > 0;
        });
        if (!is_empty) continue;
        edges.insert({{a, b}, {a, c}, {b, c}});
      }
    }
  }
  return edges;
}

TEST(GeneratePlane, DelaunayHasEmptyCircumcircles) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const Vertex n : {3U, 4U, 5U, 8U, 30U}) {
      const Points points = draw_points(n, seed);
      EXPECT_EQ(edge_set(delaunay_edges(points)), delaunay_by_all_triangles(points)) << seed;
    }
  }
}

TEST(GeneratePlane, DelaunayIsPlanarConnectedAndBothWays) {
  for (const Vertex n : {1U, 2U, 3U, 10U, 1'000U, 20'000U}) {
    const Graph graph = make_delaunay(n, parse_lengths("hash:1..9"), n);
    verify_graph(graph, "delaunay");
    EXPECT_TRUE(graph.properties().symmetric);
    EXPECT_TRUE(graph.properties().sorted_rows);
    if (n >= 3) {
      EXPECT_LE(graph.arc_count(), 6 * n - 12);
      EXPECT_GE(graph.arc_count(), 4 * n - 6);  // a triangulation with all points on the border
    }
    EXPECT_TRUE(is_connected(n, arc_set(graph))) << n;
  }
  EXPECT_EQ(make_graph("delaunay:n=1").arc_count(), 0U);
  EXPECT_EQ(make_graph("delaunay:n=2").arc_count(), 2U);
  EXPECT_EQ(make_graph("delaunay:n=3").arc_count(), 6U);
}

/// True if some circle through both ends has no points within. Each pair of points on either side
/// must leave room for one, and no point may lie between the ends.
bool may_be_delaunay(const Points& points, const Coordinate& u, const Coordinate& v) {
  Points left;
  Points right;
  for (const Coordinate& p : points) {
    const std::int64_t turn = turn_of(u, v, p);
    if (turn > 0) left.push_back(p);
    if (turn < 0) right.push_back(p);
    if (turn == 0 && squared_distance(u, p) + squared_distance(p, v) < squared_distance(u, v) &&
        p != u && p != v) {
      return false;
    }
  }
  return std::ranges::all_of(left, [&](const Coordinate& p) {
    return std::ranges::none_of(right,
                                [&](const Coordinate& q) { return within_circle(u, v, p, q) > 0; });
  });
}

bool do_cross(const Coordinate& a, const Coordinate& b, const Coordinate& c, const Coordinate& d) {
  const auto sign = [](std::int64_t x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  return sign(turn_of(a, b, c)) * sign(turn_of(a, b, d)) < 0 &&
         sign(turn_of(c, d, a)) * sign(turn_of(c, d, b)) < 0;
}

/// Points in different places that lie on the border of the hull, corners and others.
std::size_t border_size(const Points& places) {
  return static_cast<std::size_t>(std::ranges::count_if(places, [&](const Coordinate& p) {
    return std::ranges::any_of(places, [&](const Coordinate& q) {
      return p != q && std::ranges::none_of(
                           places, [&](const Coordinate& r) { return turn_of(p, q, r) < 0; });
    });
  }));
}

void expect_triangulated(const Points& points) {
  const auto less = [](const Coordinate& a, const Coordinate& b) {
    return std::pair(a.longitude, a.latitude) < std::pair(b.longitude, b.latitude);
  };
  Points places = points;
  std::ranges::sort(places, less);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const PointPairs edges = edge_set(delaunay_edges(points));
  EXPECT_TRUE(is_connected(points.size(), edges));
  const std::size_t copies = points.size() - places.size();
  const bool is_line = std::ranges::all_of(
      places, [&](const Coordinate& p) { return turn_of(places.front(), places.back(), p) == 0; });
  // Euler's formula, with a leaf for each point in the same place as another.
  EXPECT_EQ(edges.size(),
            copies + (is_line ? places.size() - 1 : 3 * places.size() - 3 - border_size(places)));
  for (auto e = edges.begin(); e != edges.end(); ++e) {
    const Coordinate& u = points[e->first];
    const Coordinate& v = points[e->second];
    if (u != v) {
      EXPECT_TRUE(may_be_delaunay(places, u, v)) << e->first << ' ' << e->second;
    }
    for (auto f = edges.begin(); f != e; ++f) {
      EXPECT_FALSE(do_cross(u, v, points[f->first], points[f->second]));
    }
  }
}

TEST(GeneratePlane, DelaunayOfPointsInSpecialPlaces) {
  EXPECT_TRUE(delaunay_edges({}).empty());
  constexpr auto kLast = static_cast<std::int32_t>(kPlaneSide - 1);
  expect_triangulated({{0, 0}});
  expect_triangulated({{0, 0}, {kLast, kLast}, {0, kLast}, {kLast, 0}});
  expect_triangulated({{5, 5}, {5, 5}, {5, 5}});
  expect_triangulated({{5, 5}, {7, 5}, {5, 5}, {7, 5}, {6, 9}, {6, 9}});
  Points lattice;
  Points row;
  Points column;
  Points diagonal;
  for (std::int32_t i = 0; i < 7; ++i) {
    for (std::int32_t j = 0; j < 7; ++j) lattice.push_back({kLast - i, kLast - 3 * j});
    row.push_back({3 * i, 4});
    column.push_back({4, 3 * i});
    diagonal.push_back({kLast - 2 * i, 2 * i});
  }
  for (const Points& points : {lattice, row, column, diagonal}) expect_triangulated(points);
}

TEST(GeneratePlane, DelaunayOfManyPointsInFewPlaces) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t side = 2 + random() % 8;
    Points points(1 + random() % 50);
    for (Coordinate& point : points) {
      point = {static_cast<std::int32_t>(random() % side),
               static_cast<std::int32_t>(random() % side)};
    }
    expect_triangulated(points);
  }
}

TEST(GeneratePlane, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { make_graph("nearest:n=5,k=5"); }),
            "nearest:n=5,k=5,lengths=uniform:1..1000,seed=1: k is not in 1..n-1; it is the number "
            "of other vertices that each has an arc to");
  EXPECT_EQ(error_of([] { make_graph("geometric:n=10,degree=10"); }),
            "geometric:n=10,degree=10,lengths=uniform:1..1000,seed=1: degree is not in 0..n-1; it "
            "is the mean number of neighbours of a vertex");
  EXPECT_EQ(error_of([] { make_graph("geometric:n=10,degree=8.9"); }),
            "geometric:n=10,degree=8.9,lengths=uniform:1..1000,seed=1: degree is too large for a "
            "radius of 1, the square's side; give a degree of at most 0.97 (n - 1)");
  EXPECT_EQ(error_of([] { make_graph("delaunay:n=536870913"); }),
            "delaunay:n=536870913,lengths=uniform:1..1000,seed=1: more than 2^29 vertices; ask for "
            "a smaller graph");
  for (const char* text :
       {"geometric:n=0,degree=0", "geometric:n=9,degree=-1", "geometric:n=9,degree=nan",
        "geometric:n=4294967296,degree=1", "delaunay:n=0", "nearest:n=0,k=1", "nearest:n=9,k=0",
        "nearest:n=1,k=1", "nearest:n=4294967296,k=1"}) {
    EXPECT_EQ(code_of([&] { make_graph(text); }), ExitCode::usage) << text;
  }
}

}  // namespace
}  // namespace bellmark
