// Explains the end of a launch of ranks in one line for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "harness/run/supervise/worker_outcome.hpp"

namespace bellmark::run {

/// The observations of a launch that has ended, or was given up.
struct LaunchSeen {
  /// Why the supervisor stopped listening; `done` when the launcher's output ended.
  WorkerOutcome::End stopped = WorkerOutcome::End::done;
  std::size_t rank_count = 1;
  double timeout_s = 0;
  std::string log;  ///< where the ranks' output is

  bool heard = false;                ///< an event came
  bool answered = false;             ///< Done or Probed came
  std::vector<Failed> errors;        ///< in the order in which they came
  std::optional<ExitStatus> status;  ///< how the launcher ended; nothing if it went on
  std::string said;                  ///< the launch's lines in its log

  /// Why this host's name can't be looked up. Set only when the launch sent nothing.
  std::string host_name_fault;

  bool rank_died = false;  ///< a rank noted the signal that killed it
  std::string culprit;     ///< culprit_text() of the ranks' status
};

/// The launch's end, without its replicates. An error that a rank sent comes first, then a rank
/// that died, then silence. An answer counts only if all ranks ended well.
WorkerOutcome post_mortem(const LaunchSeen& seen);

/// The end of a worker that is not a rank and gave no answer.
std::string death_text(const ExitStatus& status);

}  // namespace bellmark::run
