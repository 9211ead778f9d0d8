// Files mapped into memory: opened without being read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace bellmark {

/// A regular file mapped for reading during this object's lifetime. The file must not change
/// meanwhile. Throws as open_for_reading() does. Throws InputError if it is not a regular file, and
/// MachineError if it can't be mapped.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Empty for an empty file. Otherwise it begins at a page.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace bellmark
