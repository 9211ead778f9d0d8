// sssp/hang: never ends.
#include <chrono>
#include <thread>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class Hang final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() { return named("sssp/hang", "never ends"); }

  void run(std::span<const Sssp::Query>, RunContext&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
};

BELLMARK_REGISTER(Hang);

}  // namespace
}  // namespace bellmark::broken
