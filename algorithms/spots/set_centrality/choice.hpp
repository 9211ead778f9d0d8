// The common part of the ways of choosing: their keys, and greedy choice itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"

namespace bellmark::set_centrality {

inline Key precision_key() {
  return word_key("precision", "64", {"32", "64"}, "Bits of the numbers that decide the choice");
}

inline Key threads_key() {
  return at_run_time(
      integer_key("threads", 1, 1, 1024, "Number of threads that share the evaluations"));
}

/// The first of the largest values. There is at least one.
inline std::size_t first_largest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// Adds the spot that gives the largest objective to an empty R, K times (oishi2015, Algorithm 1);
/// of equal ones the first. Fills all of `answer`. K evaluations of all spots that are left.
template <class Evaluator>
void choose_greedily(Evaluator& evaluator, Spot chosen_count, RunContext& context,
                     SetAnswer& answer) {
  {
    const Phase phase(context, "prepare first round");
    evaluator.clear();
    answer = {};
    answer.precision = Evaluator::kPrecision;
  }
  std::vector<double> values;
  for (Spot k = 0; k < chosen_count; ++k) {
    const std::vector<Spot> candidates = evaluator.not_chosen();
    values.resize(candidates.size());
    {
      Phase phase(context, "evaluate");
      evaluator.evaluate(candidates, values);
      phase.note("candidate_count", candidates.size());
    }
    const Phase phase(context, "update");
    if (k == 0) answer.singles = values;
    const std::size_t best = first_largest(values);
    evaluator.add(candidates[best]);
    answer.chosen.push_back(candidates[best]);
    answer.objectives.push_back(values[best]);
  }
}

}  // namespace bellmark::set_centrality
