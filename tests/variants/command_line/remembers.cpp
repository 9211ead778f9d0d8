// sssp/remembers: searches from a source once, and keeps the answer.
#include <unordered_map>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class Remembers final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/remembers", "searches from a source once, and keeps the answer");
  }

  void run(std::span<const Sssp::Query> queries, RunContext&) {
    source_ = queries[0].source;
    if (!answers_.contains(source_)) answers_[source_] = right_answer(graph_, source_);
  }
  void extract(Sssp::Answer& answer) const { answer = answers_.at(source_); }

 private:
  Vertex source_ = 0;
  std::unordered_map<Vertex, Sssp::Answer> answers_;
};

BELLMARK_REGISTER(Remembers);

}  // namespace
}  // namespace bellmark::broken
