// The objectives of R + v for many spots v at once: every way of choosing asks for them, and they
// are all of its time.
//
// The least detour over R is kept for every pair (least distance for every spot). So a spot v costs
// O(N^2) (O(N)) for any K, and greedy choice is O(K N^3). The definition evaluated anew for each
// candidate would be O(K^2 N^3).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/settings.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"

namespace bellmark::set_centrality {

/// Distances in Real, times a power of two that brings them near 1.
template <class Real>
struct ScaledDistances {
  std::vector<Real> values;  ///< row by row
  double unit = 1;           ///< the distance that 1 stands for
  Real zero = 0;             ///< vanishes beside the least positive distance, but is not 0
  bool has_zeros = false;    ///< some spot is at distance 0 from another one

  explicit ScaledDistances(const DistanceMatrix& distances);
  ScaledDistances() = default;
};

/// False where 32 bits can't hold the products of four detours. That is where the largest distance
/// is 2^60 times the least one, or 2^32 times where some are 0. O(N^2).
bool fits_float32(const DistanceMatrix& distances);

/// Throws InputError where 32 bits are asked for and are too few. Throws MachineError where the
/// evaluator's memory isn't there. All instances of a family have one resolve(), so the key
/// `precision` is asked, not the instance.
void check_precision(const DistanceMatrix& distances, const Settings& settings);

/// The width on this machine: 16, 32 (AVX2) or 64 (AVX-512).
std::size_t widest_register_bytes();

/// Pairs whose ratio is 1 or infinite because a detour costs nothing. They are counted as whole
/// numbers, so that the sums of the others stay exact to their rounding.
class FreeDetours {
 public:
  void prepare(const DistanceMatrix& distances);
  void clear();
  void add(Spot v);
  /// To be called after a change of R, before with().
  void tally(std::span<const std::uint8_t> is_chosen);
  /// Of the pairs outside R + v.
  struct Counts {
    std::uint64_t ones = 0;
    bool infinite = false;
  };
  Counts with(Spot v, std::span<const std::uint8_t> is_chosen) const;

 private:
  /// Of pairs outside R with a free detour over R.
  struct Tally {
    std::uint64_t ones = 0;       ///< at distance 0
    std::uint64_t infinites = 0;  ///< at a positive distance: no metric has these
  };

  std::size_t n_ = 0;
  std::vector<std::uint8_t> is_zero_;         // d(s, t) = 0
  std::vector<std::vector<Spot>> from_, to_;  // spots at distance 0 from and to a spot, not itself
  std::vector<std::uint8_t> is_free_;         // D(s, t; R) = 0
  std::vector<Tally> touching_;               // pairs that touch a spot
  Tally all_;
};

/// The number of spots side by side in one tile: two registers of AVX-512.
template <class Real>
inline constexpr std::size_t kLanes = 128 / sizeof(Real);

template <class Real>
struct alignas(64) Lanes {
  Real values[kLanes<Real>];
};

/// The number of targets of one tile. It is small, so that sums of float32 stay accurate: 16
/// additions, then float64.
inline constexpr std::size_t kRun = 64;

/// A piece of one source's row: least detours over R, and distances; 0 for pairs that don't count.
template <class Real>
struct alignas(64) Targets {
  Real detours[kRun];
  Real distances[kRun];
};

/// The set R, a team of threads, and the distances: the common part of both objectives' evaluators.
template <class Real>
class EvaluatorBase {
 public:
  static constexpr int kPrecision = 8 * sizeof(Real);

  /// Computes in registers of 16, 32 or 64 bytes, no wider than the machine's.
  explicit EvaluatorBase(std::size_t register_bytes = widest_register_bytes())
      : register_bytes_(register_bytes) {}

  const std::vector<Spot>& chosen() const { return chosen_; }
  bool is_chosen(Spot v) const { return is_chosen_[v] != 0; }
  std::vector<Spot> not_chosen() const;

