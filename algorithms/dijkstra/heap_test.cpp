// The k-ary heap against std::multiset: every arity, both forms, both layouts, both storages.
#include "algorithms/dijkstra/heap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace bellmark::dijkstra {
namespace {

/// Records where every vertex is.
struct Recorded {
  std::vector<std::size_t>* positions;
  template <class Id>
  void place(Id vertex, Id position) const {
    (*positions)[vertex] = position;
  }
};

constexpr std::size_t kVertices = 300;

/// Random pushes, decreases and pops; after each, the heap's top is the least and every recorded
/// position holds its vertex.
template <class Distance, class Id, Layout layout, int arity, Extract extract, bool grows>
void exercise(std::uint64_t seed) {
  using TestedHeap = Heap<Distance, Id, layout, arity, extract, grows, Recorded>;
  std::vector<std::size_t> positions(kVertices);
  typename TestedHeap::Storage storage(grows ? 0 : kVertices);
  TestedHeap heap(storage, Recorded{&positions});

  std::mt19937_64 draw(seed);
  std::multiset<std::pair<Distance, Id>> expected;
  std::vector<bool> inside(kVertices);
  std::vector<Distance> distances(kVertices);
  const auto check = [&] {
    ASSERT_EQ(heap.size(), expected.size());
    ASSERT_EQ(heap.empty(), expected.empty());
    if (!expected.empty()) {
      ASSERT_EQ(heap.top().distance(), expected.begin()->first);
    }
    for (const auto& [distance, vertex] : expected) {
      ASSERT_LT(positions[vertex], heap.size());
      ASSERT_EQ(heap.get(positions[vertex]).vertex(), vertex);
      ASSERT_EQ(heap.get(positions[vertex]).distance(), distance);
    }
  };
  for (int step = 0; step < 600; ++step) {
    const auto vertex = static_cast<Id>(draw() % kVertices);
    const bool filling = step < 300 ? draw() % 4 != 0 : draw() % 4 == 0;
    if (filling) {
      // Few different distances, so that many are equal; now and then the largest allowed.
      const Distance distance =
          draw() % 16 == 0 ? kMost<Distance> - 1 : static_cast<Distance>(draw() % 50);
      if (!inside[vertex]) {
        heap.push(distance, vertex);
      } else if (distance < distances[vertex]) {
        expected.erase(expected.find({distances[vertex], vertex}));
        heap.decrease(positions[vertex], distance, vertex);
      } else {
        continue;
      }
      inside[vertex] = true;
      distances[vertex] = distance;
      expected.emplace(distance, vertex);
    } else if (!expected.empty()) {
      const auto top = heap.top();
      const auto found = expected.find({top.distance(), top.vertex()});
      ASSERT_NE(found, expected.end());
      ASSERT_EQ(top.distance(), expected.begin()->first);
      expected.erase(found);
      inside[top.vertex()] = false;
      heap.pop();
    }
    ASSERT_NO_FATAL_FAILURE(check());
  }
  EXPECT_GE(storage.capacity(), heap.size());
}

template <int arity>
void exercise_arity() {
  using enum Layout;
  using enum Extract;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  SCOPED_TRACE(arity);
  exercise<u32, u32, aos, arity, top_down, false>(1);
  exercise<u32, u32, aos, arity, bottom_up, false>(2);
  exercise<u32, u32, soa, arity, top_down, true>(3);
  exercise<u32, u32, soa, arity, bottom_up, true>(4);
  exercise<u64, u32, aos, arity, bottom_up, true>(5);
  exercise<u64, u64, soa, arity, top_down, false>(6);
}

template <int... arity>
void exercise_arities(std::integer_sequence<int, arity...>) {
  (exercise_arity<kLeastArity + arity>(), ...);
}

TEST(Heap, AgreesWithMultisetForEveryArity) {
  exercise_arities(std::make_integer_sequence<int, kLargestArity - kLeastArity + 1>());
}

TEST(Heap, SortsWhatItIsGiven) {
  std::vector<std::size_t> positions(kVertices);
  HeapStorage<std::uint32_t, std::uint32_t, Layout::aos, 4> storage(kVertices);
  Heap<std::uint32_t, std::uint32_t, Layout::aos, 4, Extract::bottom_up, false, Recorded> heap(
      storage, Recorded{&positions});
  for (std::uint32_t v = 0; v < kVertices; ++v) heap.push(v * 7919 % 1000, v);
  for (std::uint32_t last = 0; !heap.empty(); heap.pop()) {
    EXPECT_GE(heap.top().distance(), last);
    last = heap.top().distance();
  }
}

/// The dynamic storage holds no more than twice what was ever in it (256 at least).
TEST(Heap, DynamicStorageGrowsWithTheEntriesHeld) {
  std::vector<std::size_t> positions(10'000);
  HeapStorage<std::uint64_t, std::uint32_t, Layout::aos, 2> storage;
  EXPECT_EQ(storage.bytes(), 0u);
  Heap<std::uint64_t, std::uint32_t, Layout::aos, 2, Extract::bottom_up, true, Recorded> heap(
      storage, Recorded{&positions});
  for (std::uint32_t v = 0; v < 10'000; ++v) {
    heap.push(10'000 - v, v);
    ASSERT_GE(storage.capacity(), heap.size());
    ASSERT_LE(storage.capacity(), std::max<std::size_t>(256, 2 * heap.size()));
  }
  EXPECT_EQ(storage.bytes(), 16 * storage.capacity());
}

TEST(Heap, GroupsOfChildrenStartCacheLines) {
  const HeapStorage<std::uint32_t, std::uint32_t, Layout::aos, 8> storage(100);
  const auto address = reinterpret_cast<std::uintptr_t>(storage.cursor().at + 1);
  EXPECT_EQ(address % kLineBytes, 0u);
}

}  // namespace
}  // namespace bellmark::dijkstra
