#include "base/alike.hpp"

#include <gtest/gtest.h>

namespace bellmark {
namespace {

TEST(Alike, AreTextsThatDifferInNumbersOnly) {
  EXPECT_TRUE(are_alike("2 of 4 GiB", "3.5 of 12 GiB"));
  EXPECT_TRUE(are_alike("", ""));
  EXPECT_TRUE(are_alike("ends in 1.", "ends in 22."));
  EXPECT_FALSE(are_alike("2 of 4 GiB", "2 of 4 MiB"));
  EXPECT_FALSE(are_alike("no number", "no number 1"));
  EXPECT_FALSE(are_alike("1.", "1.5"));
}

TEST(Alike, TheFirstStandsForAll) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(once_each({}), Texts());
  EXPECT_EQ(once_each({"a", "b", "a"}), Texts({"a", "b"})) << "what is equal is no other";
  EXPECT_EQ(once_each({"for 7 %", "b", "for 8 %", "for 9.5 %", "for 8 %"}),
            Texts({"for 7 % (and 2 alike, with other numbers)", "b"}));
}

}  // namespace
}  // namespace bellmark
