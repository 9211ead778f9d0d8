#include "algorithms/gpu/gpu.hpp"

#include <charconv>
#include <optional>
#include <sstream>

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

std::string no_code_for(int capability, std::string_view architectures) {
  std::istringstream words{std::string(architectures)};
  for (std::string word; words >> word;) {
    int built = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), built);
    // `native`, `all` and `all-major` name no number: CUDA itself will tell.
    if (error != std::errc()) return {};
    const std::string_view kind(end, word.data() + word.size());
    // Code for 90a runs on 9.0 alone.
    if (kind.starts_with('a') && capability != built) continue;
    const bool is_same_major = capability / 10 == built / 10;
    if (capability >= built && (is_same_major || !kind.ends_with("-real"))) return {};
  }
  const std::string version =
      std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  return "the GPU has compute capability " + version + ", and this build has code for " +
         std::string(architectures) +
         " only: configure with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(capability);
}

#if BELLMARK_HAVE_CUDA

namespace {

/// Of the device that the calling thread uses: 90 is 9.0. Nothing where there is none.
std::optional<int> capability() {
  int device = 0;
  int major = 0;
  int minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
    return std::nullopt;
  }
  return 10 * major + minor;
}

}  // namespace

bool lacks_clusters() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return false;
  return capability().value_or(90) < 90;
}

std::string unmet() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) {
    const std::optional<int> found = capability();
    return found ? no_code_for(*found, BELLMARK_CUDA_ARCHITECTURES) : "";
  }
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

bool lacks_clusters() { return false; }

std::string unmet() { return "this build has no CUDA: " BELLMARK_CUDA_REASON; }

#endif

}  // namespace bellmark::gpu
