// The cost of memory itself, by the size of the region read: the latency of a chain of dependent
// reads, and the rate of a sequential read. Sizes go from 4 KiB, in the first cache, to 256 MiB,
// beyond the last.
//
// Sizes are those of the whole region, so a step in the curve lies at the size of a cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::int64_t kLeastBytes = std::int64_t{4} << 10;
constexpr std::int64_t kLargestBytes = std::int64_t{256} << 20;

/// One cache line of a chain that leads once through all lines.
struct alignas(64) Line {
  const Line* next;
};

/// Lines linked in one random cycle, so that no prefetcher can tell the next one.
std::vector<Line> random_cycle(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  std::vector<Line> lines(count);
  for (std::size_t i = 0; i < count; ++i) {
    lines[order[i]].next = &lines[order[(i + 1) % count]];
  }
  return lines;
}

/// Time of an iteration = latency of one read. Beyond the reach of the TLB it holds a page walk.
void read_latency(benchmark::State& state) {
  const std::vector<Line> lines =
      random_cycle(static_cast<std::size_t>(state.range(0)) / sizeof(Line));
  const Line* at = lines.data();
  // Goes once around, so that all lines that fit are in a cache.
  for (std::size_t i = 0; i < lines.size(); ++i) at = at->next;
  for (auto _ : state) {
    at = at->next;
    benchmark::DoNotOptimize(at);
  }
}
BENCHMARK(read_latency)->RangeMultiplier(2)->Range(kLeastBytes, kLargestBytes);

/// Adds up 64-bit words from one end to the other. Eight sums, so that additions don't wait for
/// each other and the compiler may use vectors.
void read_bandwidth(benchmark::State& state) {
  constexpr std::size_t kSums = 8;
  const std::vector<std::uint64_t> words(
      static_cast<std::size_t>(state.range(0)) / sizeof(std::uint64_t), 1);
  for (auto _ : state) {
    std::uint64_t sums[kSums] = {};
    for (std::size_t i = 0; i < words.size(); i += kSums) {
      for (std::size_t j = 0; j < kSums; ++j) sums[j] += words[i + j];
    }
    benchmark::DoNotOptimize(sums);
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(read_bandwidth)->RangeMultiplier(2)->Range(kLeastBytes, kLargestBytes);

}  // namespace
