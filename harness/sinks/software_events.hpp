// Events that the operating system counts for every thread and every program, without counter
// hardware.
#pragma once

#include <sys/resource.h>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// Reads getrusage, the thread's CPU clock and /proc/thread-self/sched: `rusage::MINOR-FAULTS`,
/// `MAJOR-FAULTS`, `VOLUNTARY-SWITCHES`, `INVOLUNTARY-SWITCHES`, `USER-TIME`, `SYSTEM-TIME`, and
/// under perf's names `perf::PAGE-FAULTS`, `CONTEXT-SWITCHES`, `CPU-MIGRATIONS`, `TASK-CLOCK`. For
/// several threads it reads /proc/self/task/*, which has user and system time in steps of 10 ms
/// only. These two then have no value.
class SoftwareEvents final : public CounterSink {
 public:
  enum class Of {
    thread,    ///< the one that opened it
    threads,   ///< several of this process
    programs,  ///< programs that this process started and that ended meanwhile, with theirs
  };

  explicit SoftwareEvents(Group group, Of of = Of::thread) : group_(std::move(group)), of_(of) {}
  SoftwareEvents(Group group, Threads threads)
      : group_(std::move(group)),
        of_(threads.size() > 1 ? Of::threads : Of::thread),
        threads_(std::move(threads)) {}

  std::string name() const override { return "software"; }
  std::optional<std::string> unavailable() const override;
  void start() override;
  std::vector<Reading> stop() override;

  /// All counts at one moment.
  struct Snapshot {
    rusage usage{};
    std::int64_t cpu_ns = 0;
    std::optional<std::int64_t> migration_count;
  };

 private:
  /// One for each thread, or one for all programs.
  std::vector<Snapshot> snapshots() const;
  Reading reading_of(const Event& event, const std::vector<Snapshot>& after) const;

  Group group_;
  Of of_;
  Threads threads_;
  std::vector<Snapshot> before_;  ///< none while nothing is counted
  std::string failure_;           ///< why this stretch could not be counted
};

}  // namespace bellmark::sinks
