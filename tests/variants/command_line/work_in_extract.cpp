// sssp/work-in-extract: searches in extract(), outside the time.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class WorkInExtract final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/work-in-extract", "searches in extract(), outside the time");
  }

  void run(std::span<const Sssp::Query> queries, RunContext&) { source_ = queries[0].source; }
  void extract(Sssp::Answer& answer) const { answer = right_answer(graph_, source_); }

 private:
  Vertex source_ = 0;
};

BELLMARK_REGISTER(WorkInExtract);

}  // namespace
}  // namespace bellmark::broken
