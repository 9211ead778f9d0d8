// The common part of the ways of choosing: their keys, and greedy choice itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "base/error.hpp"

namespace bellmark::set_centrality {

inline Key precision_key() {
  return word_key("precision", "64", {"32", "64"}, "Bits of the numbers that decide the choice");
}

inline Key threads_key() {
  return at_run_time(
      integer_key("threads", 1, 1, 1024, "Number of threads that share the evaluations"));
}

/// `more`: words beside the three of all ways. `meaning`: their text in the help.
inline Key evaluation_key(std::vector<std::string> more = {}, const std::string& meaning = "") {
  std::vector<std::string> words = {"auto", "cached", "screened"};
  words.insert(words.begin() + 1, more.begin(), more.end());
  return word_key("evaluation", "auto", words,
                  meaning +
                      "cached: with values that are kept for the chosen set. screened: cached in "
                      "32 bits, and in 64 for candidates that may be the best. auto: screened, or "
                      "cached where 32 bits are asked for or too few");
}

/// The word of `evaluation` that `auto` stands for, and any other word as it is. Throws InputError
/// where the distances are out of reach of the screen, MachineError where memory isn't there.
inline Settings resolve_evaluation(const Settings& settings, const DistanceMatrix& distances) {
  check_precision(distances, settings);
  const bool fits = fits_float32(distances);
  const std::string& evaluation = settings.get("evaluation");
  if (evaluation == "screened" && !fits) {
    throw InputError("evaluation=screened", "the distances have too wide a range for 32 bits",
                     "use evaluation=cached");
  }
  Settings resolved = settings;
  if (evaluation == "auto") {
    const bool screens = fits && settings.get("precision") == "64";
    resolved.set("evaluation", screens ? "screened" : "cached");
  }
  return resolved;
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
