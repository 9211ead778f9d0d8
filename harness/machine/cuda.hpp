// Whether CUDA can run here, and on which GPU. The only file of the harness that calls CUDA.
#pragma once

#include <string>

#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// Why no CUDA program can run in this build on this machine; "" when one can. Makes no context.
std::string cuda_absence();

/// PCI address of the GPU that the calling thread's CUDA work goes to.
Told<std::string> cuda_bus_id();

/// `absence` of a driver that speaks at most CUDA `driver` (0: there is none) for a build with
/// CUDA `runtime`; both as 1000 * major + 10 * minor.
std::string driver_too_old(int driver, int runtime);

}  // namespace bellmark::machine
