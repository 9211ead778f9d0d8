// sssp/needs-cuda: answers rightly, but asks for CUDA.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class NeedsCuda final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/needs-cuda", "answers rightly, but asks for CUDA");
    description.needs = {Need::cuda};
    return description;
  }
};

BELLMARK_REGISTER(NeedsCuda);

}  // namespace
}  // namespace bellmark::broken
