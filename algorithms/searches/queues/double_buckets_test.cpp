// Double buckets against std::multiset.
#include "algorithms/searches/queues/double_buckets.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(DoubleBuckets, AgreeWithMultiset) {
  testing::check_traces<DoubleBuckets<u64, u32>>();
  testing::check_traces<DoubleBuckets<u64, u64>>();
  testing::check_traces<DoubleBuckets<u32, u32>>();
}

TEST(DoubleBuckets, WidthIsThePapers) {
  EXPECT_EQ(double_bucket_width(0), 1u);
  EXPECT_EQ(double_bucket_width(2048), 1u);
  EXPECT_EQ(double_bucket_width(2049), 2u);
  EXPECT_EQ(double_bucket_width(368'855), 181u) << "USA-road-d";
  // About twice the root of the largest length, wherever that is large.
  EXPECT_LT(double_bucket_count((u64{1} << 31) - 1), (u64{1} << 20) + 2051);
}

TEST(DoubleBuckets, LongLengthsWrapAround) {
  testing::check_traces<DoubleBuckets<u64, u32>>(u64{1} << 24);
}

}  // namespace
}  // namespace bellmark::dijkstra
