// Work of a stream that is recorded once and launched as one CUDA graph.
#pragma once

#include "algorithms/gpu/gpu.cuh"

namespace bellmark::gpu {

/// A graph without a host's part: its kernels follow each other without a launch in between. The
/// recorded work may not depend on values that change from run to run, but on memory that does.
class RecordedWork {
 public:
  RecordedWork() = default;
  RecordedWork(const RecordedWork&) = delete;
  RecordedWork& operator=(const RecordedWork&) = delete;
  ~RecordedWork() { forget(); }

  bool empty() const { return executable_ == nullptr; }

  void forget() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    executable_ = nullptr;
  }

  /// Records what `enqueue()` puts on the stream, which runs nothing of it. O(kernels).
  template <class Enqueue>
  void record(cudaStream_t stream, Enqueue&& enqueue) {
    forget();
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    cudaGraph_t graph = nullptr;
    try {
      enqueue();
    } catch (...) {
      cudaStreamEndCapture(stream, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    const cudaError_t made = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    check(made, "cudaGraphInstantiate");
    check(cudaGraphUpload(executable_, stream), "cudaGraphUpload");
  }

  void launch(cudaStream_t stream) const {
    check(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch");
  }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace bellmark::gpu
