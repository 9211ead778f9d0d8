// Runs one planned experiment to its result.
#pragma once

#include <chrono>
#include <optional>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/session/console_progress.hpp"
#include "harness/run/supervise/run_folder.hpp"
#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {

/// What is planned here, and what is known of it before anything is measured.
struct Prepared {
  plan::Plan plan;
  Probe probe;
};

/// Plans an experiment for this machine and probes it: every workload is opened and checked, once.
/// Throws InputError and UnmetError as make_plan() and probe() do.
Prepared prepare(const plan::Experiment& experiment, const plan::Options& options);

/// Of a run of which nothing more is measured: as it was noted when it was last gone on with.
/// Throws InputError as make_plan() and noted_probe() do.
Prepared prepare_ending(const RunFolder& folder);

struct SessionOutcome {
  std::optional<Json> result;  ///< nothing when interrupted
  ExitCode code = ExitCode::ok;
};

/// Runs (or goes on with) the run in `folder`, of which `prepared` is prepare()'s, draws progress
/// on stderr, writes result.json. A SIGINT or SIGTERM ends it early and leaves it resumable; a
/// deadline ends it early and for good: its result holds the blocks that were finished, and says
/// so.
SessionOutcome run_session(
    const RunFolder& folder, const Prepared& prepared, bool quiet,
    std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt,
    const Among& among = {});

/// Seconds as run_session's clock counts them.
std::chrono::steady_clock::duration to_duration(double seconds);

}  // namespace bellmark::run
