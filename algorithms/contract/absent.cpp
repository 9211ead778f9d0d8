// Families whose sources this build left out, so that a build without CUDA or LEMON can say why a
// variant can't run instead of not knowing it. CMake names those that need CUDA.
#include "algorithms/contract/gpu.hpp"
#include "algorithms/contract/registry.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

const bool known = [] {
  for (std::string& family : split(BELLMARK_ABSENT_FAMILIES, ',')) {
    Registry::global().add_absent(std::move(family), Need::cuda, gpu::unmet());
  }
  if (BELLMARK_HAVE_LEMON == 0) {
    for (const char* family : {"sssp/lemon-dijkstra", "p2p/lemon-dijkstra"}) {
      Registry::global().add_absent(family, Need::lemon,
                                    "this build has no LEMON: " BELLMARK_LEMON_REASON);
    }
  }
  return true;
}();

}  // namespace
}  // namespace bellmark
