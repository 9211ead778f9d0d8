// sssp/tunable: answers every query `times` times over, so that the best setting is known: 1.
#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class Tunable final : public RightSssp {
 public:
  static Description describe() {
    Description description = named("sssp/tunable", "answers every query `times` times over");
    description.keys = {
        at_run_time(integer_key("times", 4, 1, 6, "how often a query is answered"), true),
        at_run_time(word_key("answer", "right", {"right", "wrong"}, "wrong: an answer is off"),
                    true),
        at_run_time(word_key("label", "plain", {"plain", "other"}, "read by nobody"), false)};
    return description;
  }

  explicit Tunable(const Settings& settings)
      : RightSssp(settings),
        times_(settings.integer("times")),
        wrong_(settings.get("answer") == "wrong") {}

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    for (std::int64_t i = 0; i < times_; ++i) RightSssp::run(queries, context);
    if (wrong_) answer_.distances.back() += 1;
  }

 private:
  std::int64_t times_;
  bool wrong_;
};

BELLMARK_REGISTER(Tunable);

}  // namespace
}  // namespace bellmark::broken
