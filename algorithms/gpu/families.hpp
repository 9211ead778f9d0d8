// Families whose kernels need CUDA, named where every build sees them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace bellmark::gpu {

/// Takes the names in. In a build without CUDA the registry then knows each family as absent, and
/// says why. In a build with CUDA their `.cu` files register them. Returns true.
bool declare_families(std::initializer_list<const char*> names);

/// All names that were declared, in no order. Not before main().
const std::vector<std::string>& declared_families();

}  // namespace bellmark::gpu

/// Write it once a folder, in its gpu_families.cpp, with every family of the folder's `.cu` files.
#define BELLMARK_GPU_FAMILIES(...)                                \
  [[maybe_unused]] static const bool bellmark_families_declared = \
      ::bellmark::gpu::declare_families({__VA_ARGS__})
