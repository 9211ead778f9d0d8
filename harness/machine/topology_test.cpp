#include "harness/machine/topology.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace bellmark::machine {
namespace {

TEST(Topology, CountsObjectsOfASyntheticMachine) {
  const Topology topology = Topology::synthetic("pack:2 [numa] core:4 pu:2");
  EXPECT_EQ(topology.package_count(), 2);
  EXPECT_EQ(topology.numa_count(), 2);
  EXPECT_EQ(topology.core_count(), 8);
  EXPECT_EQ(topology.pu_count(), 16);
  EXPECT_FALSE(topology.is_this_machine());
}

TEST(Topology, CachesSayWhatTheyAreAndWhoSharesThem) {
  const Topology topology = Topology::synthetic(
      "pack:2 l2:2(size=6291456) core:2 l1d:1(size=32768) l1i:1(size=16384) pu:1");
  const std::vector<Cache> expected{
      {.level = 1, .type = "data", .size_bytes = 32768, .shared_by_core_count = 1, .count = 8},
      {.level = 1,
       .type = "instruction",
       .size_bytes = 16384,
       .shared_by_core_count = 1,
       .count = 8},
      {.level = 2,
       .type = "unified",
       .size_bytes = 6291456,
       .shared_by_core_count = 2,
       .count = 4}};
  EXPECT_EQ(topology.caches(), expected);
}

TEST(Topology, LastLevelCachesCountOnceEach) {
  const Topology shared = Topology::synthetic(
      "pack:2 l3:2(size=1000) l2:2(size=100) core:1 l1d:1(size=10) l1i:1(size=10) pu:2");
  EXPECT_EQ(shared.last_level_cache_bytes({{0}}), 1000);
  EXPECT_EQ(shared.last_level_cache_bytes({{0, 1, 2, 3}}), 1000);
  EXPECT_EQ(shared.last_level_cache_bytes({{0, 4}}), 2000);
  EXPECT_EQ(shared.last_level_cache_bytes(shared.pus()), 4000);
  EXPECT_EQ(shared.last_level_cache_bytes({}), std::nullopt);
  EXPECT_EQ(shared.last_level_cache_bytes({{0, 99}}), std::nullopt) << "no such PU";
  const Topology level2 = Topology::synthetic("pack:1 l2:2(size=100) core:1 l1i:1(size=7) pu:1");
  EXPECT_EQ(level2.last_level_cache_bytes({{1}}), 100) << "an instruction cache is none";
  const Topology none = Topology::synthetic("pack:1 core:2 pu:1");
  EXPECT_EQ(none.last_level_cache_bytes({{0}}), std::nullopt);
}

TEST(Topology, XmlIsReadAgain) {
  const Topology written = Topology::synthetic("pack:1 l3:1(size=1000) core:2 pu:1");
  const Topology read = Topology::from_xml(written.xml());
  EXPECT_EQ(read.caches(), written.caches());
  EXPECT_EQ(read.pus(), written.pus());
  EXPECT_EQ(read.last_level_cache_bytes(read.pus()), 1000);
  EXPECT_FALSE(read.is_this_machine());
  for (const char* text : {"", "words", "<topology></topology>"}) {
    EXPECT_THROW(Topology::from_xml(text), InputError) << text;
  }
}

TEST(Topology, SummaryOfASyntheticMachineClaimsNoAffinity) {
  const nlohmann::json summary =
      Topology::synthetic("pack:1 [numa] l3:1(size=1048576) core:2 pu:1").summary();
  EXPECT_EQ(summary.at("package_count"), 1);
  EXPECT_EQ(summary.at("numa_count"), 1);
  EXPECT_EQ(summary.at("core_count"), 2);
  EXPECT_EQ(summary.at("pu_count"), 2);
  EXPECT_EQ(summary.at("installed_pu_count"), 2);
  EXPECT_TRUE(summary.at("affinity_pu_count").is_null());
  EXPECT_EQ(summary.at("is_restricted"), false);
  ASSERT_EQ(summary.at("caches").size(), 1U);
  EXPECT_EQ(summary.at("caches")[0].at("size_bytes"), 1048576);
  EXPECT_EQ(summary.at("caches")[0].at("shared_by_core_count"), 2);
}

TEST(Topology, ThisMachineHasSomethingToRunOn) {
  Topology topology = Topology::this_machine();
  const nlohmann::json summary = topology.summary();
  EXPECT_GE(summary.at("pu_count").get<int>(), 1);
  EXPECT_GE(summary.at("installed_pu_count").get<int>(), summary.at("pu_count").get<int>());
  const Topology moved = std::move(topology);
  EXPECT_EQ(moved.pu_count(), summary.at("pu_count").get<int>());
  EXPECT_NE(moved.xml().find("<topology"), std::string::npos);
}

TEST(Topology, BadDescriptionsAreInputErrors) {
  for (const char* description :
       {"", "bogus:2", "core:2 pack:2", "pack:2 core:0 pu:1", "pack:", "pu:1000000000",
        "pack:100000 core:100000 pu:2", "pack:99999999999999999999999 pu:1"}) {
    EXPECT_THROW(Topology::synthetic(description), InputError) << "'" << description << "'";
  }
}

}  // namespace
}  // namespace bellmark::machine
