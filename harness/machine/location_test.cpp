#include "harness/machine/location.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "harness/machine/fake_nvml.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

// Two packages of four cores with two PUs each; the NUMA node of a package is at the package.
const char* const kTwoPackages = "pack:2 [numa] core:4 pu:2";
// A 2 x 4-core machine of 2008-2011: pairs of cores share an L2 cache, no SMT.
const char* const kSharedL2 = "pack:2 [numa] l2:2(size=6291456) core:2 l1d:1(size=32768) pu:1";

std::vector<std::string> lists(const Placement& placement) {
  std::vector<std::string> texts;
  for (const Cpuset& worker : placement.workers) texts.push_back(worker.list());
  return texts;
}

Placement only(const char* machine, const char* word) {
  const std::vector<Placement> placements = expand(Topology::synthetic(machine), word);
  EXPECT_EQ(placements.size(), 1U) << word;
  return placements.at(0);
}

std::string refusal(const char* machine, const std::string& word) {
  try {
    expand(Topology::synthetic(machine), word);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  } catch (const UnmetError& error) {
    return std::string("unmet: ") + error.what();
  }
  return "no error for '" + word + "'";
}

using Lists = std::vector<std::string>;

TEST(Location, CorePinsToItsFirstPuAndSaysSo) {
  const Placement smt = only(kTwoPackages, "core:5");
  EXPECT_EQ(smt.requested, "core:5");
  EXPECT_EQ(smt.word, "core:5");
  EXPECT_EQ(smt.resolved, "core:5 (pu P#10, first of 2)");
  EXPECT_EQ(lists(smt), Lists{"10"});
  EXPECT_EQ(only(kSharedL2, "core:5").resolved, "core:5 (pu P#5)");
}

TEST(Location, LogicalAndOsIndicesAreKeptApart) {
  // OS indices go round robin over the cores, as in many BIOSes that number hyperthreads.
  const char* const machine = "pack:1 core:4 pu:2(indexes=0,4,1,5,2,6,3,7)";
  EXPECT_EQ(only(machine, "core:1").resolved, "core:1 (pu P#1, first of 2)");
  EXPECT_EQ(only(machine, "pu:1").resolved, "pu:1 (pu P#4)");
  EXPECT_EQ(only(machine, "core:1.pu:1").resolved, "pu:3 (pu P#5)");
  EXPECT_EQ(lists(only(machine, "package:0")), Lists{"0-7"});
}

TEST(Location, CoreAndItsFirstPuAreTheSamePlace) {
  const char* const machine = "core:2 pu:2(indexes=3,1,2,0)";
  for (const std::string core : {"core:0", "core:1"}) {
    EXPECT_EQ(lists(only(machine, core.c_str())), lists(only(machine, (core + ".pu:0").c_str())));
  }
}

TEST(Location, RangesAndListsMakeOneWorkerEach) {
  EXPECT_EQ(lists(only(kTwoPackages, "core:0-3")), (Lists{"0", "2", "4", "6"}));
  EXPECT_EQ(lists(only(kTwoPackages, "core:2,0")), (Lists{"4", "0"}));
  EXPECT_EQ(lists(only(kTwoPackages, "pu:0-1,15")), (Lists{"0", "1", "15"}));
  EXPECT_EQ(lists(only(kSharedL2, "core:all")), (Lists{"0", "1", "2", "3", "4", "5", "6", "7"}));
  EXPECT_EQ(only(kSharedL2, "core:0,2").resolved, "core:0 (pu P#0), core:2 (pu P#2)");
}

TEST(Location, WholeNodesBindToAllTheirPus) {
  EXPECT_EQ(lists(only(kTwoPackages, "numa:1")), Lists{"8-15"});
  EXPECT_EQ(only(kTwoPackages, "numa:1").resolved, "numa:1 (pus P#8-15)");
  EXPECT_EQ(lists(only(kTwoPackages, "numa:0-1")), (Lists{"0-7", "8-15"}));
}

