#include "graph/edge_list.hpp"

#include <gtest/gtest.h>

#include "base/test_folder.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

constexpr const char* kSmallEdges =
    "# FromNodeId\tToNodeId\n0 3\n3 1\n0 1\n% a comment\n1 1\n0 3\n";
constexpr const char* kWeightedEdges = "0 3 5\n3 1 -2147483647\n0 1 0\n1 1 2147483647\n0 3 5\n";

using Vertices = std::vector<Vertex>;

std::string list_error(std::string_view text) {
  return error_of([&] { parse_el(text, "g.el"); });
}
std::string weighted_error(std::string_view text) {
  return error_of([&] { parse_wel(text, "g.wel"); });
}
Vertices heads_of(const Graph& graph) { return {graph.heads().begin(), graph.heads().end()}; }

TEST(EdgeList, ALineIsAnArc) {
  const Graph graph = parse_el(kSmallEdges, "folder/g.el");
  EXPECT_EQ(std::vector<Offset>(graph.row_offsets().begin(), graph.row_offsets().end()),
            (std::vector<Offset>{0, 3, 4, 4, 5}));
  EXPECT_EQ(heads_of(graph), (Vertices{3, 1, 3, 1, 1}));
  EXPECT_FALSE(graph.has_lengths());
  EXPECT_EQ(graph.properties().largest_length, 1);
  EXPECT_FALSE(graph.properties().symmetric);
  EXPECT_EQ(graph.provenance(), "g.el");
  verify_graph(graph, "g.el");
}

TEST(EdgeList, AWeightedLineHasALength) {
  const Graph graph = parse_wel(kWeightedEdges, "folder/g.wel");
  EXPECT_EQ(heads_of(graph), (Vertices{3, 1, 3, 1, 1}));
  EXPECT_EQ(std::vector<Length>(graph.lengths().begin(), graph.lengths().end()),
            (std::vector<Length>{5, 0, 5, 2147483647, kLeastLength}));
  EXPECT_EQ(graph.provenance(), "g.wel");
  verify_graph(graph, "g.wel");
}

TEST(EdgeList, ReadsWhatOnlyLooksDifferent) {
  const std::string digest = parse_el(kSmallEdges, "g").content_digest();
  EXPECT_EQ(parse_el("%\r\n 0\t3 \r\n\r\n3  1\r\n#\r\n0 01\r\n1 1\r\n0 3", "g").content_digest(),
            digest);
  EXPECT_EQ(parse_el("0 3\n3 1\n0 1\n1 1\n0 3\n#", "g").content_digest(), digest);
  EXPECT_EQ(parse_el(gzip(kSmallEdges), "g").content_digest(), digest);
  const std::string weighted = parse_wel(kWeightedEdges, "g").content_digest();
  EXPECT_EQ(parse_wel("# x y z\n0 3\t5\r\n3 1 -2147483647\n0 1 -0\n1 1 2147483647\n0 3 5", "g")
                .content_digest(),
            weighted);
  const TestFolder folder;
  EXPECT_EQ(read_el(folder.write("g.el", kSmallEdges)).content_digest(), digest);
  EXPECT_EQ(read_wel(folder.write("g.wel", gzip(kWeightedEdges))).content_digest(), weighted);
}

TEST(EdgeList, TheLargestIdSaysHowManyVerticesThereAre) {
  EXPECT_EQ(parse_el("0 0\n", "g").vertex_count(), 1U);
  EXPECT_EQ(parse_el("5 2", "g").vertex_count(), 6U);
  EXPECT_EQ(parse_el("0 1000031\n", "g").vertex_count(), 1'000'032U);
  EXPECT_EQ(list_error("0 1\n# gap\n1000064 0\n1 0\n"), "(no error)");
  EXPECT_EQ(list_error("0 1\n# gap\n1000064 0\n"),
            "g.el:3: vertex 1000064 makes 1000065 vertices (7 MiB of row offsets) of a list of "
            "only 2 arcs; at most 1,000,000 + 32 x arcs are believed: renumber the vertices, "
            "from 0 and without gaps");
  EXPECT_EQ(list_error("2147483648 1\n"),
            "g.el:1: vertex 2147483648 makes 2147483649 vertices (16384 MiB of row offsets) of a "
            "list of only 1 arcs; at most 1,000,000 + 32 x arcs are believed: renumber the "
            "vertices, from 0 and without gaps");
  EXPECT_EQ(list_error("1 2\n0 2147483649\n"),
            "g.el:2: head 2147483649 is above 2147483648: row offsets up to it would take 16 GiB; "
            "renumber the vertices, from 0 and without gaps");
  EXPECT_EQ(weighted_error("4294967296 2 1\n"),
            "g.wel:1: tail 4294967296 is above 2147483648: row offsets up to it would take 32 GiB; "
            "renumber the vertices, from 0 and without gaps");
  EXPECT_EQ(list_error("116374117927631468606 2\n"),
            "g.el:1: tail 18446744073709551615 or more is above 2147483648: row offsets up to it "
            "would take 137438953471 GiB; renumber the vertices, from 0 and without gaps");
}

