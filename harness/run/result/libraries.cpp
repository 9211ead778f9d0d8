#include "harness/run/result/libraries.hpp"

#include <hwloc.h>
#include <xxhash.h>
#include <zlib.h>

#include <boost/version.hpp>
#include <string>

#ifdef BELLMARK_HAVE_PAPI
#include <papi.h>
#endif

namespace bellmark::run {

nlohmann::ordered_json library_versions() {
  const unsigned hwloc = hwloc_get_api_version();
#ifdef BELLMARK_HAVE_PAPI
  const std::string papi = std::to_string(PAPI_VERSION_MAJOR(PAPI_VERSION)) + "." +
                           std::to_string(PAPI_VERSION_MINOR(PAPI_VERSION)) + "." +
                           std::to_string(PAPI_VERSION_REVISION(PAPI_VERSION));
#else
  const std::string papi = "not built in: " BELLMARK_PAPI_REASON;
#endif
  return {{"boost", std::to_string(BOOST_VERSION / 100000) + "." +
                        std::to_string(BOOST_VERSION / 100 % 1000) + "." +
                        std::to_string(BOOST_VERSION % 100)},
          {"hwloc", std::to_string(hwloc >> 16U) + "." + std::to_string((hwloc >> 8U) & 0xffU) +
                        "." + std::to_string(hwloc & 0xffU)},
          {"papi", papi},
          {"xxhash", std::to_string(XXH_versionNumber() / 10000) + "." +
                         std::to_string(XXH_versionNumber() / 100 % 100) + "." +
                         std::to_string(XXH_versionNumber() % 100)},
          {"zlib", zlibVersion()}};
}

}  // namespace bellmark::run
