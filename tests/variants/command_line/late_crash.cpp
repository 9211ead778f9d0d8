// sssp/late-crash: ends by a segmentation fault once it has answered every query.
#include <csignal>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class LateCrash final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/late-crash",
                 "ends by a segmentation fault once it has answered every query");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    // The untimed pass answers two queries, so this happens while cells are sampled together.
    if (++run_count_ > 2) std::raise(SIGSEGV);
    RightSssp::run(queries, context);
  }

 private:
  int run_count_ = 0;
};

BELLMARK_REGISTER(LateCrash);

}  // namespace
}  // namespace bellmark::broken
