// Queues over rings of vertices against std::multiset.
#include "algorithms/searches/queues/bucket_rings.hpp"

#include "algorithms/searches/queues/dial.hpp"
#include "algorithms/searches/queues/double_buckets.hpp"
#include "algorithms/searches/queues/fibonacci.hpp"
#include "algorithms/searches/queues/hot.hpp"
#include "algorithms/searches/queues/indirect_heap.hpp"
#include "algorithms/searches/queues/radix.hpp"
#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

template <int levels>
using ProgramHot = Hot<Word, Word, levels, BucketRings<2>, IndirectHeap<BucketRings<2>::WorkArea>>;
using ProgramRadix = Radix<Word, Word, BucketRings<1>, true>;

TEST(BucketRings, AgreeWithMultiset) {
  testing::check_traces<Dial<Word, Word, BucketRings<0>>>();
  testing::check_traces<DoubleBuckets<Word, Word, BucketRings<0>>>();
  testing::check_traces<DoubleBuckets<Word, Word, BucketRings<0>>>(Word{1} << 24);
  testing::check_traces<ProgramRadix>();
  testing::check_traces<ProgramRadix>((Word{1} << 62) - 1);
  testing::check_traces<ProgramHot<1>>();
  testing::check_traces<ProgramHot<2>>();
  testing::check_traces<ProgramHot<3>>();
  testing::check_traces<ProgramHot<3>>((Word{1} << 31) - 1);
}

TEST(FibonacciRecords, AgreeWithMultiset) {
  testing::check_traces<Fibonacci<Word, Word, ProgramVertices<FibonacciRecord>>>();
}

/// First in, first out; a vertex knows its bucket at any place in the ring.
TEST(BucketRings, KeepTheOrderOfArrival) {
  const BucketHeads<Word> heads(10, 3);
  ProgramVertices<RingRecord<0>> records(10);
  records.forget_all();
  const auto vertices = records.cursor();
  const BucketRings<0> rings(heads, vertices);
  for (const Word v : {4, 7, 1, 9}) rings.insert(2, v);
  for (const Word v : {4, 7, 1, 9}) EXPECT_EQ(rings.bucket_of(vertices.position(v)), 2u);
  rings.remove(vertices.position(7), 7);
  rings.move(vertices.position(9), 2, 9);
  rings.remove(vertices.position(4), 4);
  EXPECT_EQ(rings.first(2), 1u);
  rings.move(vertices.position(1), 0, 1);
  EXPECT_EQ(rings.first(0), 1u);
  EXPECT_EQ(rings.take(2), 9u);
  EXPECT_EQ(vertices.next(9), kMost<Word>);
  EXPECT_TRUE(rings.empty(2));
}

}  // namespace
}  // namespace bellmark::dijkstra
