// Writes a file so that it is either whole or missing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/input.hpp"

namespace bellmark {

/// A file under construction. Bytes go to a file without a name in the target's folder, or to a
/// temporary file where the file system has none such. commit() flushes it to the disk and gives it
/// the target's name. Without commit() nothing remains; only a temporary file outlives a process
/// that is killed. Links are followed.
/// A target that is not a regular file (a device, a pipe) is refused. Every member throws
/// InputError for a bad path and MachineError when the machine fails.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  void flush();
  /// Calls make(name) with names of temporary files until it doesn't meet EEXIST; returns its
  /// result, and keeps the name where that is no error.
  template <class Make>
  int name_temporary(Make make);
  [[noreturn]] void fail(std::string_view what, int code) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty while the file has no name
  Descriptor file_;
  std::vector<std::byte> buffer_;
};

/// Removes the temporary files of killed processes from a folder. No process may write there
/// meanwhile. Files that can't be removed stay.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace bellmark
