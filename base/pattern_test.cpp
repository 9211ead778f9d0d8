#include "base/pattern.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace bellmark {
namespace {

using Parts = std::vector<std::string>;

TEST(Pattern, GivesTheMatchAndItsGroups) {
  EXPECT_EQ(find_pattern("rank ([0-9]+).*(signal|code) ([0-9]+)", "a rank 12 got signal 9 there"),
            (Parts{"rank 12 got signal 9", "12", "signal", "9"}));
  EXPECT_EQ(find_pattern("(a)|(b)", "b"), (Parts{"b", "", "b"}));
  EXPECT_TRUE(find_pattern("x+", "abc").empty());
}

TEST(Pattern, KnowsNoLines) {
  EXPECT_EQ(find_pattern("a.*b", "a\nb"), Parts{"a\nb"});
  EXPECT_TRUE(find_pattern("a[^\n]*b", "a\nb").empty());
  EXPECT_TRUE(find_pattern("^b", "a\nb").empty());
}

TEST(Pattern, TakesALongText) {
  const std::string text(std::size_t{4} << 20, 'x');
  EXPECT_EQ(find_pattern("x.*y", text + "y").front().size(), text.size() + 1);
}

TEST(Pattern, RefusesWhatIsNone) { EXPECT_THROW(find_pattern("(", "a"), Error); }

}  // namespace
}  // namespace bellmark
