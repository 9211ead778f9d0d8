// The cost of the heap's operations by arity and form of movement: extraction and insertion with a
// steady number of entries held (hold model), and decrease-key.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "algorithms/searches/queues/heap.hpp"

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
    for (std::uint32_t& increment : increments)
      increment = static_cast<std::uint32_t>(draw() % 1000);
    for (std::uint32_t v = 0; v < held; ++v) heap.push(next(), v);
  }
  std::uint32_t next() { return increments[used++ % increments.size()]; }

  std::vector<std::uint32_t> increments = std::vector<std::uint32_t>(4096);
  std::size_t used = 0;
  std::vector<std::uint32_t> positions;
  typename Tested::Storage storage;
  Tested heap;
};

/// Extracts the least entry and inserts it again a little later, as Dijkstra's algorithm does.
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

/// Decreases a random entry by a little. Distances start high enough never to run out.
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
      // Starts over: a heap of zeros can't decrease. It is rare, and outside the time.
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

template <int arity, Extract extract>
void add(const std::string& form) {
  const std::string key = "/arity=" + std::to_string(arity) + ",extract=" + form;
  // The number of entries on road graphs, and a number larger than the caches hold.
  benchmark::RegisterBenchmark(("extract_insert" + key).c_str(), extract_insert<arity, extract>)
      ->Arg(1 << 10)
      ->Arg(1 << 20);
  benchmark::RegisterBenchmark(("decrease_key" + key).c_str(), decrease_key<arity, extract>)
      ->Arg(1 << 10);
}

template <int... arity>
bool add_all() {
  ((add<arity, Extract::bottom_up>("bottom-up"), add<arity, Extract::top_down>("top-down")), ...);
  return true;
}

[[maybe_unused]] const bool added = add_all<2, 3, 4, 6, 8, 16, 32>();

}  // namespace
