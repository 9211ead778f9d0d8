// The GPUs of this process's CUDA work. No other file of the harness calls CUDA.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// PCI address of the GPU that runs the calling thread's CUDA work.
Told<std::string> cuda_bus_id();

/// PCI addresses of all GPUs that CUDA shows this process, in CUDA's order; empty without a GPU.
std::vector<std::string> cuda_bus_ids();

/// Bytes in use on all GPUs that CUDA shows this process, by any process; nothing without a GPU.
std::optional<std::uint64_t> cuda_used_bytes();

/// Overwrites twice the L2 cache of every GPU that CUDA shows this process, and waits. Throws
/// MachineError when a GPU refuses.
void flush_cuda_caches();

/// The versions of the CUDA runtime that was built in, and of the newest that the driver here
/// supports: `13.0`; or why there is none.
std::string cuda_runtime_version();
std::string cuda_driver_version();

}  // namespace bellmark::machine
