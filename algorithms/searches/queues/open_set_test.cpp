// The set of open vertices against std::multiset.
#include "algorithms/searches/queues/open_set.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(OpenSet, AgreesWithMultiset) {
  testing::check_traces<OpenSet<u32, u32>>();
  testing::check_traces<OpenSet<u64, u32>>();
  testing::check_traces<OpenSet<u64, u64>>(u64{1} << 62);
}

TEST(OpenSet, HoldsAVertexAndNoDistance) {
  EXPECT_EQ((OpenSet<u64, u32>::storage(100, 5).bytes()), 400u);
  EXPECT_EQ((OpenSet<u64, u64>::storage(100, 5).bytes()), 800u);
}

}  // namespace
}  // namespace bellmark::dijkstra
