#include "base/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bellmark {
namespace {

TEST(Text, NearestSuggestsTyposAndStaysSilentOtherwise) {
  const std::vector<std::string> keys = {"queue", "arity", "extract"};
  EXPECT_EQ(nearest("ariti", keys), "arity");
  EXPECT_EQ(nearest("zzzzzz", keys), "");
  EXPECT_EQ(nearest("kron", {"grid", "kronecker"}), "kronecker");
  EXPECT_EQ(nearest("uni", {"uniform-pairs", "uniform-sources"}), "");
  EXPECT_EQ(suggestion("quue", keys), "did you mean 'queue'?");
  EXPECT_EQ(suggestion("zzzzzz", keys), "known: queue, arity, extract");
  EXPECT_EQ(did_you_mean("quue", keys), "did you mean 'queue'?");
  EXPECT_EQ(did_you_mean("zzzzzz", keys), "");
}

TEST(Text, NearestCountsLettersAsEqualInEitherCase) {
  EXPECT_EQ(nearest("SSSP/Dijkstra", {"bfs/hybrid", "sssp/dijkstra"}), "sssp/dijkstra");
  EXPECT_EQ(nearest("QUEUE", {"queue"}), "queue");
}

TEST(Text, NothingIsNearThatSharesNoLetter) {
  EXPECT_EQ(nearest("0", {"pu", "core"}), "");
  EXPECT_EQ(nearest("", {"pu"}), "");
  EXPECT_EQ(nearest("k", {"k"}), "k");
}

TEST(Text, SuggestionsKnowLastPartsOfNames) {
  const std::vector<std::string> names = {"p2p/dijkstra", "sssp/bellman-ford", "sssp/dijkstra",
                                          "yasui2011:2-heap"};
  EXPECT_EQ(suggestion("dijkstra", names), "did you mean 'p2p/dijkstra' or 'sssp/dijkstra'?");
  EXPECT_EQ(suggestion("Dijkstr", names), "did you mean 'p2p/dijkstra' or 'sssp/dijkstra'?");
  EXPECT_EQ(suggestion("2-heap", names), "did you mean 'yasui2011:2-heap'?");
  EXPECT_EQ(suggestion("sssp/dijkstr", names), "did you mean 'sssp/dijkstra'?");
}

TEST(Text, GlobMatchesRuns) {
  EXPECT_TRUE(glob_match("sssp/*", "sssp/dijkstra"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("a?c*e", "abcde"));
  EXPECT_FALSE(glob_match("a?c", "ac"));
  EXPECT_FALSE(glob_match("sssp", "sssp/dijkstra"));
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(split("", ',').empty());
  EXPECT_EQ(trim("  x y\n"), "x y");
}

TEST(Text, Utf8IsWhatTheStandardSays) {
  for (const char* good :
       {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(good));
  }
  for (const char* bad : {"\x80", "\xc1\xbf", "\xc2", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe1\x80",
                          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Text, EscapedIsOneLineOfUtf8) {
  EXPECT_EQ(escaped("plain \u00e9\u20ac \\ 'quoted'"), "plain \u00e9\u20ac \\ 'quoted'");
  EXPECT_EQ(escaped("a\nb\t\x1b[31m\x7f"), "a\\x0ab\\x09\\x1b[31m\\x7f");
  EXPECT_EQ(escaped("\u009b31m"), "\\xc2\\x9b31m") << "C1";
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(escaped("\xff\xc3.gr"), "\\xff\\xc3.gr");
  EXPECT_EQ(escaped(escaped("\xff\n")), escaped("\xff\n"));
}

TEST(Text, PrintableLeavesOutTheMiddle) {
  EXPECT_EQ(printable("short\n", 12), "short\\x0a");
  const std::string field(1 << 20, 'x');
  EXPECT_EQ(printable("key '" + field + "' is unknown", 50),
            "key '" + std::string(25, 'x') + " ... xxx' is unknown");
  EXPECT_EQ(printable(field, 20).size(), 20U);
  EXPECT_EQ(printable(printable(field, 20), 20), printable(field, 20));
  // Never within a character.
  std::string letters;
  for (int i = 0; i < 100; ++i) letters += "\u00e9";
  for (std::size_t most = 0; most < 40; ++most) {
    EXPECT_TRUE(is_utf8(printable(letters, most))) << most;
    EXPECT_LE(printable(letters, most).size(), std::max<std::size_t>(most, 5));
  }
}

TEST(Text, NaturalOrderReadsNumbers) {
  std::vector<std::string> names = {"p/Y11", "p/Y2", "p/Y1a", "a/Y3", "p/Y1", "p/Y002", "p/Y10"};
  std::ranges::stable_sort(names, natural_less);
  EXPECT_EQ(names, (std::vector<std::string>{"a/Y3", "p/Y1", "p/Y1a", "p/Y2", "p/Y002", "p/Y10",
                                             "p/Y11"}));
  EXPECT_FALSE(natural_less("Y2", "Y2"));
  EXPECT_FALSE(natural_less("Y2", "Y02"));
  EXPECT_TRUE(natural_less("", "Y"));
}

TEST(Text, ShellWordsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(shell_word("grid:rows=3,lengths=uniform:0..4^2"), "grid:rows=3,lengths=uniform:0..4^2");
  EXPECT_EQ(shell_word("my graph.bmg"), "'my graph.bmg'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace bellmark
