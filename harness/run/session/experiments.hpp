// Experiments from their plans to printed, exported and drawn results.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::run {

/// The destinations of finished runs; "" for a file or folder that nobody asked for.
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

  /// Throws when a file can't be written where it is asked for, before minutes of measuring.
  void check() const;

  /// Writes the exports and draws the report of results and their files. One result at most goes
  /// into `json`.
  void write(const std::vector<std::string>& files,
             const std::vector<nlohmann::ordered_json>& results) const;
};

/// Plans and probes all experiments before anything is written, so that faults show early. A dry
/// run ends there. Otherwise each experiment gets a folder and runs, one after the other. Prints
/// each result, then exports and draws all of them. Leaves out experiments that have no cells in
/// the options' shard. Every result stores `argv`.
ExitCode run_experiments(const std::vector<plan::Experiment>& experiments,
                         const plan::Options& options, const Output& output,
                         const std::vector<std::string>& argv);

/// The end of a resumed run: when all is measured, at a deadline, or at once.
struct Ending {
  bool now = false;  ///< with the blocks so far; opens no graph
  std::optional<double> budget_s;
  bool allow_commands = false;  ///< start programs that this user never started
};

/// Goes on with the run in `folder`, or with the newest unfinished run if `folder` is "". A
/// finished run is printed, exported and drawn.
ExitCode resume(const std::string& folder, const Ending& ending, const Output& output);

}  // namespace bellmark::run
