// Why a launch of ranks ended as it did: from what was seen of it to one line for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "harness/run/supervise/worker_outcome.hpp"

namespace bellmark::run {

/// What was seen of a launch when it had ended, or had been given up.
struct LaunchSeen {
  /// Why its supervisor stopped listening; `done` when the launcher's output ended.
  WorkerOutcome::End stopped = WorkerOutcome::End::done;
  std::size_t rank_count = 1;
  double timeout_s = 0;
  std::string log;  ///< where the ranks' output is

  bool heard = false;                ///< an event came
  bool answered = false;             ///< Done or Probed came
  std::vector<Failed> errors;        ///< in the order in which they came
  std::optional<ExitStatus> status;  ///< how the launcher ended; nothing: it went on
  std::string said;                  ///< what the launch wrote to its log

  /// Why this host's name can't be looked up; asked of a launch of which nothing was heard.
  std::string host_name_fault;

  bool rank_died = false;  ///< a rank noted the signal that killed it
  std::string culprit;     ///< culprit_text() of the ranks' status
};

/// How the launch ended, without its replicates. An error that a rank sent counts before all else,
/// then a rank that died, then silence. An answer counts only where all ranks ended well.
WorkerOutcome post_mortem(const LaunchSeen& seen);

/// A worker that is no rank: how it ended when it gave no answer.
std::string death_text(const ExitStatus& status);

}  // namespace bellmark::run
