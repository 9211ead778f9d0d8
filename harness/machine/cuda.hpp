// On which GPUs this process's CUDA work goes. The only file of the harness that calls CUDA.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// PCI address of the GPU that the calling thread's CUDA work goes to.
Told<std::string> cuda_bus_id();

/// PCI addresses of all GPUs that CUDA shows this process, in CUDA's order; none when there is
/// none.
std::vector<std::string> cuda_bus_ids();

}  // namespace bellmark::machine
