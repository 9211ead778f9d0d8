// Experiments from their plans to printed, exported and drawn results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::run {

/// What becomes of finished runs; "" for a file or folder that nobody asked for.
struct Output {
  std::string runs = "runs";
  std::string json;
  std::string csv;
  std::string markdown;
  std::string gbench;
  std::string report;
  bool quiet = false;
  bool strict = false;
  bool dry_run = false;

  /// Throws when a file can't be written where it is asked for: not after minutes of measuring.
  void check() const;
};

/// Plans and probes all experiments, so that whatever can be found wrong beforehand is before
/// anything is written; then, unless it is a dry run, makes a folder for each and runs them one by
/// one, prints each result, and exports and draws all of them. One that the options' shard has no
/// cells of is left out. `argv` is stored with every result.
ExitCode run_experiments(const std::vector<plan::Experiment>& experiments,
                         const plan::Options& options, const Output& output,
                         const std::vector<std::string>& argv);

/// When a resumed run ends: when all is measured, at a deadline, or now.
struct Ending {
  bool now = false;  ///< with what was measured; opens no graph
  std::optional<double> budget_s;
  bool allow_commands = false;  ///< start programs that this user did not start before
};

/// Goes on with the run in `folder`; with "" the newest unfinished one. A finished one is printed,
/// exported and drawn.
ExitCode resume(const std::string& folder, const Ending& ending, const Output& output);

}  // namespace bellmark::run