 protected:
  void prepare(const DistanceMatrix& distances, std::shared_ptr<ThreadTeam> team,
               RunContext& context);
  void clear();
  void add(Spot v);
  /// Calls work(i) for every i < count, each once, in some thread.
  void share(std::size_t count, const std::function<void(std::size_t)>& work);

  std::size_t register_bytes_;
  std::size_t n_ = 0;
  bool symmetric_ = false;
  ScaledDistances<Real> distances_;
  std::vector<Spot> chosen_;
  std::vector<std::uint8_t> is_chosen_;

 private:
  std::shared_ptr<ThreadTeam> team_;
};

/// Evaluates R + v for many v. R begins empty.
///   prepare   O(N^2) memory and time
///   clear     R = {}: O(N^2) for migration, O(N) for convenience
///   add       R = R + v: the same
///   evaluate  values[i] becomes the objective of R + candidates[i], none of which is in R: the
///             same numbers with any number of threads. O(N^2) each for migration, where up to
///             kLanes<Real> candidates cost the same as one; O(N) each for convenience.
template <Objective kObjective, class Real>
class Evaluator;

template <class Real>
class Evaluator<Objective::migration, Real> : public EvaluatorBase<Real> {
 public:
  using EvaluatorBase<Real>::EvaluatorBase;
  void prepare(const DistanceMatrix& distances, std::size_t thread_count, RunContext& context) {
    prepare(distances, std::make_shared<ThreadTeam>(thread_count, context), context);
  }
  /// With a team that others may use, too, but not at the same time.
  void prepare(const DistanceMatrix& distances, std::shared_ptr<ThreadTeam> team,
               RunContext& context);
  void clear();
  void add(Spot v);
  void evaluate(std::span<const Spot> candidates, std::span<double> values);

 private:
  using Base = EvaluatorBase<Real>;
  using Base::chosen_;
  using Base::distances_;
  using Base::is_chosen_;
  using Base::n_;
  using Base::symmetric_;

  std::size_t run_count() const { return (n_ + kRun - 1) / kRun; }
  /// Sources from here on have no pairs in the run that count.
  std::size_t source_end(std::size_t run) const {
    return symmetric_ && (run + 1) * kRun < n_ ? (run + 1) * kRun : n_;
  }
  void pack(std::span<const Spot> candidates, std::size_t chunk);

  FreeDetours free_detours_;
  std::vector<Targets<Real>> targets_;  // run by run, in it source by source
  // Of the candidates, chunk by chunk of kLanes, in it spot by spot: distances to them, and (when
  // these differ) from them.
  std::vector<Lanes<Real>> to_;
  std::vector<Lanes<Real>> from_;
  std::vector<std::int8_t> lane_of_;  // chunk by chunk: the spot's lane in it, or -1
  std::vector<double> partial_;       // chunk by chunk, run by run: sums of lanes
};

template <class Real>
class Evaluator<Objective::convenience, Real> : public EvaluatorBase<Real> {
 public:
  using EvaluatorBase<Real>::EvaluatorBase;
  void prepare(const DistanceMatrix& distances, std::size_t thread_count, RunContext& context) {
    prepare(distances, std::make_shared<ThreadTeam>(thread_count, context), context);
  }
  /// With a team that others may use, too, but not at the same time.
  void prepare(const DistanceMatrix& distances, std::shared_ptr<ThreadTeam> team,
               RunContext& context);
  void clear();
  void add(Spot v);
  void evaluate(std::span<const Spot> candidates, std::span<double> values);

 private:
  using Base = EvaluatorBase<Real>;
  using Base::chosen_;
  using Base::distances_;
  using Base::n_;
  using Base::symmetric_;

  /// Distances from all spots to v, side by side.
  const Real* to(Spot v) const {
    return (symmetric_ ? distances_.values.data() : transposed_.data()) + v * n_;
  }

  std::vector<Real> transposed_;  // empty where the distances are symmetric
  std::vector<Real> nearest_;     // least distance to R
};

}  // namespace bellmark::set_centrality
