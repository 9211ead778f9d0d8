// Bytes to read: a file or memory, plain or gzip (recognised by its first bytes, not by its name).
#pragma once

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"

namespace bellmark {

/// Opens a file for reading. Throws InputError when it is missing, a folder, or a named pipe that
/// nobody writes into. Throws MachineError when it may not be read.
Descriptor open_for_reading(const std::filesystem::path& path);

/// A forward stream of inflated bytes. Consecutive gzip members are joined. Other bytes after the
/// last member are an error.
class Input {
 public:
  explicit Input(const std::filesystem::path& path);
  /// Reads `bytes` in place: they must outlive the input. Errors name it `name`.
  Input(std::string_view bytes, std::string name);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  const std::string& name() const { return name_; }

  /// Size before inflation; 0 if it is unknown (a pipe).
  std::uint64_t stored_bytes() const { return stored_bytes_; }

  /// Fills `out` (not empty) from its front and returns the number of bytes; 0 only at the end.
  /// Throws InputError on damaged or truncated gzip data, MachineError when reading fails.
  std::size_t read(std::span<char> out);

 private:
  void detect();
  std::size_t read_stored(std::span<char> out);
  std::size_t inflate_some(std::span<char> out);
  bool refill();

  std::string name_;
  Descriptor file_;
  std::string_view memory_;  // its unread rest
  std::uint64_t stored_bytes_ = 0;

  enum class Coding { unknown, plain, gzip } coding_ = Coding::unknown;
  std::vector<char> buffer_;  // stored bytes read ahead
  std::span<char> pending_;   // the part of buffer_ that is not yet used
  z_stream inflater_{};
  bool member_open_ = false;
  std::uint64_t inflated_bytes_ = 0;
};

/// All bytes of a file, inflated. Throws as Input does.
std::string read_whole(const std::filesystem::path& path);

/// The first `count` bytes of a file, inflated; fewer if the file is shorter or damaged. Throws as
/// open_for_reading() does.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

/// `text` as gzip data. The same text gives the same bytes: there is no time and no name.
std::string gzipped(std::string_view text);

}  // namespace bellmark
