#include "harness/measure/start.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace bellmark::measure {
namespace {

TEST(Start, HasNames) {
  for (const Start start : {Start::as_left, Start::hot, Start::cold, Start::idle}) {
    EXPECT_EQ(start_of(to_string(start)), start);
  }
  try {
    start_of("cool");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'cool' is none of as-left, hot, cold, idle"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace bellmark::measure
