#include "graph/matrix_market.hpp"

#include <gtest/gtest.h>

#include "base/test_folder.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

constexpr const char* kMatrix =
    "%%MatrixMarket matrix coordinate integer general\n"
    "% a comment\n"
    "3 3 5\n"
    "2 1 10\n"
    "1 3 -2147483647\n"
    "3 3 0\n"
    "1 2 2147483647\n"
    "1 3 7\n";

std::string with_header(const std::string& field_and_symmetry, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + field_and_symmetry + "\n" + rest;
}

Graph parse(std::string_view text) { return parse_matrix_market(text, "folder/g.mtx"); }

std::string matrix_error(std::string_view text) {
  return error_of([&] { parse_matrix_market(text, "g.mtx"); });
}

using Arcs = std::vector<Arc>;

TEST(MatrixMarket, AnEntryIsAnArcFromItsRowToItsColumn) {
  const Graph graph = parse(kMatrix);
  EXPECT_EQ(graph.vertex_count(), 3U);
  EXPECT_EQ(arcs_of(graph),
            (Arcs{{0, 2, kLeastLength}, {0, 1, 2147483647}, {0, 2, 7}, {1, 0, 10}, {2, 2, 0}}));
  EXPECT_TRUE(graph.has_lengths());
  EXPECT_FALSE(graph.properties().symmetric);
  EXPECT_EQ(graph.provenance(), "g.mtx");
  verify_graph(graph, "g.mtx");
}

TEST(MatrixMarket, APatternHasNoLengths) {
  const Graph graph = parse(with_header("pattern general", "4 4 2\n4 1\n1 2\n"));
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1, 1}, {3, 0, 1}}));
  EXPECT_FALSE(graph.has_lengths());
  EXPECT_EQ(graph.properties().largest_length, 1);
}

TEST(MatrixMarket, ASymmetricEntryGoesBothWaysUnlessOnTheDiagonal) {
  const Graph graph =
      parse(with_header("integer symmetric", "3 3 5\n2 1 5\n2 2 6\n3 1 7\n2 1 8\n2 3 9\n"));
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1, 5},
                                  {0, 2, 7},
                                  {0, 1, 8},
                                  {1, 0, 5},
                                  {1, 1, 6},
                                  {1, 0, 8},
                                  {1, 2, 9},
                                  {2, 0, 7},
                                  {2, 1, 9}}));
  EXPECT_TRUE(graph.properties().symmetric);
  verify_graph(graph, "g.mtx");
  const Graph pattern = parse(with_header("pattern symmetric", "2 2 2\n2 1\n1 1\n"));
  EXPECT_EQ(arcs_of(pattern), (Arcs{{0, 1, 1}, {0, 0, 1}, {1, 0, 1}}));
  EXPECT_FALSE(pattern.has_lengths());
}

TEST(MatrixMarket, RealValuesMayBeWhole) {
  const Graph graph = parse(with_header("real general",
                                        "1 1 8\n1 1 3\n1 1 -4.0\n1 1 5.\n1 1 1.25e+2\n1 1 "
                                        "2147483647.00000\n1 1 -2.147483647E9\n1 1 -0.0\n1 1 70e-1"
                                        "\n"));
  EXPECT_EQ(std::vector<Length>(graph.lengths().begin(), graph.lengths().end()),
            (std::vector<Length>{3, -4, 5, 125, 2147483647, kLeastLength, 0, 7}));
}

