// The sources, compiler and libraries of this program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::machine {

/// `version`, `git_sha`, `git_dirty`, `compiler`, `flags`, `build_type`, `nvcc` and
/// `cuda_architectures` of build_facts(). Opens no library.
nlohmann::ordered_json build_identity();

/// The part of a result's provenance that does not depend on the run: `version`, `git_sha`,
/// `git_dirty`, `compiler`, `flags`, `build_type`, `nvcc`, `cuda_architectures` and `libraries`.
/// Facts that are unknown or were not built in are null. The commit is the build's, whatever the
/// source tree holds later.
nlohmann::ordered_json build_facts();

/// Library name -> version. A library that was not built in, or is missing here, says so. On a
/// machine with a GPU, NCCL is opened for its version.
nlohmann::ordered_json library_versions();

/// Why ranks can't be MPI processes in this build; "" when they can.
std::string mpi_absence();

}  // namespace bellmark::machine
