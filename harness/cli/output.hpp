// What `run`, `resume` and `diagnose` do with finished runs.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/run/run_folder.hpp"

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

/// Runs the folders one by one, prints each result, and exports and draws all of them.
ExitCode run_folders(const std::vector<run::RunFolder>& folders, const OutputFlags& output);

}  // namespace bellmark::cli
