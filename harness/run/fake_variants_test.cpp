#include "harness/run/fake_variants.hpp"

#include "algorithms/contract/registry.hpp"
#include "tests/variants/right_answer.hpp"

namespace bellmark::run {
namespace {

class UsesGpu final : public broken::RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/uses-gpu", "says that it needs CUDA");
    description.needs = {Need::cuda};
    return description;
  }
};

class ClockDriven final : public broken::RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/clock-driven", "keeps a phase log");
    description.needs = {Need::cuda};
    return description;
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    clock_driven_runs().push_back((context.instrumented() ? "instrumented " : "plain ") +
                                  std::to_string(queries[0].source));
  }

  PhaseLog phase_log() const { return {{"host_ns"}, {1, 2}}; }
};

BELLMARK_REGISTER(UsesGpu, ClockDriven);

}  // namespace

std::vector<std::string>& clock_driven_runs() {
  static std::vector<std::string> runs;
  return runs;
}

}  // namespace bellmark::run
