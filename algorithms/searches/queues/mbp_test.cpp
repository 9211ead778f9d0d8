// The challenge's multi-level buckets: the rule for the levels, and traces against std::multiset.
#include "algorithms/searches/queues/mbp.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u64 = std::uint64_t;

u64 power_of_4(int exponent) { return u64{1} << 2 * exponent; }

TEST(Mbp, TakesLevelsByTheLargestLength) {
  for (int i = 0; i <= 15; ++i) {
    SCOPED_TRACE(i);
    const LevelShape shape = levels_of(0, power_of_4(i));
    const int levels = i <= 2 ? 1 : i <= 5 ? 2 : i <= 8 ? 3 : i <= 13 ? 4 : 5;
    EXPECT_EQ(shape.levels, levels);
    EXPECT_EQ(shape, levels_of(1, power_of_4(i))) << "buckets of one distance either way";
    // The fewest bits that reach: one less does not.
    EXPECT_GE(shape.bits * shape.levels, 2 * i + 1);
    EXPECT_LT((shape.bits - 1) * shape.levels, 2 * i + 1);
  }
  EXPECT_EQ(levels_of(0, power_of_4(3)).bits, 4);
  EXPECT_EQ(levels_of(0, power_of_4(4)).bits, 5);
  EXPECT_EQ(levels_of(0, power_of_4(5)).bits, 6);
}

TEST(Mbp, TakesThePapersLevelsOnRoads) {
  EXPECT_EQ(levels_of(1, 36'946), (LevelShape{0, 6, 3})) << "NY";
  EXPECT_EQ(levels_of(1, 94'305), (LevelShape{0, 6, 3})) << "BAY";
  EXPECT_EQ(levels_of(1, 368'855), (LevelShape{0, 5, 4})) << "USA";
}

TEST(Mbp, TakesOneLevelForAtMostFourBits) {
  EXPECT_EQ(levels_of(0, 0), (LevelShape{0, 0, 1}));
  EXPECT_EQ(levels_of(0, 15), (LevelShape{0, 4, 1}));
  EXPECT_EQ(levels_of(0, 16), (LevelShape{0, 5, 1})) << "five digits fit a level of five bits";
  EXPECT_EQ(levels_of(0, 32), (LevelShape{0, 3, 2}));
  // The lowest buckets hold 2^b distances, b the least with 2^b not below the least length.
  EXPECT_EQ(levels_of(2, 31), (LevelShape{1, 4, 1}));
  EXPECT_EQ(levels_of(5, 64), (LevelShape{3, 4, 1}));
  EXPECT_EQ(levels_of(8, 64), (LevelShape{3, 4, 1}));
  EXPECT_EQ(levels_of(9, 64), (LevelShape{4, 3, 1}));
  EXPECT_EQ(levels_of(7, 7), (LevelShape{3, 0, 1}));
}

TEST(Mbp, LevelsReachTheLargestLengths) {
  for (int bits = 0; bits < 63; ++bits) {
    for (const u64 least : {u64{0}, u64{1}, u64{3}, u64{1} << bits, (u64{1} << bits) + 1}) {
      for (const u64 largest : {u64{1} << bits, (u64{2} << bits) - 1}) {
        if (least > largest) continue;
        for (const int levels : {0, 1, 2, 3}) {
          const LevelShape shape = levels_of(least, largest, levels);
          SCOPED_TRACE(largest);
          const int reach = shape.lowest + shape.bits * shape.levels;
          EXPECT_TRUE(reach >= 64 || u64{1} << reach > largest);
          EXPECT_GE(u64{1} << shape.lowest, least);
          EXPECT_EQ(shape.bucket_count() == kMost<u64>, shape.bits >= 48) << "too large to count";
          EXPECT_LE(shape.bits, levels == 0 ? 8 : 63);
        }
      }
    }
  }
  EXPECT_EQ(levels_of(0, (u64{1} << 63) - 1), (LevelShape{0, 8, 8}));
  EXPECT_EQ(levels_of(1, 368'855).bucket_count(), 3 * 32u + 64);
}

TEST(Mbp, AgreesWithMultiset) {
  testing::check_traces<Mbp<0, 1>>();
  testing::check_traces<Mbp<1, 3>>();
  testing::check_traces<Mbp<2, 3>>();
  testing::check_traces<Mbp<3, 3>>();
}

TEST(Mbp, WorksUpToTheLargestDistance) {
  for (int bits = 20; bits <= 62; bits += 3) {
    testing::check_traces<Mbp<0, 1>>((u64{1} << bits) - 1);
    testing::check_traces<Mbp<0, 1>>(u64{1} << bits);
  }
  testing::check_traces<Mbp<3, 3>>((u64{1} << 31) - 1);
}

/// Buckets of 8 distances for a least length of 5. Of the vertices at 7 and 0 the first in is not
/// the first to scan, because an arc of 5 may lead from the other.
TEST(Mbp, FindsTheLeastOfABucketThatTheLeastLengthDoesNotFill) {
  const auto order = [](u64 least_length) {
    ProgramVertices<RingRecord<1>> records(3);
    records.forget_all();
    const auto vertices = records.cursor();
    const MbpHeads heads = Mbp<0, 1>::storage(3, 20, least_length);
    Mbp<0, 1> queue(heads, vertices);
    const auto push = [&](u64 v, u64 distance) {
      vertices.label(v, distance, 0);
      queue.push(distance, v);
    };
    push(0, 0);
    EXPECT_EQ(queue.top().vertex(), 0u);
    queue.pop();
    push(1, 15);
    push(2, 8);
    std::vector<u64> popped;
    for (; !queue.empty(); queue.pop()) popped.push_back(queue.top().vertex());
    return popped;
  };
  EXPECT_EQ(order(5), (std::vector<u64>{2, 1}));
  EXPECT_EQ(order(8), (std::vector<u64>{1, 2})) << "an arc leads beyond the bucket: any will do";
}

}  // namespace
}  // namespace bellmark::dijkstra
