// The time from the launch of a kernel of the whole device until the host knows that it has ended:
// launched plainly, cooperatively or as a graph; awaited through the stream, or by a word that the
// kernel writes into the host's memory. A search of bfs/persistent of 50 us has one such launch.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cuda/atomic>
#include <string>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"

namespace {

using namespace bellmark;

constexpr int kThreads = 512;

struct Arguments {
  std::uint32_t* arrived_count;
  std::uint32_t* ended_count;  ///< in the host's memory
  std::uint64_t others[32];    ///< as many as a search has
};

/// The last block to arrive tells the host.
__global__ void __launch_bounds__(kThreads) work(const Arguments arguments) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  const std::uint32_t before = atomicAdd(arguments.arrived_count, 1);
  if ((before + 1) % gridDim.x != 0) return;
  cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system>(*arguments.ended_count)
      .store((before + 1) / gridDim.x, cuda::memory_order_release);
}

enum Launch { kPlain, kCooperative, kGraph, kCooperativeGraph };
enum Wait { kStream, kWord };

void launch(bool cooperative, int blocks, Arguments& arguments, cudaStream_t stream) {
  void* pointers[] = {&arguments};
  void* const kernel = reinterpret_cast<void*>(work);
  if (cooperative) {
    gpu::check(
        cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(kThreads), pointers, 0, stream),
        "cudaLaunchCooperativeKernel");
  } else {
    gpu::check(cudaLaunchKernel(kernel, dim3(blocks), dim3(kThreads), pointers, 0, stream),
               "cudaLaunchKernel");
  }
}

cudaGraphExec_t graph_of(bool cooperative, int blocks, Arguments& arguments, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  gpu::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
             "cudaStreamBeginCapture");
  launch(cooperative, blocks, arguments, stream);
  gpu::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  gpu::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  gpu::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  return executable;
}

void measure(benchmark::State& state) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) {
    state.SkipWithError(("not available: " + reason).c_str());
    return;
  }
  const auto way = static_cast<Launch>(state.range(0));
  const auto wait = static_cast<Wait>(state.range(1));
  const bool cooperative = way == kCooperative || way == kCooperativeGraph;
  const int blocks = 2 * gpu::properties().multiProcessorCount;
  gpu::DeviceArray<std::uint32_t> arrived(1);
  arrived.clear();
  gpu::PinnedArray<std::uint32_t> ended(1);
  ended[0] = 0;
  Arguments arguments{arrived.data(), ended.data(), {}};
  gpu::Stream stream;
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  cudaGraphExec_t graph = nullptr;
  if (way >= kGraph) graph = graph_of(cooperative, blocks, arguments, stream);
  const cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system> ended_count(ended[0]);
  std::uint32_t count = 0;
  for (auto _ : state) {
    if (graph != nullptr) {
      gpu::check(cudaGraphLaunch(graph, stream), "cudaGraphLaunch");
    } else {
      launch(cooperative, blocks, arguments, stream);
    }
    ++count;
    if (wait == kStream) {
      stream.synchronize();
    } else {
      while (ended_count.load(cuda::memory_order_acquire) != count) {
      }
    }
  }
  stream.synchronize();
  if (graph != nullptr) cudaGraphExecDestroy(graph);
}

BENCHMARK(measure)
    ->Name("launch")
    ->ArgNames({"way", "wait"})
    ->ArgsProduct({{kPlain, kCooperative, kGraph, kCooperativeGraph}, {kStream, kWord}})
    ->Iterations(2000)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