TEST(MatrixMarket, ReadsWhatOnlyLooksDifferent) {
  const std::string digest = parse(kMatrix).content_digest();
  const auto digest_of = [](std::string_view text) { return parse(text).content_digest(); };
  std::string crlf;
  for (const char* c = kMatrix; *c != '\0'; ++c) crlf += *c == '\n' ? "\r\n" : std::string(1, *c);
  EXPECT_EQ(digest_of(crlf), digest);
  const std::string_view small(kMatrix);
  EXPECT_EQ(digest_of(small.substr(0, small.size() - 1)), digest) << "no last line end";
  EXPECT_EQ(digest_of("\n%%matrixmarket MATRIX\tCoordinate  Integer GENERAL \n%\n%%\n\n 3  3\t5 \n"
                      "2 1 0010\n% 9 9 9\n1 3 -2147483647\n\n  3 3 0\n1 2 02147483647\n1 3 7\n%"),
            digest);
  EXPECT_EQ(digest_of(gzip(kMatrix)), digest);
  EXPECT_EQ(digest_of(gzip(small.substr(0, 20)) + gzip(small.substr(20))), digest);
  const TestFolder folder;
  EXPECT_EQ(read_matrix_market(folder.write("g.mtx", gzip(kMatrix))).content_digest(), digest);
}

TEST(MatrixMarket, EmptyMatricesAreGraphs) {
  EXPECT_EQ(parse(with_header("pattern symmetric", "0 0 0\n")).vertex_count(), 0U);
  EXPECT_EQ(parse(with_header("real general", "7 7 0")).vertex_count(), 7U);
}

TEST(MatrixMarket, SaysWhichMatricesAreNoGraphs) {
  const std::string form =
      "the first line must be '%%MatrixMarket matrix coordinate pattern|integer|real "
      "general|symmetric'";
  const std::string none = "g.mtx:1: there is no header; is this a Matrix Market file?; " + form;
  const std::pair<std::string, std::string> cases[] = {
      {"", none},
      {"\n\n", "g.mtx:2: there is no header; is this a Matrix Market file?; " + form},
      {"3 3 1\n1 1\n", none},
      {"% a comment\n", none},
      {"p sp 0 0\n", none},
      {"%%MatrixMarket", "g.mtx:1: object is missing from the header; " + form},
      {"%%MatrixMarket vector coordinate real general\n",
       "g.mtx:1: unknown object 'vector' in the header; " + form},
      {"%%MatrixMarket matrix\n", "g.mtx:1: format is missing from the header; " + form},
      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
       "g.mtx:1: an array has an entry for every pair of vertices, and so does not say which are "
       "arcs; write the entries that are arcs, and coordinate in the header"},
      {"%%MatrixMarket matrix dense real general\n",
       "g.mtx:1: unknown format 'dense' in the header; " + form},
      {"%%MatrixMarket matrix coordinate\n", "g.mtx:1: field is missing from the header; " + form},
      {"%%MatrixMarket matrix coordinate Complex general\n",
       "g.mtx:1: the entries are complex numbers, which are no lengths; write whole numbers and "
       "integer in the header, or no values and pattern"},
      {"%%MatrixMarket matrix coordinate abcdefghijklmnopqrstuvwxyz general\n",
       "g.mtx:1: unknown field 'abcdefghijklmnopqrstuvwx...' in the header; " + form},
      {"%%MatrixMarket matrix coordinate re\x1b[al general\n",
       "g.mtx:1: unknown field 're\\x1b[al' in the header; " + form},
      {"%%MatrixMarket matrix coordinate real\n",
       "g.mtx:1: symmetry is missing from the header; " + form},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
       "g.mtx:1: opposite entries of a skew-symmetric matrix differ in sign, so an edge has no "
       "length; list the entries of both sides and write general in the header, or make them "
       "symmetric"},
      {"%%MatrixMarket matrix coordinate real hermitian\n",
       "g.mtx:1: opposite entries of a hermitian matrix are complex, which are no lengths; write "
       "whole numbers and symmetric in the header"},
      {"%%MatrixMarket matrix coordinate real upper\n",
       "g.mtx:1: unknown symmetry 'upper' in the header; " + form},
      {"%%MatrixMarket matrix coordinate real general 3 3 1\n",
       "g.mtx:1: unexpected '3' after the last field; remove the rest of the line"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(matrix_error(text), message);
}

/// A matrix, by its header's last words and the text after it, and its fault.
struct WrongMatrix {
  const char* field_and_symmetry;
  std::string rest;
  std::string message;
};

