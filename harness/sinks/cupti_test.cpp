// The parts of the CUPTI sinks that need no GPU: sums of records, metrics and their plans, reasons.
#include "harness/sinks/cupti.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/machine/fake_root.hpp"
#include "harness/sinks/cupti_activity.hpp"
#include "harness/sinks/cupti_ranges.hpp"
#include "harness/sinks/nvtx.hpp"

namespace bellmark::sinks {
namespace {

TEST(Cupti, FailuresSayWhatWasCalledAndWhatToDo) {
  const std::string denied =
      cupti::failure_text("cuptiRangeProfilerEnable", 35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
  EXPECT_TRUE(denied.starts_with(
      "cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35); run as root"))
      << denied;
  EXPECT_NE(denied.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
  EXPECT_NE(cupti::failure_text("f", 39, "x").find("stop other profilers"), std::string::npos);
  EXPECT_EQ(cupti::failure_text("f", 999, "CUPTI_ERROR_UNKNOWN"), "f: CUPTI_ERROR_UNKNOWN (999)");
}

TEST(Cupti, TheLibraryIsLookedForWhereItMayBe) {
  EXPECT_EQ(cupti::library_candidates("/opt/libcupti.so"),
            std::vector<std::string>{"/opt/libcupti.so"});
  machine::FakeRoot root;
  root.write("/usr/local/cuda-12.9/version", "");
  root.write("/usr/local/cuda-13.0/version", "");
  root.write("/usr/local/cuda-9.2/version", "");
  root.write("/usr/local/cuda-gdb/version", "");
  const std::string local = root.path().string() + "/usr/local/";
  std::vector<std::string> found = cupti::library_candidates("", root.path().string());
  // The place that was found when Bellmark was built may come first.
  found.erase(found.begin(), std::ranges::find(found, "libcupti.so.13"));
  const std::vector<std::string> expected{"libcupti.so.13",
                                          "libcupti.so",
                                          local + "cuda/lib64/libcupti.so",
                                          local + "cuda/extras/CUPTI/lib64/libcupti.so",
                                          local + "cuda-13.0/lib64/libcupti.so",
                                          local + "cuda-13.0/extras/CUPTI/lib64/libcupti.so",
                                          local + "cuda-12.9/lib64/libcupti.so",
                                          local + "cuda-12.9/extras/CUPTI/lib64/libcupti.so",
                                          local + "cuda-9.2/lib64/libcupti.so",
                                          local + "cuda-9.2/extras/CUPTI/lib64/libcupti.so"};
  EXPECT_EQ(found, expected);
}

KernelRecord launch(const std::string& name, std::uint64_t begin, std::uint64_t end,
                    std::uint64_t blocks) {
  return {.name = name,
          .begin_ns = begin,
          .end_ns = end,
          .registers_per_thread = 32,
          .static_shared_bytes = 1024,
          .dynamic_shared_bytes = 8 * blocks,
          .grid_blocks = blocks,
          .block_threads = 256};
}

TEST(ActivityTotals, LaunchesOfAKernelAddUp) {
  ActivityTotals totals;
  totals.add(launch("_Z5relaxPj", 100, 150, 7));
  totals.add(launch("_Z5clearPj", 150, 160, 1));
  totals.add(launch("_Z5relaxPj", 160, 200, 3));
  const auto kernels = totals.kernels();
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].name, "relax(unsigned int*)");
  EXPECT_EQ(kernels[0].launch_count, 2U);
  EXPECT_EQ(kernels[0].gpu_ns, 90U);
  EXPECT_EQ(kernels[0].untimed_count, 0U);
  EXPECT_EQ(kernels[0].registers_per_thread, 32U);
  EXPECT_EQ(kernels[0].static_shared_bytes, 1024U);
  EXPECT_EQ(kernels[0].dynamic_shared_bytes.least, 24U);
  EXPECT_EQ(kernels[0].dynamic_shared_bytes.largest, 56U);
  EXPECT_EQ(kernels[0].grid_blocks.least, 3U);
  EXPECT_EQ(kernels[0].grid_blocks.largest, 7U);
  EXPECT_EQ(kernels[0].block_threads.least, 256U);
  EXPECT_EQ(kernels[1].name, "clear(unsigned int*)");
}

TEST(ActivityTotals, ALaunchWithoutATimeIsCountedAsSuch) {
  ActivityTotals totals;
  totals.add(launch("k", 0, 0, 1));
  totals.add(launch("k", 10, 30, 1));
  const auto kernels = totals.kernels();
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].launch_count, 2U);
  EXPECT_EQ(kernels[0].untimed_count, 1U);
  EXPECT_EQ(kernels[0].gpu_ns, 20U);
}

