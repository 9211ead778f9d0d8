// How long a cell's threads were ready to run and had no core, summed over its timed runs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "harness/machine/lost_time.hpp"

namespace bellmark::run {

/// Between begin() and end() lies one timed run. A thread costs one system call in each.
class QueueWatch {
 public:
  /// Of these threads of the process from here on.
  void begin(std::span<const pid_t> threads);
  /// The run took `run_ns`: what a thread lost beyond that it lost outside. Does nothing without
  /// begin() before it.
  void end(std::int64_t run_ns);
  /// Of all threads of another process from here on, in place of ours.
  void begin(pid_t process);
  /// The run was another program's, which ended and lost `queued_ns`. What this process lost while
  /// it waited counts for nothing.
  void end(std::int64_t run_ns, std::int64_t queued_ns);
  /// Forgets all runs.
  void restart() {
    watched_.clear();
    program_ns_.reset();
    runs_ns_ = 0;
  }

  /// Nanoseconds of the thread that was kept longest, over all runs; nothing where none was
  /// watched, or the kernel does not tell.
  std::optional<std::int64_t> longest_ns() const;

  /// What all runs took together.
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
  std::int64_t runs_ns_ = 0;
};

}  // namespace bellmark::run
