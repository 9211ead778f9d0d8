// Parts of placements for ranks, on made-up machines.
#include "harness/machine/rank_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "harness/machine/fake_nvml.hpp"
#include "harness/machine/fake_root.hpp"
#include "harness/machine/pin.hpp"

namespace bellmark::machine {
namespace {

const char* const kMachine = "pack:2 [numa] core:4 pu:2";

/// The places of each rank: `0 2|4 6` are two ranks with two places each.
std::string parts(const char* word, std::size_t rank_count, bool force = false) {
  const Topology topology = Topology::synthetic(kMachine);
  const Placement placement = expand(topology, word).front();
  std::string text;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    if (rank > 0) text += "|";
    const Placement part = rank_part(topology, placement, {rank, rank_count}, force);
    for (const Cpuset& place : part.workers) {
      if (&place != &part.workers.front()) text += " ";
      text += place.list();
    }
  }
  return text;
}

TEST(RankPart, IsContiguousAndOfEqualSize) {
  EXPECT_EQ(parts("core:0-3", 1), "0 2 4 6");
  EXPECT_EQ(parts("core:0-3", 2), "0 2|4 6");
  EXPECT_EQ(parts("core:0-3", 4), "0|2|4|6");
  EXPECT_EQ(parts("core:0-4", 2), "0 2|4 6");  // one place remains
  EXPECT_EQ(parts("core:3,1,0", 3), "6|2|0");
  EXPECT_EQ(parts("spread:numa:4", 2), "0 8|2 10");
}

TEST(RankPart, KeepsCoresWholeWhileThereAreEnough) {
  EXPECT_EQ(parts("pu:0-3", 2), "0 1|2 3");
  EXPECT_EQ(parts("pu:0-2", 2), "0 1|2");  // not both on the first core
  EXPECT_EQ(parts("pu:0-2", 3), "0|1|2");
  EXPECT_EQ(parts("pu:0-7", 3), "0 1|2 3|4 5");
}

TEST(RankPart, CutsPlacesOfSeveralCores) {
  EXPECT_EQ(parts("numa:0-1", 1), "0-7 8-15");
  EXPECT_EQ(parts("numa:0-1", 2), "0-7|8-15");
  EXPECT_EQ(parts("numa:0-1", 4), "0-3|4-7|8-11|12-15");
  EXPECT_EQ(parts("package:1", 3), "8-9|10-11|12-13");
  EXPECT_EQ(parts("numa:0", 8), "0|1|2|3|4|5|6|7");
}

TEST(RankPart, MoreRanksThanPusAreRefusedUnlessForced) {
  try {
    parts("core:0-1", 3);
    ADD_FAILURE() << "no error";
  } catch (const UnmetError& error) {
    EXPECT_STREQ(error.what(),
                 "placement 'core:0-1': 3 ranks on this host, but 2 PUs; name more places, start "
                 "fewer ranks, or let them share with --force");
  }
  EXPECT_EQ(parts("core:0-1", 4, true), "0|0|2|2");
  EXPECT_EQ(parts("core:0", 2, true), "0|0");
}

TEST(RankPart, NoneStaysAsItIs) {
  EXPECT_EQ(parts("none", 3), "||");
  const Topology topology = Topology::synthetic(kMachine);
  const Placement none = rank_part(topology, expand(topology, "none").front(), {1, 3}, false);
  EXPECT_EQ(none.resolved, "none (not pinned)");
}

TEST(RankPart, NoneSaysWhereALauncherBoundTheRank) {
  const Topology topology = Topology::this_machine();
  if (topology.pu_count() < 2) GTEST_SKIP() << "one PU: nothing to be bound to";
  Placement bound;
  std::thread([&] {
    const Placement first = expand(topology, "each:pu").front();
    pin_this_thread(topology, first.workers[0]);
    bound = rank_part(topology, expand(topology, "none").front(), {0, 2}, false);
  }).join();
  EXPECT_TRUE(bound.workers.empty());
  EXPECT_TRUE(bound.resolved.starts_with("none (left on pu P#")) << bound.resolved;
}

TEST(RankPart, SaysWhichPlacesItHas) {
  const Topology topology = Topology::synthetic(kMachine);
  const Placement part = rank_part(topology, expand(topology, "core:0-3").front(), {1, 2}, false);
  EXPECT_EQ(part.resolved, "pu P#4, pu P#6");
  EXPECT_EQ(part.word, "core:0-3");
  EXPECT_EQ(rank_part(topology, expand(topology, "numa:0").front(), {0, 2}, false).resolved,
            "pus P#0-3");
}

/// Two GPUs at the first package and one at the second.
class RankGpus : public testing::Test {
 protected:
  RankGpus() {
    FakeNvml::reset({{.bus = 0x81}, {.bus = 0xc1}, {.bus = 0xd1}});
    root_.write("/sys/bus/pci/devices/0000:81:00.0/local_cpulist", "0-7");
    root_.write("/sys/bus/pci/devices/0000:c1:00.0/local_cpulist", "0-7");
    root_.write("/sys/bus/pci/devices/0000:d1:00.0/local_cpulist", "8-15");
  }

