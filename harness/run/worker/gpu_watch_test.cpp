#include "harness/run/worker/gpu_watch.hpp"

#include <gtest/gtest.h>

#include "harness/machine/fake_nvml.hpp"
#include "harness/measure/fake_clock.hpp"

namespace bellmark::run {
namespace {

using machine::FakeNvml;
using machine::Gpus;
using machine::Told;

TEST(GpuWatch, TellsTheStateBeforeAndAfter) {
  FakeNvml::reset({{}, {.name = "Second", .bus = 0xc1, .sm_mhz = 345, .throttle_bits = 0x1}});
  const Gpus gpus(FakeNvml::functions());
  GpuWatch watch(gpus, {"0000:C1:00.0", ""});
  watch.start();
  FakeNvml::gpus[1].sm_mhz = 1980;
  FakeNvml::gpus[1].throttle_bits = 0x4;
  const Json seen = watch.finish();
  EXPECT_EQ(seen.at("index"), 1);
  EXPECT_EQ(seen.at("name"), "Second");
  EXPECT_TRUE(seen.at("reason").is_null());
  EXPECT_EQ(seen.at("before").at("clock_sm_mhz"), 345);
  EXPECT_EQ(seen.at("after").at("clock_sm_mhz"), 1980);
}

TEST(GpuWatch, SaysWhyItSeesNothing) {
  FakeNvml::reset({{}});
  const Gpus gpus(FakeNvml::functions());
  const Gpus none("no driver");
  const auto reason = [](const Gpus& machine, const Told<std::string>& id) {
    GpuWatch watch(machine, id);
    watch.start();
    const Json seen = watch.finish();
    EXPECT_TRUE(seen.at("before").is_null());
    EXPECT_TRUE(seen.at("after").is_null());
    EXPECT_EQ(Json(watch.energy_j().reason), seen.at("reason"));
    return seen.at("reason").get<std::string>();
  };
  EXPECT_EQ(reason(gpus, {std::nullopt, "this build has no CUDA"}), "this build has no CUDA");
  EXPECT_EQ(reason(none, {"0000:81:00.0", ""}), "no driver");
  EXPECT_EQ(reason(gpus, {"0000:99:00.0", ""}),
            "NVML shows no GPU at 0000:99:00.0, where CUDA runs");
}

TEST(Energy, IsThatOfOneQuery) {
  measure::FakeClock clock;
  std::size_t passes = 0;
  // 300 W: a pass of 100 ms takes 30 J.
  const Json energy = energy_of_pass(
      [&] {
        clock.now += 100'000'000;
        ++passes;
      },
      4, clock,
      [&]() -> Told<double> {
        return {300 * static_cast<double>(clock.now) * 1e-9, ""};
      });
  EXPECT_EQ(energy.at("pass_count"), 10);
  EXPECT_GT(passes, 10U) << "some to warm up";
  EXPECT_NEAR(energy.at("span_s").get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(energy.at("gpu_power_w").get<double>(), 300, 1e-6);
  EXPECT_NEAR(energy.at("gpu_energy_j").get<double>(), 7.5, 1e-6);
  EXPECT_TRUE(energy.at("reason").is_null());
}

TEST(Energy, OneLongPassIsEnough) {
  measure::FakeClock clock;
  const Json energy = energy_of_pass([&] { clock.now += 90'000'000'000; }, 1, clock,
                                     [&]() -> Told<double> {
                                       return {static_cast<double>(clock.now) * 1e-9, ""};
                                     });
  EXPECT_EQ(energy.at("pass_count"), 1);
  EXPECT_NEAR(energy.at("gpu_energy_j").get<double>(), 90, 1e-6);
}

TEST(Energy, OfCpusStandsBesideThatOfTheGpuOrAlone) {
  measure::FakeClock clock;
  const auto pass = [&] { clock.now += 100'000'000; };
  const auto watts = [&](double power_w) {
    return [&clock, power_w]() -> Told<double> {
      return {power_w * static_cast<double>(clock.now) * 1e-9, ""};
    };
  };
  const Json both = energy_of_pass(pass, 2, clock, watts(300), watts(80));
  EXPECT_NEAR(both.at("gpu_power_w").get<double>(), 300, 1e-6);
  EXPECT_NEAR(both.at("cpu_power_w").get<double>(), 80, 1e-6);
  EXPECT_NEAR(both.at("cpu_energy_j").get<double>(), 4, 1e-6);
  const auto none = []() -> Told<double> { return {std::nullopt, "none here"}; };
  const Json alone = energy_of_pass(pass, 2, clock, none, watts(80));
  EXPECT_TRUE(alone.at("gpu_energy_j").is_null());
  EXPECT_EQ(alone.at("reason"), "none here");
  EXPECT_NEAR(alone.at("cpu_energy_j").get<double>(), 4, 1e-6);
  EXPECT_NEAR(alone.at("span_s").get<double>(), 1.0, 1e-9);
  EXPECT_EQ(Json(energy_of_pass(pass, 2, clock, none, none)).at("cpu_reason"), "none here");
}

TEST(Energy, WhatCannotBeReadIsNullWithAReason) {
  measure::FakeClock clock;
  std::size_t passes = 0;
  const auto pass = [&] {
    clock.now += 100'000'000;
    ++passes;
  };
  const auto offered = [](const Json& energy) {
    for (const char* key : {"gpu_energy_j", "gpu_power_w", "span_s", "pass_count"}) {
      EXPECT_TRUE(energy.at(key).is_null()) << key;
    }
    return energy.at("reason").get<std::string>();
  };
  EXPECT_EQ(offered(energy_of_pass(pass, 1, clock,
                                   []() -> Told<double> {
                                     return {std::nullopt, "Not Supported"};
                                   })),
            "Not Supported");
  EXPECT_EQ(passes, 0U) << "nothing is run for nothing";
  EXPECT_EQ(offered(energy_of_pass(pass, 1, clock,
                                   []() -> Told<double> {
                                     return {7.0, ""};
                                   })),
            "the energy counter did not move during the pass");
}

}  // namespace
}  // namespace bellmark::run