void expect_messages(std::span<const WrongMatrix> cases) {
  for (const auto& [field_and_symmetry, rest, message] : cases) {
    EXPECT_EQ(matrix_error(with_header(field_and_symmetry, rest)), message);
  }
}

TEST(MatrixMarket, SaysWhatIsWrongWithASize) {
  const WrongMatrix cases[] = {
      {"pattern general", "",
       "g.mtx:1: there is no size line; write 'ROWS COLUMNS ENTRIES' below the header"},
      {"pattern general", "% 2 2 1\n",
       "g.mtx:2: there is no size line; write 'ROWS COLUMNS ENTRIES' below the header"},
      {"pattern general", "%\n3 4 1\n1 1\n",
       "g.mtx:3: 3 rows and 4 columns; a graph's matrix is square: if rows and columns are the "
       "same vertices, write the larger number twice"},
      {"pattern general", "4 3 1\n1 1\n",
       "g.mtx:2: 4 rows and 3 columns; a graph's matrix is square: if rows and columns are the "
       "same vertices, write the larger number twice"},
      {"pattern general", "2 2\n", "g.mtx:2: entry count is missing; the line ends too early"},
      {"pattern general", "2 2 1 1\n",
       "g.mtx:2: unexpected '1' after the last field; remove the rest of the line"},
      {"pattern general", "-2 2 1\n",
       "g.mtx:2: row count -2 is out of range; it must be in 0..4294967295"},
      {"pattern general", "4294967296 4294967296 1\n",
       "g.mtx:2: row count 4294967296 is out of range; it must be in 0..4294967295"},
      {"pattern general", "2 99999999999999999999 1\n",
       "g.mtx:2: column count 99999999999999999999 is out of range; it must be in 0..4294967295"},
      {"pattern general", "2 2 99999999999999999999\n",
       "g.mtx:2: entry count 99999999999999999999 is out of range; it must be in "
       "0..281474976710656"},
      {"pattern general", "1000017 1000017 1\n1 1\n",
       "g.mtx: 1000017 vertices announced for only 1 entries; at most 1,000,000 + 16 x entries "
       "are believed: correct the size line"},
      {"pattern symmetric", "1000033 1000033 1\n1 2\n",
       "g.mtx: 1000033 vertices announced for only 1 entries; at most 1,000,000 + 16 x entries "
       "are believed: correct the size line"},
  };
  expect_messages(cases);
  EXPECT_EQ(code_of([] { read_matrix_market("/no/such.mtx"); }), ExitCode::usage);
}

TEST(MatrixMarket, SaysWhichEntryIsWrong) {
  const WrongMatrix cases[] = {
      {"pattern general", "2 2 281474976710656\n1 1\n",
       "g.mtx:3: the file ends after 1 of the 281474976710656 entries that line 2 announces; fetch "
       "the file again or correct the size line"},
      {"pattern general", "%\n2 2 2\n1 1\n%\n",
       "g.mtx:5: the file ends after 1 of the 2 entries that line 3 announces; fetch the file "
       "again or correct the size line"},
      {"pattern general", "%\n2 2 1\n1 1\n2 2\n",
       "g.mtx:5: more entries than the 1 that line 3 announces; correct the size line or remove "
       "the "
       "rest"},
      {"pattern general", "2 2 1\n0 1\n", "g.mtx:3: row 0 is out of range; it must be in 1..2"},
      {"pattern general", "2 2 1\n1 3\n", "g.mtx:3: column 3 is out of range; it must be in 1..2"},
      {"pattern general", "2 2 1\n1 4294967297\n",
       "g.mtx:3: column 4294967297 is out of range; it must be in 1..2"},
      {"pattern general", "2 2 1\n1\n", "g.mtx:3: column is missing; the line ends too early"},
      {"pattern general", "2 2 1\n1,2\n",
       "g.mtx:3: row has ',' in it; write a whole number in 1..2"},
      {"pattern general", "2 2 1\n1 2 3\n",
       "g.mtx:3: a value in a pattern matrix; write integer or real in the header, or remove the "
       "value"},
  };
  expect_messages(cases);
}

