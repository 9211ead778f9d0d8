// Agreement of ranks, where ranks are threads.
#include "harness/run/worker/agree.hpp"

#include <gtest/gtest.h>

#include "algorithms/parallel/thread_ranks.hpp"

namespace bellmark::run {
namespace {

/// The text that each rank gets when rank r says said[r]. All ranks must get the same text.
std::string agreed(const std::vector<std::string>& said) {
  std::vector<std::string> got(said.size());
  run_ranks(said.size(), [&](Communicator& ranks) {
    got[ranks.rank()] = agreed_text(ranks, said[ranks.rank()]);
  });
  for (const std::string& text : got) EXPECT_EQ(text, got.front());
  return got.front();
}

TEST(Agree, OnTheFirstThatSaysSomething) {
  EXPECT_EQ(agreed({"", "", ""}), "");
  EXPECT_EQ(agreed({"no", "no"}), "no");
  EXPECT_EQ(agreed({"no"}), "no");
  EXPECT_EQ(agreed({"", "late", "never"}), "rank 1: late");
  EXPECT_EQ(agreed({"no", "no", ""}), "rank 0: no");
}

TEST(Agree, FirstTextAndLongestTime) {
  const std::vector<std::string> said = {"", "late", "never"};
  run_ranks(said.size(), [&](Communicator& ranks) {
    EXPECT_EQ(first_text(ranks, said[ranks.rank()]), "late");
    EXPECT_EQ(first_text(ranks, ""), "");
    EXPECT_EQ(longest_ns(ranks, 100 - static_cast<std::int64_t>(ranks.rank())), 100);
  });
  SelfCommunicator alone;
  EXPECT_EQ(first_text(alone, "me"), "me");
  EXPECT_EQ(longest_ns(alone, 7), 7);
}

TEST(Agree, TextsOfAllKeepTheirOrderAndSizes) {
  const std::vector<std::string> said = {"", "one", std::string(70'000, 'x'), "\n\""};
  run_ranks(said.size(),
            [&](Communicator& ranks) { EXPECT_EQ(texts_of_all(ranks, said[ranks.rank()]), said); });
  SelfCommunicator alone;
  EXPECT_EQ(texts_of_all(alone, "me"), std::vector<std::string>{"me"});
}

}  // namespace
}  // namespace bellmark::run
