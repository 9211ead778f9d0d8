// The questions about the GPU that host code may ask without CUDA's headers, also in a build
// without CUDA.
#pragma once

#include <string>
#include <string_view>

namespace bellmark::gpu {

/// The reason why no CUDA program can run in this build on this machine; "" when one can. It starts
/// the driver in the calling process. That process must not fork processes that use the GPU
/// afterwards: a child can't use its parent's driver.
std::string unmet();

/// Whether a device is there that has no thread-block clusters: they came with compute capability
/// 9.0. False where it can't be told.
bool lacks_clusters();

/// The unmet reason for a device of compute capability `capability` (86 is 8.6) when the build has
/// code for `architectures`; "" when some of it runs there. `architectures` is as in
/// CMAKE_CUDA_ARCHITECTURES with blanks between (`80-real 90`). Machine code runs on devices of the
/// same major version that are no older. PTX runs on all devices that are no older.
std::string no_code_for(int capability, std::string_view architectures);

/// The unmet reason for a driver that serves at most CUDA `driver` (0: there is none) when the
/// build has CUDA `runtime`. Both are 1000 * major + 10 * minor.
std::string driver_too_old(int driver, int runtime);

}  // namespace bellmark::gpu
