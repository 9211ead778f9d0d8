// How long a run of the search will take, from what earlier runs took.
#pragma once

#include <cstddef>

namespace bellmark::tune {

/// How much a run asks for.
struct Effort {
  std::size_t cell_count = 1;
  std::size_t query_count = 1;
  std::size_t sample_count = 1;
  double seconds_per_process = 1;  ///< of sampling, a cell
};

/// A process opens the input, then certifies one pass of each cell, then samples. The cost of
/// opening and of one query come from two calibrating runs of the default alone with one process
/// and one sample each; certificates are needed in the first process only, so that the model errs
/// on the long side. Rounds with slow candidates correct it.
class TimeModel {
 public:
  /// Wall times of two calibrating runs: with `few` and with `many` queries (few < many); and the
  /// time of one query itself.
  TimeModel(double few_s, std::size_t few, double many_s, std::size_t many, double timed_s);

  /// Of a run of 6 blocks and its pass for phases.
  double run_s(const Effort& effort) const { return correction_ * plain_run_s(effort); }
  /// The same without the correction: for cells as fast as the default.
  double plain_run_s(const Effort& effort) const;
  /// Of one process with the whole effort.
  double process_s(const Effort& effort) const;

  /// How long a process may be silent over one query of a candidate that takes `ratio` times the
  /// default's time, opening included; no less than two seconds more than opening.
  double query_limit_s(double ratio) const;

  /// Takes in what a run really took.
  void learn(const Effort& effort, double actual_s);

 private:
  double opening_s_;
  double query_s_;  ///< run and certified once, sampled once
  double timed_s_;
  double correction_ = 1;
};

/// How a budget is divided.
struct Shares {
  Effort held_out;
  Effort training;        ///< of a round; how many cells and queries is the search's to choose
  double reserve_s = 0;   ///< kept back for the held-out comparison
  double shortest_s = 0;  ///< what the shortest tuning takes: one small round, then held-out
  bool fits = false;      ///< whether that is within what is left
};

/// Fits the held-out comparison into two fifths of what is left: shorter sampling first, then fewer
/// queries (not below 4).
Shares divide(const TimeModel& model, std::size_t query_count, double left_s);

}  // namespace bellmark::tune
