// The least cost of single operations: elements a second of one core, for each width of registers
// that this processor has. A bound of set centrality is made of them: per ratio an addition, a
// minimum, a division and an addition that accumulates.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "algorithms/spots/set_centrality/evaluator.hpp"

namespace {

/// The number of results that don't depend on each other: enough to fill two pipes of four cycles,
/// few enough for 16 registers.
constexpr std::size_t kChains = 10;
constexpr std::size_t kSteps = 1'000;

enum class Operation { add, minimum, multiply, divide };

constexpr const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::add:
      return "add";
    case Operation::minimum:
      return "minimum";
    case Operation::multiply:
      return "multiply";
    case Operation::divide:
      return "divide";
  }
  return "";
}

/// kSteps operations in each chain. The empty assembly keeps the compiler from knowing `by`; it
/// costs a load a step.
template <Operation kOperation, class Real, std::size_t kBytes>
[[gnu::always_inline]] inline void run_chains(Real* values) {
  typedef Real Vector __attribute__((vector_size(kBytes), may_alias));
  constexpr std::size_t kWidth = kBytes / sizeof(Real);
  Vector chains[kChains];
  for (std::size_t c = 0; c < kChains; ++c) {
    chains[c] = *reinterpret_cast<const Vector*>(values + c * kWidth);
  }
  Vector by = *reinterpret_cast<const Vector*>(values + kChains * kWidth);
  for (std::size_t step = 0; step < kSteps; ++step) {
    asm volatile("" : "+m"(by));
#pragma GCC unroll 10
    for (std::size_t c = 0; c < kChains; ++c) {
      if constexpr (kOperation == Operation::add) chains[c] = chains[c] + by;
      if constexpr (kOperation == Operation::minimum) chains[c] = by < chains[c] ? by : chains[c];
      if constexpr (kOperation == Operation::multiply) chains[c] = chains[c] * by;
      if constexpr (kOperation == Operation::divide) chains[c] = by / chains[c];
    }
  }
  for (std::size_t c = 0; c < kChains; ++c) {
    *reinterpret_cast<Vector*>(values + c * kWidth) = chains[c];
  }
}

template <Operation kOperation, class Real>
void run_16(Real* values) {
  run_chains<kOperation, Real, 16>(values);
}
#if defined(__x86_64__)
template <Operation kOperation, class Real>
[[gnu::target("avx2,fma")]] void run_32(Real* values) {
  run_chains<kOperation, Real, 32>(values);
}
template <Operation kOperation, class Real>
[[gnu::target("avx512f,avx512dq,avx512vl")]] void run_64(Real* values) {
  run_chains<kOperation, Real, 64>(values);
}
#endif

template <Operation kOperation, class Real, std::size_t kBytes>
void measure(benchmark::State& state) {
  constexpr std::size_t kWidth = kBytes / sizeof(Real);
  alignas(64) Real values[(kChains + 1) * kWidth];
  for (auto _ : state) {
    // Fresh each time: sums and products stay far from infinity and from subnormal numbers.
    std::fill(std::begin(values), std::end(values), Real{1});
    benchmark::DoNotOptimize(static_cast<Real*>(values));
    benchmark::ClobberMemory();
    if constexpr (kBytes == 16) run_16<kOperation>(values);
#if defined(__x86_64__)
    if constexpr (kBytes == 32) run_32<kOperation>(values);
    if constexpr (kBytes == 64) run_64<kOperation>(values);
#endif
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(kChains * kSteps * kWidth));
}

template <Operation kOperation, class Real, std::size_t kBytes>
void add_width() {
  if (kBytes > bellmark::set_centrality::widest_register_bytes()) return;
  const std::string name = std::string(name_of(kOperation)) + "/float" +
                           std::to_string(8 * sizeof(Real)) + "/bytes:" + std::to_string(kBytes);
  benchmark::RegisterBenchmark(name.c_str(), measure<kOperation, Real, kBytes>)
      ->Threads(1)
      ->ThreadPerCpu()
      ->UseRealTime();
}

template <Operation kOperation>
bool add_operation() {
  add_width<kOperation, float, 16>();
  add_width<kOperation, double, 16>();
#if defined(__x86_64__)
  add_width<kOperation, float, 32>();
  add_width<kOperation, double, 32>();
  add_width<kOperation, float, 64>();
  add_width<kOperation, double, 64>();
#endif
  return true;
}

[[maybe_unused]] const bool added =
    add_operation<Operation::add>() && add_operation<Operation::minimum>() &&
    add_operation<Operation::multiply>() && add_operation<Operation::divide>();

}  // namespace
