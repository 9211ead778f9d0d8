// Runs one planned experiment to its result.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/session/console_progress.hpp"
#include "harness/run/supervise/run_folder.hpp"
#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {

/// A plan for this machine, and the facts known before anything is measured.
struct Prepared {
  plan::Plan plan;
  Probe probe;
  /// For a run that measures nothing more: the warnings of note_beginning() when it last did.
  std::optional<std::vector<std::string>> noted_warnings = {};
};

/// Plans an experiment for this machine and probes it: opens and checks every workload once. Throws
/// InputError and UnmetError as make_plan() and probe() do.
Prepared prepare(const plan::Experiment& experiment, const plan::Options& options);

/// Prepares a run that measures nothing more, from the notes of its last session. Throws InputError
/// as make_plan() and noted_beginning() do.
Prepared prepare_ending(const RunFolder& folder);

struct SessionOutcome {
  std::optional<Json> result;  ///< nothing when interrupted
  ExitCode code = ExitCode::ok;
};

/// Runs (or goes on with) the run in `folder`, which prepare() made `prepared` for. Draws progress
/// on stderr and writes result.json. A SIGINT or SIGTERM ends it early, and it can be resumed. A
/// deadline ends it for good: its result holds the finished blocks, and says so.
SessionOutcome run_session(
    const RunFolder& folder, const Prepared& prepared, bool quiet,
    std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt,
    const Among& among = {});

/// Says on stderr how a run that run_session() left without a result goes on.
void say_interrupted(const RunFolder& folder);

/// Seconds on run_session's clock.
std::chrono::steady_clock::duration to_duration(double seconds);

}  // namespace bellmark::run
