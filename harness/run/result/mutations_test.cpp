// Stored results with one changed field. The list names the changes that pass unnoticed.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/result/stored.hpp"
#include "harness/verdict/rules_version.hpp"

namespace bellmark::run {
namespace {

/// The values that a slip or a damaged byte may give a field, by the kind of damage.
std::map<std::string, Json> mutations_of(const Json& value) {
  if (value.is_boolean()) return {{"flipped", !value.get<bool>()}};
  if (value.is_string()) return {{"longer", value.get<std::string>() + "~"}, {"a number", 7}};
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    return {{"larger", 2 * number + 1}, {"negative", -number - 1}, {"words", "7"}};
  }
  if (value.is_number()) {
    const auto number = value.get<std::int64_t>();
    return {{"larger", 2 * number + 1}, {"negative", -number - 1}, {"words", "7"}};
  }
  return {{"filled", 7}};
}

/// `/cells/*/id` of `/cells/0/id`.
std::string family_of(const std::string& pointer) {
  std::vector<std::string> words = split(pointer, '/');
  for (std::string& word : words) {
    if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) word = "*";
  }
  return join(words, "/");
}

bool is_read(const Json& result) {
  try {
    result_of(result.dump(), "mutated.json");
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// The same result with times of its queries, which are equal parts of a pass, and with the ratios
/// that follow.
Json with_queries(Json result) {
  std::map<Json, std::vector<measure::StepTimes>> times;
  for (Json& cell : result["cells"]) {
    const auto count = cell["query_count"].get<std::int64_t>();
    cell["blocks"] = Json::array();
    for (const Json& samples : cell["samples_ns"]) {
      Json passes = Json::array();
      for (const Json& sample : samples) {
        const Json time = sample.get<std::int64_t>() / count;
        passes.push_back(Json::array_t(static_cast<std::size_t>(count), time));
      }
      times[cell["id"]].push_back(passes.get<measure::StepTimes>());
      const std::size_t index = cell["blocks"].size();
      cell["blocks"].push_back({{"index", index}, {"process", "one"}, {"query_ns", passes}});
    }
  }
  for (Json& pair : result["comparisons"]) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < times[pair["a"]].size(); ++i) {
      logs.push_back(measure::block_log_ratio(times[pair["a"]][i], times[pair["b"]][i], true));
      pair["blocks"][i] = i;
      pair["block_ratios"][i] = std::exp(logs[i]);
    }
    const measure::Ratio ratio = measure::ratio_over_blocks(logs);
    pair["ratio"] = ratio.value;
    pair["ci95_low"] = ratio.interval->low;
    pair["ci95_high"] = ratio.interval->high;
    pair["outcome"] = to_string(measure::judge(ratio.interval));
  }
  const Json& cell = result["cells"][0];
  result["resolution"] =
      Json::array({{{"placement", "core:0"},
                    {"cell", cell["id"]},
                    {"ratio", 1.0},
                    {"ci95_low", 1.0},
                    {"ci95_high", 1.0},
                    {"block_ratios", std::vector<double>(cell["blocks"].size(), 1.0)},
                    {"blocks", cell["blocks"]},
                    {"disturbed", nullptr}}});
  result["rules"] = verdict::rules_json();
  return result;
}

/// The mutations that are read, each as `FIELD: kind of damage`.
std::set<std::string> read_mutations(const Json& whole) {
  std::set<std::string> read;
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const Json::json_pointer at(pointer);
    const auto note = [&, field = family_of(pointer)](const Json& changed,
                                                      const std::string& what) {
      if (is_read(changed)) read.insert(field + ": " + what);
    };
    for (const auto& [what, mutation] : mutations_of(value)) {
      Json changed = whole;
      changed[at] = mutation;
      note(changed, what);
    }
    Json changed = whole;
    Json& parent = changed[at.parent_pointer()];
    if (!parent.is_object()) continue;
    parent.erase(at.back());
    note(changed, "gone");
  }
  return read;
}

