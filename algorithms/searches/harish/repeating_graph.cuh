// A CUDA graph that repeats kernels until one of them ends it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "algorithms/gpu/gpu.cuh"

namespace bellmark::harish {

/// A graph that repeats its body while a handle isn't 0.
class RepeatingGraph {
 public:
  RepeatingGraph() = default;
  ~RepeatingGraph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  RepeatingGraph(const RepeatingGraph&) = delete;
  RepeatingGraph& operator=(const RepeatingGraph&) = delete;

  /// `launch_first()` launches one kernel on `stream`, `launch_body(handle)` those to repeat; they
  /// are recorded, not run.
  template <class First, class Body>
  void build(cudaStream_t stream, First launch_first, Body launch_body) {
    gpu::check(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
    capture(stream, graph_, launch_first);
    cudaGraphNode_t first = nullptr;
    std::size_t count = 1;
    gpu::check(cudaGraphGetNodes(graph_, &first, &count), "cudaGraphGetNodes");

    cudaGraphConditionalHandle handle{};
    gpu::check(cudaGraphConditionalHandleCreate(&handle, graph_, 1, cudaGraphCondAssignDefault),
               "cudaGraphConditionalHandleCreate");
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t loop = nullptr;
    gpu::check(cudaGraphAddNode(&loop, graph_, &first, nullptr, 1, &parameters),
               "cudaGraphAddNode");
    capture(stream, parameters.conditional.phGraph_out[0], [&] { launch_body(handle); });
    gpu::check(cudaGraphInstantiate(&executable_, graph_, 0), "cudaGraphInstantiate");
    gpu::check(cudaGraphUpload(executable_, stream), "cudaGraphUpload");
  }

  void launch(cudaStream_t stream) {
    gpu::check(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch");
  }

 private:
  template <class Launch>
  static void capture(cudaStream_t stream, cudaGraph_t graph, Launch launch) {
    gpu::check(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeThreadLocal),
               "cudaStreamBeginCaptureToGraph");
    launch();
    cudaGraph_t captured = nullptr;
    gpu::check(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace bellmark::harish
