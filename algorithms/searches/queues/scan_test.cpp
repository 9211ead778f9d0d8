// The unordered queue against std::multiset.
#include "algorithms/searches/queues/scan.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(Scan, AgreesWithMultiset) {
  testing::check_traces<Scan<u32, u32>>();
  testing::check_traces<Scan<u64, u32>>();
  testing::check_traces<Scan<u64, u64>>(u64{1} << 62);
}

TEST(Scan, HoldsAnEntryAVertex) {
  EXPECT_EQ((Scan<u64, u32>::storage(100, 5).bytes()), 1600u);
  EXPECT_EQ((Scan<u32, u32>::storage(100, 5).bytes()), 800u);
}

}  // namespace
}  // namespace bellmark::dijkstra
