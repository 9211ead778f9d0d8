#include "graph/lengths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "base/test_folder.hpp"
#include "graph/generate.hpp"
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
  for (const char* name :
       {"unit", "uniform:0..9", "hash:3..3", "log-spread:1..2147483647", "log-spread:10..1000000",
        "kanto", "sample:dimacs:USA-road-d.NY", "scale:2^0", "scale:2^-31", "scale:2^10",
        "uniform:-5..1000", "hash:-2147483647..2147483647", "potential:-9..20", "potential:0..0",
        "zero-one:0", "zero-one:100", "exponential:1", "exponential:2147483647"}) {
    EXPECT_EQ(to_string(parse_lengths(name)), name);
  }
  EXPECT_EQ(to_string(parse_lengths("uniform:2^3..4^15")), "uniform:8..1073741824");
  EXPECT_EQ(to_string(parse_lengths("exponential:2^10")), "exponential:1024");
  EXPECT_EQ(to_string(parse_lengths("log-uniform:1..2^4")), "log-spread:1..16");
  EXPECT_EQ(to_string(parse_lengths("hash:0^5..1^4000000000")), "hash:0..1");
  EXPECT_EQ(to_string(parse_lengths("hash:-2^3..-1^4000000000")), "hash:-8..-1");
  for (const char* name : {"uniform:0..2^31", "uniform:0..2^",   "uniform:0..2^-1",
                           "uniform:0..^2",   "uniform:0..-2^2", "uniform:-2^31..2",
                           "uniform:--1..2",  "potential:1..2",  "potential:-3..2",
                           "scale:2^32",      "scale:2^-32",     "scale:3^2",
                           "scale:4",         "scale:2^x",       "scale",
                           "scale:",          "sample",          "sample:",
                           "zero-one",        "zero-one:",       "zero-one:101",
                           "zero-one:-1",     "zero-one:0.5",    "exponential",
                           "exponential:0",   "exponential:-3",  "exponential:2^31",
                           "log-uniform:0..9"}) {
    EXPECT_EQ(code_of([&] { parse_lengths(name); }), ExitCode::usage) << name;
  }
  EXPECT_EQ(error_of([] { parse_lengths("scale:3"); }),
            "lengths=scale:3: the factor is not a power of 2; write scale:2^T, T from -31 to 31");
  EXPECT_EQ(error_of([] { parse_lengths("sample"); }),
            "lengths=sample: the graph is missing; write sample:REF, the graph to draw lengths "
            "from");
  EXPECT_EQ(
      error_of([] { parse_lengths("zero-one:101"); }),
      "lengths=zero-one:101: the percentage is not in 0..100; write zero-one:PERCENT, that of "
      "lengths 0");
  EXPECT_EQ(error_of([] { parse_lengths("exponential:0"); }),
            "lengths=exponential:0: the mean is below 1; write exponential:MEAN, MEAN of at least "
            "1");
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

