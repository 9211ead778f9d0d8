// Random hyperbolic graphs against their definition, and against the expected degrees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "graph/generate.hpp"
#include "graph/random_stream.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

struct Polar {
  double radius;
  double angle;
};

std::vector<Polar> polar_points(Vertex n, double radius, double exponent, std::uint64_t seed) {
  const Stream stream(seed, Stream::points);
  const double growth = (exponent - 1) / 2;
  std::vector<Polar> points;
  for (std::uint64_t v = 0; v < n; ++v) {
    const double turn = static_cast<double>(stream.draw(2 * v)) * 0x1p-64;
    const double cosine = 1 + stream.fraction(2 * v + 1) * (std::cosh(growth * radius) - 1);
    points.push_back({std::acosh(cosine) / growth, 2 * std::numbers::pi * turn});
  }
  return points;
}

/// By the hyperbolic law of cosines, as in the paper.
double distance_between(const Polar& a, const Polar& b) {
  const long double cosine = std::cosh(static_cast<long double>(a.radius)) *
                                 std::cosh(static_cast<long double>(b.radius)) -
                             std::sinh(static_cast<long double>(a.radius)) *
                                 std::sinh(static_cast<long double>(b.radius)) *
                                 std::cos(static_cast<long double>(a.angle) - b.angle);
  return static_cast<double>(std::acosh(std::max(1.0L, cosine)));
}

TEST(GenerateHyperbolic, JoinsThoseWithinTheRadius) {
  for (const auto& [n, degree, exponent] : {std::tuple<Vertex, double, double>{700, 10, 3},
                                            {700, 10, 2},
                                            {700, 3, 2.2},
                                            {700, 30, 5},
                                            {700, 340, 2.5},
                                            {700, 0.5, 4},
                                            {300, 20, 10},
                                            {3, 1, 3},
                                            {2, 0.5, 2.5}}) {
    const Graph graph = make_hyperbolic(n, degree, exponent, parse_lengths("hash:1..9"), 17);
    const std::string& text = graph.provenance();
    verify_graph(graph, text);
    EXPECT_TRUE(graph.properties().symmetric) << text;
    EXPECT_TRUE(graph.properties().sorted_rows) << text;
    std::vector<std::vector<bool>> joined(n, std::vector<bool>(n));
    for (const Arc& arc : arcs_of(graph)) joined[arc.tail][arc.head] = true;
    const double radius = hyperbolic_radius(n, degree, exponent);
    const std::vector<Polar> points = polar_points(n, radius, exponent, 17);
    std::uint64_t near_the_limit = 0;
    for (Vertex u = 0; u < n; ++u) {
      EXPECT_FALSE(joined[u][u]);
      for (Vertex v = 0; v < u; ++v) {
        const double distance = distance_between(points[u], points[v]);
        if (std::abs(distance - radius) < 1e-6) {
          ++near_the_limit;
        } else {
          EXPECT_EQ(joined[u][v], distance < radius) << text << ": " << u << ' ' << v;
        }
      }
    }
    EXPECT_LE(near_the_limit, 5U) << text;
  }
}

double mean_degree(const Graph& graph) {
  return static_cast<double>(graph.arc_count()) / static_cast<double>(graph.vertex_count());
}

TEST(GenerateHyperbolic, HasTheMeanDegree) {
  for (const auto& [degree, exponent] :
       {std::pair<double, double>{10, 3}, {4, 3.5}, {30, 5}, {10, 10}}) {
    const Graph graph = make_hyperbolic(1 << 16, degree, exponent, parse_lengths("unit"), 1);
    EXPECT_NEAR(mean_degree(graph), degree, 0.04 * degree) << graph.provenance();
  }
  // Below 3 degrees have no finite variance, and one hub moves the mean. So the mean of several
  // graphs counts.
  for (const double exponent : {2.2, 2.5}) {
    constexpr std::uint64_t kGraphs = 10;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= kGraphs; ++seed) {
      sum += mean_degree(make_hyperbolic(1 << 13, 10, exponent, parse_lengths("unit"), seed));
    }
    EXPECT_NEAR(sum / kGraphs, 10, 0.7) << exponent;
  }
}

TEST(GenerateHyperbolic, DegreesFollowThePowerLaw) {
  for (const double exponent : {2.3, 3.0}) {
    const Graph graph = make_hyperbolic(1 << 16, 10, exponent, parse_lengths("unit"), 1);
    // Of vertices with more than d arcs there are d^(1 - exponent) to one with more than 1.
    const auto share_above = [&](Offset degree) {
      double count = 0;
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        if (graph.row_offsets()[v + 1] - graph.row_offsets()[v] > degree) ++count;
      }
      return count;
    };
    const double slope = std::log(share_above(160) / share_above(20)) / std::log(8.0);
    EXPECT_NEAR(slope, 1 - exponent, 0.25) << exponent;
  }
}

TEST(GenerateHyperbolic, TheRadiusIsRounded) {
  for (const double exponent : {2.0, 3.0, 10.0}) {
    const double radius = hyperbolic_radius(1 << 20, 10, exponent);
    EXPECT_EQ(radius * 65'536, std::floor(radius * 65'536));
    EXPECT_LT(hyperbolic_radius(1 << 20, 11, exponent), radius);
    EXPECT_GT(hyperbolic_radius(1 << 21, 10, exponent), radius);
  }
  // Krioukov et al., equation 22, for exponent 3 and large n: degree = 8 n / pi e^(-R / 2) (1 +
  // ...).
  EXPECT_NEAR(hyperbolic_radius(1 << 30, 10, 3),
              2 * std::log(8.0 * (1 << 30) / (10 * std::numbers::pi)), 0.1);
  EXPECT_LT(hyperbolic_radius(4'294'967'295, 1e-9, 2), 128);
}

TEST(GenerateHyperbolic, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { make_graph("hyperbolic:n=100,degree=50"); }),
            "hyperbolic:n=100,degree=50,exponent=3,lengths=uniform:1..1000,seed=1: degree is not "
            "in 1/n..(n-1)/2; it is the mean number of neighbours of a vertex");
  EXPECT_EQ(error_of([] { make_graph("hyperbolic:n=100,degree=5,exponent=1.9"); }),
            "hyperbolic:n=100,degree=5,exponent=1.9,lengths=uniform:1..1000,seed=1: exponent is "
            "not in 2..10; it is that of the power law of degrees");
  for (const char* text :
       {"hyperbolic:n=0,degree=1", "hyperbolic:n=1,degree=1", "hyperbolic:n=100,degree=0",
        "hyperbolic:n=100,degree=-3", "hyperbolic:n=100,degree=nan",
        "hyperbolic:n=100,degree=5,exponent=nan", "hyperbolic:n=100,degree=5,exponent=11",
        "hyperbolic:n=4294967296,degree=10"}) {
    EXPECT_EQ(code_of([&] { make_graph(text); }), ExitCode::usage) << text;
  }
}

}  // namespace
}  // namespace bellmark
