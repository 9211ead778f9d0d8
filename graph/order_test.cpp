#include "graph/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/test_folder.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using Order = std::vector<Vertex>;

/// 0 -> 2, 0 -> 1, 2 -> 4, 1 -> 4; 3 stands apart with a loop.
Graph five() {
  const std::vector<Arc> arcs = {{0, 2, 5}, {0, 1, 6}, {2, 4, 7}, {1, 4, 8}, {3, 3, 9}};
  return Graph::from_arcs(5, arcs, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}});
}

TEST(Order, IsWhatItsNameSays) {
  EXPECT_EQ(vertex_order(five(), "breadth-first"), (Order{0, 2, 1, 4, 3}));
  EXPECT_EQ(vertex_order(five(), "depth-first"), (Order{0, 2, 4, 1, 3}));
  EXPECT_EQ(vertex_order(five(), "degree"), (Order{0, 1, 2, 3, 4}));
  for (const char* word : {"random", "degree", "breadth-first", "depth-first"}) {
    EXPECT_EQ(vertex_order(Graph(), word), Order());
    Order order = vertex_order(open_graph("random:n=500,m=700,seed=3"), word);
    EXPECT_EQ(std::ranges::is_sorted(order), false) << word;
    std::ranges::sort(order);
    Order all(500);
    std::iota(all.begin(), all.end(), Vertex{0});
    EXPECT_EQ(order, all) << word;
  }
  EXPECT_EQ(error_of([] { vertex_order(Graph(), "bredth-first"); }),
            "order=bredth-first: no such order of vertices; did you mean 'breadth-first'?");
}

TEST(Order, MovesArcsAndCoordinatesWithTheirVertices) {
  const Graph graph = reordered(five(), "breadth-first");
  // Row 0 keeps its order: the old 2, which becomes 1, comes before the old 1, which becomes 2.
  EXPECT_EQ(Order(graph.heads().begin(), graph.heads().end()), (Order{1, 2, 3, 3, 4}));
  EXPECT_EQ(std::vector<Length>(graph.lengths().begin(), graph.lengths().end()),
            (std::vector<Length>{5, 6, 7, 8, 9}));
  EXPECT_EQ(graph.coordinates()[1], (Coordinate{2, 2}));
  verify_graph(graph, "reordered");
}

TEST(RowOrder, SortsByLengthAndHead) {
  const std::vector<Arc> arcs = {{0, 2, 5}, {0, 1, 6}, {0, 3, 5}, {0, 0, 5}, {2, 1, 0}, {2, 1, 0}};
  const Graph graph =
      with_row_order(Graph::from_arcs(4, arcs, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}), "by-length");
  EXPECT_EQ(Order(graph.heads().begin(), graph.heads().end()), (Order{0, 2, 3, 1, 1, 1}));
  EXPECT_EQ(std::vector<Length>(graph.lengths().begin(), graph.lengths().end()),
            (std::vector<Length>{5, 5, 5, 6, 0, 0}));
  EXPECT_EQ(graph.coordinates()[2], (Coordinate{2, 2}));
  EXPECT_FALSE(graph.properties().sorted_rows) << "by head";
  verify_graph(graph, "sorted");
  EXPECT_EQ(error_of([] { with_row_order(Graph(), "by-lenght"); }),
            "row-order=by-lenght: no such order of a row's arcs; did you mean 'by-length'?");
}

TEST(RowOrder, IsAKeyOfEveryReferenceAndComesLast) {
  const Graph made =
      open_graph("random:n=60,m=300,row-order=by-length,lengths=uniform:0..9,order=random");
  const std::string plain = open_graph("random:n=60,m=300,lengths=uniform:0..9").provenance();
  EXPECT_EQ(made.provenance(), plain + ",order=random,row-order=by-length");
  for (Vertex u = 0; u < made.vertex_count(); ++u) {
    for (Offset e = made.row_offsets()[u] + 1; e < made.row_offsets()[u + 1]; ++e) {
      const auto key = [&](Offset i) { return std::pair(made.length(i), made.heads()[i]); };
      EXPECT_LE(key(e - 1), key(e));
    }
  }
  const TestFolder folder;
  folder.write("t.pace.gr", "p tw 3 2\n1 3\n1 2\n");
  const Graph read = open_graph(folder / "t.pace.gr,row-order=by-length");
  EXPECT_FALSE(read.has_lengths());
  EXPECT_EQ(read.heads()[0], 1u);
  EXPECT_EQ(code_of([] { open_graph("random:n=6,m=3,row-order="); }), ExitCode::usage);
}

TEST(RowOrder, HasAnotherNameThatIsAlsoTheSizeOfAGrid) {
  const auto expect_same = [](const std::string& alias, const std::string& key) {
    const Graph by_alias = open_graph(alias);
    const Graph by_key = open_graph(key);
    EXPECT_EQ(by_alias.provenance(), by_key.provenance());
    EXPECT_EQ(by_alias.content_digest(), by_key.content_digest());
  };
  expect_same("random:n=60,m=300,rows=by-length", "random:n=60,m=300,row-order=by-length");
  for (const char* grid :
       {"grid:columns=5,rows=4,rows=by-length", "grid:rows=by-length,columns=5,rows=4",
        "grid:rows=4,rows=by-length,columns=5"}) {
    expect_same(grid, "grid:rows=4,columns=5,row-order=by-length");
  }
  const TestFolder folder;
  folder.write("t.gr", "p sp 3 2\na 1 2 9\na 1 3 5\n");
  const std::string file = folder / "t.gr";
  expect_same(file + ",rows=by-length", file + ",row-order=by-length");
  EXPECT_EQ(open_graph(file + ",rows=by-length").heads()[0], 2u);
  EXPECT_EQ(error_of([] { open_graph("random:n=6,m=3,rows=by-lenght"); }),
            "row-order=by-lenght: no such order of a row's arcs; did you mean 'by-length'?");
  EXPECT_EQ(error_of([] { open_graph("grid:rows=2,columns=3,rows=by-lenght"); }),
            "row-order=by-lenght: no such order of a row's arcs; did you mean 'by-length'?");
  EXPECT_EQ(code_of([] { open_graph("random:n=6,m=3,rows="); }), ExitCode::usage);
}

