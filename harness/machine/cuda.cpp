#include "harness/machine/cuda.hpp"

#include "algorithms/contract/gpu.hpp"

#ifndef BELLMARK_HAVE_CUDA
#error "this file is told 0 or 1: without a word it would know no device where there is one"
#endif

#if BELLMARK_HAVE_CUDA
#include <cuda_runtime_api.h>

#include <array>
#endif

namespace bellmark::machine {

Told<std::string> cuda_bus_id() {
  if (std::string reason = gpu::unmet(); !reason.empty()) return {std::nullopt, std::move(reason)};
#if BELLMARK_HAVE_CUDA
  int device = 0;
  std::array<char, 32> text{};
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess) {
    status = cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device);
  }
  if (status != cudaSuccess) return {std::nullopt, cudaGetErrorString(status)};
  return {text.data(), ""};
#else
  return {};
#endif
}

}  // namespace bellmark::machine