TEST(EdgeList, SaysWhereAListIsWrong) {
  const std::string any = "0..18446744073709551615";
  const std::pair<std::string, std::string> cases[] = {
      {"", "g.el:1: there is no arc; is this an edge list?"},
      {"\n# only\n", "g.el:2: there is no arc; is this an edge list?"},
      {"0 1\n2\n", "g.el:2: head is missing; the line ends too early"},
      {"0 1\n-2 1\n", "g.el:2: tail -2 is out of range; it must be in " + any},
      {"0,1\n", "g.el:1: tail has ',' in it; write a whole number in " + any},
      {"0 x\n", "g.el:1: head has 'x' in it; write a whole number in " + any},
      {"p sp 2 1\n", "g.el:1: tail has 'p' in it; write a whole number in " + any},
      {std::string("0 \0\n", 4),
       "g.el:1: head has byte 0x00 in it; write a whole number in " + any},
      {"0 1\n1 2 3\n",
       "g.el:2: a third field in a list without lengths; let its name end in .wel if it is the "
       "length, or remove it"},
      {"0 1 # here\n",
       "g.el:1: a third field in a list without lengths; let its name end in .wel if it is the "
       "length, or remove it"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n",
       "g.el:1: this is a Matrix Market file, not an edge list; let its name end in .mtx"},
      {"#" + std::string(300'000, ' '),
       "g.el:1: line is longer than 65536 bytes; is this a text file?"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(list_error(text), message);
  const std::string range = "-2147483647..2147483647";
  const std::pair<std::string, std::string> weighted_cases[] = {
      {"0 1 2\n1 0\n", "g.wel:2: length is missing; the line ends too early"},
      {"0 1 2 3\n", "g.wel:1: unexpected '3' after the last field; remove the rest of the line"},
      {"0 1 2.5\n",
       "g.wel:1: length 2.5 is not whole; lengths are whole numbers: read it with "
       ",lengths=scaled:1000 after the name, or remove the lengths and let its name end in .el"},
      {"0 1 -2e3\n",
       "g.wel:1: length -2e3 is not whole; lengths are whole numbers: read it with "
       ",lengths=scaled:1000 after the name, or remove the lengths and let its name end in .el"},
      {"0 1 2,5\n", "g.wel:1: length has ',' in it; write a whole number in " + range},
      {"0 1 2147483648\n", "g.wel:1: length 2147483648 is out of range; it must be in " + range},
      {"0 1 -2147483648\n", "g.wel:1: length -2147483648 is out of range; it must be in " + range},
      {"0 1 99999999999999999999\n",
       "g.wel:1: length 99999999999999999999 is out of range; it must be in " + range},
  };
  for (const auto& [text, message] : weighted_cases) EXPECT_EQ(weighted_error(text), message);
  const std::string good = gzip(kSmallEdges);
  for (std::size_t size = 3; size < good.size(); ++size) {
    EXPECT_NE(list_error(good.substr(0, size)).find("gzip data ends too early"), std::string::npos);
  }
  EXPECT_EQ(code_of([] { read_el("/no/such.el"); }), ExitCode::usage);
  EXPECT_EQ(code_of([] { read_wel("/no/such.wel"); }), ExitCode::usage);
}

}  // namespace
}  // namespace bellmark
