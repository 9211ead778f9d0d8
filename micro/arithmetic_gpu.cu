// The least cost of single operations on the GPU: 32-bit additions, minima, multiply-additions and
// approximate reciprocals a second, all multiprocessors together. A bound of set centrality is made
// of them. An addition follows each reciprocal: the compiler would see that two reciprocals in a
// row undo each other. Eight additions take as long as one reciprocal.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"

namespace {

using namespace bellmark;

/// The number of results of a thread that don't depend on each other.
constexpr int kChains = 8;
constexpr int kSteps = 1'000;
constexpr int kThreads = 256;
constexpr int kBlocksEach = 8;  // a multiprocessor holds 2048 threads

struct Add {
  __device__ static float apply(float x, float by) { return x + by; }
};
struct Minimum {
  __device__ static float apply(float x, float by) { return fminf(x, by); }
};
struct MultiplyAdd {
  __device__ static float apply(float x, float by) { return fmaf(x, by, by); }
};
struct Reciprocal {
  __device__ static float apply(float x, float by) {
    float result;
    asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result + by;
  }
};

template <class Operation>
__global__ void __launch_bounds__(kThreads, kBlocksEach) run_chains(float* values) {
  float chains[kChains];
  const std::size_t first = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) * kChains;
#pragma unroll
  for (int c = 0; c < kChains; ++c) chains[c] = values[first + c];
  float by = values[0];
  for (int step = 0; step < kSteps; ++step) {
    asm volatile("" : "+f"(by));  // the compiler doesn't know its value
#pragma unroll
    for (int c = 0; c < kChains; ++c) chains[c] = Operation::apply(chains[c], by);
  }
#pragma unroll
  for (int c = 0; c < kChains; ++c) values[first + c] = chains[c];
}

template <class Operation>
void measure(benchmark::State& state) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) {
    state.SkipWithError(("not available: " + reason).c_str());
    return;
  }
  const int blocks = gpu::properties().multiProcessorCount * kBlocksEach;
  const std::size_t count = std::size_t{kChains} * kThreads * static_cast<std::size_t>(blocks);
  gpu::DeviceArray<float> values(count);
  values.upload(std::vector<float>(count, 1.0F));
  gpu::Stream stream;
  gpu::Event begin;
  gpu::Event end;
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  for (auto _ : state) {
    begin.record(stream);
    run_chains<Operation><<<blocks, kThreads, 0, stream>>>(values.data());
    gpu::check_launch("run_chains");
    end.record(stream);
    stream.synchronize();
    float milliseconds = 0;
    gpu::check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    state.SetIterationTime(static_cast<double>(milliseconds) * 1e-3);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count) * kSteps);
}

BENCHMARK(measure<Add>)->Name("add")->UseManualTime();
BENCHMARK(measure<Minimum>)->Name("minimum")->UseManualTime();
BENCHMARK(measure<MultiplyAdd>)->Name("multiply_add")->UseManualTime();
BENCHMARK(measure<Reciprocal>)->Name("reciprocal")->UseManualTime();

}  // namespace
