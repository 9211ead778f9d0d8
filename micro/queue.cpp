// What the heap's operations cost by arity and form of movement: extraction and insertion with a
// steady number of entries held (hold model), and decrease-key.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "algorithms/dijkstra/heap.hpp"

namespace {

using namespace bellmark::dijkstra;

struct Positions {
  std::uint32_t* at;
  void place(std::uint32_t vertex, std::uint32_t position) const { at[vertex] = position; }
};

/// A full heap of `held` vertices, and a run of random increments to feed it with.
template <int arity, Extract extract>
struct Fixture {
  using Tested = Heap<std::uint32_t, std::uint32_t, Layout::aos, arity, extract, false, Positions>;

  explicit Fixture(std::size_t held)
      : positions(held), storage(held), heap(storage, Positions{positions.data()}) {
    std::mt19937 draw(1);
    for (std::uint32_t& increment : increments) increment = draw() % 1000;
    for (std::uint32_t v = 0; v < held; ++v) heap.push(next(), v);
  }
  std::uint32_t next() { return increments[used++ % increments.size()]; }

  std::vector<std::uint32_t> increments = std::vector<std::uint32_t>(4096);
  std::size_t used = 0;
  std::vector<std::uint32_t> positions;
  typename Tested::Storage storage;
  Tested heap;
};

/// Extract the least, insert it again a little later: what Dijkstra's algorithm does.
template <int arity, Extract extract>
void extract_insert(benchmark::State& state) {
  Fixture<arity, extract> fixture(static_cast<std::size_t>(state.range(0)));
  auto& heap = fixture.heap;
  for (auto _ : state) {
    const auto top = heap.top();
    heap.pop();
    heap.push(top.distance() + fixture.next(), top.vertex());
  }
  state.SetItemsProcessed(state.iterations());
}

/// Decrease a random entry by a little. Distances start high enough never to run out.
template <int arity, Extract extract>
void decrease_key(benchmark::State& state) {
  const auto held = static_cast<std::uint32_t>(state.range(0));
  Fixture<arity, extract> fixture(held);
  std::uint32_t vertex = 0;
  std::uint64_t round = 0;
  for (auto _ : state) {
    vertex = (vertex * 1664525 + 1013904223) % held;
    const std::size_t position = fixture.positions[vertex];
    const std::uint32_t distance = fixture.heap.get(position).distance();
    if (distance == 0) {
      // Start over: a heap of zeros can't decrease. Rare, and outside the time.
      state.PauseTiming();
      while (!fixture.heap.empty()) fixture.heap.pop();
      for (std::uint32_t v = 0; v < held; ++v) fixture.heap.push(1'000'000 + fixture.next(), v);
      ++round;
      state.ResumeTiming();
      continue;
    }
    fixture.heap.decrease(position, distance - 1 - distance / 64, vertex);
  }
  benchmark::DoNotOptimize(round);
  state.SetItemsProcessed(state.iterations());
}

constexpr std::int64_t kSmall = 1 << 10;  // as on road graphs
constexpr std::int64_t kLarge = 1 << 20;  // beyond the caches

#define BELLMARK_QUEUE_BENCHMARKS(arity)                                          \
  BENCHMARK(extract_insert<arity, Extract::bottom_up>)->Arg(kSmall)->Arg(kLarge); \
  BENCHMARK(extract_insert<arity, Extract::top_down>)->Arg(kSmall)->Arg(kLarge);  \
  BENCHMARK(decrease_key<arity, Extract::bottom_up>)->Arg(kSmall);                \
  BENCHMARK(decrease_key<arity, Extract::top_down>)->Arg(kSmall)

BELLMARK_QUEUE_BENCHMARKS(2);
BELLMARK_QUEUE_BENCHMARKS(3);
BELLMARK_QUEUE_BENCHMARKS(4);
BELLMARK_QUEUE_BENCHMARKS(6);
BELLMARK_QUEUE_BENCHMARKS(8);
BELLMARK_QUEUE_BENCHMARKS(16);
BELLMARK_QUEUE_BENCHMARKS(32);

}  // namespace
