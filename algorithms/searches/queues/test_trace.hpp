// Random monotone traces that any queue must answer as std::multiset does; for the tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/searches/queues/queue.hpp"

namespace bellmark::dijkstra::testing {

/// A work area and a storage as Search has them, and searches without a graph on them.
template <VertexQueue Queue>
class Trace {
 public:
  using Distance = typename Queue::Distance;
  using Id = typename Queue::Id;
  using Expected = std::multiset<std::pair<Distance, Id>>;
  static constexpr Id kNone = kMost<Id>;

  Trace(Id vertex_count, std::uint64_t largest_length, std::uint64_t seed)
      : vertex_count_(vertex_count),
        largest_(static_cast<Distance>(largest_length)),
        draw_(seed),
        records_(vertex_count),
        storage_(Queue::storage(vertex_count, largest_length)) {
    records_.forget_all();
  }

  typename Queue::Storage& storage() { return storage_; }

  /// One search: pops until the queue is empty or `most` are popped, each time with the least
  /// distance, and labels a few other vertices after each. Returns the distances that it came to.
  std::vector<Distance> search(std::size_t most) {
    const auto vertices = records_.cursor();
    Queue queue(storage_, vertices);
    Expected expected;
    std::vector<Distance> order;
    EXPECT_TRUE(queue.empty());
    label(queue, expected, 0, pick());
    while (!queue.empty() && order.size() < most && !::testing::Test::HasFailure()) {
      EXPECT_EQ(queue.size(), expected.size());
      const auto top = queue.top();
      const Id u = top.vertex();
      EXPECT_EQ(top.distance(), expected.begin()->first);
      EXPECT_EQ(top.distance(), vertices.distance(u));
      EXPECT_EQ(expected.erase({top.distance(), u}), 1u) << "not held: " << u;
      queue.pop();
      vertices.place(u, kNone);
      order.push_back(top.distance());
      for (auto arcs = draw_() % 5; arcs-- != 0;) relax(queue, expected, top.distance());
    }
    EXPECT_EQ(queue.size(), expected.size());
    held_.clear();
    for (const auto& [distance, v] : expected) held_.push_back(v);
    return order;
  }

  /// Forgets a search that stopped early: vertex by vertex, or all at once.
  void forget(bool one_by_one) {
    const auto vertices = records_.cursor();
    for (const Id v : held_) {
      if (one_by_one) storage_.clean(vertices.position(v));
    }
    if (!one_by_one) storage_.clean_all(held_.size());
    for (Id v = 0; v < vertex_count_; ++v) vertices.forget(v);
    held_.clear();
  }

 private:
  Id pick() { return static_cast<Id>(draw_() % vertex_count_); }

  /// Zero, the largest and equal lengths come often.
  Distance length() {
    switch (draw_() % 6) {
      case 0:
        return 0;
      case 1:
        return largest_;
      case 2:
        return static_cast<Distance>(std::min<std::uint64_t>(largest_, draw_() % 3));
      case 3:
        return static_cast<Distance>(largest_ - largest_ / 64);
      default:
        return largest_ == 0 ? 0 : static_cast<Distance>(draw_() % largest_);
    }
  }

  void relax(Queue& queue, Expected& expected, Distance from) {
    const Distance length = this->length();
    if (kMost<Distance> - 1 - from < length) return;  // Search rules this out beforehand
    label(queue, expected, static_cast<Distance>(from + length), pick());
  }

  void label(Queue& queue, Expected& expected, Distance through, Id v) {
    const auto vertices = records_.cursor();
    const Distance distance = vertices.distance(v);
    if (through >= distance) return;
    const Id position = vertices.position(v);
    vertices.label(v, through, 0);
    if (position == kNone) {
      queue.push(through, v);
    } else {
      queue.decrease(position, through, v);
      EXPECT_EQ(expected.erase({distance, v}), 1u);
    }
    EXPECT_NE(vertices.position(v), kNone);
    expected.emplace(through, v);
  }

  Id vertex_count_;
  Distance largest_;
  std::mt19937_64 draw_;
  typename Queue::WorkArea records_;
  typename Queue::Storage storage_;
  std::vector<Id> held_;
};

/// Searches of all sizes one after the other on one storage, stopped early or not.
template <VertexQueue Queue>
void check_traces(std::uint64_t largest_length) {
  SCOPED_TRACE(largest_length);
  for (const std::uint32_t vertex_count : {1u, 2u, 40u, 1000u}) {
    Trace<Queue> trace(vertex_count, largest_length, largest_length + vertex_count);
    for (int search = 0; search < 24; ++search) {
      const auto order = trace.search(search % 3 == 0 ? vertex_count : 1u << search % 10);
      EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
      if (::testing::Test::HasFailure()) return;
      trace.forget(search % 2 == 0);
    }
  }
}

/// Zero, small, uneven and round largest lengths.
template <VertexQueue Queue>
void check_traces() {
  for (const std::uint64_t largest : {0u, 1u, 2u, 3u, 7u, 8u, 100u, 2047u, 2048u, 4097u, 70'000u}) {
    check_traces<Queue>(largest);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace bellmark::dijkstra::testing
