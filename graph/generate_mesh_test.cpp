// Meshes, chains and stars against their formulas.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "graph/generate.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using MeshArcs = std::set<std::pair<Vertex, Vertex>>;

MeshArcs mesh_arcs(const Graph& graph) {
  MeshArcs arcs;
  for (const Arc& arc : arcs_of(graph)) EXPECT_TRUE(arcs.emplace(arc.tail, arc.head).second);
  return arcs;
}

TEST(GenerateMesh, JoinsNeighboursInThreeDimensions) {
  struct Sides {
    Vertex x;
    Vertex y;
    Vertex z;
  };
  for (const Sides& sides : {Sides{3, 4, 5}, Sides{1, 4, 5}, Sides{3, 1, 5}, Sides{3, 4, 1},
                             Sides{2, 1, 1}, Sides{1, 1, 1}}) {
    const Vertex x = sides.x;
    const Vertex y = sides.y;
    const Vertex z = sides.z;
    MeshArcs expected;
    const auto number = [&](Vertex i, Vertex j, Vertex k) { return (i * y + j) * z + k; };
    const auto join = [&](Vertex u, Vertex v) {
      expected.emplace(u, v);
      expected.emplace(v, u);
    };
    for (Vertex i = 0; i < x; ++i) {
      for (Vertex j = 0; j < y; ++j) {
        for (Vertex k = 0; k < z; ++k) {
          if (i + 1 < x) join(number(i, j, k), number(i + 1, j, k));
          if (j + 1 < y) join(number(i, j, k), number(i, j + 1, k));
          if (k + 1 < z) join(number(i, j, k), number(i, j, k + 1));
        }
      }
    }
    const Graph graph = make_mesh(x, y, z, parse_lengths("uniform:1..1000"), 3);
    verify_graph(graph, "mesh");
    EXPECT_EQ(graph.vertex_count(), x * y * z);
    EXPECT_EQ(mesh_arcs(graph), expected);
    EXPECT_TRUE(graph.properties().symmetric);
    EXPECT_TRUE(graph.properties().sorted_rows);
  }
}

TEST(GenerateMesh, EdgesHaveTheirOwnNumbers) {
  // With lengths by index, two edges of one number would have one length everywhere.
  const Graph graph = make_graph("mesh:x=5,y=6,z=7,lengths=uniform:1..2^30");
  std::set<Length> lengths;
  for (const Length length : graph.lengths()) lengths.insert(length);
  EXPECT_EQ(2 * lengths.size(), graph.arc_count());
}

TEST(GenerateMesh, AChainIsAPathAndAStarHasAHub) {
  for (const Vertex n : {1U, 2U, 3U, 100U}) {
    MeshArcs chain;
    MeshArcs star;
    for (Vertex v = 1; v < n; ++v) {
      chain.emplace(v - 1, v);
      chain.emplace(v, v - 1);
      star.emplace(0, v);
      star.emplace(v, 0);
    }
    for (const char* name : {"chain", "star"}) {
      const std::string text = std::string(name) + ":n=" + std::to_string(n);
      const Graph graph = make_graph(text);
      verify_graph(graph, text);
      EXPECT_EQ(graph.vertex_count(), n);
      EXPECT_EQ(mesh_arcs(graph), name == std::string("chain") ? chain : star) << text;
      EXPECT_TRUE(graph.properties().symmetric) << text;
      EXPECT_TRUE(graph.properties().sorted_rows) << text;
    }
  }
}

TEST(GenerateMesh, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { make_graph("mesh:x=3,y=0,z=2"); }),
            "mesh:x=3,y=0,z=2,lengths=uniform:1..1000,seed=1: a side has no vertices; give x, y "
            "and z of at least 1");
  EXPECT_EQ(error_of([] { make_graph("chain:n=0"); }),
            "chain:n=0,lengths=uniform:1..1000,seed=1: there are no vertices; give n of at least "
            "1");
  for (const char* text : {"mesh:x=65536,y=65536,z=1", "mesh:x=1,y=65536,z=65536",
                           "mesh:x=18446744073709551615,y=18446744073709551615,z=2",
                           "mesh:x=2000,y=2000,z=2000", "star:n=0", "chain:n=4294967296"}) {
    EXPECT_EQ(code_of([&] { make_graph(text); }), ExitCode::usage) << text;
  }
  EXPECT_EQ(error_of([] { make_graph("mesh:x=3,y=4"); }),
            "mesh:x=3,y=4: key 'z' is missing; add z=VALUE");
}

}  // namespace
}  // namespace bellmark
