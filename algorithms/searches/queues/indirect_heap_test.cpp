// The heap of vertices against std::multiset.
#include "algorithms/searches/queues/indirect_heap.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using Dikh = IndirectHeap<ProgramVertices<IndirectHeapRecord>>;

TEST(IndirectHeap, AgreesWithMultiset) {
  testing::check_traces<Dikh>();
  testing::check_traces<Dikh>(std::uint64_t{1} << 62);
}

TEST(IndirectHeap, HoldsAVertexAndNoDistance) {
  EXPECT_EQ(Dikh::storage(100, 5).bytes(), 800u);
  EXPECT_EQ(Dikh::WorkArea(100).bytes(), 40 * 101u);
}

}  // namespace
}  // namespace bellmark::dijkstra