TEST(ActivityTotals, CopiesAddUpByKind) {
  ActivityTotals totals;
  EXPECT_TRUE(totals.copies().empty());
  totals.add(CopyRecord{"memset", 1, 400, 1, 2});
  totals.add(CopyRecord{copy_kind_name(2), 1, 4, 10, 15});
  totals.add(CopyRecord{copy_kind_name(2), 3, 12, 20, 26});
  totals.add(CopyRecord{copy_kind_name(2), 2, 8, 0, 0});
  const auto copies = totals.copies();
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].kind, "device-to-host");
  EXPECT_EQ(copies[0].count, 6U);
  EXPECT_EQ(copies[0].bytes, 24U);
  EXPECT_EQ(copies[0].gpu_ns, 11U);
  EXPECT_EQ(copies[0].untimed_count, 2U);
  EXPECT_EQ(copies[1].kind, "memset");
}

TEST(TimeSplit, AQueryDividesByWhatTheGpuDid) {
  // A copy beside a kernel is the kernel's time, and so is a second kernel.
  const TimeSplit split = split_of(
      100, 1000, {{150, 300, true}, {250, 400, true}, {350, 420, false}, {500, 900, true}});
  EXPECT_EQ(split.launch_ns, 50U);
  EXPECT_EQ(split.kernel_ns, 250 + 400U);
  EXPECT_EQ(split.copy_ns, 20U);
  EXPECT_EQ(split.gap_ns, 80U);
  EXPECT_EQ(split.synchronise_ns, 100U);
}

TEST(TimeSplit, TheEdges) {
  const TimeSplit nothing = split_of(100, 1000, {});
  EXPECT_EQ(nothing.launch_ns, 900U);
  EXPECT_EQ(nothing.synchronise_ns, 0U);
  // Clocks that differ a little: the part inside counts.
  const TimeSplit outside = split_of(100, 200, {{50, 150, true}, {150, 250, false}});
  EXPECT_EQ(outside.launch_ns, 0U);
  EXPECT_EQ(outside.kernel_ns, 50U);
  EXPECT_EQ(outside.copy_ns, 50U);
  EXPECT_EQ(outside.synchronise_ns, 0U);
}

TEST(TimeSplit, QueriesAddUpUnlessATimeIsMissing) {
  ActivityTotals totals;
  totals.add(launch("k", 110, 150, 1));
  totals.end_query(100, 200);
  totals.add(CopyRecord{"memset", 1, 4, 310, 320});
  totals.end_query(300, 400);
  ASSERT_TRUE(totals.split().has_value());
  EXPECT_EQ(totals.split()->launch_ns, 20U);
  EXPECT_EQ(totals.split()->kernel_ns, 40U);
  EXPECT_EQ(totals.split()->copy_ns, 10U);
  EXPECT_EQ(totals.split()->synchronise_ns, 50 + 80U);
  totals.add(launch("k", 0, 0, 1));
  EXPECT_FALSE(totals.split().has_value());
}

TEST(ActivityTotals, NamesAreThoseOfTheSource) {
  EXPECT_EQ(demangled("_ZN8bellmark5relaxILj4EEEvPKjS2_"),
            "void bellmark::relax<4u>(unsigned int const*, unsigned int const*)");
  // As a mangled type it would be `float`.
  EXPECT_EQ(demangled("f"), "f");
  EXPECT_EQ(demangled("_Znonsense"), "_Znonsense");
  EXPECT_EQ(copy_kind_name(1), "host-to-device");
  EXPECT_EQ(copy_kind_name(8), "device-to-device");
  EXPECT_EQ(copy_kind_name(77), "unknown");
}

