#include "algorithms/gpu/gpu.hpp"

#if BELLMARK_HAVE_CUDA
#include <cuda_runtime.h>

#include <cstdlib>
#endif

namespace bellmark::gpu {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string driver_too_old(int driver, int runtime) {
  const std::string needed = "this build needs one for CUDA " + version_text(runtime);
  if (driver == 0) return "no CUDA driver is installed (libcuda.so.1); " + needed;
  return "the driver is too old: it serves CUDA " + version_text(driver) + ", and " + needed;
}

#if BELLMARK_HAVE_CUDA

std::string unmet() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    return driver_too_old(driver, runtime);
  }
  if (status == cudaSuccess || status == cudaErrorNoDevice) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible == nullptr
               ? std::string("no CUDA device is there")
               : "no CUDA device is visible: CUDA_VISIBLE_DEVICES='" + std::string(visible) + "'";
  }
  return std::string("CUDA doesn't start: ") + cudaGetErrorString(status);
}

#else

std::string unmet() { return "this build has no CUDA: " BELLMARK_CUDA_REASON; }

#endif

}  // namespace bellmark::gpu
