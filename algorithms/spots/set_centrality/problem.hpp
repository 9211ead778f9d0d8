// Choosing K of N spots: spots that are easy to drop in at on the way from spot to spot
// (migration), or spots that are easy to get to (convenience). oishi2015, Equations 1 to 6.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "algorithms/spots/places/distances.hpp"

namespace bellmark {

/// The worth of a set R of K spots of S; d(s, t) is the distance from s to t, N = |S|.
///   migration    smBWC(R) = sum over s not in R, t not in R, t != s, of d(s, t) / D(s, t; R),
///                over (N - K)(N - K - 1); D(s, t; R) = min over r in R of d(s, r) + d(r, t)
///   convenience  smCLC(R) = (N - K) / (sum over s not in R of min over r in R of d(s, r))
/// The single forms mBWC(v) and mCLC(v) are those of R = {v}. A pair with d(s, t) = D(s, t; R) = 0
/// counts 1: to drop in costs it nothing. smCLC is infinite where all of S lies on R. A set that
/// leaves no pair (N - K < 2) has migration 0. A set that leaves no spot (N = K) has convenience 0.
enum class Objective { migration, convenience };

/// The promise of a variant, which its answer names. Greedy choice has a guarantee only where the
/// objective is monotone and submodular. Neither of these is certain (set_centrality_test.cpp has
/// sets that show it).
enum class Promise {
  greedy,         ///< each spot is the best to add to those before it
  local_optimum,  ///< no swap of a chosen spot for another one is better
  optimum,        ///< no other set of K spots is better
  none,           ///< it was stopped on the way to one of these
};

struct SetQuery {
  Spot chosen_count;  ///< K
  friend bool operator==(const SetQuery&, const SetQuery&) = default;
};

struct SetAnswer {
  std::vector<Spot> chosen;  ///< K different spots, in the order in which they were chosen
  /// objectives[k] is the objective of the first k + 1 spots of a greedy choice. Else there is one
  /// objective, of all spots.
  std::vector<double> objectives;
  std::vector<double> singles;  ///< the objective of {v} for every v; empty where none were needed
  Promise promise = Promise::greedy;
  int precision = 64;  ///< bits of the floating-point numbers that decided
};

/// The objective of `chosen` by its definition, in float64; O(K N^2) for migration, O(K N) for
/// convenience.
double objective_value(Objective objective, const DistanceMatrix& distances,
                       std::span<const Spot> chosen);

/// The objective of K = `chosen_count` spots from its sum: of ratios over ordered pairs
/// (migration), of least distances (convenience).
double objective_of_sum(Objective objective, Spot spot_count, std::size_t chosen_count, double sum);

/// By a set's spots in ascending order: the objectives of the set with one more spot each, in the
/// order of these spots.
using ExtensionValues = std::map<std::vector<Spot>, std::vector<double>>;

template <Objective kObjectiveValue>
struct SetCentrality {
  static constexpr Objective kObjective = kObjectiveValue;
  static constexpr const char* kName =
      kObjective == Objective::migration ? "set-migration" : "set-convenience";
  static constexpr const char* kSummary =
      kObjective == Objective::migration ? "K spots with small detours on the way from spot to spot"
                                         : "K spots that are near all other spots";
  static constexpr const char* kDefaultQueries = "input";
  static constexpr bool kManyAnswers = true;
  static constexpr bool kWholeInput = true;
  static std::string default_input() { return "points:n=894,seed=1,k=10"; }

  using Input = SetInput;
  using Query = SetQuery;
  using Answer = SetAnswer;

  /// Checks an answer against the definition in float64.
  ///   - `chosen` are K different spots. The objectives are right within a relative 1e-9 for 64
  ///   bits
  ///     and 1e-4 for 32 (the tolerance), and so are the singles: all up to N = 2,000, of larger
  ///     inputs those of the chosen and of 64 random spots.
  ///   - greedy: within the tolerance no other spot is better than a pick, up to N = 2,000; beyond
  ///     that none of 64 random ones is.
  ///   - local optimum: the same of swaps: all while they are at most 2,000, else 2,000 random
  ///     ones.
  ///   - optimum: the same of all sets, up to 1,000,000 of them; of more, 2,000 random ones.
  /// O(K N^3) for a greedy choice of migration. Its findings for one answer are kept, because
  /// greedy variants ask for the same sets.
  class Certificate {
   public:
    explicit Certificate(const SetInput& input) : distances_(input.distances) {}
    std::optional<std::string> check(const Query& query, const Answer& answer);

   private:
    const DistanceMatrix& distances_;
    ExtensionValues extensions_;
  };

  static SetInput open(const std::string& reference);
  static Facts facts(const SetInput& input);
  /// Kinds:
  ///   input  the K that the reference names (`k=10`)
  ///   list   list: several K
  /// K must be 1 to N.
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const SetInput& input, const QueryRule& rule);
  static std::string query_text(const Query& query);
  /// The digest of the chosen spots and the promise, and of the objectives to five digits: answers
  /// that differ there are certified each.
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) {
    return std::tie(answer.chosen, answer.objectives, answer.singles);
  }
  /// `objective` of the whole set, `chosen` in order (`17 3 42`), `promise`.
  static Facts answer_facts(const SetInput& input, const Answer& answer);
  static std::string unmet(Need need, const SetInput& input);
};

using SetMigration = SetCentrality<Objective::migration>;
using SetConvenience = SetCentrality<Objective::convenience>;

}  // namespace bellmark
