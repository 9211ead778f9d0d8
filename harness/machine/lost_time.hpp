// The time in which this program was ready to run and others had its cores.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/descriptor.hpp"
#include "harness/machine/files.hpp"

namespace bellmark::machine {

/// The time in which one thread of this process was ready to run and had no core. A thread that
/// sleeps, or waits for a GPU, a message or a child, is not ready.
class QueueTime {
 public:
  /// There is no time for a missing thread, or from a kernel without CONFIG_SCHED_INFO.
  explicit QueueTime(pid_t thread, const FileRoot& root = FileRoot());
  /// For a thread of another process.
  QueueTime(pid_t process, pid_t thread, const FileRoot& root = FileRoot());

  /// Nanoseconds from the thread's start on; nothing where the kernel does not tell. One system
  /// call. Source: the second field of /proc/<pid>/task/<tid>/schedstat, Linux,
  /// Documentation/scheduler/sched-stats.rst.
  std::optional<std::int64_t> ns() const;

 private:
  Descriptor file_;
};

/// The time of every thread of a process, by its id. Of a process that has ended and was not waited
/// for, the first thread is left. Empty where the kernel does not tell.
std::map<pid_t, std::int64_t> queue_times_of(pid_t process, const FileRoot& root = FileRoot());

/// The largest gain of a thread from `before` to `after`. A thread that was not there before began
/// with 0. Nothing without a thread.
std::optional<std::int64_t> longest_gain(const std::map<pid_t, std::int64_t>& before,
                                         const std::map<pid_t, std::int64_t>& after);

/// Nanoseconds from boot on in which a hypervisor gave these PUs to others while they had work: the
/// sum over the PUs. Its unit is the clock tick of 10 ms. Nothing where /proc/stat lacks one of
/// them.
std::optional<std::int64_t> stolen_ns(std::span<const unsigned> pus,
                                      const FileRoot& root = FileRoot());

/// The clock tick of /proc/stat: the most that stolen_ns() may miss.
inline constexpr std::int64_t kTickNs = 10'000'000;

}  // namespace bellmark::machine
