// Files mapped into memory: opened without being read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace bellmark {

/// A regular file mapped for reading, as long as this lives. The file must not change meanwhile.
/// Throws as open_for_reading() does, InputError where it is no regular file, and MachineError
/// where it can't be mapped.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Empty of an empty file; else it begins where a page does.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace bellmark
