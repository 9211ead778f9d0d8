// The objectives of R + v for all v, of which the best are exact: float32 screens the candidates,
// and float64 evaluates those that may be the best.
//
// A register holds twice as many numbers in float32, so its loops take half the time. Up to
// kLanes<double> candidates that may be the best cost the same as one. The first round is exact for
// all candidates, because the answer has the objective of each single spot.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/spots/set_centrality/evaluator.hpp"

namespace bellmark::set_centrality {

/// The relative error of an objective in float32, in either direction. An error of one rounding is
/// 2^-24. A term of migration has at most 24: its distance and detours are rounded, added and
/// multiplied, and all numbers are positive. A tile adds 16 terms in float32, and its error grows
/// by one rounding for each. Convenience has less. Then come float64's sums.
inline constexpr double kScreenError = 48.0 / (1 << 24);

/// Evaluates R + v for many v, as Evaluator does in float64, but for candidates that can't be the
/// best: their values are float32's, and below the best. Takes half as much memory again.
template <Objective kObjective>
class ScreenedEvaluator {
 public:
  static constexpr int kPrecision = 64;

  void prepare(const DistanceMatrix& distances, std::size_t thread_count, RunContext& context) {
    const auto team = std::make_shared<ThreadTeam>(thread_count, context);
    exact_.prepare(distances, team, context);
    RunContext screen;
    screen_.prepare(distances, team, screen);
    for (const auto& [what, bytes] : screen.accounted()) {
      context.account(what + " (float32)", bytes);
    }
  }
  void clear() {
    exact_.clear();
    screen_.clear();
  }
  void add(Spot v) {
    exact_.add(v);
    screen_.add(v);
  }
  const std::vector<Spot>& chosen() const { return exact_.chosen(); }
  std::vector<Spot> not_chosen() const { return exact_.not_chosen(); }

  /// In float32: each value is within kScreenError of the objective.
  void screen(std::span<const Spot> candidates, std::span<double> values) {
    screen_.evaluate(candidates, values);
  }
  /// In float64.
  void evaluate_exactly(std::span<const Spot> candidates, std::span<double> values) {
    exact_.evaluate(candidates, values);
  }

  void evaluate(std::span<const Spot> candidates, std::span<double> values) {
    if (chosen().empty()) {
      evaluate_exactly(candidates, values);
      return;
    }
    screen(candidates, values);
    const double largest = *std::max_element(values.begin(), values.end());
    const double least = largest * (1 - kScreenError);
    contenders_.clear();
    places_.clear();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (values[i] * (1 + kScreenError) < least) continue;
      contenders_.push_back(candidates[i]);
      places_.push_back(i);
    }
    exact_values_.resize(contenders_.size());
    evaluate_exactly(contenders_, exact_values_);
    for (std::size_t i = 0; i < places_.size(); ++i) values[places_[i]] = exact_values_[i];
  }

 private:
  Evaluator<kObjective, double> exact_;
  Evaluator<kObjective, float> screen_;
  std::vector<Spot> contenders_;
  std::vector<std::size_t> places_;  ///< of the contenders among the candidates
  std::vector<double> exact_values_;
};

}  // namespace bellmark::set_centrality
