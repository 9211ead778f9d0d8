// set-migration/greedy and set-convenience/greedy: oishi2015, Algorithm 1.
//   evaluation=naive   the objective by its definition for each candidate, as Algorithm 1 is
//                      written: O(K^2 N^3) for migration, O(K^2 N^2) for convenience
//   evaluation=cached  with kept values of R (evaluator.hpp): O(K N^3) and O(K N^2)
//   evaluation=screened  cached, in float32 first (screened.hpp): the same picks
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/set_centrality/choice.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"
#include "algorithms/spots/set_centrality/screened.hpp"

namespace bellmark {
namespace {

using set_centrality::Evaluator;
using set_centrality::EvaluatorBase;
using set_centrality::ScreenedEvaluator;

/// Equations 4 and 6 in Real, anew for each candidate.
template <Objective kObjective, class Real>
class NaiveEvaluator : public EvaluatorBase<Real> {
 public:
  using Base = EvaluatorBase<Real>;
  using Base::add;
  using Base::clear;
  void prepare(const DistanceMatrix& distances, std::size_t thread_count, RunContext& context) {
    Base::prepare(distances, std::make_shared<ThreadTeam>(thread_count, context), context);
  }

  void evaluate(std::span<const Spot> candidates, std::span<double> values) {
    Base::share(candidates.size(), [&](std::size_t i) { values[i] = value(candidates[i]); });
  }

 private:
  double value(Spot v) const {
    std::vector<Spot> set = Base::chosen_;
    set.push_back(v);
    double sum = 0;
    for (std::size_t s = 0; s < Base::n_; ++s) {
      if (s == v || Base::is_chosen_[s] != 0) continue;
      sum += kObjective == Objective::migration ? ratios_from(s, v, set)
                                                : static_cast<double>(nearest(s, set));
    }
    if (kObjective == Objective::convenience) sum *= Base::distances_.unit;
    return objective_of_sum(kObjective, static_cast<Spot>(Base::n_), set.size(), sum);
  }

  double ratios_from(std::size_t s, Spot v, std::span<const Spot> set) const {
    const std::size_t n = Base::n_;
    const Real* const distances = Base::distances_.values.data();
    double sum = 0;
    for (std::size_t t = 0; t < n; ++t) {
      if (t == s || t == v || Base::is_chosen_[t] != 0) continue;
      Real detour = std::numeric_limits<Real>::infinity();
      for (const Spot r : set)
        detour = std::min(detour, distances[s * n + r] + distances[r * n + t]);
      const Real distance = distances[s * n + t];
      sum += distance == 0 && detour == 0 ? 1.0 : static_cast<double>(distance / detour);
    }
    return sum;
  }

  Real nearest(std::size_t s, std::span<const Spot> set) const {
    Real least = std::numeric_limits<Real>::infinity();
    for (const Spot r : set) least = std::min(least, Base::distances_.values[s * Base::n_ + r]);
    return least;
  }
};

enum class Evaluation { naive, cached, screened };

template <Objective kObjective, class Real, Evaluation kEvaluation>
class Greedy {
 public:
  using Problem = SetCentrality<kObjective>;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/greedy";
    description.summary = "Greedy choice: K times the spot that is best to add";
    description.source = "oishi2015 section 3: Algorithm 1";
    description.keys = {set_centrality::evaluation_key({"naive"}, "naive: by the definition. "),
                        set_centrality::precision_key(), set_centrality::threads_key()};
    description.instance = {{"evaluation", kEvaluation == Evaluation::naive    ? "naive"
                                           : kEvaluation == Evaluation::cached ? "cached"
                                                                               : "screened"},
                            {"precision", std::to_string(kPrecision)}};
    description.aliases = {{"oishi2015:cpu", "evaluation=naive,precision=64,threads=1"}};
    return description;
  }
  static Settings resolve(const Settings& settings, const SetInput& input) {
    return set_centrality::resolve_evaluation(settings, input.distances);
  }

  explicit Greedy(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const SetInput& input, RunContext& context) {
    evaluator_.prepare(input.distances, thread_count_, context);
  }
  void run(std::span<const SetQuery> queries, RunContext& context) {
    set_centrality::choose_greedily(evaluator_, queries[0].chosen_count, context, answer_);
  }
  void extract(SetAnswer& answer) const { answer = answer_; }

 private:
  static constexpr int kPrecision = 8 * sizeof(Real);

  std::size_t thread_count_;
  std::conditional_t<kEvaluation == Evaluation::naive, NaiveEvaluator<kObjective, Real>,
                     std::conditional_t<kEvaluation == Evaluation::cached,
                                        Evaluator<kObjective, Real>, ScreenedEvaluator<kObjective>>>
      evaluator_;
  SetAnswer answer_;
};

template <Objective kObjective>
bool register_all() {
  return detail::register_variants<Greedy<kObjective, double, Evaluation::cached>,
                                   Greedy<kObjective, float, Evaluation::cached>,
                                   Greedy<kObjective, double, Evaluation::screened>,
                                   Greedy<kObjective, double, Evaluation::naive>,
                                   Greedy<kObjective, float, Evaluation::naive>>();
}

[[maybe_unused]] const bool registered =
    register_all<Objective::migration>() && register_all<Objective::convenience>();

}  // namespace
}  // namespace bellmark
