#include "graph/dimacs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/test_folder.hpp"
#include "graph/generate.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

constexpr const char* kSmall =
    "c a comment\np sp 3 4\na 1 2 10\na 2 1 10\na 3 3 0\na 1 3 2147483647\n";

std::string gr_error(std::string_view text) {
  return error_of([&] { parse_gr(text, "g.gr"); });
}

TEST(Dimacs, ReadsAGraph) {
  const Graph graph = parse_gr(kSmall, "folder/g.gr");
  EXPECT_EQ(graph.vertex_count(), 3U);
  EXPECT_EQ(std::vector<Vertex>(graph.heads().begin(), graph.heads().end()),
            (std::vector<Vertex>{1, 2, 0, 2}));
  EXPECT_EQ(std::vector<Length>(graph.lengths().begin(), graph.lengths().end()),
            (std::vector<Length>{10, 2147483647, 10, 0}));
  EXPECT_EQ(graph.provenance(), "g.gr");
}

TEST(Dimacs, ReadsWhatOnlyLooksDifferent) {
  const std::string digest = parse_gr(kSmall, "g.gr").content_digest();
  const auto digest_of = [](std::string_view text) {
    return parse_gr(text, "g.gr").content_digest();
  };
  std::string crlf;
  for (const char* c = kSmall; *c != '\0'; ++c) crlf += *c == '\n' ? "\r\n" : std::string(1, *c);
  EXPECT_EQ(digest_of(crlf), digest);
  const std::string_view small(kSmall);
  EXPECT_EQ(digest_of(small.substr(0, small.size() - 1)), digest);
  EXPECT_EQ(digest_of("\n \n  p\tsp 3  4 \n\na 1 2 10\nc\nc\x01\xff\na  2 1 0010\na 3 3 0 \n"
                      "a 1 3 000000000002147483647\n\n"),
            digest);
  EXPECT_EQ(digest_of(gzip(kSmall)), digest);
  EXPECT_EQ(digest_of(gzip(small.substr(0, 20)) + gzip("") + gzip(small.substr(20))), digest);
}

TEST(Dimacs, EmptyGraphsAreGraphs) {
  EXPECT_EQ(parse_gr("p sp 0 0\n", "g.gr").vertex_count(), 0U);
  EXPECT_EQ(parse_gr("p sp 7 0", "g.gr").vertex_count(), 7U);
}

