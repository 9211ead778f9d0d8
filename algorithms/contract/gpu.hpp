// What host code may ask of the GPU without CUDA's headers, also in a build without CUDA.
#pragma once

#include <string>

namespace bellmark::gpu {

/// Why no GPU can be used here; "" when one can. Starts the driver in the calling process, which
/// must not fork processes that use the GPU afterwards: a child can't use its parent's driver.
std::string unmet();

}  // namespace bellmark::gpu
