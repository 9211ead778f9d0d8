// The k-ary heap against std::multiset: every arity, both ways to move, both layouts, both
// storages.
#include "algorithms/searches/queues/heap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/contract/instances.hpp"
#include "algorithms/searches/dijkstra/options.hpp"

namespace bellmark::dijkstra {
namespace {

/// Records the place of every vertex.
struct Recorded {
  std::vector<std::size_t>* positions;
  template <class Id>
  void place(Id vertex, Id position) const {
    (*positions)[vertex] = position;
  }
};

constexpr std::uint32_t kVertices = 300;

/// Any heap behind one interface, so that the test itself is compiled once.
class AnyHeap {
 public:
  using Pair = std::pair<std::uint64_t, std::uint32_t>;  // distance, vertex
  virtual ~AnyHeap() = default;
  virtual std::size_t size() const = 0;
  virtual std::size_t capacity() const = 0;
  virtual Pair get(std::size_t position) const = 0;
  virtual void push(std::uint64_t distance, std::uint32_t vertex) = 0;
  virtual void decrease(std::uint64_t distance, std::uint32_t vertex) = 0;
  virtual void pop() = 0;

  std::uint64_t largest = 0;  ///< distance that may be used
  std::vector<std::size_t> positions = std::vector<std::size_t>(kVertices);
};

template <class Distance, class Id, Layout layout, int arity, Extract extract, bool grows>
class HeapUnderTest final : public AnyHeap {
 public:
  HeapUnderTest() { largest = kMost<Distance> - 1; }
  std::size_t size() const override { return heap_.size(); }
  std::size_t capacity() const override { return storage_.capacity(); }
  Pair get(std::size_t position) const override {
    const auto entry = position == 0 ? heap_.top() : heap_.get(position);
    return {entry.distance(), static_cast<std::uint32_t>(entry.vertex())};
  }
  void push(std::uint64_t distance, std::uint32_t vertex) override {
    heap_.push(static_cast<Distance>(distance), vertex);
  }
  void decrease(std::uint64_t distance, std::uint32_t vertex) override {
    heap_.decrease(positions[vertex], static_cast<Distance>(distance), vertex);
  }
  void pop() override { heap_.pop(); }

 private:
  HeapStorage<Distance, Id, layout, arity> storage_{grows ? 0 : kVertices};
  Heap<Distance, Id, layout, arity, extract, grows, Recorded> heap_{storage_, Recorded{&positions}};
};

using Expected = std::multiset<AnyHeap::Pair>;

void check(const AnyHeap& heap, const Expected& expected) {
  ASSERT_EQ(heap.size(), expected.size());
  ASSERT_GE(heap.capacity(), heap.size());
  if (expected.empty()) return;
  ASSERT_EQ(heap.get(0).first, expected.begin()->first);
  for (const AnyHeap::Pair& entry : expected) {
    ASSERT_LT(heap.positions[entry.second], heap.size());
    ASSERT_EQ(heap.get(heap.positions[entry.second]), entry);
  }
}

/// Random pushes, decreases and pops; after each, the heap's top is the least and every recorded
/// position holds its vertex.
void exercise(AnyHeap& heap, std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  Expected expected;
  std::vector<bool> inside(kVertices);
  std::vector<std::uint64_t> distances(kVertices);
  for (int step = 0; step < 600; ++step) {
    const auto vertex = static_cast<std::uint32_t>(draw() % kVertices);
    const bool filling = step < 300 ? draw() % 4 != 0 : draw() % 4 == 0;
    if (filling) {
      // Few different distances, so that many are equal; at times the largest allowed.
      const std::uint64_t distance = draw() % 16 == 0 ? heap.largest : draw() % 50;
      if (!inside[vertex]) {
        heap.push(distance, vertex);
      } else if (distance < distances[vertex]) {
        expected.erase(expected.find({distances[vertex], vertex}));
        heap.decrease(distance, vertex);
      } else {
        continue;
      }
      inside[vertex] = true;
      distances[vertex] = distance;
      expected.emplace(distance, vertex);
    } else if (!expected.empty()) {
      const auto found = expected.find(heap.get(0));
      ASSERT_NE(found, expected.end());
      inside[found->second] = false;
      expected.erase(found);
      heap.pop();
    }
    ASSERT_NO_FATAL_FAILURE(check(heap, expected));
  }
}

using enum Layout;
using enum Extract;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class Distance, class Id, Layout layout, int arity, Extract extract, bool grows>
void exercise() {
  HeapUnderTest<Distance, Id, layout, arity, extract, grows> heap;
  SCOPED_TRACE(arity);
  exercise(heap, arity);
}

template <int... arity>
void exercise_arities(std::integer_sequence<int, arity...>) {
  (exercise<u32, u32, aos, kLeastArity + arity, bottom_up, false>(), ...);
  (exercise<u64, u32, soa, kLeastArity + arity, top_down, true>(), ...);
}

TEST(Heap, AgreesWithMultisetForEveryArity) {
  exercise_arities(std::make_integer_sequence<int, kLargestArity - kLeastArity + 1>());
}

TEST(Heap, AgreesWithMultisetInEveryVersion) {
  exercise<u32, u32, aos, 2, top_down, true>();
  exercise<u32, u32, soa, 2, bottom_up, false>();
  exercise<u32, u32, soa, 3, top_down, false>();
  exercise<u64, u32, aos, 3, bottom_up, true>();
  exercise<u64, u64, aos, 4, top_down, false>();
  exercise<u64, u64, soa, 4, bottom_up, true>();
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

/// The dynamic storage holds at most twice the entries that were ever in it (256 at least).
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