  FakeRoot root_;
  Topology topology_ = Topology::synthetic(kMachine);
};

TEST_F(RankGpus, EachRankSitsNearItsOwn) {
  const Gpus gpus(FakeNvml::functions(), root_.root());
  const Placement placement = expand(topology_, "near:gpu:0-2", gpus).front();
  EXPECT_EQ(placement.word, "near:gpu:0-2");
  EXPECT_EQ(placement.workers.size(), 8U);
  std::vector<std::string> pus;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    pus.push_back(rank_part(topology_, placement, {rank, 3}, false).resolved);
  }
  EXPECT_EQ(pus[0], "pu P#0, pu P#2");
  EXPECT_EQ(pus[1], "pu P#4, pu P#6");
  EXPECT_EQ(pus[2], "pu P#8, pu P#10, pu P#12, pu P#14");
  EXPECT_EQ(rank_gpus(expand(topology_, "near:gpu:2,0", gpus).front(), gpus, "7", {1, 2}, false),
            gpus.facts(0).at("uuid").get<std::string>());
  for (const char* word : {"near:gpu:0,0", "near:gpu:1-3", "near:gpu:2-1"}) {
    EXPECT_THROW(expand(topology_, word, gpus), InputError) << word;
  }
}

TEST_F(RankGpus, OneARankWhateverIsVisible) {
  const Gpus gpus(FakeNvml::functions(), root_.root());
  const Placement none = expand(topology_, "none").front();
  EXPECT_EQ(rank_gpus(none, gpus, nullptr, {2, 3}, false),
            gpus.facts(2).at("uuid").get<std::string>());
  EXPECT_EQ(rank_gpus(none, gpus, "2,1,0", {0, 3}, false), "2");
  EXPECT_EQ(rank_gpus(none, gpus, "2,1,0", {2, 3}, false), "0");
  EXPECT_EQ(rank_gpus(none, gpus, "GPU-x", {5, 8}, false), "GPU-x");  // each rank was given its own
  EXPECT_EQ(rank_gpus(none, Gpus("no driver"), nullptr, {0, 2}, false), "");
  EXPECT_EQ(rank_gpus(none, gpus, "", {0, 2}, false), "");
  EXPECT_THROW(rank_gpus(none, gpus, "2,1", {0, 3}, false), UnmetError);
  EXPECT_EQ(rank_gpus(none, gpus, "2,1", {2, 3}, true), "2");
  // Two for each rank would divide evenly, but no placement asks for them.
  EXPECT_EQ(rank_gpus(none, gpus, "3,2,1,0", {1, 2}, false), "2");
}

/// Four GPUs, two at each package.
class RankSeveralGpus : public RankGpus {
 protected:
  RankSeveralGpus() {
    FakeNvml::reset({{.bus = 0x81}, {.bus = 0xc1}, {.bus = 0xd1}, {.bus = 0xe1}});
    root_.write("/sys/bus/pci/devices/0000:e1:00.0/local_cpulist", "8-15");
    gpus_ = std::make_unique<Gpus>(FakeNvml::functions(), root_.root());
  }

  /// Each rank's GPUs by NVML's index and its PUs: `0,1 at P#0`.
  std::vector<std::string> places(const std::string& word, std::size_t rank_count,
                                  bool force = false) {
    const Placement placement = expand(topology_, word, *gpus_).front();
    std::vector<std::string> texts;
    for (std::size_t index = 0; index < rank_count; ++index) {
      const LocalRank rank{index, rank_count};
      std::string devices = rank_gpus(placement, *gpus_, nullptr, rank, force);
      for (std::size_t gpu = 0; gpu < gpus_->count(); ++gpu) {
        const std::string uuid = gpus_->facts(gpu).at("uuid");
        if (const auto at = devices.find(uuid); at != std::string::npos) {
          devices.replace(at, uuid.size(), std::to_string(gpu));
        }
      }
      const Placement part = rank_part(topology_, placement, rank, force);
      EXPECT_EQ(std::ssize(part.gpus), 1 + std::ranges::count(devices, ','));
      devices += " at";
      for (const Cpuset& place : part.workers) devices += " " + place.list();
      texts.push_back(devices);
    }
    return texts;
  }

  std::unique_ptr<Gpus> gpus_;
};

TEST_F(RankSeveralGpus, AreDealtWhenTheyDivideEvenly) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(places("near:gpu:0-3", 4), (Texts{"0 at 0 2", "1 at 4 6", "2 at 8 10", "3 at 12 14"}));
  EXPECT_EQ(places("near:gpu:0-3", 2), (Texts{"0,1 at 0 2 4 6", "2,3 at 8 10 12 14"}));
  EXPECT_EQ(places("near:gpu:0-3", 1), Texts{"0,1,2,3 at 0 2 4 6 8 10 12 14"});
  // Each rank with a GPU at either package gets its part of both.
  EXPECT_EQ(places("near:gpu:0,2,1,3", 2), (Texts{"0,2 at 0 2 8 10", "1,3 at 4 6 12 14"}));
}

TEST_F(RankSeveralGpus, OneEachOtherwise) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(places("near:gpu:0-3", 3), (Texts{"0 at 0 2", "1 at 4 6", "2 at 8 10 12 14"}));
  EXPECT_EQ(places("near:gpu:0-2", 2), (Texts{"0 at 0 2", "1 at 4 6"}));
  EXPECT_EQ(places("near:gpu:0,2", 4, true),
            (Texts{"0 at 0 2", "2 at 8 10", "0 at 4 6", "2 at 12 14"}));
  EXPECT_THROW(places("near:gpu:0,2", 4), UnmetError);
}

}  // namespace
}  // namespace bellmark::machine
