// What this program was built from and with.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::machine {

/// `version`, `git_sha`, `git_dirty`, `compiler`, `flags`, `build_type`, `nvcc` and
/// `cuda_architectures` of build_facts(), which opens no library to be asked for the rest.
nlohmann::ordered_json build_identity();

/// Of a result's provenance what does not depend on the run: `version`, `git_sha`, `git_dirty`,
/// `compiler`, `flags`, `build_type`, `nvcc`, `cuda_architectures` and `libraries`. What is unknown
/// or was not built in is null. The commit is that of the build, whatever the source tree holds
/// now.
nlohmann::ordered_json build_facts();

/// Library name -> version; a library that was not built in, or is not here, says so. Where there
/// is a GPU, NCCL is opened to be asked.
nlohmann::ordered_json library_versions();

/// Why ranks can't be MPI processes in this build; "" when they can.
std::string mpi_absence();

}  // namespace bellmark::machine
