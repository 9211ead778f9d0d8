// Stored results with one field changed: which ones are still read is known by name.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "harness/run/result/stored.hpp"

namespace bellmark::run {
namespace {

/// What a field may become by a slip or a damaged byte, by what is done to it.
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

/// Each as `FIELD: what was done to it`.
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

/// What no schema and nothing else in a result can contradict. Of most it is a longer text or a
/// larger count; only what an experiment or a machine may call as it likes can be anything.
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
    // Of the machine and the build, which are told nowhere else.
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
    // Names that are in one place.
    "/cells/*/counters/*: longer",
    "/cells/*/covers/*: longer",
    "/cells/*/placement/*: longer",
    "/cells/*/phases/*/name: longer",
    "/cells/*/phase_log/*columns/*: longer",
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
    // What a paper says, and the interval of a verdict's metric.
    "/verdicts/*/paper*: *",
    "/verdicts/*/ci95_*: *",
    "/verdicts/*/metric: gone",
    // What a graph is, and what was asked of it.
    "/workloads/*/facts/*: larger",
    "/workloads/*/facts/*: gone",
    "/workloads/*/facts/mean_length: *",
    "/workloads/*/facts/length_deviation: *",
    "/workloads/*/facts/provenance: *",
    "/workloads/*/queries/*: longer",
    "/experiment/axes/*",
    "/verdicts/*/stand_in: longer",
    "/warnings/*/action: longer",
    // Of cells that are not there.
    "/not_measured/*",
    "/verdicts/*/numerator: longer",
    "/verdicts/*/denominator: longer",
};

TEST(Mutations, WhatIsReadIsKnownByName) {
  for (const char* file : {"analysis/testdata/bars.json", "analysis/testdata/phases.json"}) {
    const Json whole = Json::parse(read_whole(std::string(BELLMARK_TEST_SOURCE_DIR "/") + file));
    ASSERT_TRUE(is_read(whole));
    for (const std::string& mutation : read_mutations(whole)) {
      const bool is_known = std::ranges::any_of(
          kFree, [&](const std::string& pattern) { return glob_match(pattern, mutation); });
      EXPECT_TRUE(is_known) << mutation;
    }
  }
}

}  // namespace
}  // namespace bellmark::run
