// Time in which this program was ready to run and did not: others had its cores.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/descriptor.hpp"
#include "harness/machine/files.hpp"

namespace bellmark::machine {

/// How long one thread of this process was ready to run and had no core. A thread that sleeps, or
/// waits for a GPU, a message or a child, is not ready.
class QueueTime {
 public:
  /// Nothing is told of a thread that is not there, or by a kernel without CONFIG_SCHED_INFO.
  explicit QueueTime(pid_t thread, const FileRoot& root = FileRoot());

  /// Nanoseconds since the thread began; nothing where the kernel does not tell. One system call.
  /// Source: the second field of /proc/<pid>/task/<tid>/schedstat, Linux,
  /// Documentation/scheduler/sched-stats.rst.
  std::optional<std::int64_t> ns() const;

 private:
  Descriptor file_;
};

/// Nanoseconds since boot in which a hypervisor gave these PUs to others while they had work, the
/// sum over the PUs. Its unit is the clock tick of 10 ms. Nothing where /proc/stat does not tell of
/// one of them.
std::optional<std::int64_t> stolen_ns(std::span<const unsigned> pus,
                                      const FileRoot& root = FileRoot());

/// The clock tick of /proc/stat: what stolen_ns() may lack.
inline constexpr std::int64_t kTickNs = 10'000'000;

}  // namespace bellmark::machine
