// sssp/needs-mpi: answers rightly, but asks for MPI.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class NeedsMpi final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/needs-mpi", "answers rightly, but asks for MPI");
    description.keys = {at_run_time(integer_key("ranks", 2, 1, 4, "read by nobody"), true)};
    description.needs = {Need::mpi};
    return description;
  }
};

BELLMARK_REGISTER(NeedsMpi);

}  // namespace
}  // namespace bellmark::broken
