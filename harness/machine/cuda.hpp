// On which GPU this process's CUDA work goes. The only file of the harness that calls CUDA.
#pragma once

#include <string>

#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// PCI address of the GPU that the calling thread's CUDA work goes to.
Told<std::string> cuda_bus_id();

}  // namespace bellmark::machine
