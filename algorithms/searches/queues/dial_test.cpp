// One-level buckets against std::multiset.
#include "algorithms/searches/queues/dial.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(Dial, AgreesWithMultiset) {
  testing::check_traces<Dial<u32, u32>>();
  testing::check_traces<Dial<u64, u32>>();
  testing::check_traces<Dial<u64, u64>>();
}

TEST(Dial, HasABucketForEachLength) {
  EXPECT_EQ(dial_bucket_count(0), 1u);
  EXPECT_EQ((Dial<u64, u32>::storage(10, 999).bytes()), 4 * 1000u);
  EXPECT_EQ((Dial<u64, u64>::storage(10, 999).bytes()), 8 * 1000u);
}

TEST(Dial, RecordsAreAsLargeAsThePapers) {
  EXPECT_EQ(sizeof(LinkedVertex<u64, u32>), 24u);
  EXPECT_EQ(sizeof(LinkedVertex<u64, u64>), 32u);
  EXPECT_EQ(sizeof(LinkedVertex<u32, u32>), 16u);
}

}  // namespace
}  // namespace bellmark::dijkstra
