#include "graph/pace.hpp"

#include <gtest/gtest.h>

#include "graph/dimacs.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

constexpr const char* kSmallPace = "c a comment\np tw 5 3\n1 2\n4 1\n2 3\n";

std::string pace_error(std::string_view text) {
  return error_of([&] { parse_pace(text, "g.pace.gr"); });
}

TEST(Pace, EveryEdgeGoesBothWays) {
  const Graph graph = parse_pace(kSmallPace, "folder/g.pace.gr");
  EXPECT_EQ(graph.vertex_count(), 5U);
  EXPECT_EQ(std::vector<Offset>(graph.row_offsets().begin(), graph.row_offsets().end()),
            (std::vector<Offset>{0, 2, 4, 5, 6, 6}));
  EXPECT_EQ(std::vector<Vertex>(graph.heads().begin(), graph.heads().end()),
            (std::vector<Vertex>{1, 3, 0, 2, 1, 0}));
  EXPECT_FALSE(graph.has_lengths());
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_TRUE(graph.properties().sorted_rows);
  EXPECT_EQ(graph.properties().largest_length, 1);
  EXPECT_EQ(graph.provenance(), "g.pace.gr");
  verify_graph(graph, "g.pace.gr");
}

TEST(Pace, ReadsWhatOnlyLooksDifferent) {
  const std::string digest = parse_pace(kSmallPace, "g").content_digest();
  EXPECT_EQ(parse_pace("\n p\ttw 5  3 \r\n\n1 2\r\nc 9\n  4\t1\r\n2 0003", "g").content_digest(),
            digest);
  EXPECT_EQ(parse_pace(gzip(kSmallPace), "g").content_digest(), digest);
  EXPECT_EQ(parse_pace("p tw 0 0\n", "g").vertex_count(), 0U);
  EXPECT_EQ(parse_pace("p tw 7 0", "g").vertex_count(), 7U);
}

TEST(Pace, SaysWhereAGraphIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "g.pace.gr:1: there is no p line; is this a PACE file?"},
      {"1 2\n", "g.pace.gr:1: this line comes before the p line; put the p line first"},
      {"p sp 2 1\n1 2\n", "g.pace.gr:1: unknown problem in the p line; it must begin with 'p tw'"},
      {"p tw 2 1\np tw 2 1\n", "g.pace.gr:2: second p line, after line 1; keep only one"},
      {"p tw 2 1\n1 2\n2 1\n",
       "g.pace.gr:3: more edge lines than the 1 that line 1 announces; correct the p line or "
       "remove the rest"},
      {"p tw 2 2\n1 2\n",
       "g.pace.gr:2: the file ends after 1 of the 2 edge lines that line 1 announces; fetch the "
       "file again or correct the p line"},
      {"p tw 2 1\n0 2\n", "g.pace.gr:2: vertex 0 is out of range; it must be in 1..2"},
      {"p tw 2 1\n1 3\n", "g.pace.gr:2: vertex 3 is out of range; it must be in 1..2"},
      {"p tw 2 1\n1\n", "g.pace.gr:2: vertex is missing; the line ends too early"},
      {"p tw 2 1\n1 2 3\n",
       "g.pace.gr:2: unexpected '3' after the last field; remove the rest of the line"},
      {"p tw 2 1\n-1 2\n",
       "g.pace.gr:2: unknown kind of line, beginning with '-'; lines here begin with c, p or a "
       "number"},
      {"p tw 2 1\n2 2\n",
       "g.pace.gr:2: edge from vertex 2 to itself; remove the line: a PACE graph has no self "
       "loops"},
      {"p tw 4294967296 1\n1 2\n",
       "g.pace.gr:1: vertex count 4294967296 is out of range; it must be in 0..4294967295"},
      {"p tw 1000017 1\n1 2\n",
       "g.pace.gr: 1000017 vertices announced for only 1 edges; at most 1,000,000 + 16 x edges are "
       "believed: correct the p line"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(pace_error(text), message);
  EXPECT_EQ(error_of([] { parse_gr("p tw 2 1\n1 2\n", "g.gr"); }),
            "g.gr:1: this is a PACE graph, not a DIMACS one; let its name end in .pace.gr");
  EXPECT_EQ(code_of([] { read_pace("/no/such.pace.gr"); }), ExitCode::usage);
}

}  // namespace
}  // namespace bellmark