/// Changes that no schema and no other part of a result can contradict. Most are a longer text or a
/// larger count. Only fields that an experiment or a machine names freely can be anything.
const std::vector<std::string> kFree = {
    // Texts for people.
    "/*/reason: longer",
    "/*/text: longer",
    "/*/title: longer",
    "/*/label: longer",
    "/experiment/id: longer",
    "/experiment/paper/*: longer",
    "/experiment/placement: longer",
    "/experiment/stand_in: longer",
    "/experiment/cuts/*: longer",
    "/experiment/figure/*",
    "/verdicts/*/claim: longer",
    "/verdicts/*/headline: longer",
    "/verdicts/*/metric: longer",
    // Facts of the machine and the build, which stand nowhere else.
    "/environment/*",
    "/provenance/*: longer",
    "/provenance/git_dirty: flipped",
    "/provenance/libraries/hwloc: gone",
    "/topology/hwloc_xml: longer",
    "/topology/summary/*_count: larger",
    "/topology/summary/*_count: gone",
    "/topology/summary/*_count: words",
    "/context/*: longer",
    "/context/*: larger",
    "/context/*: flipped",
    // Names that stand in one place.
    "/cells/*/counters/*: longer",
    "/cells/*/covers/*: longer",
    "/cells/*/placement/*: longer",
    "/cells/*/phases/*/name: longer",
    "/cells/*/phase_log/*columns/*: longer",
    "/*/blocks/*/process: longer",
    "/resolution/*/placement: longer",
    // Rules that other builds may have.
    "/rules/version: larger",
    // Figures that were measured once.
    "/cells/*/counters/*/value: *",
    "/cells/*/instrumented_ratio: *",
    "/cells/*/memory/*: larger",
    "/cells/*/memory/resident_bytes: filled",
    "/cells/*/outlier_count: larger",
    "/cells/*/phase_log/*: larger",
    "/cells/*/phase_log/*: gone",
    "/cells/*/phases/*: larger",
    "/cells/*/phases/*/notes/*: gone",
    "/cells/*/work/*: larger",
    "/cells/*/work/*: gone",
    "/cells/*/validation/*_count: larger",
    "/experiment/block_count: larger",
    "/experiment/budget_s: filled",
    // A paper's figures, and the interval of a verdict's metric.
    "/verdicts/*/paper*: *",
    "/verdicts/*/ci95_*: *",
    "/verdicts/*/metric: gone",
    // Facts of a graph, and its queries.
    "/workloads/*/facts/*: larger",
    "/workloads/*/facts/*: gone",
    "/workloads/*/facts/mean_length: *",
    "/workloads/*/facts/length_deviation: *",
    "/workloads/*/facts/provenance: *",
    "/workloads/*/queries/*: longer",
    "/experiment/axes/*",
    "/verdicts/*/stand_in: longer",
    "/warnings/*/action: longer",
    // Cells that are missing.
    "/not_measured/*",
    "/verdicts/*/numerator: longer",
    "/verdicts/*/denominator: longer",
};

Json fixture(const std::string& name) {
  return Json::parse(read_whole(BELLMARK_TEST_SOURCE_DIR "/analysis/testdata/" + name));
}

TEST(Mutations, WhatIsReadIsKnownByName) {
  for (const Json& whole :
       {fixture("bars.json"), fixture("phases.json"), with_queries(fixture("bars.json"))}) {
    ASSERT_TRUE(is_read(whole));
    for (const std::string& mutation : read_mutations(whole)) {
      const bool is_known = std::ranges::any_of(
          kFree, [&](const std::string& pattern) { return glob_match(pattern, mutation); });
      EXPECT_TRUE(is_known) << mutation;
    }
  }
}

TEST(Mutations, QueriesHoldTheirSumsAndRatios) {
  const Json whole = with_queries(fixture("bars.json"));
  const auto is_read_with = [&](const std::string& pointer, const Json& value) {
    Json changed = whole;
    changed[Json::json_pointer(pointer)] = value;
    return is_read(changed);
  };
  const Json& block = whole["cells"][0]["blocks"][0];
  EXPECT_FALSE(is_read_with("/cells/0/blocks/0/query_ns/0/0", 1));
  EXPECT_FALSE(is_read_with("/cells/0/blocks/0/query_ns/0/0", 1.5));
  EXPECT_FALSE(is_read_with("/cells/0/blocks/0/query_ns/0", Json::array()));
  EXPECT_FALSE(is_read_with("/cells/0/blocks/0/query_ns", Json::array()));
  EXPECT_FALSE(is_read_with("/cells/0/blocks", Json::array({block})));
  EXPECT_FALSE(is_read_with("/cells/0/blocks/1/index", 0));
  EXPECT_FALSE(is_read_with("/comparisons/0/blocks", Json::array({0, 1})));
  EXPECT_FALSE(is_read_with("/comparisons/0/blocks/5", 6));
  EXPECT_FALSE(is_read_with("/resolution/0/blocks/3/query_ns/0/0", 1));
  EXPECT_FALSE(is_read_with("/resolution/0/block_ratios/3", 1.1));
  EXPECT_FALSE(is_read_with("/rules/digest", "f00d"));
  // The same sums from other queries give other ratios.
  Json changed = whole;
  for (Json& pass : changed["cells"][0]["blocks"][0]["query_ns"]) {
    const auto half = pass[0].get<std::int64_t>() / 2;
    pass[0] = pass[0].get<std::int64_t>() + half;
    pass[1] = pass[1].get<std::int64_t>() - half;
  }
  EXPECT_FALSE(is_read(changed));
}

}  // namespace
}  // namespace bellmark::run
