// set-*/greedy-gpu: Bellmark's own greedy choice on the GPU. A round evaluates all candidates in
// one kernel, chooses in a second and updates R in a third; all K rounds are launched at once.
//
// Cost model of migration. A round has N candidates, each with all pairs: N^3 / 2 ratios where
// distances are symmetric. A ratio is an addition, a minimum, a multiply-add and a reciprocal.
// Reciprocals are the scarce ones: a multiprocessor of Hopper makes 16 a cycle, and issues 128
// other operations. With division=paired one reciprocal serves two ratios, and the bound is issue:
// 4.5 instructions a ratio, 28 ratios a cycle. On an H200 (132 multiprocessors, 1.98 GHz) that is
// 7.4e12 ratios a second, and 4.2e12 with division=reciprocal. For N = 894 and K = 10, 3.6e9
// ratios, it is 0.48 ms and 0.86 ms. Reading is small beside it: 0.16 loads of 16 bytes from shared
// memory a ratio, and from the L2 cache 2 bytes for every 32 ratios or so.
//
// Once R has k spots, a candidate betters about 1 / (k + 1) of the pairs. To pass a pair over pays
// only where none of a warp's candidates betters it. With pairs=all none is passed over, and a warp
// has 128 candidates. With pairs=bounded it has 32 that are near each other (bounded_rounds.cuh).
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/gpu/recorded_work.cuh"
#include "algorithms/spots/set_centrality/bounded_rounds.cuh"
#include "algorithms/spots/set_centrality/rounds.cuh"

namespace bellmark::set_centrality {
namespace {

template <class ProblemType, class Real, Division kDivision>
class GreedyGpu {
 public:
  using Problem = ProblemType;
  static constexpr bool kMigration = Problem::kObjective == Objective::migration;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/greedy-gpu";
    description.summary = "Greedy choice on a GPU; one kernel for all candidates of a round";
    description.source = "oishi2015 Algorithm 1; the kernels are Bellmark's own";
    description.keys = {
        word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
        word_key("precision", "32", {"32", "64"}, "Bits of the numbers that decide the choice"),
        at_run_time(word_key("launch", kMigration ? "graph" : "stream", {"stream", "graph"},
                             "Launch of the rounds. stream: three kernels a round, one by one. "
                             "graph: all rounds at once, recorded in a first run"))};
    description.instance = {{"device", "gpu"}, {"precision", std::to_string(8 * sizeof(Real))}};
    if constexpr (kMigration) {
      description.keys.push_back(word_key(
          "division", "paired", {"reciprocal", "paired"},
          "Number of reciprocals. reciprocal: one for each ratio. paired: one for two ratios"));
      description.keys.push_back(implied(at_run_time(word_key(
          "pairs", "bounded", {"all", "bounded"},
          "Pairs that are evaluated. all: all of them. bounded: after the first round without most "
          "of those that no candidate of 32 near ones can better"))));
      description.instance.set("division", kDivision == Division::paired ? "paired" : "reciprocal");
    }
    description.needs = {Need::cuda};
    return description;
  }

  explicit GreedyGpu(const Settings& settings) : records_(settings.get("launch") == "graph") {
    if constexpr (kMigration) bounded_ = settings.get("pairs") == "bounded";
  }

  void prepare(const SetInput& input, RunContext& context) {
    const std::string name = describe().name;
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError(name, reason, "run it where a CUDA device is");
    }
    recorded_.clear();
    if constexpr (kMigration) {
      rounds_.prepare(input.distances, name, bounded_, context);
    } else {
      rounds_.prepare(input.distances, name, 0, context);
    }
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const SetQuery> queries, RunContext& context) {
    const Spot chosen_count = queries[0].chosen_count;
    // Phases put events between the kernels, which a graph has no place for.
    if (!records_ || context.recorder() != nullptr) {
      rounds_.choose(chosen_count, context, *stream_);
    } else {
      gpu::RecordedWork& recorded = recorded_[chosen_count];
      if (recorded.empty()) {
        recorded.record(*stream_, [&] { rounds_.choose(chosen_count, context, *stream_); });
      }
      recorded.launch(*stream_);
    }
    chosen_count_ = chosen_count;
    stream_->synchronize();
  }

  void extract(SetAnswer& answer) const {
    std::vector<Best> picks(chosen_count_);
    rounds_.picks().download(picks);
    answer = {};
    for (const Best& pick : picks) {
      answer.chosen.push_back(pick.spot);
      answer.objectives.push_back(rounds_.objective(static_cast<Spot>(answer.chosen.size()), pick));
    }
    answer.singles = rounds_.singles();
    answer.promise = Promise::greedy;
    answer.precision = 8 * sizeof(Real);
  }

 private:
  std::conditional_t<kMigration, BoundedRounds<Real, kDivision>,
                     Rounds<Problem::kObjective, Real, kDivision>>
      rounds_;
  Spot chosen_count_ = 0;
  bool records_;
  bool bounded_ = false;
  std::map<Spot, gpu::RecordedWork> recorded_;  ///< by the number of spots to choose
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(GreedyGpu<SetMigration, float, Division::paired>,
                  GreedyGpu<SetMigration, float, Division::reciprocal>,
                  GreedyGpu<SetMigration, double, Division::paired>,
                  GreedyGpu<SetMigration, double, Division::reciprocal>,
                  GreedyGpu<SetConvenience, float, Division::paired>,
                  GreedyGpu<SetConvenience, double, Division::paired>);

}  // namespace
}  // namespace bellmark::set_centrality
