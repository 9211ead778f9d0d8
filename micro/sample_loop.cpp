// The cost of a run beside its kernel: Google Benchmark's loop against Bellmark's loop for runs
// that are too short for a clock (BoundVariant::run_times). The kernel is the same, a sum of so
// many numbers, 0 for nothing but a store.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/kernel_problem.hpp"
#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

using Numbers = std::vector<double>;

struct SumOf : KernelProblem<SumOf, Numbers, double> {
  static constexpr const char* kName = "micro-sum";

  static std::vector<Key> keys() { return {integer_key("n", 0, 0, 1'000'000, "numbers")}; }
  static Numbers make(const Settings& settings) {
    return Numbers(static_cast<std::size_t>(settings.integer("n")), 1);
  }
  static double expected(const Numbers& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
  }
};

class Sum {
 public:
  using Problem = SumOf;

  static Description describe() {
    Description description;
    description.name = "micro-sum/plain";
    return description;
  }

  explicit Sum(const Settings&) {}
  void prepare(const Numbers& numbers, RunContext&) { numbers_ = &numbers; }
  void run(std::span<const SumOf::Query>, RunContext&) {
    double sum = 0;
    for (const double number : *numbers_) sum += number;
    sum_ = sum;
  }
  void extract(double& answer) const { answer = sum_; }

 private:
  const Numbers* numbers_ = nullptr;
  double sum_ = 0;
};

/// The kernel in the loop that users of Google Benchmark write.
void in_google_benchmark(benchmark::State& state) {
  const Numbers numbers(static_cast<std::size_t>(state.range(0)), 1);
  Sum sum{Settings()};
  RunContext context;
  sum.prepare(numbers, context);
  const SumOf::Query query;
  for (auto _ : state) {
    sum.run(std::span(&query, 1), context);
    benchmark::DoNotOptimize(&sum);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(in_google_benchmark)->Arg(0)->Arg(8)->Arg(64)->Arg(1024);

/// The same variant, bound as a worker binds it.
void in_bellmark(benchmark::State& state) {
  detail::WorkloadOf<SumOf> workload("n=" + std::to_string(state.range(0)), {"whole", 1});
  const std::unique_ptr<BoundVariant> variant = detail::bind<Sum>(workload, Settings());
  RunContext context;
  variant->prepare(context);
  constexpr std::uint64_t kTimes = 4096;
  while (state.KeepRunningBatch(kTimes)) variant->run_times(kTimes, 0, 1, context);
}
BENCHMARK(in_bellmark)->Arg(0)->Arg(8)->Arg(64)->Arg(1024);

}  // namespace
}  // namespace bellmark
