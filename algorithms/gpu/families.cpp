#include "algorithms/gpu/families.hpp"

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"

namespace bellmark::gpu {
namespace {

std::vector<std::string>& declared() {
  static std::vector<std::string> names;
  return names;
}

}  // namespace

bool declare_families(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    declared().emplace_back(name);
#if !BELLMARK_HAVE_CUDA
    Registry::global().add_absent(name, Need::cuda, unmet());
#endif
  }
  return true;
}

const std::vector<std::string>& declared_families() { return declared(); }

}  // namespace bellmark::gpu
