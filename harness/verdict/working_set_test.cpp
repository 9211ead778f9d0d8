// The working set over the last-level cache: counted once, null with a reason, of old results too.
#include "harness/verdict/working_set.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bellmark::verdict {
namespace {

using machine::Topology;

/// Two caches of 1000 bytes, of two cores each.
Topology two_caches() { return Topology::synthetic("pack:1 l3:2(size=1000) core:2 pu:1"); }

Json cell_at(const std::string& place, const Json& accounted_bytes = 500) {
  return {{"placement", {{"resolved", place}}},
          {"memory", {{"accounted_bytes", accounted_bytes}}},
          {"process_count", 1},
          {"rank_count", 1},
          {"gpu", nullptr},
          {"ranks", nullptr}};
}

Json known(std::uint64_t bytes, std::uint64_t cache, double ratio) {
  return {
      {"bytes", bytes}, {"last_level_cache_bytes", cache}, {"ratio", ratio}, {"reason", nullptr}};
}

std::string reason_of(const Json& cell, const Topology& topology = two_caches()) {
  const Json set = working_set(cell, topology);
  EXPECT_TRUE(set.at("ratio").is_null()) << set;
  return set.at("reason");
}

TEST(WorkingSet, IsOverTheCachesOfItsPlace) {
  EXPECT_EQ(working_set(cell_at("core:0"), two_caches()), known(500, 1000, 0.5));
  EXPECT_EQ(working_set(cell_at("core:0-1"), two_caches()), known(500, 1000, 0.5));
  EXPECT_EQ(working_set(cell_at("core:1-2"), two_caches()), known(500, 2000, 0.25));
  Json cell = cell_at("core:0-3");
  cell["process_count"] = 4;
  EXPECT_EQ(working_set(cell, two_caches()), known(2000, 2000, 1));
}

TEST(WorkingSet, OfRanksIsThatOfAllOnOneHost) {
  Json cell = cell_at("core:0-1");
  cell["rank_count"] = 2;
  cell["ranks"] = {{"places", {{{"host", "a"}}, {{"host", "a"}}}}};
  EXPECT_EQ(working_set(cell, two_caches()), known(1000, 1000, 1));
  cell["ranks"]["places"][1]["host"] = "b";
  EXPECT_EQ(reason_of(cell), "its ranks run on several hosts");
}

TEST(WorkingSet, WhatIsNotKnownIsNullWithAReason) {
  EXPECT_EQ(reason_of(cell_at("core:0", nullptr)), "the variant accounts no memory");
  Json untimed = cell_at("core:0", nullptr);
  untimed["block_count"] = 0;
  EXPECT_EQ(reason_of(untimed), "the cell was not timed");
  EXPECT_EQ(reason_of(cell_at("core:9")), "the topology has no place 'core:9'");
  EXPECT_EQ(reason_of(cell_at("core:0"), Topology::synthetic("pack:1 core:2 pu:1")),
            "the topology doesn't tell of a last-level cache");
  Json cell = cell_at("core:0");
  cell["gpu"] = Json::object();
  EXPECT_EQ(reason_of(cell), "it runs on a GPU, which has caches of its own");
  EXPECT_EQ(working_set(cell, two_caches()).at("bytes"), 500);
}

TEST(WorkingSet, UnpinnedIsKnownWhereThereIsOneCache) {
  EXPECT_EQ(reason_of(cell_at("none")), "not pinned, and there are several last-level caches");
  EXPECT_EQ(working_set(cell_at("none"), Topology::synthetic("l3:1(size=1000) core:4 pu:1")),
            known(500, 1000, 0.5));
}

TEST(WorkingSet, OlderResultsTellByTheirTopology) {
  Json result = {{"topology", {{"hwloc_xml", two_caches().xml()}}}};
  Json cell = cell_at("core:0");
  cell.erase("process_count");
  EXPECT_EQ(working_set_of(result, cell), known(500, 1000, 0.5));
  cell["working_set"] = known(7, 7, 1);
  EXPECT_EQ(working_set_of(result, cell), known(7, 7, 1));
}

}  // namespace
}  // namespace bellmark::verdict
