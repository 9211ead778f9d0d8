// set-migration/exhaustive and set-convenience/exhaustive: every set of K spots, for inputs so
// small that the best one can be known. Sets of K - 1 spots are visited in lexicographic order.
// Each is evaluated with every later spot at once.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/set_centrality/choice.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"

namespace bellmark {
namespace {

constexpr double kMostSets = 1e7;

double set_count(double n, double k) {
  double count = 1;
  for (double i = 1; i <= k; ++i) count *= (n - k + i) / i;
  return count;
}

template <Objective kObjective, class Real>
class Exhaustive {
 public:
  using Problem = SetCentrality<kObjective>;
  using Evaluator = set_centrality::Evaluator<kObjective, Real>;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/exhaustive";
    description.summary = "Best of all sets, up to 10 million sets";
    description.source = "oishi2015, Equations 4 and 6";
    description.keys = {set_centrality::precision_key()};
    description.instance = {{"precision", std::to_string(Evaluator::kPrecision)}};
    return description;
  }
  static Settings resolve(const Settings& settings, const SetInput& input) {
    set_centrality::check_precision(input.distances, settings);
    return settings;
  }

  explicit Exhaustive(const Settings&) {}

  void prepare(const SetInput& input, RunContext& context) {
    spot_count_ = input.distances.spot_count();
    evaluator_.prepare(input.distances, 1, context);
  }

  /// Throws UnmetError above kMostSets.
  void run(std::span<const SetQuery> queries, RunContext& context) {
    const std::size_t k = queries[0].chosen_count;
    const double sets = set_count(spot_count_, static_cast<double>(k));
    if (sets > kMostSets) {
      char count[32];
      std::snprintf(count, sizeof count, "%.3g", sets);
      throw UnmetError(std::string(Problem::kName) + "/exhaustive",
                       std::string("there are ") + count + " sets of " + std::to_string(k) +
                           " spots and at most 10000000 are tried",
                       "choose fewer, or use local-improvement");
    }
    Phase phase(context, "evaluate");
    answer_ = {};
    answer_.precision = Evaluator::kPrecision;
    answer_.promise = Promise::optimum;
    answer_.objectives = {-1};
    prefix_.clear();
    evaluator_.clear();
    extend(k);
    phase.note("set_count", static_cast<std::uint64_t>(sets));
  }

  void extract(SetAnswer& answer) const { answer = answer_; }

 private:
  /// Tries all sets of K spots that begin with `prefix_`.
  void extend(std::size_t k) {
    const Spot first = prefix_.empty() ? 0 : prefix_.back() + 1;
    if (prefix_.size() + 1 < k) {
      for (Spot v = first; v + (k - prefix_.size()) <= spot_count_; ++v) {
        prefix_.push_back(v);
        extend(k);
        prefix_.pop_back();
      }
      return;
    }
    if (first >= spot_count_) return;
    evaluator_.clear();
    for (const Spot v : prefix_) evaluator_.add(v);
    candidates_.clear();
    for (Spot v = first; v < spot_count_; ++v) candidates_.push_back(v);
    values_.resize(candidates_.size());
    evaluator_.evaluate(candidates_, values_);
    const std::size_t best = set_centrality::first_largest(values_);
    if (values_[best] <= answer_.objectives[0]) return;
    answer_.objectives[0] = values_[best];
    answer_.chosen = prefix_;
    answer_.chosen.push_back(candidates_[best]);
  }

  Spot spot_count_ = 0;
  Evaluator evaluator_;
  std::vector<Spot> prefix_;
  std::vector<Spot> candidates_;
  std::vector<double> values_;
  SetAnswer answer_;
};

BELLMARK_REGISTER(Exhaustive<Objective::migration, double>, Exhaustive<Objective::migration, float>,
                  Exhaustive<Objective::convenience, double>,
                  Exhaustive<Objective::convenience, float>);

}  // namespace
}  // namespace bellmark
