// Multi-level buckets against std::multiset; the caliber heuristic is tested on graphs, where
// calibers mean something (conformance_test.cpp).
#include "algorithms/searches/queues/multi_level.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <int levels>
void check_multi_level() {
  SCOPED_TRACE(levels);
  testing::check_traces<MultiLevel<u64, u32, levels, false>>();
  testing::check_traces<MultiLevel<u64, u64, levels, false>>();
  testing::check_traces<MultiLevel<u32, u32, levels, false>>();
}

TEST(MultiLevel, AgreesWithMultiset) {
  check_multi_level<1>();
  check_multi_level<2>();
  check_multi_level<3>();
}

/// Calibers of 0, which are right for any graph: a vertex at the distance of the last one popped
/// goes past the buckets.
TEST(MultiLevel, AgreesWithMultisetPastTheBuckets) {
  testing::check_traces<MultiLevel<u64, u32, 1, true>>();
  testing::check_traces<MultiLevel<u64, u32, 2, true>>();
  testing::check_traces<MultiLevel<u64, u32, 3, true>>();
}

TEST(MultiLevel, WorksUpToTheLargestDistance) {
  testing::check_traces<MultiLevel<u32, u32, 2, false>>((u64{1} << 31) - 1);
  testing::check_traces<MultiLevel<u32, u32, 3, false>>((u64{1} << 31) - 1);
}

TEST(MultiLevel, DigitsCoverTheRange) {
  for (int levels = 1; levels <= 3; ++levels) {
    for (int lowest = 0; lowest <= 1; ++lowest) {
      for (const u64 range : {0u, 1u, 2u, 255u, 256u, 368'855u, 2'147'483'647u, 4'294'967'295u}) {
        const Digits shape = Digits::of(levels, lowest, range);
        const int shift = shape.bits * (levels + lowest - 1);
        EXPECT_EQ(shape.top & (shape.top - 1), 0u);
        EXPECT_GE(shape.top << shift, range + (shift == 0 ? 1 : u64{1} << shift));
      }
    }
  }
}

TEST(MultiLevel, HasFewBucketsOnMoreLevels) {
  EXPECT_EQ(multi_level_bucket_count(1, false, 368'855), 524'288u);
  EXPECT_EQ(multi_level_bucket_count(2, false, 368'855), 1024u + 512);
  EXPECT_EQ(multi_level_bucket_count(3, false, 368'855), 128u + 128 + 32);
}

}  // namespace
}  // namespace bellmark::dijkstra