// More than 60 lines: a table with a line for each fault of a file.
TEST(Dimacs, SaysWhereAGraphIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "g.gr:1: there is no p line; is this a DIMACS file?"},
      {"c only\n", "g.gr:1: there is no p line; is this a DIMACS file?"},
      {"a 1 2 3\n", "g.gr:1: this line comes before the p line; put the p line first"},
      {"p sp 2 1\np sp 2 1\n", "g.gr:2: second p line, after line 1; keep only one"},
      {"p sp 2 1\na 1 2 3\na 2 1 3\n",
       "g.gr:3: more arc lines than the 1 that line 1 announces; correct the p line or remove the "
       "rest"},
      {"p sp 2 2\na 1 2 3\n",
       "g.gr:2: the file ends after 1 of the 2 arc lines that line 1 announces; fetch the file "
       "again or correct the p line"},
      {"p sp 2 1\na 0 2 3\n", "g.gr:2: tail 0 is out of range; it must be in 1..2"},
      {"p sp 2 1\na 1 3 3\n", "g.gr:2: head 3 is out of range; it must be in 1..2"},
      {"p sp 2 1\na 1 4294967297 3\n",
       "g.gr:2: head 4294967297 is out of range; it must be in 1..2"},
      {"p sp 2 1\na 1 2 -2147483648\n",
       "g.gr:2: length -2147483648 is out of range; it must be in -2147483647..2147483647"},
      {"p sp 2 1\na 1 2 --3\n",
       "g.gr:2: length has '-' in it; write a whole number in -2147483647..2147483647"},
      {"p sp 2 1\na 1 2 -\n",
       "g.gr:2: length - is out of range; it must be in -2147483647..2147483647"},
      {"p sp 2 1\na 1 2 2147483648\n",
       "g.gr:2: length 2147483648 is out of range; it must be in -2147483647..2147483647"},
      {"p sp 2 1\na 1 2 99999999999999999999999999999999\n",
       "g.gr:2: length 999999999999999999999999... is out of range; it must be in "
       "-2147483647..2147483647"},
      {"p sp 2 1\na 1 2 0.5\n",
       "g.gr:2: length has '.' in it; write a whole number in -2147483647..2147483647"},
      {"p sp 2 1\na 1 2 x\n",
       "g.gr:2: length has 'x' in it; write a whole number in -2147483647..2147483647"},
      {std::string("p sp 2 1\na 1 2\0003\n", 17),
       "g.gr:2: head has byte 0x00 in it; write a whole number in 1..2"},
      {"p sp 2 1\na 1 2\n", "g.gr:2: length is missing; the line ends too early"},
      {"p sp 2 1\na\n", "g.gr:2: tail is missing; the line ends too early"},
      {"p sp 2 1\na 1 2 3 4\n",
       "g.gr:2: unexpected '4' after the last field; remove the rest of the line"},
      {"p sp 2 1\na1 2 3\n", "g.gr:2: '1' right after the letter 'a'; write a blank between them"},
      {"psp 2 1\n", "g.gr:1: 's' right after the letter 'p'; write a blank between them"},
      {"p sp 2 1\nx 1 2 3\n",
       "g.gr:2: unknown kind of line, beginning with 'x'; lines here begin with c, p or a"},
      {std::string("p sp 2 1\n\0\n", 11),
       "g.gr:2: unknown kind of line, beginning with byte 0x00; lines here begin with c, p or a"},
      {"p max 2 1\n", "g.gr:1: unknown problem in the p line; it must begin with 'p sp'"},
      {"p\n", "g.gr:1: unknown problem in the p line; it must begin with 'p sp'"},
      {"p sp 2\n", "g.gr:1: arc count is missing; the line ends too early"},
      {"p sp -2 1\n", "g.gr:1: vertex count -2 is out of range; it must be in 0..4294967295"},
      {"p sp 4294967296 1\n",
       "g.gr:1: vertex count 4294967296 is out of range; it must be in 0..4294967295"},
      {"p sp 2 99999999999999999999\n",
       "g.gr:1: arc count 99999999999999999999 is out of range; it must be in 0..281474976710656"},
      {"p sp 4294967295 0\n",
       "g.gr: 4294967295 vertices announced for only 0 arcs; at most 1,000,000 + 16 x arcs are "
       "believed: correct the p line"},
      {"p sp 2 281474976710656\na 1 2 3\n",
       "g.gr:2: the file ends after 1 of the 281474976710656 arc lines that line 1 announces; "
       "fetch the file again or correct the p line"},
      {"c" + std::string(300'000, ' '),
       "g.gr:1: line is longer than 65536 bytes; is this a text file?"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(gr_error(text), message);
}

TEST(Dimacs, SaysWhenGzipIsDamaged) {
  const std::string good = gzip(kSmall);
  for (std::size_t size = 3; size < good.size(); ++size) {
    EXPECT_NE(gr_error(good.substr(0, size)).find("gzip data ends too early"), std::string::npos);
  }
  std::string bad_checksum = good;
  bad_checksum[good.size() - 8] ^= 1;
  EXPECT_NE(gr_error(bad_checksum).find("gzip data is damaged (incorrect data check)"),
            std::string::npos);
  EXPECT_NE(gr_error(good + "garbage").find("bytes that are not gzip data"), std::string::npos);
  EXPECT_NE(gr_error(good + "\x1f").find("gzip data ends too early"), std::string::npos);
  EXPECT_NE(gr_error(std::string("\x1f\x8b\xff\xff", 4)).find("gzip data is damaged"),
            std::string::npos);
}

TEST(Dimacs, LinesMayCrossBlocks) {
  // More than a few blocks, with line lengths that put block ends everywhere in a line.
  const Graph made = make_random(5000, 60000, parse_lengths("uniform:0..2147483647"), 3);
  const TestFolder folder;
  write_gr(made, folder / "g.gr");
  EXPECT_GT(std::filesystem::file_size(folder / "g.gr"), std::size_t{1} << 20);
  EXPECT_EQ(read_gr(folder / "g.gr").content_digest(), made.content_digest());
  write_gr(made, folder / "g.gr.gz");
  EXPECT_EQ(read_gr(folder / "g.gr.gz").content_digest(), made.content_digest());
  EXPECT_LT(std::filesystem::file_size(folder / "g.gr.gz"),
            std::filesystem::file_size(folder / "g.gr"));
  // Names don't matter to readers.
  std::filesystem::rename(folder / "g.gr.gz", folder / "plain.gr");
  EXPECT_EQ(read_gr(folder / "plain.gr").content_digest(), made.content_digest());
}

TEST(Dimacs, LengthsMayBeNegative) {
  const std::string text = "c g.gr\np sp 2 3\na 1 2 -3\na 1 1 -2147483647\na 2 1 0\n";
  const Graph graph = parse_gr(text, "g.gr");
  EXPECT_TRUE(std::ranges::equal(graph.lengths(), std::vector<Length>{-3, kLeastLength, 0}));
  EXPECT_EQ(parse_gr("p sp 1 1\na 1 1 -0\n", "g.gr").length(0), 0);
  const TestFolder folder;
  write_gr(graph, folder / "g.gr");
  EXPECT_EQ(TestFolder::read(folder / "g.gr"), text);
}

TEST(Dimacs, WritesTheFormatAndNothingElse) {
  Graph graph = Graph::from_arcs(2, std::vector<Arc>{{1, 0, 7}}, {{-5, 6}, {2147483647, 0}});
  graph.set_provenance("two\nlines");
  const TestFolder folder;
  write_gr(graph, folder / "g.gr");
  EXPECT_EQ(TestFolder::read(folder / "g.gr"), "c two lines\np sp 2 1\na 2 1 7\n");
  write_co(graph, folder / "g.co");
  EXPECT_EQ(TestFolder::read(folder / "g.co"),
            "c two lines\np aux sp co 2\nv 1 -5 6\nv 2 2147483647 0\n");
  write_co(graph, folder / "g.co.gz");
  const std::vector<Coordinate> places = read_co(folder / "g.co.gz", 2);
  EXPECT_TRUE(std::ranges::equal(places, graph.coordinates()));
  EXPECT_EQ(folder.file_count(), 3U);
}

TEST(Dimacs, RefusesToWriteWhatItWouldNotRead) {
  const TestFolder folder;
  const Graph isolated = Graph::from_arcs(1'000'001, {});
  EXPECT_EQ(code_of([&] { write_gr(isolated, folder / "g.gr"); }), ExitCode::usage);
  EXPECT_EQ(code_of([&] { write_co(isolated, folder / "g.co"); }), ExitCode::usage);
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST(Dimacs, ReadsCoordinates) {
  EXPECT_EQ(parse_co("p aux sp co 2\nv 2 -1 2\nv 1 3 -4\n", "g.co", 2),
            (std::vector<Coordinate>{{3, -4}, {-1, 2}}));
  const auto error = [](std::string_view text) {
    return error_of([&] { parse_co(text, "g.co", 2); });
  };
  EXPECT_EQ(error("p aux sp co 3\n"),
            "g.co:1: coordinates of 3 vertices for a graph of 2; name the file that belongs to the "
            "graph");
  EXPECT_EQ(error("p aux sp co 2\nv 1 1 1\nv 1 1 1\n"),
            "g.co:3: vertex 1 occurs twice; give every vertex one coordinate");
  EXPECT_EQ(error("p aux sp co 2\nv 1 1 1\n"),
            "g.co:2: the file ends after 1 of the 2 vertex lines that line 1 announces; fetch the "
            "file again or correct the p line");
  EXPECT_EQ(error("p aux sp co 2\nv 3 1 1\n"),
            "g.co:2: vertex 3 is out of range; it must be in 1..2");
  EXPECT_EQ(error("p aux sp co 2\nv 1 2147483648 1\n"),
            "g.co:2: longitude 2147483648 is out of range; it must be in "
            "-2147483647..2147483647");
  EXPECT_EQ(error("p aux sp co 2\nv 1 --2 1\n"),
            "g.co:2: longitude has '-' in it; write a whole number in -2147483647..2147483647");
  EXPECT_EQ(error("p aux sp ss 2\n"),
            "g.co:1: unknown problem in the p line; it must begin with 'p aux sp co'");
}

TEST(Dimacs, ReadsSourcesAndQueries) {
  EXPECT_EQ(parse_ss("p aux sp ss 3\ns 3\ns 1\ns 3\n", "g.ss", 3), (std::vector<Vertex>{2, 0, 2}));
  EXPECT_EQ(error_of([] { parse_ss("p aux sp ss 1\ns 4\n", "g.ss", 3); }),
            "g.ss:2: source 4 is out of range; it must be in 1..3");
  EXPECT_EQ(error_of([] { parse_ss("p aux sp ss 2\ns 1\n", "g.ss"); }),
            "g.ss:2: the file ends after 1 of the 2 source lines that line 1 announces; fetch the "
            "file again or correct the p line");
  using Queries = std::vector<std::pair<Vertex, Vertex>>;
  EXPECT_EQ(parse_p2p("p aux sp p2p 2\nq 1 3\nq 2 2\n", "g.p2p", 3), (Queries{{0, 2}, {1, 1}}));
  EXPECT_EQ(error_of([] { parse_p2p("p aux sp p2p 1\nq 1 4\n", "g.p2p", 3); }),
            "g.p2p:2: target 4 is out of range; it must be in 1..3");
  EXPECT_EQ(error_of([] { parse_p2p("p aux sp p2p 0\nq 1 1\n", "g.p2p"); }),
            "g.p2p:2: more query lines than the 0 that line 1 announces; correct the p line or "
            "remove the rest");
}

TEST(Dimacs, SaysWhatIsWrongWithAFile) {
  const TestFolder folder;
  EXPECT_EQ(code_of([&] { read_gr(folder / "none.gr"); }), ExitCode::usage);
  EXPECT_NE(error_of([&] { read_gr(folder / "none.gr"); }).find("none.gr: no such file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_gr(folder / "."); }).find("is a folder"), std::string::npos);
  const auto empty = folder.write("empty.gr", "");
  EXPECT_NE(error_of([&] { read_gr(empty); }).find("empty.gr:1: there is no p line"),
            std::string::npos);
  const auto locked = folder.write("locked.gr", kSmall);
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  // Permissions don't bind the super-user, who simply reads the file.
  const ExitCode code = code_of([&] { read_gr(locked); });
  EXPECT_EQ(code, ::geteuid() == 0 ? ExitCode::ok : ExitCode::machine);
}

}  // namespace
}  // namespace bellmark
