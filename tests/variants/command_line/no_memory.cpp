// sssp/no-memory: asks for more memory than there is, at once or once it has answered every query.
#include <new>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class NoMemory final : public RightSssp {
 public:
  static Description describe() {
    Description description = named("sssp/no-memory", "asks for more memory than there is");
    description.keys = {at_run_time(
        word_key("when", "early", {"early", "late"}, "late: while cells are sampled together"),
        false)};
    return description;
  }

  explicit NoMemory(const Settings& settings)
      : RightSssp(settings), is_late_(settings.get("when") == "late") {}

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    // The untimed pass answers two queries.
    constexpr int kUntimed = 2;
    if (!is_late_ || ++run_count_ > kUntimed) throw std::bad_alloc();
    RightSssp::run(queries, context);
  }

 private:
  bool is_late_;
  int run_count_ = 0;
};

BELLMARK_REGISTER(NoMemory);

}  // namespace
}  // namespace bellmark::broken
