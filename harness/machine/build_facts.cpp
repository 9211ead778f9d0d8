#include "harness/machine/build_facts.hpp"

#include <hwloc.h>
#include <xxhash.h>
#include <zlib.h>

#include <boost/version.hpp>
#include <string>
#include <string_view>

#include "algorithms/searches/distributed_bfs/nccl.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/machine/cuda.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/revision.hpp"

#ifdef BELLMARK_HAVE_PAPI
#include <papi.h>
#endif

namespace bellmark::machine {
namespace {

using Json = nlohmann::ordered_json;

std::string parts(unsigned first, unsigned second, unsigned third) {
  return std::to_string(first) + "." + std::to_string(second) + "." + std::to_string(third);
}

std::string papi_version() {
#ifdef BELLMARK_HAVE_PAPI
  return parts(PAPI_VERSION_MAJOR(PAPI_VERSION), PAPI_VERSION_MINOR(PAPI_VERSION),
               PAPI_VERSION_REVISION(PAPI_VERSION));
#else
  return "not built in: " BELLMARK_PAPI_REASON;
#endif
}

/// Opening NCCL takes a while, and without a GPU nothing uses it.
std::string nccl_version() {
  if (Gpus::this_machine().count() == 0) return "not opened: there is no GPU here";
  const std::string absence = distributed_bfs::nccl_absence();
  return absence.empty() ? distributed_bfs::nccl_version() : "not here: " + absence;
}

/// null for "".
Json nullable(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

nlohmann::ordered_json library_versions() {
  const unsigned hwloc = hwloc_get_api_version();
  const unsigned xxhash = XXH_versionNumber();
  return {{"boost", parts(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"cuda-driver", cuda_driver_version()},
          {"cuda-runtime", cuda_runtime_version()},
          {"hwloc", parts(hwloc >> 16U, (hwloc >> 8U) & 0xffU, hwloc & 0xffU)},
          {"mpi", BELLMARK_MPI_LIBRARY},
          {"nccl", nccl_version()},
          {"papi", papi_version()},
          {"xxhash", parts(xxhash / 10000, xxhash / 100 % 100, xxhash % 100)},
          {"zlib", zlibVersion()}};
}

std::string mpi_absence() {
  constexpr std::string_view kNotBuiltIn = "not built in: ";
  constexpr const char* kLibrary = BELLMARK_MPI_LIBRARY;
  const std::string_view library = kLibrary;
  return library.starts_with(kNotBuiltIn) ? std::string(library.substr(kNotBuiltIn.size())) : "";
}

nlohmann::ordered_json build_identity() {
  const std::string commit = kBuiltCommit;
  Json architectures;
  for (const std::string& one : split(BELLMARK_CUDA_ARCHITECTURES, ' ')) {
    architectures.push_back(one);
  }
  Json identity = {{"version", BELLMARK_VERSION},
                   {"git_sha", nullable(commit)},
                   {"git_dirty", commit.empty() ? Json() : Json(kBuiltDirty)},
                   {"compiler", BELLMARK_COMPILER},
                   {"flags", BELLMARK_FLAGS},
                   {"build_type", BELLMARK_BUILD_TYPE},
                   {"nvcc", nullable(BELLMARK_NVCC)},
                   {"cuda_architectures", architectures}};
  if (const Installation& lab = installation(); lab.is_lab) {
    identity["compiler"] = lab.compiler;
    identity["flags"] = lab.flags;
    identity["build_type"] = lab.build_type;
    // The lab's code is measured.
    identity["lab"] = {{"name", lab.name},
                       {"bellmark_git_sha", identity["git_sha"]},
                       {"bellmark_git_dirty", identity["git_dirty"]}};
    identity["git_sha"] = nullable(lab.git_sha);
    identity["git_dirty"] = lab.git_sha.empty() ? Json() : Json(lab.git_dirty);
  }
  return identity;
}

nlohmann::ordered_json build_facts() {
  Json facts = build_identity();
  facts["libraries"] = library_versions();
  return facts;
}

}  // namespace bellmark::machine
