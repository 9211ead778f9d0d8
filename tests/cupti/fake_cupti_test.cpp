// The CUPTI sinks against a fake library: calls, replay, sums, and a reason for every failure. A
// program of its own, because a process opens one libcupti.
#include "tests/cupti/fake_cupti.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "harness/sinks/cupti.hpp"
#include "harness/sinks/cupti_activity.hpp"
#include "harness/sinks/cupti_ranges.hpp"

namespace bellmark::sinks {
namespace {

template <class Function>
Function* fake(const char* name) {
  static void* const library = dlopen(BELLMARK_FAKE_CUPTI, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Function*>(dlsym(library, name));
}

class FakeCupti : public testing::Test {
 protected:
  void SetUp() override {
    setenv("BELLMARK_CUPTI", BELLMARK_FAKE_CUPTI, 1);
    fake<FakeReset>("fake_reset")();
    ASSERT_EQ(cupti::unavailable(), "");
  }
  static void launch(int blocks, std::size_t ns) { fake<FakeLaunch>("fake_launch")(blocks, ns); }
  static void fail(const char* function, int code) { fake<FakeFail>("fake_fail")(function, code); }
  static void counts(std::size_t passes, std::size_t dropped) {
    fake<FakeCounts>("fake_counts")(passes, dropped);
  }
  static std::string calls() { return fake<FakeCalls>("fake_calls")(); }
  static std::size_t call_count(const std::string& function) {
    std::size_t count = 0;
    const std::string all = calls();
    for (std::size_t at = all.find(function + " "); at != std::string::npos;
         at = all.find(function + " ", at + 1)) {
      ++count;
    }
    return count;
  }

  Group group_{.name = "g",
               .short_text = "s",
               .long_text = "l",
               .events = {{"a.sum", "count"}, {"no__b.sum", "count"}, {"c.sum", "bytes"}},
               .source = "cupti"};
};

TEST_F(FakeCupti, ActivityOfSeveralStretchesAddsUp) {
  KernelActivity activity;
  activity.start();
  launch(3, 100);
  launch(5, 50);
  activity.stop();
  launch(100, 1000);  // between the stretches, such as a validator's copies
  activity.start();
  launch(2, 10);
  activity.stop();
  EXPECT_EQ(activity.failure(), "");
  const auto kernels = activity.totals().kernels();
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "relax(unsigned int*)");
  EXPECT_EQ(kernels[0].launch_count, 3U);
  EXPECT_EQ(kernels[0].gpu_ns, 160U);
  EXPECT_EQ(kernels[0].registers_per_thread, 40U);
  EXPECT_EQ(kernels[0].static_shared_bytes, 128U);
  EXPECT_EQ(kernels[0].dynamic_shared_bytes.largest, 64U);
  EXPECT_EQ(kernels[0].grid_blocks.least, 2U);
  EXPECT_EQ(kernels[0].grid_blocks.largest, 5U);
  EXPECT_EQ(kernels[0].block_threads.largest, 256U);
  const auto copies = activity.totals().copies();
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].kind, "device-to-host");
  EXPECT_EQ(copies[0].count, 3U);
  EXPECT_EQ(copies[0].bytes, 160U);
  EXPECT_EQ(copies[0].gpu_ns, 30U);
  EXPECT_EQ(copies[1].kind, "memset");
  // Kernels at 1,000, copies at 5,000 and 6,000, of 10,000 ns.
  const auto split = activity.totals().split();
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->launch_ns, 2 * 1000U);
  EXPECT_EQ(split->kernel_ns, 100 + 10U);
  EXPECT_EQ(split->copy_ns, 2 * (10 + 1U));
  EXPECT_EQ(split->gap_ns, 3900 + 3990 + 2 * 990U);
  EXPECT_EQ(split->synchronise_ns, 2 * 3999U);
}

TEST_F(FakeCupti, ActivityThatFailsOrDropsRecordsSaysSo) {
  fail("cuptiActivityEnable", 39);
  KernelActivity refused;
  refused.start();
  refused.stop();
  EXPECT_TRUE(refused.failure().starts_with(
      "cuptiActivityEnable: CUPTI_ERROR_FAKE: two lines (39); stop other profilers"))
      << refused.failure();

  fake<FakeReset>("fake_reset")();
  counts(1, 8);
  KernelActivity dropped;
  dropped.start();
  dropped.stop();
  EXPECT_TRUE(dropped.failure().starts_with("CUPTI dropped 8 records")) << dropped.failure();
  dropped.start();
  EXPECT_EQ(call_count("cuptiActivityEnable"), 3U) << "started again after a failure";
}

