// R-MAT graphs against their formula.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "graph/generate.hpp"
#include "graph/random_stream.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using RmatArcs = std::set<std::pair<Vertex, Vertex>>;

struct DrawnRmat {
  RmatArcs arcs;
  std::array<double, 4> quadrants{};  // how often each was drawn
};

DrawnRmat draw_rmat(std::uint64_t scale, std::uint64_t edge_factor,
                    const std::array<std::uint64_t, 3>& sums, std::uint64_t seed) {
  const Stream stream(seed, Stream::quadrants);
  DrawnRmat drawn;
  for (std::uint64_t i = 0; i < edge_factor << scale; ++i) {
    Vertex tail = 0;
    Vertex head = 0;
    for (std::uint64_t k = 0; k < scale; ++k) {
      const std::uint64_t x = stream.draw(i * ((scale + 1) / 2) + k / 2);
      const std::uint64_t q = k % 2 == 0 ? x >> 32 : x & 0xffffffff;
      const Vertex quadrant = q < sums[0] ? 0 : q < sums[1] ? 1 : q < sums[2] ? 2 : 3;
      ++drawn.quadrants[quadrant];
      tail |= quadrant / 2 << k;
      head |= quadrant % 2 << k;
    }
    if (tail != head) drawn.arcs.emplace(tail, head);
  }
  return drawn;
}

RmatArcs rmat_arcs(const Graph& graph) {
  RmatArcs arcs;
  for (const Arc& arc : arcs_of(graph)) EXPECT_TRUE(arcs.emplace(arc.tail, arc.head).second);
  return arcs;
}

TEST(GenerateRmat, IsItsFormula) {
  for (const std::uint64_t scale : {1, 8, 9}) {
    // 0.5, 0.8 and 0.9 times 2^32, rounded to the nearest.
    const DrawnRmat drawn = draw_rmat(scale, 6, {2'147'483'648, 3'435'973'837, 3'865'470'566}, 7);
    const std::string text =
        "rmat:scale=" + std::to_string(scale) + ",edge-factor=6,a=0.5,b=0.3,c=0.1,seed=7";
    const Graph graph = make_graph(text);
    verify_graph(graph, text);
    EXPECT_EQ(graph.vertex_count(), 1U << scale);
    EXPECT_EQ(rmat_arcs(graph), drawn.arcs) << text;
    EXPECT_TRUE(graph.properties().sorted_rows);
    if (scale == 1) continue;
    EXPECT_FALSE(graph.properties().symmetric) << text;
    const double draws = static_cast<double>(scale * (6 << scale));
    EXPECT_NEAR(drawn.quadrants[0] / draws, 0.5, 0.02);
    EXPECT_NEAR(drawn.quadrants[1] / draws, 0.3, 0.02);
    EXPECT_NEAR(drawn.quadrants[2] / draws, 0.1, 0.02);
  }
}

TEST(GenerateRmat, ProbabilitiesMayLeaveNothingOver) {
  // As doubles 0.7, 0.2 and 0.1 add up to less than 1.
  for (const char* all : {"a=0.7,b=0.2,c=0.1", "a=0.5,b=0.3,c=0.2", "a=0.1,b=0.2,c=0.7"}) {
    const Graph graph = make_graph("rmat:scale=8,lengths=unit," + std::string(all));
    // No level is in the lower right quadrant: no bit is both in the tail and in the head.
    for (const Arc& arc : arcs_of(graph)) EXPECT_EQ(arc.tail & arc.head, 0U);
  }
  EXPECT_EQ(make_graph("rmat:scale=8,a=1,b=0,c=0").arc_count(), 0U);  // loops at vertex 0
  const Graph lower = make_graph("rmat:scale=8,a=0,b=0,c=1");
  EXPECT_EQ(rmat_arcs(lower), (RmatArcs{{255, 0}}));
}

TEST(GenerateRmat, LowVerticesHaveMostArcs) {
  const Graph graph = make_graph("rmat:scale=12");
  const Offset first = graph.row_offsets()[64];
  EXPECT_GT(first, graph.arc_count() / 10) << "64 of 4096 vertices";
  const Graph even = make_graph("rmat:scale=12,a=0.25,b=0.25,c=0.25");
  EXPECT_LT(even.row_offsets()[64], even.arc_count() / 40);
}

TEST(GenerateRmat, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { make_graph("rmat:scale=4,a=0.6,b=0.3,c=0.2"); }),
            "rmat:scale=4,edge-factor=16,a=0.6,b=0.3,c=0.2,lengths=uniform:1..1000,seed=1: a, b "
            "and c add up to more than 1; the fourth probability is the rest of 1");
  EXPECT_EQ(error_of([] { make_graph("rmat:scale=4,a=1.5"); }),
            "rmat:scale=4,edge-factor=16,a=1.5,b=0.19,c=0.19,lengths=uniform:1..1000,seed=1: a, b "
            "or c is not in 0..1; they are probabilities");
  for (const char* text :
       {"rmat:scale=0", "rmat:scale=32", "rmat:scale=4,b=-0.1", "rmat:scale=4,c=nan",
        "rmat:scale=4,b=inf", "rmat:scale=4,a=x", "rmat:scale=20,edge-factor=1048577"}) {
    EXPECT_EQ(code_of([&] { make_graph(text); }), ExitCode::usage) << text;
  }
  EXPECT_EQ(code_of([] { make_graph("rmat:scale=20,edge-factor=1048576"); }), ExitCode::machine);
}

}  // namespace
}  // namespace bellmark
