// Words and sweeps on machines that aren't here: topologies/*.xml, in hwloc's form.
#include "harness/machine/place_classes.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "harness/machine/location.hpp"

namespace bellmark::machine {
namespace {

/// The machines of topologies/, made after real ones: two sockets with two PUs a core; two sockets
/// of two sub-NUMA clusters; two fast cores and four slow ones; four clusters of four ARM cores;
/// two sockets with four GPUs and two InfiniBand adapters each.
Topology stored(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(BELLMARK_TEST_SOURCE_DIR) + "/harness/machine/topologies/" +
                        name + ".xml")
              .rdbuf();
  return Topology::from_xml(text.str());
}

std::string words(const Topology& topology, const std::string& word) {
  std::string text;
  try {
    for (const Placement& placement : expand(topology, word)) {
      text += (text.empty() ? "" : " ") + placement.word;
    }
  } catch (const UnmetError& error) {
    return std::string("unmet: ") + error.what();
  } catch (const InputError& error) {
    return error.what();
  }
  return text;
}
std::string words(const std::string& name, const std::string& word) {
  return words(stored(name), word);
}

TEST(PlaceClasses, EqualCoresAreOne) {
  EXPECT_EQ(words("two-sockets", "class:core"), "core:0");
  EXPECT_EQ(words("sub-numa-clusters", "class:core"), "core:0");
  EXPECT_EQ(words("hybrid-cores", "class:core"), "core:0 core:2");
  EXPECT_EQ(words("arm-clusters", "class:core"), "core:0");
  EXPECT_EQ(words("dgx", "class:core"), "core:0");
  EXPECT_EQ(words(Topology::synthetic("core:1 pu:1"), "class:core"), "core:0");
}

TEST(PlaceClasses, CoresOfAKindThatOnlyTheSystemKnowsAreToldApart) {
  // Some processors' slow cores have the same caches: without kinds there is one class.
  const Topology topology = Topology::synthetic("pack:1 l2:4(size=1048576) core:1 pu:1");
  EXPECT_EQ(words(topology, "class:core"), "core:0");
}

TEST(PlaceClasses, PairsAreTheSiblingsAndWhatTwoCoresShare) {
  EXPECT_EQ(words("two-sockets", "class:pair"), "pu:0-1 core:0-1 core:0,4");
  // Within a cluster, to the other cluster of the package, and to the other package.
  EXPECT_EQ(words("sub-numa-clusters", "class:pair"), "pu:0-1 core:0-1 core:0,2 core:0,4");
  // Two fast cores, a fast and a slow core, two slow cores.
  EXPECT_EQ(words("hybrid-cores", "class:pair"), "pu:0-1 core:0-1 core:0,2 core:2-3");
  EXPECT_EQ(words("arm-clusters", "class:pair"), "core:0-1 core:0,4");
  EXPECT_EQ(words(Topology::synthetic("core:1 pu:1"), "class:pair"),
            "unmet: placement 'class:pair': this machine has no such place");
  EXPECT_EQ(words("dgx", "class:numa"),
            "placement 'class:numa': 'class:' takes core or pair; write e.g. class:core");
}

TEST(PlaceClasses, DistancesAreTheFirmwares) {
  const auto far = numa_distances(stored("sub-numa-clusters"));
  ASSERT_TRUE(far);
  EXPECT_EQ((*far)[1], (std::vector<std::uint64_t>{12, 10, 32, 32}));
  EXPECT_FALSE(numa_distances(Topology::synthetic("pack:2 [numa] core:1 pu:1")));
  EXPECT_EQ(words("sub-numa-clusters", "pair:near-numa"), "core:0,2");
  EXPECT_EQ(words("sub-numa-clusters", "pair:far-numa"), "core:0,4");
  EXPECT_EQ(words("sub-numa-clusters", "far:numa:1"), "core:4-5");
  EXPECT_EQ(words("sub-numa-clusters", "far:numa:3"), "core:0-1");
  EXPECT_EQ(words("sub-numa-clusters", "far:numa:4"),
            "placement 'far:numa:4': there is no NUMA node 4; this machine has 4");
  EXPECT_EQ(words("arm-clusters", "far:numa:0"),
            "unmet: placement 'far:numa:0': there is one NUMA node here");
  EXPECT_EQ(words("arm-clusters", "pair:far-numa"),
            "unmet: placement 'pair:far-numa': no two NUMA nodes with cores are here");
  EXPECT_EQ(words(Topology::synthetic("pack:2 [numa] core:1 pu:1"), "far:numa:0"),
            "unmet: placement 'far:numa:0': hwloc shows no distances between NUMA nodes");
}

TEST(PlaceClasses, WorkersFarFromAndNearToEachOther) {
  EXPECT_EQ(words("two-sockets", "compact:2"), "pu:0-1");
  EXPECT_EQ(words("two-sockets", "compact:5"), "pu:0-4");
  EXPECT_EQ(words("two-sockets", "scatter:2"), "core:0,4");
  EXPECT_EQ(words("two-sockets", "scatter:4"), "core:0,4,1,5");
  EXPECT_EQ(words("two-sockets", "scatter:9"), "pu:0,8,2,10,4,12,6,14,1");
  EXPECT_EQ(words("two-sockets", "spread:2"), "core:0,4");
  EXPECT_EQ(words("two-sockets", "spread:3"), "core:0,2,5");
  EXPECT_EQ(words("sub-numa-clusters", "scatter:4"), "core:0,4,2,6");
  EXPECT_EQ(words("arm-clusters", "scatter:5"), "core:0,4,8,12,1");
  EXPECT_EQ(words("arm-clusters", "compact:4"), "core:0-3");
  EXPECT_EQ(words("hybrid-cores", "scatter:8"), "pu:0,2,4,1,3,5-7");
  EXPECT_EQ(words("two-sockets", "compact:17"),
            "placement 'compact:17': there are fewer PUs; this machine has 16");
  EXPECT_EQ(words("two-sockets", "spread:9"),
            "placement 'spread:9': there are fewer cores; this machine has 8");
  for (const char* word : {"compact:", "compact:x", "scatter:0", "scatter:-1", "spread:0"}) {
    EXPECT_EQ(words("two-sockets", word).find("placement"), 0U) << word;
  }
}

TEST(PlaceClasses, SiblingsOfACore) {
  EXPECT_EQ(words("two-sockets", "pair:same-core"), "pu:0-1");
  EXPECT_EQ(words("arm-clusters", "pair:same-core"),
            "unmet: placement 'pair:same-core': no core has two PUs here");
}

TEST(PlaceClasses, NearDevices) {
  EXPECT_EQ(words("dgx", "near:nic:mlx5_0"), "core:0-3");
  EXPECT_EQ(words("dgx", "near:nic:mlx5_3"), "core:4-7");
  EXPECT_EQ(
      words("dgx", "near:nic:mlx5_4"),
      "placement 'near:nic:mlx5_4': there is no network interface 'mlx5_4'; there are mlx5_0, "
      "mlx5_1, mlx5_2, mlx5_3");
  EXPECT_EQ(words("two-sockets", "near:nic:eth0"),
            "unmet: placement 'near:nic:eth0': hwloc shows no network interface here");
  EXPECT_EQ(words("dgx", "near:gpu:0"), "core:0-3");
  EXPECT_EQ(words("dgx", "near:gpu:7"), "core:4-7");
  EXPECT_EQ(words("dgx", "near:gpu:8"),
            "placement 'near:gpu:8': there is no GPU 8; this machine has 8");
}

TEST(PlaceClasses, WordsThatAreMadeNameTheSamePlaces) {
  for (const char* name :
       {"two-sockets", "sub-numa-clusters", "hybrid-cores", "arm-clusters", "dgx"}) {
    const Topology topology = stored(name);
    for (const char* word : {"class:core", "class:pair", "compact:3", "scatter:3", "spread:3"}) {
      for (const Placement& placement : expand(topology, word)) {
        const Placement again = expand(topology, placement.word).front();
        EXPECT_EQ(again.resolved, placement.resolved) << name << ": " << placement.word;
      }
    }
  }
}

}  // namespace
}  // namespace bellmark::machine
