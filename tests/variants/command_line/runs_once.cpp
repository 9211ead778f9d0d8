// sssp/runs-once: answers the first query, and does nothing from then on.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class RunsOnce final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/runs-once", "answers the first query, and does nothing from then on");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    if (answer_.distances.empty()) RightSssp::run(queries, context);
  }
};

BELLMARK_REGISTER(RunsOnce);

}  // namespace
}  // namespace bellmark::broken
