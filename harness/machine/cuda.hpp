// On which GPUs this process's CUDA work goes. The only file of the harness that calls CUDA.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// PCI address of the GPU that the calling thread's CUDA work goes to.
Told<std::string> cuda_bus_id();

/// PCI addresses of all GPUs that CUDA shows this process, in CUDA's order; none when there is
/// none.
std::vector<std::string> cuda_bus_ids();

/// Bytes in use on all GPUs that CUDA shows this process, by any process; nothing when there is
/// none.
std::optional<std::uint64_t> cuda_used_bytes();

/// Overwrites twice the L2 cache of every GPU that CUDA shows this process, and waits. Throws
/// MachineError when a GPU refuses.
void flush_cuda_caches();

/// Of the CUDA runtime that was built in, and the newest that the driver here supports: `13.0`; or
/// why there is none.
std::string cuda_runtime_version();
std::string cuda_driver_version();

}  // namespace bellmark::machine
