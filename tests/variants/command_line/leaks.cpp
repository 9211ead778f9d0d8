// sssp/leaks: gives nothing back of what a query allocates.
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

class Leaks final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/leaks", "gives nothing back of what a query allocates");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    constexpr std::size_t kBytes = std::size_t{8} << 20;
    // A list that nothing walks: leak checkers find all of it, and report none.
    void* const taken = std::malloc(kBytes);
    std::memset(taken, 1, kBytes);
    *static_cast<void**>(taken) = last_;
    last_ = taken;
  }

 private:
  static inline void* last_ = nullptr;
};

BELLMARK_REGISTER(Leaks);

}  // namespace
}  // namespace bellmark::broken
