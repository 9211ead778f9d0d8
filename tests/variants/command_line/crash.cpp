// sssp/crash: ends by a segmentation fault.
#include <csignal>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class Crash final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() { return named("sssp/crash", "ends by a segmentation fault"); }

  void run(std::span<const Sssp::Query>, RunContext&) { std::raise(SIGSEGV); }
};

BELLMARK_REGISTER(Crash);

}  // namespace
}  // namespace bellmark::broken
