// What host code may ask of the GPU without CUDA's headers, also in a build without CUDA.
#pragma once

#include <string>

namespace bellmark::gpu {

/// Why no CUDA program can run in this build on this machine; "" when one can. Starts the driver in
/// the calling process, which must not fork processes that use the GPU afterwards: a child can't
/// use its parent's driver.
std::string unmet();

/// What unmet() says of a driver that serves at most CUDA `driver` (0: there is none) when the
/// build has CUDA `runtime`; both as 1000 * major + 10 * minor.
std::string driver_too_old(int driver, int runtime);

}  // namespace bellmark::gpu
