// Text that is not JSON, text that nests deep, and text that is not UTF-8.
#include "harness/run/protocol/json_text.hpp"

#include <gtest/gtest.h>

namespace bellmark::run {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonText, WhatIsNoJsonIsDiscarded) {
  for (const char* text : {"", "{", "nothing", "[1,]", "{\"a\": 1} 2", "\"\xff\""}) {
    EXPECT_TRUE(parse_json(text).is_discarded()) << text;
  }
  EXPECT_EQ(parse_json("{\"b\": [1, null, 2.5], \"a\": {}}").dump(),
            "{\"b\":[1,null,2.5],\"a\":{}}");
}

TEST(JsonText, DeepNestingIsDiscarded) {
  EXPECT_EQ(parse_json(nested(100)).dump(), nested(100));
  EXPECT_TRUE(parse_json(nested(1000)).is_discarded());
  EXPECT_TRUE(parse_json(nested(1'000'000)).is_discarded());
  EXPECT_TRUE(parse_json(std::string(1'000'000, '[')).is_discarded());
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(parse_json(objects + "1" + std::string(100'000, '}')).is_discarded());
}

TEST(JsonText, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(json_text(nlohmann::ordered_json("a\xff")), "\"a\uFFFD\"");
}

}  // namespace
}  // namespace bellmark::run
