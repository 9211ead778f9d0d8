// Runs one planned experiment to its result, and reads results back.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/supervise/run_folder.hpp"
#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::cli {

using Json = nlohmann::ordered_json;

/// What is planned here, and what is known of it before anything is measured.
struct Prepared {
  plan::Plan plan;
  run::Probe probe;
};

/// Plans an experiment for this machine and probes it: every workload is opened and checked, once.
/// Throws InputError and UnmetError as make_plan() and probe() do.
Prepared prepare(const plan::Experiment& experiment, const plan::Options& options);

/// Of a run of which nothing more is measured: as it was noted when it was last gone on with.
/// Throws InputError as make_plan() and noted_probe() do.
Prepared prepare_ending(const run::RunFolder& folder);

struct SessionOutcome {
  std::optional<Json> result;  ///< nothing when interrupted
  ExitCode code = ExitCode::ok;
};

/// Runs (or goes on with) the run in `folder`, of which `prepared` is prepare()'s, draws progress
/// on stderr, writes result.json. A SIGINT or SIGTERM ends it early and leaves it resumable; a
/// deadline ends it early and for good: its result holds the blocks that were finished, and says
/// so.
SessionOutcome run_session(
    const run::RunFolder& folder, const Prepared& prepared, bool quiet,
    std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt);

/// Seconds as run_session's clock counts them.
std::chrono::steady_clock::duration to_duration(double seconds);

/// What a result's unmeasured cells mean for the exit code.
ExitCode code_of(const Json& result);

/// Exit code of several outcomes at once: the most urgent in the documented order
/// 130, 1, 7, 3, 4, 5, 6; 77 only when nothing else was measured.
ExitCode most_urgent(const std::vector<ExitCode>& codes);

/// What `--strict` makes of verdicts: regression, inconclusive or ok.
ExitCode strict_code(const std::vector<Json>& results);

/// Reads a result file or run folder. Throws InputError when it is none.
Json read_result(const std::filesystem::path& path);

/// Reads results and hands them to `use`. A part that is missing or of the wrong type, however deep
/// inside, comes back as InputError.
void with_results(const std::vector<std::string>& paths,
                  const std::function<void(std::vector<Json>&)>& use);

}  // namespace bellmark::cli
