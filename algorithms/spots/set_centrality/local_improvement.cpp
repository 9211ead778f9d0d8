// set-migration/local-improvement and set-convenience/local-improvement: greedy choice, then swaps
// of a chosen spot for another one. oishi2015 (section 5) announces local improvement and doesn't
// say which. The best of all swaps, again and again, is our choice.
//
// All swaps of one chosen spot are one evaluation of R without it. A swap that is made costs O(K
// N^3) for migration, O(K N^2) for convenience.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/set_centrality/choice.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"

namespace bellmark {
namespace {

template <Objective kObjective, class Real>
class LocalImprovement {
 public:
  using Problem = SetCentrality<kObjective>;
  using Evaluator = set_centrality::Evaluator<kObjective, Real>;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/local-improvement";
    description.summary = "Greedy choice, then the best swaps until none gains";
    description.source = "oishi2015 section 5 announces it; the swaps are ours";
    description.keys = {
        set_centrality::precision_key(),
        at_run_time(integer_key("swaps", 1'000, 0, 1'000'000, "Largest number of swaps")),
        set_centrality::threads_key(),
    };
    description.instance = {{"precision", std::to_string(Evaluator::kPrecision)}};
    return description;
  }
  static Settings resolve(const Settings& settings, const SetInput& input) {
    set_centrality::check_precision(input.distances, settings);
    return settings;
  }

  explicit LocalImprovement(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))),
        most_swaps_(settings.integer("swaps")) {}

  void prepare(const SetInput& input, RunContext& context) {
    evaluator_.prepare(input.distances, thread_count_, context);
  }

  void run(std::span<const SetQuery> queries, RunContext& context) {
    set_centrality::choose_greedily(evaluator_, queries[0].chosen_count, context, answer_);
    double objective = answer_.objectives.back();
    answer_.promise = Promise::none;
    for (std::int64_t swap = 0; swap < most_swaps_; ++swap) {
      const Swap best = find_best(context);
      if (!(best.objective > objective * (1 + kLeastImprovement))) {
        answer_.promise = Promise::local_optimum;
        break;
      }
      answer_.chosen[best.out] = best.in;
      objective = best.objective;
    }
    answer_.objectives = {objective};
  }

  void extract(SetAnswer& answer) const { answer = answer_; }

 private:
  /// It is above the rounding of an evaluation, so that swaps come to an end, and below the
  /// tolerance of a certificate.
  static constexpr double kLeastImprovement = Evaluator::kPrecision == 32 ? 5e-6 : 1e-10;

  struct Swap {
    std::size_t out = 0;  ///< index in `chosen`
    Spot in = 0;
    double objective = -1;
  };

  Swap find_best(RunContext& context) {
    Swap best;
    Phase phase(context, "swap");
    std::uint64_t evaluated_count = 0;
    for (std::size_t out = 0; out < answer_.chosen.size(); ++out) {
      {
        const Phase update(context, "update");
        evaluator_.clear();
        for (std::size_t i = 0; i < answer_.chosen.size(); ++i) {
          if (i != out) evaluator_.add(answer_.chosen[i]);
        }
      }
      const Phase evaluate(context, "evaluate");
      const std::vector<Spot> candidates = evaluator_.not_chosen();
      values_.resize(candidates.size());
      evaluator_.evaluate(candidates, values_);
      evaluated_count += candidates.size();
      const std::size_t in = set_centrality::first_largest(values_);
      if (values_[in] > best.objective) best = {out, candidates[in], values_[in]};
    }
    phase.note("candidate_count", evaluated_count);
    return best;
  }

  std::size_t thread_count_;
  std::int64_t most_swaps_;
  Evaluator evaluator_;
  std::vector<double> values_;
  SetAnswer answer_;
};

BELLMARK_REGISTER(LocalImprovement<Objective::migration, double>,
                  LocalImprovement<Objective::migration, float>,
                  LocalImprovement<Objective::convenience, double>,
                  LocalImprovement<Objective::convenience, float>);

}  // namespace
}  // namespace bellmark