TEST(Location, InnerIndicesCountWithinTheOuterObject) {
  const Placement nested = only(kTwoPackages, "numa:1.core:0-3");
  EXPECT_EQ(lists(nested), (Lists{"8", "10", "12", "14"}));
  EXPECT_EQ(nested.requested, "numa:1.core:0-3");
  EXPECT_EQ(nested.word, "core:4-7");
  EXPECT_EQ(lists(only(kTwoPackages, "package:0-1.core:0")), (Lists{"0", "8"}));
  EXPECT_EQ(lists(only(kTwoPackages, "package:1.core:3.pu:1")), Lists{"15"});
}

TEST(Location, CanonicalWordNamesTheSamePlace) {
  for (const char* word :
       {"numa:1.core:1,0", "core:0-3", "package:all.numa:0", "core:2.pu:1", "core:7,0-2"}) {
    const Placement first = only(kTwoPackages, word);
    const Placement again = only(kTwoPackages, first.word.c_str());
    EXPECT_EQ(lists(again), lists(first)) << word;
    EXPECT_EQ(again.resolved, first.resolved) << word;
  }
}

TEST(Location, EachIsAnAxis) {
  const Topology topology = Topology::synthetic(kTwoPackages);
  EXPECT_EQ(expand(topology, "each:core").size(), 8U);
  EXPECT_EQ(expand(topology, "each:pu").size(), 16U);
  const std::vector<Placement> nodes = expand(topology, "each:numa");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[1].requested, "each:numa");
  EXPECT_EQ(nodes[1].word, "numa:1");
  EXPECT_EQ(lists(nodes[1]), Lists{"8-15"});
}

TEST(Location, NoneHasNoWorkers) {
  const Placement none = only(kTwoPackages, "none");
  EXPECT_TRUE(none.workers.empty());
  EXPECT_EQ(none.resolved, "none (not pinned)");
}

TEST(Location, OutOfRangeSaysWhatThereIs) {
  EXPECT_EQ(refusal("pack:1 core:2 pu:1", "core:2"),
            "placement 'core:2': there is no core 2; this machine has 2 cores: 0-1");
  EXPECT_EQ(refusal("pack:1 core:1 pu:1", "core:1"),
            "placement 'core:1': there is no core 1; this machine has 1 core: 0");
  EXPECT_EQ(refusal(kTwoPackages, "numa:0.core:2-4"),
            "placement 'numa:0.core:2-4': there is no core 2-4; numa:0 has 4 cores: 0-3");
  EXPECT_EQ(refusal(kTwoPackages, "pu:99999999999999999999999"),
            "placement 'pu:99999999999999999999999': there is no PU 99999999999999999999999; "
            "this machine has 16 PUs: 0-15");
}

TEST(Location, UnknownWordsGetASuggestion) {
  EXPECT_EQ(refusal(kTwoPackages, "cores:0"),
            "placement 'cores:0': unknown word 'cores'; did you mean 'core'?");
  EXPECT_EQ(refusal(kTwoPackages, "non"),
            "placement 'non': unknown word 'non'; did you mean 'none'?");
  EXPECT_NE(refusal(kTwoPackages, "each:nuna").find("did you mean 'numa'?"), std::string::npos);
  EXPECT_EQ(refusal(kTwoPackages, "0-3"),
            "placement '0-3': '0-3' names no kind of object; did you mean 'core:0-3'?");
  EXPECT_NE(refusal(kTwoPackages, "elephant:0")
                .find("known: none, each, near, far, spread, compact, scatter, pair, class"),
            std::string::npos);
}

// The machines of yasui2011, Table 2 and Figure 19. Clovertown and Harpertown number the cores so
// that P#0 and P#2 share an L2.
const char* const kHarpertown =
    "pack:2 [numa] l2:2(size=6291456) core:2 l1d:1(size=32768) "
    "pu:1(indexes=0,2,4,6,1,3,5,7)";
const char* const kNehalemEp =
    "pack:2 [numa] l3:1(size=8388608) l2:4(size=262144) core:1 pu:2(indexes=2*8:8*1)";
const char* const kShanghai = "pack:2 [numa] l3:1(size=6291456) l2:4(size=524288) core:1 pu:1";

