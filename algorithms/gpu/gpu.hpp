// What host code may ask of the GPU without CUDA's headers, also in a build without CUDA.
#pragma once

#include <string>
#include <string_view>

namespace bellmark::gpu {

/// Why no CUDA program can run in this build on this machine; "" when one can. Starts the driver in
/// the calling process, which must not fork processes that use the GPU afterwards: a child can't
/// use its parent's driver.
std::string unmet();

/// Whether a device is there that has no thread-block clusters: they came with compute capability
/// 9.0. False where nothing can be told.
bool lacks_clusters();

/// What unmet() says of a device of compute capability `capability` (86 is 8.6) when the build has
/// code for `architectures`, as in CMAKE_CUDA_ARCHITECTURES with blanks between them (`80-real
/// 90`); "" when some of it runs there. Machine code runs on devices of the same major version that
/// are no older, and PTX on all that are no older.
std::string no_code_for(int capability, std::string_view architectures);

/// What unmet() says of a driver that serves at most CUDA `driver` (0: there is none) when the
/// build has CUDA `runtime`; both as 1000 * major + 10 * minor.
std::string driver_too_old(int driver, int runtime);

}  // namespace bellmark::gpu
