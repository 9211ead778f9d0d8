// Families whose sources this build left out: CMake names them, so that a build without CUDA can
// say why a GPU variant can't run instead of not knowing it.
#include "algorithms/contract/gpu.hpp"
#include "algorithms/contract/registry.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

const bool known = [] {
  for (std::string& family : split(BELLMARK_ABSENT_FAMILIES, ',')) {
    Registry::global().add_absent(std::move(family), Need::cuda, gpu::unmet());
  }
  return true;
}();

}  // namespace
}  // namespace bellmark
