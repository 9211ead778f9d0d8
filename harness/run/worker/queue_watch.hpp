// The time in which a cell's threads were ready to run and had no core, summed over its timed runs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "harness/machine/lost_time.hpp"

namespace bellmark::run {

/// The part of the time `queued_ns` in which others had the core, when this thread had it for
/// `own_ns` at most.
inline std::int64_t lost_to_others(std::int64_t queued_ns, std::int64_t own_ns) {
  return queued_ns > own_ns ? queued_ns - own_ns : 0;
}

/// One timed run lies between begin() and end(). Each of them costs one system call for each
/// thread.
class QueueWatch {
 public:
  /// Begins a run of these threads of the process.
  void begin(std::span<const pid_t> threads);
  /// Ends a run that took `run_ns`. A thread that lost more than that lost it outside the run. Does
  /// nothing without begin() before it.
  void end(std::int64_t run_ns);
  /// Begins a run of all threads of another process, in place of ours. This thread asks that
  /// process, and may share its core: time of this thread is not time of others.
  void begin(pid_t process);
  /// Ends a run of another program that has ended and lost `queued_ns`. The time that this process
  /// lost while it waited does not count.
  void end(std::int64_t run_ns, std::int64_t queued_ns);
  /// Forgets all runs.
  void restart() {
    watched_.clear();
    program_ns_.reset();
    runs_ns_ = 0;
  }

  /// The nanoseconds of the thread that lost most, over all runs. Nothing if no thread was watched,
  /// or where the kernel does not tell.
  std::optional<std::int64_t> longest_ns() const;

  /// The time of all runs together.
  std::int64_t runs_ns() const { return runs_ns_; }

 private:
  struct Watched {
    machine::QueueTime time;
    std::optional<std::int64_t> begin_ns = {};
    std::int64_t sum_ns = 0;
    bool is_told = false;
  };
  std::map<pid_t, Watched> watched_;
  std::optional<std::int64_t> program_ns_;  ///< of other programs, over all runs
  pid_t process_ = 0;                       ///< of one that goes on
  std::map<pid_t, std::int64_t> before_;    ///< its threads' times at begin()
  std::int64_t own_before_ns_ = 0;          ///< this thread's CPU time then
  std::int64_t runs_ns_ = 0;
};

}  // namespace bellmark::run
