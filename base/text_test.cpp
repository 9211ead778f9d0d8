#include "base/text.hpp"

#include <gtest/gtest.h>

namespace bellmark {
namespace {

TEST(Text, NearestSuggestsTyposAndStaysSilentOtherwise) {
  const std::vector<std::string> keys = {"queue", "arity", "extract"};
  EXPECT_EQ(nearest("ariti", keys), "arity");
  EXPECT_EQ(nearest("zzzzzz", keys), "");
  EXPECT_EQ(suggestion("quue", keys), "did you mean 'queue'?");
  EXPECT_EQ(suggestion("zzzzzz", keys), "known: queue, arity, extract");
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

}  // namespace
}  // namespace bellmark