TEST(Location, PairsOfCoresThatShareAnL2) {
  const Placement shared = only(kHarpertown, "pair:shared-l2");
  EXPECT_EQ(shared.requested, "pair:shared-l2");
  EXPECT_EQ(shared.word, "core:0-1");
  EXPECT_EQ(shared.resolved, "core:0 (pu P#0), core:1 (pu P#2)");
  EXPECT_EQ(lists(only(kHarpertown, "pair:same-package")), (Lists{"0", "4"}));
  EXPECT_EQ(lists(only(kHarpertown, "pair:other-package")), (Lists{"0", "1"}));
  EXPECT_EQ(refusal(kHarpertown, "pair:shared-l3"),
            "unmet: placement 'pair:shared-l3': no two cores with an L2 each share an L3 here");
}

TEST(Location, PairsOfCoresWithAnL2Each) {
  for (const char* machine : {kNehalemEp, kShanghai}) {
    EXPECT_EQ(refusal(machine, "pair:shared-l2"),
              "unmet: placement 'pair:shared-l2': no two cores share an L2 here");
    EXPECT_EQ(only(machine, "pair:same-package").word, "core:0-1");
    EXPECT_EQ(only(machine, "pair:shared-l3").word, "core:0-1");
    const Placement other = only(machine, "pair:other-package");
    EXPECT_EQ(other.word, "core:0,4");
    EXPECT_EQ(lists(only(machine, other.word.c_str())), lists(other));
  }
  // Hyperthreads of a core are one core: its first PU.
  EXPECT_EQ(only(kNehalemEp, "pair:same-package").resolved,
            "core:0 (pu P#0, first of 2), core:1 (pu P#1, first of 2)");
}

TEST(Location, PairsThatAMachineLacksSaySo) {
  EXPECT_EQ(refusal("pack:1 l2:2 core:1 pu:1", "pair:other-package"),
            "unmet: placement 'pair:other-package': all cores are in one package here");
  EXPECT_EQ(refusal("pack:2 l2:1 core:2 pu:1", "pair:same-package"),
            "unmet: placement 'pair:same-package': no two cores of a package have an L2 each here");
  EXPECT_EQ(refusal("pack:1 l2:1 core:1 pu:2", "pair:shared-l2"),
            "unmet: placement 'pair:shared-l2': there is one core here");
  EXPECT_EQ(refusal(kTwoPackages, "pair:same-package"),
            "unmet: placement 'pair:same-package': hwloc shows no L2 caches here");
  EXPECT_EQ(only(kTwoPackages, "pair:other-package").word, "core:0,4");
  EXPECT_EQ(refusal("core:4 pu:1", "pair:other-package"),
            "unmet: placement 'pair:other-package': hwloc shows no packages here");
}

TEST(Location, UnknownPairsGetASuggestion) {
  EXPECT_EQ(refusal(kHarpertown, "pair:shared-l1"),
            "placement 'pair:shared-l1': 'shared-l1' is not a class of pairs; did you mean "
            "'shared-l2'?");
  EXPECT_NE(refusal(kHarpertown, "pair:").find("is not a class of pairs"), std::string::npos);
}