TEST_F(FakeCupti, ARangeIsCountedInOnePass) {
  const auto sink = open_cupti_ranges(group_);
  EXPECT_FALSE(sink->unavailable());
  for (const int blocks : {4, 7}) {
    sink->start();
    launch(blocks, 1);
    const auto readings = sink->stop();
    EXPECT_TRUE(sink->is_complete());
    ASSERT_EQ(readings.size(), 3U);
    EXPECT_EQ(readings[0].value, blocks);
    EXPECT_FALSE(readings[1].value);
    EXPECT_TRUE(readings[1].reason.starts_with("FK100 can't count no__b.sum here"))
        << readings[1].reason;
    // The counted metrics keep their order when one is left out.
    EXPECT_EQ(readings[2].value, 2 * blocks);
    EXPECT_EQ(readings[2].unit, "bytes");
  }
  const std::string all = calls();
  const std::string session =
      "cuptiRangeProfilerEnable cuptiRangeProfilerGetCounterDataSize "
      "cuptiRangeProfilerCounterDataImageInitialize cuptiRangeProfilerSetConfig "
      "cuptiRangeProfilerStart cuptiRangeProfilerPushRange cuptiRangeProfilerPopRange "
      "cuptiRangeProfilerStop cuptiRangeProfilerDecodeData cuptiRangeProfilerGetCounterDataInfo "
      "cuptiProfilerHostEvaluateToGpuValues cuptiRangeProfilerDisable ";
  EXPECT_TRUE(all.ends_with(session + session)) << all;
}

TEST_F(FakeCupti, AGroupOfTwoPassesWantsTheWorkTwice) {
  counts(2, 0);
  const auto sink = open_cupti_ranges(group_);
  for (int stretch = 0; stretch < 2; ++stretch) {
    sink->start();
    launch(6, 1);
    sink->stop();
    EXPECT_FALSE(sink->is_complete());
    sink->start();
    launch(6, 1);
    const auto readings = sink->stop();
    EXPECT_TRUE(sink->is_complete());
    EXPECT_EQ(readings.at(0).value, 6);
  }
  EXPECT_EQ(call_count("cuptiRangeProfilerEnable"), 2U);
  EXPECT_EQ(call_count("cuptiRangeProfilerStart"), 4U);
  EXPECT_EQ(call_count("cuptiRangeProfilerDecodeData"), 2U);
}

TEST_F(FakeCupti, MissingPrivilegesAreAReasonWithARemedy) {
  fail("cuptiRangeProfilerEnable", 35);
  const auto sink = open_cupti_ranges(group_);
  for (int stretch = 0; stretch < 2; ++stretch) {
    sink->start();
    const auto readings = sink->stop();
    EXPECT_TRUE(sink->is_complete());
    ASSERT_EQ(readings.size(), 3U);
    for (const Reading& reading : readings) {
      EXPECT_FALSE(reading.value);
      EXPECT_NE(reading.reason.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos)
          << reading.reason;
    }
  }
  EXPECT_EQ(call_count("cuptiRangeProfilerEnable"), 1U) << "asked again after a failure";
}

TEST_F(FakeCupti, EveryCallThatFailsIsAReason) {
  for (const char* function :
       {"cuptiProfilerInitialize", "cuptiProfilerDeviceSupported", "cuptiDeviceGetChipName",
        "cuptiProfilerGetCounterAvailability", "cuptiProfilerHostInitialize",
        "cuptiProfilerHostGetConfigImageSize", "cuptiProfilerHostGetConfigImage",
        "cuptiProfilerHostGetNumOfPasses", "cuptiRangeProfilerEnable",
        "cuptiRangeProfilerGetCounterDataSize", "cuptiRangeProfilerCounterDataImageInitialize",
        "cuptiRangeProfilerSetConfig", "cuptiRangeProfilerStart", "cuptiRangeProfilerPushRange",
        "cuptiRangeProfilerPopRange", "cuptiRangeProfilerStop", "cuptiRangeProfilerDecodeData",
        "cuptiRangeProfilerGetCounterDataInfo", "cuptiProfilerHostEvaluateToGpuValues"}) {
    fake<FakeReset>("fake_reset")();
    fail(function, 999);
    const auto sink = open_cupti_ranges(group_);
    sink->start();
    const auto readings = sink->stop();
    EXPECT_TRUE(sink->is_complete()) << function;
    ASSERT_EQ(readings.size(), 3U) << function;
    EXPECT_FALSE(readings[0].value) << function;
    EXPECT_NE(readings[0].reason.find(function), std::string::npos)
        << function << ": " << readings[0].reason;
    // Everything that was switched on is switched off.
    const bool was_enabled = call_count("cuptiRangeProfilerEnable") == 1 &&
                             std::string_view(function) != "cuptiRangeProfilerEnable";
    EXPECT_EQ(call_count("cuptiRangeProfilerDisable"), was_enabled ? 1U : 0U) << function;
  }
}

}  // namespace
}  // namespace bellmark::sinks
