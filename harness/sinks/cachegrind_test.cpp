#include "harness/sinks/cachegrind.hpp"

#include <gtest/gtest.h>

namespace bellmark::sinks {
namespace {

const std::string kHead =
    "desc: I1 cache: 32768 B\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\n";

TEST(Cachegrind, CountsWhatARunAddsToPreparing) {
  const auto readings = cachegrind_readings(kHead + "summary: 1000 1 1 200 20 4 100 10 2\n",
                                            kHead + "summary: 400 1 1 100 5 3 50 4 1\n");
  ASSERT_EQ(readings.size(), 4U);
  EXPECT_EQ(readings[0].name, "instructions");
  EXPECT_EQ(readings[0].value, 600);
  EXPECT_EQ(readings[1].value, 150);
  EXPECT_EQ(readings[2].value, 21);
  EXPECT_EQ(readings[3].value, 2);
}

TEST(Cachegrind, SimulatesTheCachesOfTheMachine) {
  using Words = std::vector<std::string>;
  const auto tail = [](const std::vector<machine::Cache>& caches) {
    const Words words = cachegrind("out", caches).words;
    EXPECT_EQ(words.at(3), "--cachegrind-out-file=out");
    return Words(words.begin() + 4, words.end());
  };
  const Simulator simulator = cachegrind("out", {});
  EXPECT_NE(simulator.words.empty(), simulator.absence.empty());
  if (simulator.words.empty()) GTEST_SKIP() << simulator.absence;
  EXPECT_EQ(tail({}), Words{});
  EXPECT_EQ(tail({{1, "instruction", 65536, 1, 1},
                  {1, "data", 49152, 1, 1},
                  {2, "unified", 1048576, 1, 1},
                  {3, "unified", 33554432, 2, 1}}),
            (Words{"--D1=49152,12,64", "--LL=33554432,8,64"}));
  // cachegrind refuses a number of sets that is not a power of two.
  EXPECT_EQ(tail({{1, "data", 1000, 1, 1}, {2, "unified", 6291456, 2, 1}}),
            (Words{"--LL=6291456,12,64"}));
}

TEST(Cachegrind, WhatCanNotBeReadHasAReason) {
  for (const Reading& reading : cachegrind_readings("", kHead)) {
    EXPECT_FALSE(reading.value);
    EXPECT_NE(reading.reason.find("cachegrind wrote no "), std::string::npos);
  }
  const auto less = cachegrind_readings(kHead + "summary: 1 0 0 9 0 0 0 0 0\n",
                                        kHead + "summary: 2 0 0 8 0 0 0 0 0\n");
  EXPECT_FALSE(less[0].value);
  EXPECT_EQ(less[1].value, 1);
  EXPECT_EQ(no_cachegrind_readings("why").at(3).reason, "why");
}

}  // namespace
}  // namespace bellmark::sinks
