// set-migration/lazy-greedy and set-convenience/lazy-greedy: the picks of greedy choice with fewer
// evaluations. Minoux 1978 (Accelerated greedy algorithms for maximizing submodular set functions).
// Where gains can only shrink as the set grows, an earlier gain of a spot bounds its later gains.
// So the best of the spots evaluated anew is the pick as soon as no bound is above it.
//
// At a given K the objectives order sets as these monotone submodular functions do:
//   convenience  minus the sum over all s of min over r of d(s, r): for any distances
//   migration    the sum over all ordered pairs of max over r of d(s, t) / (d(s, r) + d(r, t)). A
//                pair that touches R counts 1 in it where the triangle inequality holds. It counts
//                up to 1 + e where d(s, t) exceeds a detour by the factor 1 + e. With P pairs that
//                touch R, bounds are off by at most 2 e P. prepare() finds e (O(N^3), the cost of
//                one round). Distances that are no metric have a large e: every spot is evaluated,
//                and the picks are greedy all the same.
//
// With evaluation=screened a candidate is tried in float32 (screened.hpp). Its bound is that value
// with the error added, and the stop is told by the best value with the error taken off. Then the
// candidates that may be the best are evaluated in float64.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/set_centrality/choice.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"
#include "algorithms/spots/set_centrality/screened.hpp"
#include "algorithms/spots/set_centrality/triangle_excess.hpp"

namespace bellmark {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The submodular function of a set, from its objective.
template <Objective kObjective>
class Total {
 public:
  /// O(N^3) for migration, O(N^2) for convenience.
  void prepare(const DistanceMatrix& distances, int precision) {
    n_ = static_cast<double>(distances.spot_count());
    rounding_ = precision == 32 ? 2e-6 : 1e-12;
    if (kObjective == Objective::migration) {
      excess_ = set_centrality::triangle_excess(distances);
      return;
    }
    // A distance that no set exceeds: the function is the same on all other sets.
    for (Spot s = 0; s < distances.spot_count(); ++s) {
      double farthest = 0;
      for (Spot v = 0; v < distances.spot_count(); ++v) {
        farthest = std::max(farthest, distances(s, v));
      }
      none_ -= farthest;
    }
  }

  double of_none() const { return none_; }
  /// Not for K = N, where convenience tells nothing of the sum.
  double of(double objective, std::size_t chosen_count) const {
    const double rest = n_ - static_cast<double>(chosen_count);
    if (kObjective == Objective::convenience) return -rest / objective;
    return objective * rest * (rest - 1) + touching(chosen_count);
  }
  /// The amount by which a bound may be too low, with values of this size.
  double slack(std::size_t chosen_count, double size) const {
    return 2 * excess_ * touching(chosen_count) + rounding_ * std::abs(size);
  }

 private:
  /// The number of ordered pairs that touch the set.
  double touching(std::size_t chosen_count) const {
    const double rest = n_ - static_cast<double>(chosen_count);
    return n_ * (n_ - 1) - rest * (rest - 1);
  }

  double n_ = 0;
  double rounding_ = 0;
  double excess_ = 0;
  double none_ = 0;
};

template <Objective kObjective, class Real, bool kScreened>
class LazyGreedy {
 public:
  using Problem = SetCentrality<kObjective>;
  using Evaluator = std::conditional_t<kScreened, set_centrality::ScreenedEvaluator<kObjective>,
                                       set_centrality::Evaluator<kObjective, Real>>;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/lazy-greedy";
    description.summary = "Greedy choice; bounds from earlier rounds spare evaluations";
    description.source = "Minoux 1978; oishi2015 section 3: Algorithm 1";
    description.keys = {set_centrality::evaluation_key(), set_centrality::precision_key(),
                        set_centrality::threads_key()};
    description.instance = {{"evaluation", kScreened ? "screened" : "cached"},
                            {"precision", std::to_string(Evaluator::kPrecision)}};
    return description;
  }
  static Settings resolve(const Settings& settings, const SetInput& input) {
    return set_centrality::resolve_evaluation(settings, input.distances);
  }

  explicit LazyGreedy(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const SetInput& input, RunContext& context) {
    evaluator_.prepare(input.distances, thread_count_, context);
    total_.prepare(input.distances, Evaluator::kPrecision);
    gains_.resize(input.distances.spot_count());
  }

