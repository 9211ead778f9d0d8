// The folder of one run: what was asked, what is finished, and in the end the result.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// `runs/<experiment>/<utc>-<sha8>/` with
///   run.json           the experiment's text, options, argv, start: all that `resume` needs
///   replicates.jsonl   the journal
///   worker.log         what workers printed
///   result.json        written once, atomically, when the run is complete
struct RunFolder {
  std::filesystem::path path;
  plan::Experiment experiment;  ///< as read, without form or options
  plan::Options options;
  std::vector<std::string> argv;
  std::string started_utc;

  std::filesystem::path journal_file() const { return path / "replicates.jsonl"; }
  std::filesystem::path log_file() const { return path / "worker.log"; }
  std::filesystem::path result_file() const { return path / "result.json"; }
  bool finished() const { return std::filesystem::exists(result_file()); }

  /// Makes a new folder under `root`. Throws MachineError.
  static RunFolder create(const std::filesystem::path& root, const plan::Experiment& experiment,
                          const plan::Options& options, const std::vector<std::string>& argv);
  /// Opens an existing one. Throws InputError when it is no run folder.
  static RunFolder open(const std::filesystem::path& path);
  /// The newest unfinished run under `root`; throws InputError when there is none.
  static RunFolder newest_unfinished(const std::filesystem::path& root);
};

/// Now, as `2026-11-21T05:40:00Z`.
std::string utc_now();

/// Writes `text` so that the file is either whole or not there.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace bellmark::run
