#include "harness/machine/thread_places.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <thread>

#include "base/error.hpp"

namespace bellmark::machine {
namespace {

std::map<std::size_t, PlacedThread> enter_all(const Topology& topology, const Placement& placement,
                                              std::size_t thread_count) {
  ThreadPlaces places(topology, placement, false);
  std::vector<std::thread> threads;
  for (std::size_t index = 1; index < thread_count; ++index) {
    threads.emplace_back([&, index] { places.enter(index); });
  }
  for (std::thread& thread : threads) thread.join();
  return places.threads();
}

TEST(ThreadPlaces, ThreadIGoesToPlaceIAndAroundAgain) {
  const Topology topology = Topology::this_machine();
  if (hwloc_topology_get_support(topology.handle())->cpubind->set_thisthread_cpubind == 0) {
    GTEST_SKIP() << "hwloc cannot bind threads on this system";
  }
  const Placement all = expand(topology, "pu:all").at(0);
  const std::size_t count = all.workers.size();
  EXPECT_EQ(pu_count(topology, all), count);
  const auto threads = enter_all(topology, all, count + 2);
  ASSERT_EQ(threads.size(), count + 1);
  for (const auto& [index, thread] : threads) {
    const std::string place = "pu P#" + all.workers[index % count].list();
    EXPECT_EQ(thread.resolved, place);
    EXPECT_EQ(thread.observed.rfind(place, 0), 0u) << thread.observed;
  }
}

TEST(ThreadPlaces, WithoutAPlaceThreadsAreOnlyObserved) {
  const Topology topology = Topology::this_machine();
  const Placement none = expand(topology, "none").at(0);
  EXPECT_GT(pu_count(topology, none), 0u);
  const auto threads = enter_all(topology, none, 3);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads.at(1).resolved, "none (not pinned)");
  EXPECT_NE(threads.at(1).observed, "");
}

TEST(ThreadPlaces, APlaceThatIsNotThereIsAnErrorUnlessForced) {
  const Topology topology = Topology::this_machine();
  // No machine has this many PUs.
  const Placement absent{.requested = "", .word = "", .resolved = "", .workers = {{{100000}}}};
  std::thread([&] {
    ThreadPlaces strict(topology, absent, false);
    EXPECT_THROW(strict.enter(1), MachineError);
    ThreadPlaces forced(topology, absent, true);
    EXPECT_NO_THROW(forced.enter(1));
    EXPECT_NE(forced.threads().at(1).observed, forced.threads().at(1).resolved);
  }).join();
}

}  // namespace
}  // namespace bellmark::machine
