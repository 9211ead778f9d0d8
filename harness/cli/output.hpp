// What `run`, `resume` and `diagnose` do with finished runs.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"

namespace CLI {
class App;
}

namespace bellmark::cli {

struct OutputFlags {
  std::string runs = "runs";
  std::string json;
  std::string csv;
  std::string markdown;
  std::string report;
  bool quiet = false;
  bool strict = false;
  bool dry_run = false;

  void add_to(CLI::App& app);
  /// Throws when a file can't be written where it is asked for: not after minutes of measuring.
  void check() const;
};

/// Plans and probes all experiments, so that whatever can be found wrong beforehand is before
/// anything is written; then, unless it is a dry run, makes a folder for each and runs them one by
/// one, prints each result, and exports and draws all of them. One that the options' shard has no
/// cells of is left out. `argv` is stored with every result.
ExitCode run_experiments(const std::vector<plan::Experiment>& experiments,
                         const plan::Options& options, const OutputFlags& output,
                         const std::vector<std::string>& argv);

}  // namespace bellmark::cli
