// The sampler: times several cells alternately, query by query, until each is known well enough.
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
  /// Untimed, before each run. Where several processes run each step together (the ranks of one
  /// search), it returns when all are here.
  virtual void approach(std::size_t /*step*/) {}
  /// The time of a step that processes run together: the longest that any of them took, told to
  /// all, so that they stop after the same pass.
  virtual std::int64_t agreed_ns(std::int64_t own_ns) { return own_ns; }
  /// CPU time of the last run that other processes took.
  virtual std::int64_t other_cpu_ns() const { return 0; }
  /// How often in a row run() runs a step: its time is divided by as many.
  virtual std::uint64_t iterations(std::size_t /*step*/) const { return 1; }
  /// Timed.
  virtual void run(std::size_t step) = 0;
  /// Untimed, after each run: digests the answer. False drops the subject from further sampling.
  virtual bool check(std::size_t step) = 0;
};

struct StopRule {
  std::size_t sample_count = 30;  ///< at most this many passes
  double seconds = 2;             ///< at most this long a subject and process (one pass at least)
  double half_width = 0.01;       ///< enough: relative half-width of the median's interval
};

struct Samples {
  StepTimes step_ns;                ///< [pass][step], agreed
  std::vector<double> pass_own_ns;  ///< what this process took of each pass
  std::vector<double> pass_cpu_ns;  ///< CPU time of each pass
  double spent_ns = 0;              ///< in all that was timed, iterations too
  std::string stop_reason;          ///< `half-width`, `samples`, `seconds`, `wrong answer`
};

/// Why a subject has been sampled enough, or "". `half-width` asks for at least 6 passes whose
/// interval is narrow and whose two halves have agreeing medians (no drift inside the process).
std::string stop_reason(const StopRule& rule, const Samples& samples, double spent_seconds);

/// Samples all subjects. Within a pass every step is run by each subject in turn, in an order that
/// is shuffled by `seed` and reversed for the next step (A B B A), because the machine drifts and
/// each leaves its caches to the next. `progress` is called after each pass.
std::vector<Samples> sample(std::span<Subject* const> subjects, const StopRule& rule,
                            std::uint64_t seed, Clock& clock,
                            const std::function<void(std::span<const Samples>)>& progress = {});

}  // namespace bellmark::measure
