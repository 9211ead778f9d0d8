// sssp/wrong-distance: the distance of the last vertex is one too large.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class WrongDistance final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/wrong-distance", "the distance of the last vertex is one too large");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    answer_.distances.back() += 1;
  }
};

BELLMARK_REGISTER(WrongDistance);

}  // namespace
}  // namespace bellmark::broken