TEST(KernelActivity, WithoutACudaContextItSaysSo) {
  KernelActivity activity;
  activity.start();
  activity.stop();
  EXPECT_FALSE(activity.failure().empty());
  EXPECT_TRUE(activity.totals().kernels().empty());
}

TEST(CuptiRanges, ValuesAreWholeNumbers) {
  EXPECT_EQ(whole_value(0), 0);
  EXPECT_EQ(whole_value(41.7), 42);
  EXPECT_EQ(whole_value(1e15), 1000000000000000);
  EXPECT_FALSE(whole_value(-1));
  EXPECT_FALSE(whole_value(1e19));
  EXPECT_FALSE(whole_value(std::nan("")));
  EXPECT_FALSE(whole_value(std::numeric_limits<double>::infinity()));
}

TEST(CuptiRanges, WithoutACudaContextEveryReadingSaysWhy) {
  const Group group = load_group("gpu-dram");
  const auto sink = open_group("gpu-dram");
  EXPECT_EQ(sink->name(), "cupti");
  ASSERT_TRUE(sink->unavailable().has_value());
  for (int stretch = 0; stretch < 2; ++stretch) {
    sink->start();
    const std::vector<Reading> readings = sink->stop();
    EXPECT_TRUE(sink->is_complete());
    ASSERT_EQ(readings.size(), group.events.size());
    for (std::size_t i = 0; i < readings.size(); ++i) {
      EXPECT_EQ(readings[i].name, group.events[i].name);
      EXPECT_FALSE(readings[i].value);
      EXPECT_EQ(readings[i].reason, *sink->unavailable());
    }
  }
}

TEST(CuptiRanges, HopperCountsEveryShippedGroup) {
  if (const std::string reason = cupti::unavailable(); !reason.empty()) GTEST_SKIP() << reason;
  std::size_t group_count = 0;
  for (const std::string& name : group_names()) {
    const Group group = load_group(name);
    if (group.source != "cupti") continue;
    ++group_count;
    const ChipPlan plan = plan_on_chip(group, "GH100");
    EXPECT_EQ(plan.refusals, std::vector<std::string>(group.events.size())) << name;
    // The same counters count L2 hits and lookups. All other events fit into one run.
    EXPECT_EQ(plan.pass_count, name == "gpu-l2" ? 2U : 1U) << name;
  }
  EXPECT_EQ(group_count, 4U);
}

TEST(CuptiRanges, AnUnknownMetricDoesNotHideTheOthers) {
  if (const std::string reason = cupti::unavailable(); !reason.empty()) GTEST_SKIP() << reason;
  Group group = load_group("gpu-dram");
  group.events.insert(group.events.begin(), {"no__such_metric.sum", "count"});
  const ChipPlan plan = plan_on_chip(group, "GH100");
  EXPECT_TRUE(plan.refusals.at(0).starts_with("GH100 can't count no__such_metric.sum here: "))
      << plan.refusals.at(0);
  EXPECT_EQ(plan.refusals.at(1), "");
  EXPECT_EQ(plan.pass_count, 1U);
  group.events.resize(1);
  EXPECT_EQ(plan_on_chip(group, "GH100").pass_count, 0U);
  EXPECT_THROW(plan_on_chip(group, "no-chip"), cupti::Failure);
}

TEST(Nvtx, RangesMayBeMarkedWithoutAProfiler) {
  measure::RangeMarker* const marker = nvtx_ranges();
  EXPECT_EQ(marker, nvtx_ranges());
  if (marker == nullptr) GTEST_SKIP() << "built without CUDA";
  marker->push("outer");
  marker->push("inner");
  marker->pop();
  marker->pop();
}

}  // namespace
}  // namespace bellmark::sinks
