// The sampler: times several cells alternately, query by query, until each time is precise enough.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/clock.hpp"
#include "harness/measure/statistics.hpp"

namespace bellmark::measure {

/// One cell being sampled.
class Subject {
 public:
  virtual ~Subject() = default;
  /// Steps of one pass: the queries, or 1 for a batch variant.
  virtual std::size_t step_count() const = 0;
  /// Untimed, before each run. If several processes run each step together (the ranks of one
  /// search), it returns when all of them are here.
  virtual void approach(std::size_t /*step*/) {}
  /// The time of a step that processes run together: the longest time of any of them. All of them
  /// get it, so that they stop after the same pass.
  virtual std::int64_t agreed_ns(std::int64_t own_ns) { return own_ns; }
  /// CPU time that other processes spent on the last run.
  virtual std::int64_t other_cpu_ns() const { return 0; }
  /// The number of times that run() repeats a step: its time is divided by it.
  virtual std::uint64_t iterations(std::size_t /*step*/) const { return 1; }
  /// Timed.
  virtual void run(std::size_t step) = 0;
  /// Untimed, after each run: digests the answer. False drops the subject from further sampling.
  virtual bool check(std::size_t step) = 0;
};

struct StopRule {
  std::size_t sample_count = 30;  ///< at most this many passes
  double seconds = 2;             ///< limit for each subject and process (one pass at least)
  double half_width = 0.01;       ///< enough: relative half-width of the median's interval
};

struct Samples {
  StepTimes step_ns;                ///< [pass][step], agreed
  std::vector<double> pass_own_ns;  ///< this process's time of each pass
  std::vector<double> pass_cpu_ns;  ///< CPU time of each pass
  double spent_ns = 0;              ///< of all timed work, iterations too
  std::string stop_reason;          ///< `half-width`, `samples`, `seconds`, `wrong answer`
};

/// Why a subject has enough samples, or "". `half-width` needs at least 6 passes. Their interval
/// must be narrow, and the medians of both halves must agree (no drift inside the process).
std::string stop_reason(const StopRule& rule, const Samples& samples, double spent_seconds);

/// Samples all subjects. Within a pass each subject runs every step in turn. `seed` shuffles the
/// order, which is reversed for the next step (A B B A). The reasons are that the machine drifts,
/// and that each subject leaves its caches to the next. `progress` is called after each pass.
std::vector<Samples> sample(std::span<Subject* const> subjects, const StopRule& rule,
                            std::uint64_t seed, Clock& clock,
                            const std::function<void(std::span<const Samples>)>& progress = {});

}  // namespace bellmark::measure
