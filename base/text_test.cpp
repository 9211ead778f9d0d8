#include "base/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bellmark {
namespace {

TEST(Text, NearestSuggestsTyposAndStaysSilentOtherwise) {
  const std::vector<std::string> keys = {"queue", "arity", "extract"};
  EXPECT_EQ(nearest("ariti", keys), "arity");
  EXPECT_EQ(nearest("zzzzzz", keys), "");
  EXPECT_EQ(suggestion("quue", keys), "did you mean 'queue'?");
  EXPECT_EQ(suggestion("zzzzzz", keys), "known: queue, arity, extract");
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
