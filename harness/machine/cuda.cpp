#include "harness/machine/cuda.hpp"

#include "algorithms/gpu/gpu.hpp"

#ifndef BELLMARK_HAVE_CUDA
#error "define it as 0 or 1: without a value this file would find no device where there is one"
#endif

#if BELLMARK_HAVE_CUDA
#include <cuda_runtime_api.h>

#include <array>
#include <utility>

#include "base/error.hpp"
#endif

namespace bellmark::machine {

#if BELLMARK_HAVE_CUDA
namespace {

Told<std::string> bus_id_of(int device) {
  std::array<char, 32> text{};
  const cudaError_t status =
      cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device);
  if (status != cudaSuccess) return {std::nullopt, cudaGetErrorString(status)};
  return {text.data(), ""};
}

/// 13000 is 13.0.
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace
#endif

Told<std::string> cuda_bus_id() {
  if (std::string reason = gpu::unmet(); !reason.empty()) return {std::nullopt, std::move(reason)};
#if BELLMARK_HAVE_CUDA
  int device = 0;
  const cudaError_t status = cudaGetDevice(&device);
  if (status != cudaSuccess) return {std::nullopt, cudaGetErrorString(status)};
  return bus_id_of(device);
#else
  return {};
#endif
}

std::vector<std::string> cuda_bus_ids() {
  std::vector<std::string> ids;
  if (!gpu::unmet().empty()) return ids;
#if BELLMARK_HAVE_CUDA
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return ids;
  for (int device = 0; device < count; ++device) {
    if (const auto id = bus_id_of(device); id.value) ids.push_back(*id.value);
  }
#endif
  return ids;
}

std::optional<std::uint64_t> cuda_used_bytes() {
  std::optional<std::uint64_t> used;
  if (!gpu::unmet().empty()) return used;
#if BELLMARK_HAVE_CUDA
  int own = 0;
  int count = 0;
  if (cudaGetDevice(&own) != cudaSuccess || cudaGetDeviceCount(&count) != cudaSuccess) return used;
  for (int device = 0; device < count; ++device) {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    if (cudaSetDevice(device) != cudaSuccess) continue;
    if (cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) continue;
    used = used.value_or(0) + (all_bytes - free_bytes);
  }
  cudaSetDevice(own);
#endif
  return used;
}

void flush_cuda_caches() {
  if (!gpu::unmet().empty()) return;
#if BELLMARK_HAVE_CUDA
  const auto check = [](cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    throw MachineError(call, cudaGetErrorString(status), "leave out start=cold");
  };
  // Kept, because an allocation waits for all work of the device.
  static std::vector<std::pair<void*, std::size_t>> buffers;
  int own = 0;
  int count = 0;
  check(cudaGetDevice(&own), "cudaGetDevice");
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  buffers.resize(static_cast<std::size_t>(count));
  for (int device = 0; device < count; ++device) {
    auto& [buffer, bytes] = buffers[static_cast<std::size_t>(device)];
    check(cudaSetDevice(device), "cudaSetDevice");
    if (buffer == nullptr) {
      int cache_bytes = 0;
      check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device),
            "cudaDeviceGetAttribute");
      bytes = 2 * static_cast<std::size_t>(cache_bytes);
      check(cudaMalloc(&buffer, bytes), "cudaMalloc");
    }
    check(cudaMemset(buffer, 0, bytes), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  check(cudaSetDevice(own), "cudaSetDevice");
#endif
}

std::string cuda_runtime_version() {
#if BELLMARK_HAVE_CUDA
  int version = 0;
  const cudaError_t status = cudaRuntimeGetVersion(&version);
  return status == cudaSuccess ? version_text(version) : cudaGetErrorString(status);
#else
  return "not built in: " BELLMARK_CUDA_REASON;
#endif
}

std::string cuda_driver_version() {
#if BELLMARK_HAVE_CUDA
  int version = 0;
  const cudaError_t status = cudaDriverGetVersion(&version);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return version > 0 ? version_text(version) : "no driver is installed";
#else
  return "not built in: " BELLMARK_CUDA_REASON;
#endif
}

}  // namespace bellmark::machine
