// sssp/paced: right answers at the speed of `pace`, as a candidate that tuning must cut.
#include <chrono>
#include <thread>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class Paced final : public RightSssp {
 public:
  static Description describe() {
    Description description = named("sssp/paced", "answers at the pace that is asked for");
    description.keys = {at_run_time(
        word_key("pace", "own", {"own", "double", "slow", "stuck"}, "how long it takes"), true)};
    return description;
  }

  explicit Paced(const Settings& settings) : RightSssp(settings), pace_(settings.get("pace")) {}

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    if (pace_ == "double") RightSssp::run(queries, context);
    if (pace_ == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (pace_ == "stuck") std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  std::string pace_;
};

BELLMARK_REGISTER(Paced);

}  // namespace
}  // namespace bellmark::broken
