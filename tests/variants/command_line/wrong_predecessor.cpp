// sssp/wrong-predecessor: the last vertex is its own predecessor.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class WrongPredecessor final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/wrong-predecessor", "the last vertex is its own predecessor");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    answer_.predecessors.back() = graph_.vertex_count() - 1;
  }
};

BELLMARK_REGISTER(WrongPredecessor);

}  // namespace
}  // namespace bellmark::broken
