#include "harness/machine/pin.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <thread>

#include "base/error.hpp"
#include "harness/machine/location.hpp"

namespace bellmark::machine {
namespace {

bool can_bind(const Topology& topology) {
  const hwloc_topology_support* support = hwloc_topology_get_support(topology.handle());
  return support->cpubind->set_thisthread_cpubind != 0 &&
         support->cpubind->get_thisthread_cpubind != 0;
}

// Each case pins a thread of its own, so that the test runner's thread stays free.
TEST(Pin, ThreadRunsWhereItWasPut) {
  const Topology topology = Topology::this_machine();
  if (!can_bind(topology)) GTEST_SKIP() << "hwloc cannot bind threads on this system";
  for (const Placement& placement : expand(topology, "each:pu")) {
    Binding binding;
    std::thread([&] { binding = pin_this_thread(topology, placement.workers[0]); }).join();
    EXPECT_EQ(binding.observed, placement.workers[0]);
    EXPECT_EQ(binding.failure, "");
    ASSERT_TRUE(binding.last_pu.has_value());
    EXPECT_EQ(*binding.last_pu, placement.workers[0].pus[0]);
  }
}

TEST(Pin, WholeNodeLeavesTheChoiceOfPu) {
  const Topology topology = Topology::this_machine();
  if (!can_bind(topology)) GTEST_SKIP() << "hwloc cannot bind threads on this system";
  const Placement node = expand(topology, "each:numa").at(0);
  Binding binding;
  std::thread([&] { binding = pin_this_thread(topology, node.workers[0]); }).join();
  EXPECT_EQ(binding.observed, node.workers[0]);
}

TEST(Pin, FailureIsAMachineErrorUnlessForced) {
  const Topology topology = Topology::this_machine();
  // No machine has this many PUs.
  const Cpuset absent{{100000}};
  std::thread([&] {
    try {
      pin_this_thread(topology, absent);
      ADD_FAILURE() << "bound to a PU that does not exist";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::machine);
    }
    const Binding forced = pin_this_thread(topology, absent, true);
    EXPECT_NE(forced.failure, "");
    EXPECT_NE(forced.observed, absent);
  }).join();
}

TEST(Pin, SetThatTheKernelTakesOnlyInPartIsAFailure) {
  const Topology topology = Topology::this_machine();
  if (!can_bind(topology)) GTEST_SKIP() << "hwloc cannot bind threads on this system";
  Cpuset partly = expand(topology, "each:pu").at(0).workers[0];
  partly.pus.push_back(100000);
  std::thread([&] { EXPECT_THROW(pin_this_thread(topology, partly), MachineError); }).join();
}

TEST(Pin, SyntheticMachinesAndEmptySetsCannotBeBound) {
  const Topology synthetic = Topology::synthetic("core:2 pu:1");
  EXPECT_THROW(pin_this_thread(synthetic, Cpuset{{0}}), MachineError);
  EXPECT_THROW(pin_this_thread(Topology::this_machine(), Cpuset{}), MachineError);
  EXPECT_TRUE(observe_this_thread(synthetic).observed.pus.empty());
}

}  // namespace
}  // namespace bellmark::machine