TEST(Location, NearAGpuAreTheCoresOfItsSide) {
  FakeNvml::reset({{}, {.bus = 0xc1}, {.bus = 0xd1}});
  FakeRoot root;
  root.write("/sys/bus/pci/devices/0000:81:00.0/local_cpulist", "0-7");
  // Half of core 7 is on the other side, and P#16 and higher PUs may not be used here.
  root.write("/sys/bus/pci/devices/0000:c1:00.0/local_cpulist", "8-14,16-31");
  root.write("/sys/bus/pci/devices/0000:d1:00.0/local_cpulist", "16-31");
  const Gpus gpus(FakeNvml::functions(), root.root());
  const Topology topology = Topology::synthetic(kTwoPackages);
  const Placement near = expand(topology, "near:gpu:0", gpus).at(0);
  EXPECT_EQ(near.requested, "near:gpu:0");
  EXPECT_EQ(near.word, "core:0-3");
  EXPECT_EQ(lists(near), (Lists{"0", "2", "4", "6"}));
  EXPECT_EQ(lists(expand(topology, near.word).at(0)), lists(near));
  EXPECT_EQ(expand(topology, "near:gpu:1", gpus).at(0).word, "core:4-6");

  const auto said = [&](const Gpus& machine, const char* word) -> std::string {
    try {
      expand(topology, word, machine);
    } catch (const UnmetError& error) {
      return std::string("unmet: ") + error.what();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(said(gpus, "near:gpu:3"),
            "placement 'near:gpu:3': there is no GPU 3; this machine has 3 GPUs: 0-2");
  EXPECT_EQ(said(gpus, "near:gpu:2"),
            "placement 'near:gpu:2': none of the CPUs near it (16-31) may be used here; name "
            "other cores, e.g. core:0");
  EXPECT_NE(said(Gpus(FakeNvml::functions(), FakeRoot().root()), "near:gpu:0")
                .find("local_cpulist does not exist"),
            std::string::npos);
  EXPECT_EQ(said(Gpus("the driver sleeps"), "near:gpu:0"),
            "unmet: placement 'near:gpu:0': no GPU is here (the driver sleeps); name the cores, "
            "e.g. core:0");
  for (const char* word : {"near:", "near:gpu", "near:gpu:", "near:gpu:x", "near:core:0"}) {
    EXPECT_EQ(said(gpus, word).find("placement"), 0U) << word;
  }
  EXPECT_NE(refusal(kTwoPackages, "near:gpu:0").find("a made-up machine has none"),
            std::string::npos);
}

TEST(Location, SpreadDealsWorkersToTheNodes) {
  EXPECT_EQ(lists(only(kTwoPackages, "spread:numa:1")), Lists{"0"});
  EXPECT_EQ(lists(only(kTwoPackages, "spread:numa:2")), (Lists{"0", "8"}));
  const Placement three = only(kTwoPackages, "spread:numa:3");
  EXPECT_EQ(three.requested, "spread:numa:3");
  EXPECT_EQ(three.word, "core:0,4,1");
  EXPECT_EQ(lists(three), (Lists{"0", "8", "2"}));
  EXPECT_EQ(lists(only(kTwoPackages, three.word.c_str())), lists(three));
  EXPECT_EQ(only(kTwoPackages, "spread:numa:8").workers.size(), 8U);
  EXPECT_EQ(refusal(kTwoPackages, "spread:numa:9"),
            "placement 'spread:numa:9': there are fewer cores; this machine has 8 on 2 NUMA "
            "nodes");
  for (const char* word : {"spread:", "spread:numa", "spread:numa:", "spread:numa:0",
                           "spread:numa:-1", "spread:core:2", "each:spread"}) {
    EXPECT_EQ(refusal(kTwoPackages, word).find("placement"), 0U) << word;
  }
}

TEST(Location, MalformedWordsAreRefused) {
  for (const char* word : {"",
                           ".",
                           "core",
                           "core:",
                           "core:-1",
                           "core:1-",
                           "core:a",
                           "core:0x1",
                           "core: 0",
                           "core:0,",
                           "core:,0",
                           "core:0-1-2",
                           "core:+1",
                           "numa:0.",
                           ".core:0",
                           "numa:0..core:0",
                           "each:",
                           "each:core:0",
                           "each",
                           "none:0",
                           "numa:0.each:core",
                           "core:0.none",
                           "core:0.numa:0",
                           "core:0:1"}) {
    EXPECT_EQ(refusal(kTwoPackages, word).find("placement"), 0U) << "'" << word << "'";
  }
}

TEST(Location, BackwardRangesAndRepeatsAreRefused) {
  EXPECT_NE(refusal(kTwoPackages, "core:3-0").find("runs backwards"), std::string::npos);
  EXPECT_NE(refusal(kTwoPackages, "core:0-2,1").find("core:1 is named twice"), std::string::npos);
}

TEST(Location, TopologyWithoutCoresSaysSo) {
  EXPECT_EQ(refusal("pack:1 pu:4", "core:0"), "placement 'core:0': this machine has no core");
  EXPECT_EQ(lists(only("pack:1 pu:4", "pu:2")), Lists{"2"});
  EXPECT_NE(refusal("pack:1 pu:4", "each:core").find("has no core"), std::string::npos);
}

}  // namespace
}  // namespace bellmark::machine
