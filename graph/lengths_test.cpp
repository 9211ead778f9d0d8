#include "graph/lengths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "graph/generate.hpp"
#include "graph/test_folder.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

std::vector<Length> draws(const std::string& scheme, Vertex count) {
  const LengthSource source(parse_lengths(scheme), 1);
  std::vector<Length> lengths(count);
  for (Vertex i = 0; i < count; ++i) lengths[i] = source(i, i, i + 1);
  return lengths;
}

double mean_of(const std::vector<Length>& lengths) {
  double sum = 0;
  for (const Length l : lengths) sum += l;
  return sum / static_cast<double>(lengths.size());
}

double deviation_of(const std::vector<Length>& lengths) {
  const double mean = mean_of(lengths);
  double sum = 0;
  for (const Length l : lengths) sum += (l - mean) * (l - mean);
  return std::sqrt(sum / static_cast<double>(lengths.size()));
}

TEST(Lengths, NamesGoBothWays) {
  for (const char* name : {"unit", "uniform:0..9", "hash:3..3", "log-spread:1..2147483647",
                           "log-spread:10..1000000", "kanto", "sample:dimacs:USA-road-d.BAY"}) {
    EXPECT_EQ(to_string(parse_lengths(name)), name);
  }
  EXPECT_EQ(error_of([] { parse_lengths("log-spread:0..9"); }),
            "lengths=log-spread:0..9: not a range of lengths; write LO..HI with 1 <= LO <= HI");
  EXPECT_EQ(error_of([] { parse_lengths("log-spread"); }),
            "lengths=log-spread: the range is missing; write log-spread:LO..HI");
  EXPECT_EQ(error_of([] { parse_lengths("kanto:1..2"); }),
            "lengths=kanto:1..2: 'kanto' has no range; write kanto alone");
  EXPECT_EQ(error_of([] { parse_lengths("unit:1..2"); }),
            "lengths=unit:1..2: 'unit' has no range; write unit alone");
  EXPECT_EQ(error_of([] { parse_lengths("log-spead:1..2"); }),
            "lengths=log-spead:1..2: unknown lengths 'log-spead'; did you mean 'log-spread'?");
}

TEST(Lengths, LogSpreadIsThePower) {
  const LogSpread spread(10, 1'000'000);
  EXPECT_EQ(spread.at(0), 10);
  EXPECT_EQ(spread.at(0xffffffff), 1'000'000);
  for (std::uint64_t x = 0; x < 1ULL << 32; x += 1'000'003) {
    const double expected = 10 * std::pow(100'000.1, static_cast<double>(x) * 0x1p-32);
    EXPECT_NEAR(spread.at(static_cast<std::uint32_t>(x)), expected, 1.001);
  }
  EXPECT_EQ(LogSpread(7, 7).at(0), 7);
  EXPECT_EQ(LogSpread(7, 7).at(0xffffffff), 7);
  EXPECT_EQ(LogSpread(1, 2147483647).at(0xffffffff), 2147483637);
}

TEST(Lengths, LogSpreadIsEvenOverTheDecades) {
  const std::vector<Length> lengths = draws("log-spread:10..999999", 500'000);
  std::map<int, int> decades;
  for (const Length l : lengths) ++decades[static_cast<int>(std::to_string(l).size())];
  EXPECT_EQ(decades.size(), 5U);  // numbers of 2 to 6 digits
  for (const auto& [digits, count] : decades) EXPECT_NEAR(count, 100'000, 1'500) << digits;
}

// suzuki, Table 1 and Figure 3.
TEST(Lengths, KantoHasThePapersMeanAndDeviation) {
  const std::vector<Length> lengths = draws("kanto", 2'000'000);
  EXPECT_NEAR(mean_of(lengths), 83'666, 0.01 * 83'666);
  EXPECT_NEAR(deviation_of(lengths), 184'384, 0.01 * 184'384);
  EXPECT_EQ(std::ranges::min(lengths), 10);
  EXPECT_GT(std::ranges::max(lengths), 999'000);
  EXPECT_LE(std::ranges::max(lengths), 1'000'000);
}

TEST(Lengths, SampleDrawsFromAnotherGraph) {
  const TestFolder folder;
  const std::string few =
      folder.write("few.gr", "p sp 3 4\na 1 2 7\na 2 1 7\na 2 3 900\na 3 2 40\n").string();
  const Graph plain = make_graph("grid:rows=40,columns=50,lengths=unit");
  const Graph sampled = with_lengths(plain, parse_lengths("sample:" + few), 3);
  EXPECT_TRUE(sampled.properties().symmetric);  // opposite arcs agree
  std::map<Length, Offset> counts;
  for (const Length l : sampled.lengths()) ++counts[l];
  ASSERT_EQ(counts.size(), 3U);
  const auto m = static_cast<double>(sampled.arc_count());
  EXPECT_NEAR(static_cast<double>(counts[7]), m / 2, m / 25);
  EXPECT_NEAR(static_cast<double>(counts[900]), m / 4, m / 25);
  const Stream stream(3, Stream::lengths);
  const std::array<Length, 4> arcs = {7, 7, 900, 40};
  EXPECT_EQ(sampled.length(0), arcs[stream.below(1, 4)]);  // vertex 0 to 1: index 0 * 2^32 + 1

  EXPECT_EQ(
      error_of([] { parse_lengths("sample"); }),
      "lengths=sample: the graph to draw from is missing; write sample:REFERENCE, for example "
      "sample:dimacs:USA-road-d.BAY");
  const std::string none = folder.write("none.gr", "p sp 3 0\n").string();
  EXPECT_EQ(
      error_of([&] { with_lengths(plain, parse_lengths("sample:" + none), 1); }),
      "lengths=sample:" + none + ": that graph has no lengths to draw from; name another graph");
}

TEST(Lengths, PutOnAGraphThatHasOthers) {
  const Graph plain = make_graph("grid:rows=20,columns=30,keep=0.9,lengths=unit");
  const Graph hashed = with_lengths(plain, parse_lengths("hash:1..1000"), 7);
  EXPECT_EQ(hashed.heads().data(), plain.heads().data());
  EXPECT_TRUE(hashed.properties().symmetric);
  verify_graph(hashed, "hashed");
  EXPECT_EQ(hashed.provenance(), plain.provenance() + ",lengths=hash:1..1000,seed=7");
  const LengthSource source(parse_lengths("hash:1..1000"), 7);
  for (Vertex u = 0; u < hashed.vertex_count(); ++u) {
    for (Offset e = hashed.row_offsets()[u]; e < hashed.row_offsets()[u + 1]; ++e) {
      EXPECT_EQ(hashed.length(e), source.of_ends(hashed.heads()[e], u));
    }
  }
  const Graph uniform = with_lengths(plain, parse_lengths("uniform:1..1000"), 7);
  EXPECT_FALSE(uniform.properties().symmetric);
  verify_graph(uniform, "uniform");
  EXPECT_EQ(with_lengths(hashed, parse_lengths("unit"), 1).content_digest(),
            plain.content_digest());
  EXPECT_EQ(with_lengths(Graph(), parse_lengths("kanto"), 1).arc_count(), 0U);
}

}  // namespace
}  // namespace bellmark
