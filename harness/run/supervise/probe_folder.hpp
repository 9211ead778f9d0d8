// The folder for files of processes that only probe, before there is a run folder.
#pragma once

#include <filesystem>

namespace bellmark::run {

/// A new folder that only this user can read. It is removed at the end, unless an error names its
/// log.
class ProbeFolder {
 public:
  /// Throws MachineError.
  ProbeFolder();
  ProbeFolder(const ProbeFolder&) = delete;
  ProbeFolder& operator=(const ProbeFolder&) = delete;
  ~ProbeFolder();

  std::filesystem::path log() const { return path_ / "log"; }
  std::filesystem::path status() const { return path_ / "status"; }
  void keep_log() { log_stays_ = true; }

 private:
  std::filesystem::path path_;
  bool log_stays_ = false;
};

}  // namespace bellmark::run
