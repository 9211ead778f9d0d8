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
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/set_centrality/choice.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"

namespace bellmark {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The largest d(s, t) / (d(s, v) + d(v, t)) less 1, at least 0. O(N^3).
double triangle_excess(const DistanceMatrix& distances) {
  const std::size_t n = distances.spot_count();
  const double* const values = distances.values().data();
  std::vector<double> detours(n);
  double excess = 0;
  for (std::size_t s = 0; s < n; ++s) {
    std::fill(detours.begin(), detours.end(), kInfinite);
    for (std::size_t v = 0; v < n; ++v) {
      const double to = values[s * n + v];
      for (std::size_t t = 0; t < n; ++t) {
        detours[t] = std::min(detours[t], to + values[v * n + t]);
      }
    }
    for (std::size_t t = 0; t < n; ++t) {
      const double distance = values[s * n + t];
      if (distance > 0) excess = std::max(excess, distance / detours[t] - 1);
    }
  }
  return excess;
}

/// The submodular function of a set, from its objective.
template <Objective kObjective>
class Total {
 public:
  /// O(N^3) for migration, O(N^2) for convenience.
  void prepare(const DistanceMatrix& distances, int precision) {
    n_ = static_cast<double>(distances.spot_count());
    rounding_ = precision == 32 ? 2e-6 : 1e-12;
    if (kObjective == Objective::migration) {
      excess_ = triangle_excess(distances);
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

template <Objective kObjective, class Real>
class LazyGreedy {
 public:
  using Problem = SetCentrality<kObjective>;
  using Evaluator = set_centrality::Evaluator<kObjective, Real>;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/lazy-greedy";
    description.summary = "Greedy choice; bounds from earlier rounds spare evaluations";
    description.source = "Minoux 1978; oishi2015 section 3: Algorithm 1";
    description.keys = {set_centrality::precision_key(), set_centrality::threads_key()};
    description.instance = {{"precision", std::to_string(Evaluator::kPrecision)}};
    return description;
  }
  static Settings resolve(const Settings& settings, const SetInput& input) {
    set_centrality::check_precision(input.distances, settings);
    return settings;
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
    double objective = -1;
    Spot spot = 0;
  };

  /// The number of candidates that cost one evaluation.
  static constexpr std::size_t kAtOnce = set_centrality::kLanes<Real>;

  Pick find_best(double total, Phase& phase) {
    const std::size_t size = evaluator_.chosen().size() + 1;
    std::vector<Spot> candidates = evaluator_.not_chosen();
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](Spot a, Spot b) { return gains_[a] > gains_[b]; });
    Pick best;
    double best_gain = -kInfinite;
    const double slack = total_.slack(size, total);
    std::size_t done = 0;
    while (done < candidates.size() && !(best_gain > gains_[candidates[done]] + slack)) {
      // The first round knows no bounds: all at once.
      const std::size_t count =
          size == 1 ? candidates.size() : std::min(kAtOnce, candidates.size() - done);
      const auto tried = std::span(candidates).subspan(done, count);
      values_.resize(count);
      evaluator_.evaluate(tried, values_);
      if (size == 1) answer_.singles = values_;
      for (std::size_t i = 0; i < count; ++i) {
        // Of equal ones the first, as in greedy choice.
        const bool is_best =
            values_[i] > best.objective || (values_[i] == best.objective && tried[i] < best.spot);
        if (is_best) best = {values_[i], tried[i]};
        const double gain = total_.of(values_[i], size) - total;
        gains_[tried[i]] = std::isfinite(gain) ? gain : kInfinite;
        best_gain = std::max(best_gain, gain);
      }
      done += count;
    }
    phase.note("candidate_count", done);
    phase.note("spared_count", candidates.size() - done);
    return best;
  }

  std::size_t thread_count_;
  Evaluator evaluator_;
  Total<kObjective> total_;
  std::vector<double> gains_;  // by spot: its last gain
  std::vector<double> values_;
  SetAnswer answer_;
};

BELLMARK_REGISTER(LazyGreedy<Objective::migration, double>, LazyGreedy<Objective::migration, float>,
                  LazyGreedy<Objective::convenience, double>,
                  LazyGreedy<Objective::convenience, float>);

}  // namespace
}  // namespace bellmark
