#include "harness/run/supervise/post_mortem.hpp"

#include <algorithm>
#include <sstream>

#include "base/pattern.hpp"
#include "base/text.hpp"

namespace bellmark::run {
namespace {

/// A launcher's words about a rank that died; "" when it says nothing. Open MPI: `process rank 1
/// with PID 0 on node x exited on signal 9 (Killed)`; Slurm: `srun: error: x: task 1: Killed`.
std::string dead_rank_text(const std::string& said) {
  constexpr const char* kOpenMpi =
      "process rank ([0-9]+) [^\n]*exited on (signal [0-9]+ \\([^)]*\\))";
  constexpr const char* kSlurm = "srun: error: [^\n]*: task ([0-9]+): ([^\n]+)";
  if (const auto found = find_pattern(kOpenMpi, said); !found.empty()) {
    return "rank " + found[1] + " was killed by " + found[2];
  }
  if (const auto found = find_pattern(kSlurm, said); !found.empty()) {
    return "rank " + found[1] + ": " + found[2];
  }
  return {};
}

/// The first line with words; "" when there is none.
std::string first_line(const std::string& said) {
  constexpr std::size_t kLongest = 200;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of("- \t\r=") == std::string::npos) continue;
    return printable(trim(line), kLongest);
  }
  return {};
}

/// The remedy for a failure that a launcher names; "" when the failure is unknown. The words are
/// Open MPI's.
std::string launch_remedy(const std::string& said) {
  if (said.find("attempt to run as root") != std::string::npos) {
    return "; add --allow-run-as-root to the launcher, or set OMPI_ALLOW_RUN_AS_ROOT=1 and "
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
  }
  if (said.find("not enough slots") != std::string::npos) {
    return "; add --oversubscribe to the launcher, or ask for fewer ranks";
  }
  return {};
}

/// All errors as one text. It names no rank when all ranks say the same, or when no rank said it.
std::string error_text(const std::vector<Failed>& errors, std::size_t rank_count) {
  const Failed& first = errors.front();
  const auto same = [&](const Failed& error) { return error.message == first.message; };
  if (!first.rank || (errors.size() == rank_count && std::ranges::all_of(errors, same))) {
    return first.message;
  }
  return "rank " + std::to_string(*first.rank) + ": " + first.message;
}

std::string silence_text(const LaunchSeen& seen) {
  std::string text =
      "nothing heard for " + std::to_string(static_cast<long>(seen.timeout_s)) + " s";
  if (!seen.culprit.empty()) return text + ": " + seen.culprit;
  if (seen.heard) return text;
  if (!seen.host_name_fault.empty()) {
    return text + ": no rank is known to have begun, and the MPI library may still be looking up " +
           "this host's name: " + seen.host_name_fault +
           "; write it into /etc/hosts (see: bellmark " + "doctor)";
  }
  return text +
         ": no rank is known to have begun: they are still starting (MPI_Init), and a launcher "
         "whose process manager doesn't fit the MPI library is the common reason (see: srun "
         "--mpi=list)";
}

std::string launcher_text(const LaunchSeen& seen) {
  std::string text =
      "the launcher " + (seen.status ? death_text(*seen.status) : std::string("went on"));
  const std::string more = seen.culprit.empty() ? first_line(seen.said) : seen.culprit;
  if (!more.empty()) text += ": " + more;
  return text + launch_remedy(seen.said);
}

}  // namespace

std::string death_text(const ExitStatus& status) {
  return status.signal() ? status.text() : "ended without an answer, " + status.text();
}

WorkerOutcome post_mortem(const LaunchSeen& seen) {
  WorkerOutcome outcome;
  outcome.end = seen.stopped;
  if (seen.stopped == WorkerOutcome::End::interrupted) return outcome;
  if (!seen.errors.empty()) {
    // A rank's error comes before one that names no rank.
    std::vector<Failed> errors = seen.errors;
    std::stable_partition(errors.begin(), errors.end(),
                          [](const Failed& error) { return error.rank.has_value(); });
    outcome.end = WorkerOutcome::End::failed;
    outcome.code = errors.front().code;
    outcome.reason = error_text(errors, seen.rank_count);
    return outcome;
  }
  const std::string where = "; the ranks' output is in " + seen.log;
  const std::string dead = seen.rank_died ? seen.culprit : dead_rank_text(seen.said);
  if (seen.stopped == WorkerOutcome::End::timed_out && dead.empty()) {
    outcome.reason = silence_text(seen) + where;
    return outcome;
  }
  if (seen.answered && seen.status && seen.status->is_success()) {
    outcome.end = WorkerOutcome::End::done;
    return outcome;
  }
  outcome.end = WorkerOutcome::End::crashed;
  outcome.reason = (dead.empty() ? launcher_text(seen) : dead) + where;
  return outcome;
}

}  // namespace bellmark::run