TEST(MatrixMarket, SaysWhichValueIsWrong) {
  const std::string range = "-2147483647..2147483647";
  const std::string whole =
      " is not whole; lengths are whole numbers: read it with ,lengths=scaled:1000 after the "
      "name, "
      "or remove the values and write pattern in the header";
  const WrongMatrix cases[] = {
      {"integer general", "2 2 1\n1 2\n", "g.mtx:3: length is missing; the line ends too early"},
      {"integer general", "2 2 1\n1 2 3 4\n",
       "g.mtx:3: unexpected '4' after the last field; remove the rest of the line"},
      {"integer general", "2 2 1\n1 2 3.0\n",
       "g.mtx:3: length has '.' in it; write a whole number in " + range},
      {"integer general", "2 2 1\n1 2 2147483648\n",
       "g.mtx:3: length 2147483648 is out of range; it must be in " + range},
      {"integer general", "2 2 1\n1 2 -2147483648\n",
       "g.mtx:3: length -2147483648 is out of range; it must be in " + range},
      {"integer general", std::string("2 2 1\n1 2 \0\n", 12),
       "g.mtx:3: length has byte 0x00 in it; write a whole number in " + range},
      {"real general", "2 2 1\n1 2\n", "g.mtx:3: length is missing; the line ends too early"},
      {"real general", "2 2 1\n1 2 3 4\n",
       "g.mtx:3: unexpected '4' after the last field; remove the rest of the line"},
      {"real general", "2 2 1\n1 2 0.5\n", "g.mtx:3: length 0.5" + whole},
      {"real general", "2 2 1\n1 2 -1e-9\n", "g.mtx:3: length -1e-9" + whole},
      {"real general", "2 2 1\n1 2 2147483647.5\n",
       "g.mtx:3: length 2147483647.5 is out of range; it must be in " + range},
      {"real general", "2 2 1\n1 2 -2147483648\n",
       "g.mtx:3: length -2147483648 is out of range; it must be in " + range},
      {"real general", "2 2 1\n1 2 1e999\n",
       "g.mtx:3: length 1e999 is out of range; it must be in " + range},
      {"real general", "2 2 1\n1 2 inf\n",
       "g.mtx:3: length inf is out of range; it must be in " + range},
      {"real general", "2 2 1\n1 2 nan\n",
       "g.mtx:3: length nan is out of range; it must be in " + range},
      {"real general", "2 2 1\n1 2 3x\n",
       "g.mtx:3: length 3x is not a number; write a whole number in " + range},
      {"real general", "2 2 1\n1 2 " + std::string(30, 'x') + "\n",
       "g.mtx:3: length " + std::string(24, 'x') + "... is not a number; write a whole number in " +
           range},
      {"real general", "%" + std::string(300'000, ' '),
       "g.mtx:2: line is longer than 65536 bytes; is this a text file?"},
  };
  expect_messages(cases);
}

TEST(MatrixMarket, SaysWhenGzipIsDamaged) {
  const std::string good = gzip(kMatrix);
  for (std::size_t size = 3; size < good.size(); ++size) {
    EXPECT_NE(matrix_error(good.substr(0, size)).find("gzip data ends too early"),
              std::string::npos);
  }
  EXPECT_NE(matrix_error(good + "garbage").find("bytes that are not gzip data"), std::string::npos);
}

TEST(MatrixMarket, EveryPrefixIsRefusedOrRead) {
  const std::string_view small(kMatrix);
  int read = 0;
  for (std::size_t size = 0; size <= small.size(); ++size) {
    read += code_of([&] { parse(small.substr(0, size)); }) == ExitCode::ok ? 1 : 0;
  }
  EXPECT_EQ(read, 2) << "the whole, with and without its last line end";
}

}  // namespace
}  // namespace bellmark
