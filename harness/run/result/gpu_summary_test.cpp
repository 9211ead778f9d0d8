#include "harness/run/result/gpu_summary.hpp"

#include <gtest/gtest.h>

namespace bellmark::run {
namespace {

Json state(int mhz, const Json& throttles) {
  return {{"clock_sm_mhz", mhz},
          {"clock_memory_mhz", 3201},
          {"temperature_c", 41},
          {"throttle_reasons", throttles},
          {"not_available", Json::array()}};
}

GpuReading reading(const Json& before, const Json& after) {
  GpuReading gpu;
  gpu.index = 1;
  gpu.name = "Second";
  gpu.pci_bus_id = "0000:c1:00.0";
  gpu.before = before;
  gpu.after = after;
  return gpu;
}

TEST(GpuSummary, WidensOverStatesAndReplicates) {
  const Json summary =
      summarise_gpu({std::nullopt, reading(state(345, {"idle"}), state(1980, {"power cap"})),
                     reading(state(1900, Json::array()), state(1950, Json::array()))});
  EXPECT_EQ(summary.at("index"), 1);
  EXPECT_EQ(summary.at("name"), "Second");
  EXPECT_EQ(summary.at("clock_sm_mhz_low"), 345);
  EXPECT_EQ(summary.at("clock_sm_mhz_high"), 1980);
  EXPECT_EQ(summary.at("clock_memory_mhz_low"), 3201);
  EXPECT_EQ(summary.at("temperature_c_high"), 41);
  EXPECT_EQ(summary.at("throttle_reasons"), Json({"idle", "power cap"}));
  EXPECT_TRUE(summary.at("reason").is_null());
}

TEST(GpuSummary, WhatIsNotToldIsNull) {
  Json untold = state(1980, nullptr);
  untold["not_available"] = {{{"key", "throttle_reasons"}, {"reason", "not offered"}}};
  const Json summary = summarise_gpu({reading(untold, Json())});
  EXPECT_TRUE(summary.at("throttle_reasons").is_null());
  EXPECT_EQ(summary.at("clock_sm_mhz_low"), 1980);
  EXPECT_EQ(summary.at("reason"), "throttle_reasons: not offered");

  GpuReading unseen;
  unseen.reason = "no driver";
  EXPECT_EQ(summarise_gpu({unseen}).at("reason"), "no driver");
  EXPECT_TRUE(summarise_gpu({unseen}).at("clock_sm_mhz_low").is_null());
}

TEST(GpuSummary, NoReadingIsNoSummary) {
  EXPECT_TRUE(summarise_gpu({}).is_null());
  EXPECT_TRUE(summarise_gpu({std::nullopt}).is_null()) << "no cell needed CUDA";
}

}  // namespace
}  // namespace bellmark::run
