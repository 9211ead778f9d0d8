#include "algorithms/contract/gpu.hpp"

#ifdef BELLMARK_HAVE_CUDA
#include <cuda_runtime.h>
#endif

namespace bellmark::gpu {

std::string unmet() {
#ifdef BELLMARK_HAVE_CUDA
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  if (count == 0) return "no CUDA device is visible";
  return {};
#else
  return "this build has no CUDA";
#endif
}

}  // namespace bellmark::gpu
