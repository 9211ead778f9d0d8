// Every group on processors that are not here: the events that each has, and the ratios of them.
#include "harness/sinks/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/test_folder.hpp"

namespace bellmark::sinks {
namespace {

std::filesystem::path recording_path(const std::string& name) {
  return group_folder().parent_path() / "recordings" / (name + ".toml");
}

std::vector<Reading> readings_of(const std::string& group, const std::string& processor,
                                 const Threads& threads = {}) {
  const auto sink =
      open_recorded(load_group(group), read_recording(recording_path(processor)), threads);
  sink->start();
  return sink->stop();
}

std::optional<double> ratio_of(const std::string& group, const std::string& processor,
                               const std::string& ratio) {
  const auto ratios = ratio_readings(load_group(group), readings_of(group, processor));
  const auto found = std::ranges::find(ratios, ratio, &RatioReading::name);
  EXPECT_NE(found, ratios.end()) << ratio;
  if (found == ratios.end()) return std::nullopt;
  EXPECT_EQ(found->value.has_value(), found->reason.empty());
  return found->value;
}

const std::vector<std::string>& processors() {
  static const std::vector<std::string> names = {"intel-ice-lake-server", "amd-zen3", "arm-a64fx"};
  return names;
}

TEST(Recorded, EveryProcessorCountsEachGroupInPart) {
  for (const std::string& processor : processors()) {
    for (const std::string group : {"cycles", "branches", "cache"}) {
      const auto readings = readings_of(group, processor);
      ASSERT_EQ(readings.size(), load_group(group).events.size());
      EXPECT_TRUE(
          std::ranges::any_of(readings, [](const Reading& r) { return r.value.has_value(); }))
          << group << " on " << processor;
      for (const Reading& reading : readings) {
        EXPECT_EQ(reading.value.has_value(), reading.reason.empty()) << reading.name;
      }
    }
    EXPECT_DOUBLE_EQ(*ratio_of("cycles", processor, "instructions_per_cycle_ratio"), 0.25);
    EXPECT_DOUBLE_EQ(*ratio_of("cache", processor, "l2_per_l1_miss_ratio"), 2.0 / 3);
    EXPECT_DOUBLE_EQ(*ratio_of("branches", processor, "mispredicted_ratio"), 0.15);
  }
}

TEST(Recorded, AnEventThatAProcessorLacksHasAReason) {
  EXPECT_DOUBLE_EQ(*ratio_of("cache", "intel-ice-lake-server", "l3_per_l2_miss_ratio"), 0.25);
  EXPECT_EQ(ratio_of("cache", "amd-zen3", "l3_per_l2_miss_ratio"), std::nullopt);
  const Reading missing = readings_of("cache", "amd-zen3").back();
  EXPECT_EQ(missing.reason, "AMD EPYC, Zen 3 has no event PAPI_L3_TCM");
  const auto sink =
      open_recorded(load_group("tlb"), read_recording(recording_path("intel-ice-lake-server")));
  EXPECT_EQ(sink->unavailable(), "Intel Xeon, Ice Lake has no event PAPI_TLB_DM");
  EXPECT_FALSE(sink->is_measured());
}

TEST(Recorded, WaitsAreCountedByLevelOrAsAWhole) {
  const std::string intel = "intel-ice-lake-server";
  EXPECT_DOUBLE_EQ(*ratio_of("stalls", intel, "stalled_on_l1_miss_ratio"), 0.625);
  EXPECT_DOUBLE_EQ(*ratio_of("stalls", intel, "stalled_on_l3_miss_ratio"), 0.4);
  EXPECT_EQ(ratio_of("stalls", intel, "stalled_on_memory_ratio"), std::nullopt);
  EXPECT_DOUBLE_EQ(*ratio_of("stalls", "arm-a64fx", "stalled_on_memory_ratio"), 0.55);
  EXPECT_EQ(ratio_of("stalls", "amd-zen3", "stalled_on_memory_ratio"), std::nullopt);
}

TEST(Recorded, ThreadsAddUp) {
  const Reading cycles = readings_of("cycles", "amd-zen3", {1, 2, 3}).front();
  EXPECT_EQ(cycles.by_thread, (std::vector<std::int64_t>{4'000'000, 4'000'000, 4'000'000}));
  EXPECT_EQ(cycles.value, 12'000'000);
}

TEST(Recorded, ABrokenRecordingIsRefusedWithItsLine) {
  TestFolder folder;
  const auto refusal = [&](const std::string& text) -> std::string {
    const std::filesystem::path path = folder / "r.toml";
    std::ofstream(path) << text;
    try {
      read_recording(path);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string head = "processor = \"a\"\nsource = \"b\"\n";
  EXPECT_EQ(refusal(head), "");
  EXPECT_NE(refusal("processor = \"a\"\n").find("names no processor or no source"),
            std::string::npos);
  EXPECT_NE(refusal(head + "more = 1\n").find("r.toml:3"), std::string::npos);
  EXPECT_NE(refusal(head + "[counts]\nA = -1\n").find("r.toml:4"), std::string::npos);
  EXPECT_NE(refusal(head + "[counts]\nA = 1.5\n").find("is no count"), std::string::npos);
  EXPECT_NE(refusal("processor = \n").find("r.toml:1"), std::string::npos);
}

}  // namespace
}  // namespace bellmark::sinks
