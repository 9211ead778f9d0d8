// The Fibonacci heap against std::multiset.
#include "algorithms/searches/queues/fibonacci.hpp"

#include "algorithms/searches/queues/test_trace.hpp"

namespace bellmark::dijkstra {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(Fibonacci, AgreesWithMultiset) {
  testing::check_traces<Fibonacci<u64, u32>>();
  testing::check_traces<Fibonacci<u32, u32>>();
  testing::check_traces<Fibonacci<u64, u64>>((u64{1} << 63) - 1);
}

/// The number of a vertex's children, by its ring; each must name it as its parent and have no less
/// distance.
std::size_t child_count(const FibonacciVertices<u64, u32>::Cursor& vertices, u32 parent) {
  const u32 first = vertices.at[parent].child;
  if (first == kMost<u32>) return 0;
  std::size_t count = 0;
  u32 v = first;
  do {
    EXPECT_EQ(vertices.at[v].parent, parent);
    EXPECT_GE(vertices.at[v].distance, vertices.at[parent].distance);
    EXPECT_EQ(vertices.at[vertices.at[v].next].previous, v);
    ++count;
    v = vertices.at[v].next;
  } while (v != first);
  return count;
}

/// After a pop the roots have different degrees, and cuts keep the trees of the recorded degree.
TEST(Fibonacci, TreesHaveTheDegreesRecorded) {
  constexpr u32 kCount = 500;
  FibonacciVertices<u64, u32> records(kCount);
  const auto vertices = records.cursor();
  Fibonacci<u64, u32> heap(NoStorage{}, vertices);
  std::mt19937_64 draw(1);
  for (u32 v = 0; v < kCount; ++v) {
    vertices.label(v, 10'000 + draw() % 1000, 0);
    heap.push(vertices.distance(v), v);
  }
  std::set<u32> held;
  for (u32 v = 0; v < kCount; ++v) held.insert(v);
  while (!heap.empty()) {
    held.erase(heap.top().vertex());
    heap.pop();
    std::set<u32> degrees;
    for (const u32 v : held) {
      ASSERT_EQ(vertices.at[v].degree_and_mark / 2, child_count(vertices, v));
      if (vertices.at[v].parent == kMost<u32>) {
        EXPECT_TRUE(degrees.insert(vertices.at[v].degree_and_mark / 2).second);
      }
    }
    ASSERT_FALSE(HasFailure());
    for (int i = 0; i < 3 && !held.empty(); ++i) {
      const u32 v = *held.lower_bound(static_cast<u32>(draw() % (*held.rbegin() + 1)));
      const u64 less = vertices.distance(v) - draw() % 100;
      if (less >= vertices.distance(v)) continue;
      vertices.label(v, less, 0);
      heap.decrease(vertices.position(v), less, v);
    }
  }
}

}  // namespace
}  // namespace bellmark::dijkstra
