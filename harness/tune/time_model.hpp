// The expected time of a search's run, from earlier runs.
#pragma once

#include <cstddef>

#include "harness/tune/objective.hpp"

namespace bellmark::tune {

/// The size of a run.
struct Effort {
  std::size_t cell_count = 1;
  std::size_t query_count = 1;
  std::size_t sample_count = 1;
  double seconds_per_process = 1;  ///< of sampling, a cell
  Objective objective = Objective::time;
};

/// A process opens the input, then certifies one pass of each cell, then samples. Two calibrating
/// runs give the cost of opening and of one query. They measure the default alone, with one process
/// and one sample each. Only the first process needs certificates, so the model errs on the long
/// side. Rounds with slow candidates correct it.
class TimeModel {
 public:
  /// Wall times of two calibrating runs: with `few` and with `many` queries (few < many); and the
  /// time of one query itself.
  TimeModel(double few_s, std::size_t few, double many_s, std::size_t many, double timed_s);

  /// The time of a run of 6 blocks and its pass for phases.
  double run_s(const Effort& effort) const { return correction_ * plain_run_s(effort); }
  /// The time without the correction: for cells as fast as the default.
  double plain_run_s(const Effort& effort) const;
  /// The time of one timed process with the whole effort.
  double process_s(const Effort& effort) const;
  /// The time of one block's passes for the objective.
  double objective_s(const Effort& effort) const;

  /// The time that a process may be silent over one query of a candidate that takes `ratio` times
  /// the default's time, with opening. It is at least two seconds more than opening.
  double query_limit_s(double ratio) const;

  /// Learns from a run's real time.
  void learn(const Effort& effort, double actual_s);

 private:
  double opening_s_;
  double query_s_;  ///< run and certified once, sampled once
  double timed_s_;
  double correction_ = 1;
};

/// The division of a budget.
struct Shares {
  Effort held_out;
  Effort training;        ///< of a round; the search chooses the numbers of cells and queries
  double reserve_s = 0;   ///< kept back for the held-out comparison
  double shortest_s = 0;  ///< time of the shortest tuning: one small round, then held-out
  bool fits = false;      ///< true if that fits into the remaining time
};

/// Fits the held-out comparison into two fifths of the remaining time: shorter sampling first, then
/// fewer queries (not below 4).
Shares divide(const TimeModel& model, std::size_t query_count, double left_s,
              Objective objective = Objective::time);

}  // namespace bellmark::tune
