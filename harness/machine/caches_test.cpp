#include "harness/machine/caches.hpp"

#include <gtest/gtest.h>

#include "harness/machine/pin.hpp"

namespace bellmark::machine {
namespace {

TEST(CacheFlush, ReadsTwiceTheCachesAndLeavesTheThreadWhereItWas) {
  const Topology topology = Topology::this_machine();
  const Cpuset before = observe_this_thread(topology).observed;
  const Cpuset first{{before.pus.front()}};
  CacheFlush flush(topology, first);
  if (const auto cache = topology.last_level_cache_bytes(first)) {
    EXPECT_EQ(flush.bytes(), 2 * *cache);
  } else {
    EXPECT_GT(flush.bytes(), std::uint64_t{1} << 20);
  }
  flush.run();
  flush.run();
  EXPECT_EQ(observe_this_thread(topology).observed, before);
}

TEST(CacheFlush, WithoutAPlaceAllCachesAreMeant) {
  const Topology topology = Topology::this_machine();
  EXPECT_EQ(CacheFlush(topology, {}).bytes(), CacheFlush(topology, topology.pus()).bytes());
}

}  // namespace
}  // namespace bellmark::machine
