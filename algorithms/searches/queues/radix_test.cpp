// The radix heap against std::multiset.
#include "algorithms/searches/queues/radix.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(Radix, AgreesWithMultiset) {
  testing::check_traces<Radix<u64, u32>>();
  testing::check_traces<Radix<u64, u64>>();
  testing::check_traces<Radix<u32, u32>>();
}

TEST(Radix, WorksUpToTheLargestDistance) {
  testing::check_traces<Radix<u32, u32>>((u64{1} << 31) - 1);
  testing::check_traces<Radix<u64, u64>>((u64{1} << 63) - 1);
}

TEST(Radix, HasAboutLogarithmicallyManyBuckets) {
  EXPECT_EQ(radix_bucket_count(0), 2u);
  EXPECT_EQ(radix_bucket_count(1), 3u);
  EXPECT_EQ(radix_bucket_count(368'855), 21u) << "log2 C + 3, rounded down";
}

}  // namespace
}  // namespace bellmark::dijkstra
