// The text of a result: the same document, and small where it is deep.
#include "harness/run/assemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bellmark::run {
namespace {

TEST(ResultText, IndentsWhatIsNearTheTop) {
  EXPECT_EQ(result_text({{"a", 1}, {"b", {true, nullptr}}, {"c", Json::object()}}),
            "{\n \"a\": 1,\n \"b\": [\n  true,\n  null\n ],\n \"c\": {}\n}\n");
  EXPECT_EQ(result_text(Json::array()), "[]\n");
}

TEST(ResultText, DeepRowsTakeALineEach) {
  Json rows = Json::array();
  for (int i = 0; i < 50; ++i) rows.push_back({{"i", i}, {"of", {1, 2, 3}}});
  const Json result = {{"cells", {{{"log", {{"queries", rows}}}}}}, {"word", "a \"b\"\n\u00e9"}};
  const std::string text = result_text(result);
  EXPECT_EQ(Json::parse(text), result);
  EXPECT_NE(text.find("\n     {\"i\":7,\"of\":[1,2,3]},\n"), std::string::npos) << text;
  EXPECT_LT(std::ranges::count(text, '\n'), 70);
}

}  // namespace
}  // namespace bellmark::run