TEST(Lengths, RangesBelowZero) {
  for (const char* scheme : {"uniform:-5..3", "hash:-5..3"}) {
    std::map<Length, int> count;
    for (const Length l : draws(scheme, 90'000)) ++count[l];
    EXPECT_EQ(count.size(), 9U) << scheme;
    for (const auto& [length, drawn] : count) {
      EXPECT_GE(length, -5);
      EXPECT_LE(length, 3);
      EXPECT_NEAR(drawn, 10'000, 500) << scheme << ' ' << length;
    }
  }
  const std::vector<Length> widest = draws("hash:-2147483647..2147483647", 10'000);
  EXPECT_LT(std::ranges::min(widest), -2'140'000'000);
  EXPECT_GT(std::ranges::max(widest), 2'140'000'000);
}

// Every formula's graph: each arc has the formula's length, in the formula's range.
TEST(Lengths, PotentialsMakeNegativeArcs) {
  const LengthScheme scheme = parse_lengths("potential:-40..100");
  const Stream potentials(3, Stream::potentials);
  const auto potential = [&](Vertex v) { return static_cast<Length>(potentials.below(v, 41)); };
  for (const char* formula : {"grid:rows=20,columns=30", "random:n=300,m=2000", "kronecker:scale=8",
                              "road:n=400", "road-main:n=9000", "random4:scale=8"}) {
    const auto with = [&](const char* lengths) {
      return make_graph(std::string(formula) + ",seed=3,lengths=" + lengths);
    };
    const Graph graph = with("potential:-40..100");
    const Graph plain = with("uniform:0..60");
    verify_graph(graph, formula);
    EXPECT_LT(graph.properties().least_length, -20) << formula;
    EXPECT_GE(graph.properties().least_length, -40) << formula;
    EXPECT_LE(graph.properties().largest_length, 100) << formula;
    EXPECT_FALSE(graph.properties().symmetric) << formula;
    if (std::string(formula).starts_with("road-main")) continue;  // potentials of the whole map
    ASSERT_TRUE(std::ranges::equal(graph.heads(), plain.heads())) << formula;
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        ASSERT_EQ(graph.length(e), plain.length(e) + potential(u) - potential(graph.heads()[e]))
            << formula;
      }
    }
  }
  const Graph grid = make_graph("grid:rows=20,columns=30,lengths=unit");
  const Graph put = with_lengths(grid, scheme, 3);
  verify_graph(put, "put on");
  EXPECT_LT(put.properties().least_length, -20);
}

// All vertices have the same potential 0, so opposite arcs agree.
TEST(Lengths, PotentialsOfZeroAreSymmetric) {
  const Graph grid = make_graph("grid:rows=5,columns=5,lengths=potential:0..9");
  verify_graph(grid, "grid");
  EXPECT_TRUE(grid.properties().symmetric);
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

TEST(Lengths, ZeroOneHasThatPercentageOfZeros) {
  for (const int percent : {0, 1, 30, 100}) {
    const std::vector<Length> lengths = draws("zero-one:" + std::to_string(percent), 100'000);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(lengths, 0)), 1000 * percent, 500);
    EXPECT_GE(std::ranges::min(lengths), 0);
    EXPECT_LE(std::ranges::max(lengths), 1);
  }
}

TEST(Lengths, ExponentialIsRoundedUpFromOne) {
  for (const double mean : {1.0, 2.0, 10.0, 1000.0, 1e6}) {
    const auto text = "exponential:" + std::to_string(static_cast<Length>(mean));
    const std::vector<Length> lengths = draws(text, 200'000);
    EXPECT_GE(std::ranges::min(lengths), 1);
    EXPECT_NEAR(mean_of(lengths), mean, 0.01 * mean) << text;
    // The deviation of a geometric distribution that counts from 1.
    EXPECT_NEAR(deviation_of(lengths), std::sqrt(mean * (mean - 1)), 0.01 * mean) << text;
    for (const double times : {0.5, 1.0, 3.0}) {
      const double at = std::floor(times * mean);
      const auto longer =
          static_cast<double>(std::ranges::count_if(lengths, [&](Length l) { return l > at; }));
      EXPECT_NEAR(longer / 200'000, std::pow(1 - 1 / mean, at), 0.005) << text << ' ' << at;
    }
  }
}

TEST(Lengths, ExponentialAtTheEndsOfItsRange) {
  constexpr Length kMost = std::numeric_limits<Length>::max();
  const ExponentialLengths two(2);
  EXPECT_EQ(two.at(0.75), 1);
  EXPECT_EQ(two.at(0.5), 1);
  EXPECT_EQ(two.at(0.49), 2);
  EXPECT_EQ(two.at(0x1p-53), 53);
  EXPECT_EQ(two.at(0), 1075) << "later powers of a half are 0";
  EXPECT_EQ(ExponentialLengths(1).at(0), 1);
  EXPECT_EQ(ExponentialLengths(kMost).at(0x1p-53), kMost);
  EXPECT_EQ(ExponentialLengths(kMost).at(0), kMost);
}

TEST(Lengths, ByTheEndsOppositeArcsAgree) {
  for (const char* scheme : {"zero-one:50", "exponential:1000", "log-uniform:1..1000"}) {
    const LengthSource source(parse_lengths(scheme), 1);
    EXPECT_TRUE(source.opposite_agree());
    for (Vertex v = 0; v < 100; ++v) EXPECT_EQ(source(v, v, 2 * v), source(7 * v, 2 * v, v));
    const Graph put =
        with_lengths(make_graph("random:n=50,m=90,arcs=both"), parse_lengths(scheme), 4);
    verify_graph(put, scheme);
    EXPECT_TRUE(put.properties().symmetric) << scheme;
  }
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

// yasui2011, Figure 28.
TEST(Lengths, ScaledByAPowerOfTwo) {
  const Graph own = Graph::from_arcs(
      2, std::vector<Arc>{{0, 1, 0}, {0, 1, 1}, {0, 1, 5}, {0, 1, -6}, {0, 1, 36946}});
  const auto scaled = [&](const char* scheme) {
    const Graph graph = with_lengths(own, parse_lengths(scheme), 1);
    verify_graph(graph, scheme);
    return std::vector<Length>(graph.lengths().begin(), graph.lengths().end());
  };
  EXPECT_EQ(scaled("scale:2^0"), (std::vector<Length>{0, 1, 5, -6, 36946}));
  EXPECT_EQ(scaled("scale:2^10"), (std::vector<Length>{0, 1024, 5120, -6144, 37832704}));
  EXPECT_EQ(scaled("scale:2^-2"), (std::vector<Length>{0, 1, 1, -2, 9237}));
  EXPECT_EQ(scaled("scale:2^-31"), (std::vector<Length>{0, 1, 1, -1, 1}));
  EXPECT_EQ(scaled("scale:2^15").back(), 36946 << 15);
  EXPECT_EQ(error_of([&] { scaled("scale:2^16"); }),
            ",lengths=scale:2^16,seed=1: the length 36946 would reach 2^31 or more; scale by a "
            "smaller power");
}

TEST(Lengths, SampledFromAnotherGraph) {
  const TestFolder folder;
  folder.write("two.gr", "p sp 2 4\na 1 2 3\na 1 2 3\na 1 2 3\na 2 1 70\n");
  const std::string reference = folder / "two.gr";
  const LengthScheme scheme = parse_lengths("sample:" + reference);
  const Graph plain = make_graph("grid:rows=100,columns=100,lengths=unit");
  const Graph drawn = with_lengths(plain, scheme, 3);
  verify_graph(drawn, "drawn");
  EXPECT_TRUE(drawn.properties().symmetric);
  std::map<Length, double> count;
  for (const Length l : drawn.lengths()) count[l] += 1;
  EXPECT_EQ(count.size(), 2U);
  EXPECT_NEAR(count[3] / static_cast<double>(drawn.arc_count()), 0.75, 0.02);
  EXPECT_NEAR(count[70] / static_cast<double>(drawn.arc_count()), 0.25, 0.02);
  EXPECT_EQ(with_lengths(plain, scheme, 3).content_digest(), drawn.content_digest());
  EXPECT_NE(with_lengths(plain, scheme, 4).content_digest(), drawn.content_digest());
  // By the ends: another form of the same graph gets the same lengths.
  EXPECT_EQ(
      make_graph("grid:rows=100,columns=100,seed=3,lengths=sample:" + reference).content_digest(),
      drawn.content_digest());
  folder.write("none.gr", "p sp 2 0\n");
  EXPECT_EQ(code_of([&] {
              with_lengths(plain, parse_lengths("sample:" + std::string(folder / "none.gr")), 1);
            }),
            ExitCode::usage);
  EXPECT_EQ(code_of([&] { with_lengths(plain, parse_lengths("sample:nowhere"), 1); }),
            ExitCode::usage);
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

TEST(Lengths, ReplacedLengthsLeaveTheEdgeListDegrees) {
  const Graph own = make_graph("kronecker:scale=7,lengths=unit");
  const Graph put = with_lengths(own, parse_lengths("hash:1..9"), 1);
  EXPECT_EQ(put.edge_list_degrees().size(), 128U);
  EXPECT_TRUE(std::ranges::equal(put.edge_list_degrees(), own.edge_list_degrees()));
  // By index opposite arcs differ in length: the graph is not symmetric, but has the same list.
  const Graph even = with_lengths(own, parse_lengths("uniform:1..1000"), 1);
  EXPECT_FALSE(even.properties().symmetric);
  EXPECT_TRUE(std::ranges::equal(even.edge_list_degrees(), own.edge_list_degrees()));
  verify_graph(even, "even");
}

}  // namespace
}  // namespace bellmark
