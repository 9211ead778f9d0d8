// The hot queue against std::multiset.
#include "algorithms/searches/queues/hot.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <int levels>
void check_hot() {
  SCOPED_TRACE(levels);
  testing::check_traces<Hot<u64, u32, levels>>();
  testing::check_traces<Hot<u64, u64, levels>>();
  testing::check_traces<Hot<u32, u32, levels>>();
}

TEST(Hot, AgreesWithMultiset) {
  check_hot<1>();
  check_hot<2>();
  check_hot<3>();
}

TEST(Hot, WorksUpToTheLargestDistance) {
  testing::check_traces<Hot<u32, u32, 2>>((u64{1} << 31) - 1);
  testing::check_traces<Hot<u32, u32, 3>>((u64{1} << 31) - 1);
}

/// Thousands of vertices in one bucket: the heap outgrows its bound and goes back to the buckets,
/// and buckets too full for it are spread.
template <int levels>
std::size_t most_in_heap(u64 spread) {
  constexpr u32 kCount = 5000;
  LinkedVertices<u64, u32> records(kCount);
  records.forget_all();
  const auto vertices = records.cursor();
  auto storage = Hot<u64, u32, levels>::storage(kCount, u64{1} << 24);
  std::mt19937_64 draw(levels);
  std::multiset<u64> expected;
  {
    Hot<u64, u32, levels> queue(storage, vertices);
    for (u32 v = 0; v < kCount; ++v) {
      // The first and half of the others before the first pop, the rest into the open bucket.
      const u64 distance = v == 0 ? 0 : draw() % spread;
      vertices.label(v, distance, 0);
      if (v == kCount / 2) {
        EXPECT_EQ(queue.top().distance(), 0u);
        queue.pop();
        expected.erase(expected.begin());
      }
      queue.push(distance, v);
      expected.insert(distance);
    }
    while (!queue.empty()) {
      EXPECT_EQ(queue.top().distance(), *expected.begin());
      queue.pop();
      expected.erase(expected.begin());
    }
  }
  EXPECT_TRUE(expected.empty());
  return storage.entries().capacity();
}

TEST(Hot, HeapStaysSmallWithMoreLevels) {
  EXPECT_GE(most_in_heap<1>(1000), 4000u) << "no level below: all of the bucket";
  EXPECT_LE(most_in_heap<2>(60'000), 2 * kHotMost);
  EXPECT_LE(most_in_heap<3>(250'000), 2 * kHotMost);
}

}  // namespace
}  // namespace bellmark::dijkstra