TEST(Arcs, GetThePartnersThatTheyLack) {
  // Parallel arcs with one partner for two; partners of another length; loops; a vertex apart.
  const std::vector<Arc> arcs = {{0, 1, 5}, {0, 1, 5}, {1, 0, 5}, {2, 0, 7},
                                 {0, 2, 8}, {2, 2, 1}, {2, 2, 1}};
  const Graph graph =
      with_arcs(Graph::from_arcs(4, arcs, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}), "both");
  EXPECT_EQ(arcs_of(graph), (std::vector<Arc>{{0, 1, 5},
                                              {0, 1, 5},
                                              {0, 2, 7},
                                              {0, 2, 8},
                                              {1, 0, 5},
                                              {1, 0, 5},
                                              {2, 0, 7},
                                              {2, 0, 8},
                                              {2, 2, 1},
                                              {2, 2, 1}}));
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_TRUE(graph.properties().sorted_rows);
  EXPECT_EQ(graph.coordinates()[3], (Coordinate{3, 3}));
  verify_graph(graph, "both");
  EXPECT_EQ(with_arcs(graph, "both").content_digest(), graph.content_digest());
  EXPECT_EQ(with_arcs(Graph(), "both").arc_count(), 0U);
  EXPECT_EQ(error_of([] { with_arcs(Graph(), "bth"); }),
            "arcs=bth: no such set of arcs; did you mean 'both'?");
}

TEST(Arcs, AreAKeyOfEveryReferenceAndComeBeforeTheOrder) {
  const Graph made = open_graph("random:n=60,m=100,arcs=both,lengths=uniform:0..9,order=random");
  const Graph plain = open_graph("random:n=60,m=100,lengths=uniform:0..9");
  EXPECT_EQ(made.provenance(), plain.provenance() + ",arcs=both,order=random");
  EXPECT_FALSE(plain.properties().symmetric);
  EXPECT_TRUE(made.properties().symmetric);
  EXPECT_GT(made.arc_count(), plain.arc_count());
  EXPECT_LE(made.arc_count(), 2 * plain.arc_count());
  const TestFolder folder;
  folder.write("g.el", "0 2\n2 1\n1 2\n");
  const Graph read = open_graph(folder / "g.el,arcs=both");
  EXPECT_EQ(read.provenance(), "g.el,arcs=both");
  EXPECT_FALSE(read.has_lengths());
  EXPECT_EQ(Order(read.heads().begin(), read.heads().end()), (Order{2, 2, 0, 1}));
  EXPECT_EQ(code_of([&] { open_graph(folder / "g.el,arcs="); }), ExitCode::usage);
}

TEST(Order, EdgeListDegreesGoWithTheirVertices) {
  const Graph graph = open_graph("kronecker:scale=7");
  const Graph sorted = with_row_order(graph, "by-length");
  EXPECT_TRUE(std::ranges::equal(sorted.edge_list_degrees(), graph.edge_list_degrees()));
  for (const char* word : {"random", "degree", "breadth-first", "depth-first"}) {
    const Graph made = reordered(graph, word);
    verify_graph(made, word);
    const Order order = vertex_order(graph, word);
    ASSERT_EQ(made.edge_list_degrees().size(), order.size());
    for (Vertex i = 0; i < order.size(); ++i) {
      ASSERT_EQ(made.edge_list_degrees()[i], graph.edge_list_degrees()[order[i]]) << word;
    }
  }
  EXPECT_TRUE(reordered(five(), "degree").edge_list_degrees().empty());
}

TEST(Arcs, EdgeListDegreesGoWithArcsThatNoListHad) {
  const Graph symmetric = open_graph("kronecker:scale=7");
  EXPECT_TRUE(std::ranges::equal(with_arcs(symmetric, "both").edge_list_degrees(),
                                 symmetric.edge_list_degrees()));
  const Graph directed =
      with_edge_list_degrees(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 5}}), {2, 2});
  EXPECT_TRUE(with_arcs(directed, "both").edge_list_degrees().empty());
}

TEST(Order, IsAKeyOfEveryReference) {
  const Graph made = open_graph("grid:rows=4,columns=5,order=random,lengths=hash:1..9,seed=3");
  EXPECT_EQ(
      made.provenance(),
      open_graph("grid:rows=4,columns=5,lengths=hash:1..9,seed=3").provenance() + ",order=random");
  const TestFolder folder;
  write_gr(made, folder / "g.gr");
  write_gr(made, folder / "x,order=y.gr");
  EXPECT_EQ(open_graph(folder / "x,order=y.gr").content_digest(), made.content_digest());
  const Graph read = open_graph(folder / "g.gr,lengths=unit,order=degree");
  EXPECT_EQ(read.provenance(), "g.gr,lengths=unit,seed=1,order=degree");
  EXPECT_GE(read.row_offsets()[1] - read.row_offsets()[0], 4U);
  folder.write("t.pace.gr", "p tw 3 2\n1 2\n2 3\n");
  EXPECT_FALSE(open_graph(folder / "t.pace.gr,order=random").has_lengths());
  EXPECT_EQ(code_of([] { open_graph("grid:rows=4,columns=5,order="); }), ExitCode::usage);
}

}  // namespace
}  // namespace bellmark
