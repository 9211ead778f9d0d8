// The time in which a GPU reads another's memory after a while without work. Links between GPUs go
// to sleep, and the first read waits until they wake. The search by several GPUs of one host
// (distributed-bfs/persistent, links=kept-awake) rests on it.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/gpu/warp.cuh"

namespace {

using namespace bellmark;

constexpr int kThreads = 512;

/// The reason why GPU 0 can't read the memory of GPU 1; "" when it can.
std::string unmet() {
  if (std::string reason = gpu::unmet(); !reason.empty()) return reason;
  int count = 0;
  gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (count < 2) return "one GPU is here, and the benchmark takes two";
  int reaches = 0;
  gpu::check(cudaDeviceCanAccessPeer(&reaches, 0, 1), "cudaDeviceCanAccessPeer");
  if (reaches == 0) return "GPU 0 does not reach the memory of GPU 1";
  const cudaError_t status = cudaDeviceEnablePeerAccess(1, 0);
  if (status != cudaErrorPeerAccessAlreadyEnabled) gpu::check(status, "cudaDeviceEnablePeerAccess");
  cudaGetLastError();
  return {};
}

__global__ void __launch_bounds__(kThreads)
    read(const std::uint32_t* words, std::size_t count, std::uint32_t* sums) {
  const std::size_t thread = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  std::uint32_t sum = 0;
  for (std::size_t i = thread; i < count; i += std::size_t{gridDim.x} * kThreads) {
    sum += __ldcv(&words[i]);
  }
  sums[thread] = sum;
}

/// Takes long enough for the host to queue the work behind it.
__global__ void wait() {
  const std::uint64_t begin = gpu::global_timer();
  while (gpu::global_timer() - begin < 50'000) {
  }
}

/// `idle_ms` of sleep, a read of `KiB`, and another. The first read is the time, the other a
/// counter (us). Both hold the start of a kernel between two events.
void measure(benchmark::State& state) {
  if (const std::string reason = unmet(); !reason.empty()) {
    state.SkipWithError(("not available: " + reason).c_str());
    return;
  }
  const std::chrono::milliseconds idle(state.range(0));
  const std::size_t bytes = static_cast<std::size_t>(state.range(1)) << 10;
  const int blocks = 2 * gpu::properties().multiProcessorCount;
  gpu::check(cudaSetDevice(1), "cudaSetDevice");
  gpu::DeviceArray<std::uint32_t> words(bytes / sizeof(std::uint32_t));
  words.clear();
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  gpu::check(cudaSetDevice(0), "cudaSetDevice");
  gpu::DeviceArray<std::uint32_t> sums(static_cast<std::size_t>(blocks) * kThreads);
  gpu::Stream stream;
  gpu::Event events[3];
  double later_us = 0;
  // Kernels are loaded when they are first launched.
  wait<<<1, 1, 0, stream>>>();
  read<<<blocks, kThreads, 0, stream>>>(words.data(), words.size(), sums.data());
  gpu::check_launch("read");
  stream.synchronize();
  for (auto _ : state) {
    std::this_thread::sleep_for(idle);
    wait<<<1, 1, 0, stream>>>();
    gpu::check_launch("wait");
    events[0].record(stream);
    for (int i = 1; i < 3; ++i) {
      read<<<blocks, kThreads, 0, stream>>>(words.data(), words.size(), sums.data());
      gpu::check_launch("read");
      events[i].record(stream);
    }
    stream.synchronize();
    float milliseconds[2];
    for (int i = 0; i < 2; ++i) {
      gpu::check(cudaEventElapsedTime(&milliseconds[i], events[i], events[i + 1]),
                 "cudaEventElapsedTime");
    }
    state.SetIterationTime(static_cast<double>(milliseconds[0]) * 1e-3);
    later_us += static_cast<double>(milliseconds[1]) * 1e3;
  }
  state.counters["second_us"] = benchmark::Counter(later_us, benchmark::Counter::kAvgIterations);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

BENCHMARK(measure)
    ->Name("read")
    ->ArgNames({"idle_ms", "KiB"})
    ->ArgsProduct({{0, 2, 20, 50, 100, 200, 300}, {4, 1024}})
    ->Iterations(9)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
