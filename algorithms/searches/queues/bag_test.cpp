// The list of labelled vertices against std::multiset.
#include "algorithms/searches/queues/bag.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

TEST(Bag, AgreesWithMultiset) {
  testing::check_traces<Bag>();
  testing::check_traces<Bag>(std::uint64_t{1} << 62);
}

TEST(Bag, HoldsNothingBesideTheRecords) {
  EXPECT_EQ(Bag::storage(100, 5).bytes(), 0u);
  EXPECT_EQ(Bag::WorkArea(100).bytes(), 40 * 101u) << "one ends the last row";
}

}  // namespace
}  // namespace bellmark::dijkstra
