// sssp/crash-once: ends by a segmentation fault while cells are sampled, in one process of a run.
#include <csignal>
#include <filesystem>
#include <fstream>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class CrashOnce final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/crash-once", "ends by a segmentation fault in one process of a run");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    // The untimed pass answers two queries.
    if (++run_count_ > 2 && !std::filesystem::exists(kMark)) {
      std::ofstream(kMark).close();
      std::raise(SIGSEGV);
    }
    RightSssp::run(queries, context);
  }

 private:
  static constexpr const char* kMark = "crashed-once";
  int run_count_ = 0;
};

BELLMARK_REGISTER(CrashOnce);

}  // namespace
}  // namespace bellmark::broken
