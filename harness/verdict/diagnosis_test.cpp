// The decision tables on made-up changes, and on a made-up result.
#include "harness/verdict/diagnosis.hpp"

#include <gtest/gtest.h>

namespace bellmark::verdict {
namespace {

using enum Change;
using Words = std::vector<std::string>;

const std::string kOne = "memory bandwidth of one process";
const std::string kTwo = "memory bandwidth of two processes";
const std::string kSharing = "sharing of the L2 cache";
const std::string kComputation = "computation";

TEST(Decide, EveryRowOfTheTables) {
  EXPECT_EQ(decide({unchanged, changed, changed, changed}).candidates, Words{kOne});
  EXPECT_EQ(decide({changed, unchanged, changed, changed}).candidates, Words{kTwo});
  EXPECT_EQ(decide({changed, unchanged, unchanged, changed}).candidates, Words{kSharing});
  EXPECT_EQ(decide({changed, unchanged, unchanged, unchanged}).candidates, Words{kComputation});
}

TEST(Decide, Table10AloneIsEnough) {
  EXPECT_EQ(decide({not_measured, changed, changed, changed}).candidates, Words{kOne});
  EXPECT_EQ(decide({not_measured, unchanged, unchanged, changed}).candidates, Words{kSharing});
  EXPECT_EQ(decide({undecided, unchanged, unchanged, unchanged}).candidates, Words{kComputation});
}

TEST(Decide, Table7AloneTellsMemoryBandwidthFromTheRest) {
  EXPECT_EQ(decide({unchanged, not_measured, not_measured, not_measured}).candidates, Words{kOne});
  const Finding rest = decide({changed, not_measured, not_measured, not_measured});
  EXPECT_EQ(rest.candidates, (Words{kTwo, kSharing, kComputation}));
  EXPECT_EQ(rest.would_decide,
            (Words{"two processes, same package, L2 not shared", "two processes, L2 shared"}));
}

TEST(Decide, OnePackageWithPrivateL2) {
  const Finding busy = decide({not_measured, not_measured, changed, not_measured});
  EXPECT_EQ(busy.candidates, (Words{kOne, kTwo}));
  EXPECT_EQ(busy.would_decide, (Words{"clock lowered", "two processes, other package"}));
  const Finding calm = decide({not_measured, not_measured, unchanged, not_measured});
  EXPECT_EQ(calm.candidates, (Words{kSharing, kComputation}));
  EXPECT_EQ(calm.would_decide, Words{"two processes, L2 shared"});
  EXPECT_EQ(decide({}).candidates.size(), 4U);
}

TEST(Decide, WhatContradictsTheTablesFitsNoRow) {
  EXPECT_TRUE(decide({not_measured, changed, unchanged, unchanged}).candidates.empty());
  EXPECT_TRUE(decide({unchanged, unchanged, unchanged, unchanged}).candidates.empty());
  EXPECT_TRUE(decide({changed, changed, changed, changed}).candidates.empty());
}

TEST(ChangeOf, NeedsTheWholeInterval) {
  EXPECT_EQ(change_of(std::nullopt), undecided);
  EXPECT_EQ(change_of(measure::Interval{1.051, 1.3}), changed);
  EXPECT_EQ(change_of(measure::Interval{1.04, 1.3}), undecided);
  EXPECT_EQ(change_of(measure::Interval{0.96, 1.049}), unchanged);
  EXPECT_EQ(change_of(measure::Interval{0.94, 1.01}), undecided);
  EXPECT_EQ(change_of(measure::Interval{0.5, 0.6}), undecided);
}

Json cell(const std::string& id, const std::string& place, int processes,
          const std::string& clock = "unchanged") {
  return {{"id", id},
          {"requested_variant", "v"},
          {"graph", "g"},
          {"placement", {{"requested", place}}},
          {"process_count", processes},
          {"core_clock", {{"requested", clock}}},
          {"wall_ns", {{"median", 1.0}}}};
}

Json comparison(const std::string& a, const std::string& b, double low, double high) {
  return {{"a", a},
          {"b", b},
          {"ratio", (low + high) / 2},
          {"ci95_low", low},
          {"ci95_high", high},
          {"reason", nullptr}};
}

TEST(Diagnose, FindsItsCellsAndSaysWhatIsMissing) {
  const Json result = {
      {"cells",
       {cell("alone", "core:0", 1), cell("slow", "core:0", 1, "2000MHz"),
        cell("far", "pair:other-package", 2), cell("same1", "pair:same-package", 1),
        cell("same2", "pair:same-package", 2)}},
      {"comparisons",
       {comparison("slow", "alone", 1.4, 1.5), comparison("same2", "same1", 1.1, 1.2)}},
      {"not_measured", {{{"cell", "far"}, {"reason", "all cores are in one package here"}}}}};
  EXPECT_EQ(diagnosis_pairs(result.at("cells")), (std::vector<std::pair<std::string, std::string>>{
                                                     {"slow", "alone"}, {"same2", "same1"}}));
  const Json diagnosis = diagnose(result);
  ASSERT_EQ(diagnosis.at("findings").size(), 1U);
  const Json& finding = diagnosis.at("findings").at(0);
  EXPECT_EQ(finding.at("conclusion"), "bound by memory bandwidth of two processes");
  const Json& inputs = finding.at("inputs");
  EXPECT_EQ(inputs.at(0).at("change"), "changed");
  EXPECT_EQ(inputs.at(1).at("change"), "not measured");
  EXPECT_EQ(inputs.at(1).at("reason"), "all cores are in one package here");
  EXPECT_EQ(inputs.at(2).at("ci95_low"), 1.1);
  EXPECT_EQ(inputs.at(3).at("reason"), "the experiment has no such cell");
}

Json counter(const std::string& name, const Json& value, const Json& reason = nullptr) {
  return {{"group", "stalls (recorded: some processor)"},
          {"name", name},
          {"unit", "ratio"},
          {"value", value},
          {"reason", reason}};
}

TEST(Diagnose, StallsAreSaidInWords) {
  Json one = cell("alone", "core:0", 1);
  EXPECT_EQ(stalls_text(one), "");
  one["counters"] = {counter("stalled_on_l1_miss_ratio", 0.625),
                     counter("stalled_on_l2_miss_ratio", 0.5),
                     counter("stalled_on_l3_miss_ratio", 0.4),
                     counter("stalled_on_memory_ratio", nullptr, "no such event")};
  const std::string text = stalls_text(one);
  EXPECT_EQ(text,
            "cycles stalled: 40 % on misses of the L3 cache, 10 % on misses of L2 that L3 serves, "
            "13 % on misses of L1 that L2 serves");
  const Json result = {
      {"cells", {one}}, {"comparisons", Json::array()}, {"not_measured", Json::array()}};
  EXPECT_EQ(diagnose(result).at("findings").at(0).at("stalls"), text);
  one["counters"] = {counter("stalled_on_memory_ratio", 0.55)};
  EXPECT_EQ(stalls_text(one), "cycles stalled: 55 % on memory of any level");
  one["counters"] = {counter("stalled_on_memory_ratio", nullptr, "no PMU")};
  EXPECT_EQ(stalls_text(one), "stalled cycles are not counted: no PMU");
}

TEST(Diagnose, CoresThatOthersUsedDecideNothing) {
  Json result = {{"cells", {cell("one", "pair:shared-l2", 1), cell("two", "pair:shared-l2", 2)}},
                 {"comparisons", {comparison("two", "one", 2.1, 2.9)}},
                 {"not_measured", Json::array()}};
  const auto change = [&] { return diagnose(result)["findings"][0]["inputs"][3]["change"]; };
  EXPECT_EQ(change(), "changed");
  result["cells"][1]["cpu_share_ratio"] = 0.99;
  EXPECT_EQ(change(), "changed");
  result["cells"][1]["cpu_share_ratio"] = 0.5;
  EXPECT_EQ(change(), "undecided");
}

}  // namespace
}  // namespace bellmark::verdict
