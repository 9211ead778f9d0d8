// The folder of one run: the request, the finished replicates, and in the end the result.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// `runs/<experiment>/<utc>-<sha8>/` with
///   run.json           the experiment's text, options, argv, start: all that `resume` needs
///   begun.json         the facts about graphs and cells before anything is measured, with
///                      digests, and the builds and hosts that had a part
///   run.lock           locked while a process runs it; names that process
///   replicates.jsonl   the journal
///   worker.log         the output of workers
///   result.json        written once, atomically, when the run is complete; a person may
///                      compress it to result.json.gz
struct RunFolder {
  std::filesystem::path path;
  plan::Experiment experiment;  ///< as read, without form or options
  plan::Options options;
  std::vector<std::string> argv;
  std::string started_utc;
  std::shared_ptr<const void> held = {};  ///< the lock, released with the last copy

  std::filesystem::path begun_file() const { return path / "begun.json"; }
  std::filesystem::path lock_file() const { return path / "run.lock"; }
  std::filesystem::path journal_file() const { return path / "replicates.jsonl"; }
  std::filesystem::path log_file() const { return path / "worker.log"; }
  std::filesystem::path result_file() const { return result_in(path); }
  bool finished() const { return std::filesystem::exists(result_file()); }

  /// Makes a new folder under `root`, locked. Throws MachineError.
  static RunFolder create(const std::filesystem::path& root, const plan::Experiment& experiment,
                          const plan::Options& options, const std::vector<std::string>& argv);
  /// Opens an existing folder. Throws InputError when it is not a run folder.
  static RunFolder open(const std::filesystem::path& path);
  /// The result of the run in `folder`, compressed or not, whether it exists or not.
  static std::filesystem::path result_in(const std::filesystem::path& folder);
  /// All run folders under `root`.
  static std::vector<std::filesystem::path> newest_first(const std::filesystem::path& root);
  /// The newest unfinished run under `root` that no other process runs, locked. Throws InputError
  /// when there is none.
  static RunFolder newest_unfinished(const std::filesystem::path& root);

  /// Locks the run for this process until its end, and removes half-written files of a killed
  /// process. False when another process has the lock. On a file system without locks none is
  /// taken.
  bool try_lock();
  /// Does the same, and throws InputError when another process has the lock.
  void lock();
};

/// The present time, as `2026-11-21T05:40:00Z`.
std::string utc_now();

/// Writes `text` so that the file is either whole or missing. It is compressed if its name ends in
/// `.gz`.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace bellmark::run