  void run(std::span<const SetQuery> queries, RunContext& context) {
    {
      const Phase phase(context, "prepare first round");
      evaluator_.clear();
      std::fill(gains_.begin(), gains_.end(), kInfinite);
      answer_ = {};
      answer_.precision = Evaluator::kPrecision;
    }
    double total = total_.of_none();
    for (Spot k = 0; k < queries[0].chosen_count; ++k) {
      Pick pick;
      {
        Phase phase(context, "evaluate");
        pick = find_best(total, phase);
      }
      const Phase phase(context, "update");
      evaluator_.add(pick.spot);
      answer_.chosen.push_back(pick.spot);
      answer_.objectives.push_back(pick.objective);
      total = total_.of(pick.objective, k + 1);
    }
  }

  void extract(SetAnswer& answer) const { answer = answer_; }

 private:
  struct Pick {
    double objective;
    Spot spot;
  };

  /// The number of candidates that are tried before bounds are looked at again. A tile of
  /// them has one task for each kRun targets, too few for many threads.
  std::size_t step_count() const {
    using Screen = std::conditional_t<kScreened, float, Real>;
    return set_centrality::kLanes<Screen> * std::max<std::size_t>(1, thread_count_ / 4);
  }

  Pick find_best(double total, Phase& phase) {
    const std::size_t size = evaluator_.chosen().size() + 1;
    std::vector<Spot> candidates = evaluator_.not_chosen();
    const std::size_t candidate_count = candidates.size();
    const double error = kScreened && size > 1 ? set_centrality::kScreenError : 0;
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](Spot a, Spot b) { return gains_[a] > gains_[b]; });
    const double slack = total_.slack(size, total);
    const auto gain_of = [&](double objective) { return total_.of(objective, size) - total; };
    values_.resize(candidate_count);
    double least = -kInfinite;  // the best objective is no less than this
    std::size_t done = 0;
    // The first round knows no bounds: all at once.
    const std::size_t step = size == 1 ? candidate_count : step_count();
    while (done < candidate_count &&
           (done == 0 || !(gain_of(least) > gains_[candidates[done]] + slack))) {
      const std::size_t end = std::min(done + step, candidate_count);
      evaluate(std::span(candidates).subspan(done, end - done),
               std::span(values_).subspan(done, end - done));
      for (; done < end; ++done) {
        least = std::max(least, values_[done] * (1 - error));
        values_[done] *= 1 + error;
        bound(candidates[done], gain_of(values_[done]));
      }
    }
    if (size == 1) answer_.singles = values_;
    candidates.resize(done);
    phase.note("candidate_count", done);
    phase.note("spared_count", candidate_count - done);
    if constexpr (kScreened) {
      if (size > 1) keep_contenders(candidates, least, gain_of);
    }
    return best_of(candidates);
  }

  void evaluate(std::span<const Spot> candidates, std::span<double> values) {
    if constexpr (kScreened) {
      if (!evaluator_.chosen().empty()) {
        evaluator_.screen(candidates, values);
        return;
      }
    }
    evaluator_.evaluate(candidates, values);
  }

  void bound(Spot spot, double gain) { gains_[spot] = std::isfinite(gain) ? gain : kInfinite; }

  /// Keeps the candidates whose screened values may be the best, with exact values.
  template <class GainOf>
  void keep_contenders(std::vector<Spot>& candidates, double least, const GainOf& gain_of) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (values_[i] >= least) candidates[count++] = candidates[i];
    }
    candidates.resize(count);
    evaluator_.evaluate_exactly(candidates, std::span(values_).first(count));
    for (std::size_t i = 0; i < count; ++i) bound(candidates[i], gain_of(values_[i]));
  }

  /// Of equal ones the first spot, as in greedy choice.
  Pick best_of(std::span<const Spot> candidates) const {
    Pick best{values_[0], candidates[0]};
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      const bool is_best = values_[i] > best.objective ||
                           (values_[i] == best.objective && candidates[i] < best.spot);
      if (is_best) best = {values_[i], candidates[i]};
    }
    return best;
  }

  std::size_t thread_count_;
  Evaluator evaluator_;
  Total<kObjective> total_;
  std::vector<double> gains_;   // by spot: a bound of its gain
  std::vector<double> values_;  // by candidate of a round: a bound of its objective, or that itself
  SetAnswer answer_;
};

template <Objective kObjective>
bool register_all() {
  return detail::register_variants<LazyGreedy<kObjective, double, false>,
                                   LazyGreedy<kObjective, float, false>,
                                   LazyGreedy<kObjective, double, true>>();
}

[[maybe_unused]] const bool registered =
    register_all<Objective::migration>() && register_all<Objective::convenience>();

}  // namespace
}  // namespace bellmark
