// sssp/absent-gpu: a family that a build without CUDA leaves out.
#include "algorithms/contract/registry.hpp"

namespace bellmark::broken {
namespace {

const bool known = [] {
  Registry::global().add_absent("sssp/absent-gpu", Need::cuda, "this build has no CUDA: a test");
  return true;
}();

}  // namespace
}  // namespace bellmark::broken
