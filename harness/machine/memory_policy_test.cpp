// The place of memory: the calls of each word on machines that aren't here, and the reasons.
#include "harness/machine/memory_policy.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <cerrno>

#include "base/error.hpp"

namespace bellmark::machine {
namespace {

const char* const kTwoNodes = "pack:2 [numa(memory=1073741824)] core:2 pu:2";
// The second node has cores and no memory, as on a machine whose banks are empty.
const char* const kEmptyNode = "pack:2 [numa(memory=0)] core:2 pu:1";

/// hwloc on that machine.
struct FakeHwloc {
  std::vector<std::string> calls;
  int error = 0;
  bool is_able = true;

  MemoryCalls functions() {
    return {[this](const Topology&, const hwloc_bitmap_s* nodes, int policy) {
              const char* const name = policy == HWLOC_MEMBIND_BIND         ? "bind"
                                       : policy == HWLOC_MEMBIND_INTERLEAVE ? "interleave"
                                       : policy == HWLOC_MEMBIND_FIRSTTOUCH ? "first touch"
                                                                            : "?";
              calls.push_back(std::string(name) + " " + to_cpuset(nodes).list());
              errno = error;
              return error == 0 ? 0 : -1;
            },
            [this](const Topology&, int) { return is_able; }};
  }
};

std::vector<std::string> calls_of(const char* machine, const char* word, const char* place) {
  const Topology topology = Topology::synthetic(machine);
  FakeHwloc fake;
  take_memory(topology, word, expand(topology, place).front(), fake.functions());
  return fake.calls;
}

std::string absence(const char* machine, const char* word, const char* place) {
  const Topology topology = Topology::synthetic(machine);
  FakeHwloc fake;
  return memory_absence(topology, word, expand(topology, place).front(), fake.functions());
}

using Calls = std::vector<std::string>;

TEST(MemoryPolicy, WordsBecomeCallsOfHwloc) {
  EXPECT_EQ(calls_of(kTwoNodes, "system", "core:0"), Calls{});
  EXPECT_EQ(calls_of(kTwoNodes, "first-touch", "core:0"), Calls{"first touch 0-1"});
  EXPECT_EQ(calls_of(kTwoNodes, "interleave", "core:0"), Calls{"interleave 0-1"});
  EXPECT_EQ(calls_of(kTwoNodes, "numa:1", "core:0"), Calls{"bind 1"});
  EXPECT_EQ(calls_of(kTwoNodes, "local", "core:0"), Calls{"bind 0"});
  EXPECT_EQ(calls_of(kTwoNodes, "local", "core:2-3"), Calls{"bind 1"});
  EXPECT_EQ(calls_of(kTwoNodes, "local", "core:all"), Calls{"bind 0-1"});
}

TEST(MemoryPolicy, NodesHaveOsIndices) {
  // Sub-NUMA clusters whose nodes the system numbers in turn over the packages.
  const char* const machine =
      "pack:2 group:2 [numa(memory=1073741824 indexes=0,2,1,3)] core:2 pu:1";
  EXPECT_EQ(calls_of(machine, "numa:1", "core:0"), Calls{"bind 2"});
  EXPECT_EQ(calls_of(machine, "local", "core:2"), Calls{"bind 2"});
}

TEST(MemoryPolicy, WhatAMachineLacksIsAReason) {
  EXPECT_EQ(absence(kTwoNodes, "numa:2", "core:0"),
            "memory 'numa:2': there is no NUMA node 2; this machine has 2");
  EXPECT_EQ(absence(kEmptyNode, "numa:1", "core:0"), "memory 'numa:1': NUMA node 1 has no memory");
  EXPECT_EQ(absence(kEmptyNode, "interleave", "core:0"),
            "memory 'interleave': no NUMA node shows memory");
  EXPECT_EQ(absence(kEmptyNode, "local", "core:0"),
            "memory 'local': the nodes of 'core:0' have no memory");
  EXPECT_EQ(absence(kTwoNodes, "local", "none"),
            "memory 'local': nothing is pinned at 'none', so that no node is near");
  EXPECT_EQ(absence(kTwoNodes, "interleave", "none"), "");
  const Topology topology = Topology::synthetic(kTwoNodes);
  const Placement place = expand(topology, "core:0").front();
  EXPECT_EQ(memory_absence(topology, "interleave", place),
            "memory 'interleave': hwloc can't bind memory so here");
  EXPECT_THROW(take_memory(topology, "interleave", place), UnmetError);
}

TEST(MemoryPolicy, AKernelThatRefusesSaysSo) {
  const Topology topology = Topology::synthetic(kTwoNodes);
  FakeHwloc fake;
  fake.error = EPERM;
  try {
    take_memory(topology, "numa:0", expand(topology, "core:0").front(), fake.functions());
    ADD_FAILURE() << "no error";
  } catch (const MachineError& error) {
    EXPECT_EQ(std::string(error.what()),
              "memory 'numa:0': the kernel refuses: Operation not permitted; choose another with "
              "--memory");
  }
}

TEST(MemoryPolicy, OtherWordsAreRefused) {
  for (const char* word : {"", "interleaved", "numa", "numa:", "numa:-1", "numa:x", "numa:0-1"}) {
    EXPECT_THROW(check_memory_word(word), InputError) << word;
  }
  try {
    check_memory_word("interleved");
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'interleave'?"), std::string::npos);
  }
}

TEST(MemoryPolicy, ThisMachineTakesWhatItOffers) {
  const Topology topology = Topology::this_machine();
  const Placement place = expand(topology, "core:0").front();
  for (const char* word : {"first-touch", "interleave", "local", "numa:0"}) {
    const std::string why = memory_absence(topology, word, place);
    if (why.empty()) {
      EXPECT_NO_THROW(take_memory(topology, word, place)) << word;
    } else {
      EXPECT_THROW(take_memory(topology, word, place), UnmetError) << why;
    }
  }
  if (memory_absence(topology, "first-touch", place).empty()) {
    take_memory(topology, "first-touch", place);
  }
}

}  // namespace
}  // namespace bellmark::machine
