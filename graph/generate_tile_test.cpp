// Tiles: sizes, connection, stitches that agree, the same digest everywhere, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/test_folder.hpp"
#include "graph/binary.hpp"
#include "graph/expected_size.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/reference.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

class TileTest : public testing::Test {
 protected:
  /// The name of a file with this graph.
  std::string file(const Graph& graph, const std::string& name = "g.bmg") {
    const fs::path path = folder_ / name;
    write_binary(graph, path);
    return path.string();
  }
  std::string tile(const Graph& graph, const std::string& keys) {
    return "tile:" + file(graph) + "," + keys;
  }
  /// The error's text has this part.
  static void expect_refused(const std::string& reference, const std::string& part) {
    const std::string text = error_of([&] { open_graph(reference); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  TestFolder folder_;
};

std::uint64_t reached_from_first(const Graph& graph) {
  std::vector<bool> seen(graph.vertex_count());
  std::vector<Vertex> queue = {0};
  seen[0] = true;
  for (std::size_t front = 0; front < queue.size(); ++front) {
    for (Offset e = graph.row_offsets()[queue[front]]; e < graph.row_offsets()[queue[front] + 1];
         ++e) {
      if (seen[graph.heads()[e]]) continue;
      seen[graph.heads()[e]] = true;
      queue.push_back(graph.heads()[e]);
    }
  }
  return queue.size();
}

TEST_F(TileTest, SixteenCopiesLieInFourRows) {
  const Graph road = make_graph("road:n=900");
  const Graph graph = open_graph(tile(road, "copies=16"));
  EXPECT_EQ(graph.vertex_count(), 16 * 900U);
  // 12 pairs of neighbours each way, two arcs for each stitch.
  const Offset stitches = graph.arc_count() - 16 * road.arc_count();
  EXPECT_EQ(stitches % 24, 0U);
  EXPECT_GT(stitches, 24U * 5);
  EXPECT_LT(stitches, 24U * 90);
  EXPECT_EQ(reached_from_first(graph), graph.vertex_count());
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_EQ(graph.properties().sorted_rows, road.properties().sorted_rows);
  verify_graph(graph, "tile");
  EXPECT_GE(graph.properties().least_length, road.properties().least_length);
  EXPECT_LE(graph.properties().largest_length, road.properties().largest_length);
}

TEST_F(TileTest, EveryCopyIsTheGraph) {
  const Graph grid = make_graph("grid:rows=5,columns=4");
  for (const std::uint64_t copies : {2, 3, 4, 6}) {
    const Graph graph = open_graph(tile(grid, "copies=" + std::to_string(copies)));
    verify_graph(graph, "tile");
    EXPECT_EQ(reached_from_first(graph), 20 * copies);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      const Vertex copy = v / 20;
      std::vector<std::pair<Vertex, Length>> row;
      for (Offset e = graph.row_offsets()[v]; e < graph.row_offsets()[v + 1]; ++e) {
        if (graph.heads()[e] / 20 == copy) row.emplace_back(graph.heads()[e] % 20, graph.length(e));
      }
      std::vector<std::pair<Vertex, Length>> own;
      for (Offset e = grid.row_offsets()[v % 20]; e < grid.row_offsets()[v % 20 + 1]; ++e) {
        own.emplace_back(grid.heads()[e], grid.length(e));
      }
      EXPECT_EQ(row, own) << v;
    }
  }
}

/// Opposite borders are apart: more copies are a larger map.
TEST_F(TileTest, CopiesLieBesideEachOther) {
  const Graph grid = make_graph("grid:rows=20,columns=20,lengths=unit");
  const auto bound = [&](const std::string& keys) {
    return distance_bound(open_graph(tile(grid, keys))).value;
  };
  const std::uint64_t one = distance_bound(grid).value;
  EXPECT_GT(bound("copies=4"), one);
  EXPECT_GT(bound("copies=16"), 2 * one);
  EXPECT_GT(bound("copies=7"), one * 3) << "in one row";
}

TEST_F(TileTest, LengthsAreByTheEndsInTheWhole) {
  const Graph grid = make_graph("grid:rows=4,columns=4,lengths=unit");
  const Graph graph = open_graph(tile(grid, "copies=4,lengths=hash:5..900,seed=3"));
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_GE(graph.properties().least_length, 5);
  std::vector<Length> first(graph.lengths().begin(), graph.lengths().begin() + 20);
  std::vector<Length> second(
      graph.lengths().begin() + static_cast<std::ptrdiff_t>(graph.row_offsets()[16]),
      graph.lengths().begin() + static_cast<std::ptrdiff_t>(graph.row_offsets()[16] + 20));
  EXPECT_NE(first, second) << "copies have lengths of their own";
  EXPECT_NE(graph.content_digest(),
            open_graph(tile(grid, "copies=4,lengths=hash:5..900,seed=4")).content_digest());
}

TEST_F(TileTest, DirectedGraphsStayDirected) {
  const Graph ring = make_graph("random4:scale=6");
  const Graph graph = open_graph(tile(ring, "copies=4"));
  EXPECT_FALSE(graph.properties().symmetric);
  verify_graph(graph, "tile");
  EXPECT_EQ(reached_from_first(graph), 4 * 64U)
      << "a cycle goes through each copy, and stitches both ways";
}

TEST_F(TileTest, IsTheSameEverywhere) {
  const Graph graph = open_graph(tile(make_graph("road:n=400"), "copies=6,lengths=hash:1..99"));
  EXPECT_EQ(graph.content_digest(), "3add7aa2f3f4f62f6053e52c91a0ad8a");
}

TEST_F(TileTest, ReferencesAreCanonical) {
  const std::string name = file(make_graph("grid:rows=3,columns=3"), "a,b.bmg");
  const std::string canonical = "tile:" + name + ",copies=2,lengths=own,seed=1";
  EXPECT_EQ(to_string(parse_reference("tile:" + name + ",copies=02")), canonical);
  EXPECT_EQ(open_graph("tile:" + name + ",copies=2").provenance(), canonical);
  EXPECT_EQ(to_string(parse_reference("tile:topology:USA-road.NE,lengths=unit,copies=16")),
            "tile:topology:USA-road.NE,copies=16,lengths=unit,seed=1");
  EXPECT_EQ(open_graph("tile:" + name + ",copies=2,order=random").provenance(),
            canonical + ",order=random");
}

TEST_F(TileTest, WhatCannotBeMadeIsSaidInASentence) {
  const Graph grid = make_graph("grid:rows=3,columns=3");
  const auto of_grid = [&](const std::string& keys, const std::string& part) {
    expect_refused(tile(grid, keys), part);
  };
  of_grid("copies=0", "there is nothing to make; ask for at least 2 copies");
  of_grid("copies=1", "one copy is the graph itself");
  of_grid("copies=-1", "copies: '-1' is not a whole number");
  of_grid("copies=1e3", "is not a whole number");
  of_grid("seed=2", "key 'copies' is missing");
  of_grid("copies=477218589", "more than 4294967295 vertices");
  of_grid("copies=4,keep=1", "unknown key 'keep'");
  of_grid("copies=4,lengths=scale:2^3", "has no lengths to scale");
  expect_refused(tile(make_graph("random:n=100,m=10000"), "copies=40000000"), "GiB of memory");
  expect_refused(tile(make_graph("grid:rows=3,columns=3,keep=0"), "copies=4"),
                 "its graph has no arcs");
  expect_refused(tile(make_graph("grid:rows=9,columns=9,keep=0.3"), "copies=4"),
                 "its graph is not connected");
  expect_refused(tile(make_graph("grid:rows=3,columns=3,lengths=uniform:-3..9"), "copies=4"),
                 "lengths below 0");
}

TEST_F(TileTest, ItsGraphMustBeOne) {
  expect_refused("tile:copies=4", "names no graph");
  expect_refused("tile:", "names no graph");
  expect_refused("tile:square:scale=4,copies=4", "graph make square:scale=4 -o FILE.bmg");
  expect_refused("tile:no.gr,copies=4", "no.gr: no such file");
  expect_refused("tile:dimacs:NOWHERE,copies=4", "dimacs:NOWHERE: no such graph");
  expect_refused("tile:topology:USA-road.COL,copies=4",
                 "its graph has no lengths; add some, for instance "
                 "lengths=sample:dimacs:USA-road-d.NY");
}

/// A large tile of a catalogued graph is made once.
TEST_F(TileTest, IsKeptForTheNextProcess) {
  ::setenv("BELLMARK_DATA", (folder_ / ".").c_str(), 1);
  const std::string reference = "tile:topology:USA-road.COL,copies=5,lengths=unit";
  const Graph made = open_graph(reference);
  std::vector<fs::path> kept;
  for (const auto& entry : fs::directory_iterator(folder_ / "made")) kept.push_back(entry.path());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(open_binary(kept[0]).provenance(), reference + ",seed=1");
  EXPECT_EQ(made.recorded_digest(), made.content_digest()) << "it is the file, mapped";
  // The kept file is used: another graph of that provenance shows it.
  Graph other = make_graph("grid:rows=2,columns=2");
  other.set_provenance(reference + ",seed=1");
  write_binary(other, kept[0]);
  EXPECT_EQ(open_graph(reference).vertex_count(), 4U);
  other.set_provenance("another");
  write_binary(other, kept[0]);
  EXPECT_EQ(open_graph(reference).content_digest(), made.content_digest());
  fs::resize_file(kept[0], 500);
  EXPECT_EQ(open_graph(reference).content_digest(), made.content_digest()) << "it was damaged";
  ::unsetenv("BELLMARK_DATA");
}

TEST_F(TileTest, ItsSizeIsExpected) {
  const auto size = expected_size("tile:topology:USA-road.COL,copies=16,lengths=unit");
  ASSERT_TRUE(size.has_value());
  const double actual = 16 * (435'666 + 2 * 521'200.0);
  EXPECT_GT(size->count, actual / 2);
  EXPECT_LT(size->count, actual * 1.5);
  EXPECT_FALSE(expected_size("tile:no.gr,copies=4").has_value());
}

}  // namespace
}  // namespace bellmark
