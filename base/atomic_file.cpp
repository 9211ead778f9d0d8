// Temporary file, fsync, rename.
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace bellmark {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
/// Follows the target's name, before the process and a number.
constexpr const char* kTemporary = ".tmp-";

std::filesystem::path writable_target(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    throw InputError(path.string(), "is a folder", "name a file in it");
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError(path.string(), "is not a regular file", "name another file to write");
  }
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  // Renaming onto a link would replace the link instead of its file.
  return std::filesystem::weakly_canonical(path, ignored);
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(writable_target(target)) {
  // Tells temporary files of several targets in one process apart. O_EXCL does the rest.
  static thread_local unsigned serial = 0;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  constexpr mode_t kMode = 0666;
  int number = -1;
  do {
    temporary_ = target_;
    temporary_ += kTemporary + std::to_string(::getpid()) + "-" + std::to_string(serial++);
    number = ::open(temporary_.c_str(), kFlags, kMode);
  } while (number < 0 && errno == EEXIST);
  if (number < 0) {
    const int code = errno;
    temporary_.clear();
    if (code == ENOENT || code == ENOTDIR) {
      throw InputError(target.string(), "its folder does not exist", "make the folder first");
    }
    fail("cannot create", code);
  }
  file_ = Descriptor(number);
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), kBufferBytes - buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + count);
    bytes = bytes.subspan(count);
    if (buffer_.size() == kBufferBytes) flush();
  }
}

void AtomicFile::flush() {
  std::span<const std::byte> rest(buffer_);
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count >= 0) {
      rest = rest.subspan(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      fail("cannot write", errno);
    }
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (::fsync(file_.get()) != 0) fail("cannot write", errno);
  if (::close(file_.release()) != 0) fail("cannot write", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot rename to it", errno);
  temporary_.clear();
  // The new name itself must survive a power cut, if folders can be synced here.
  const std::filesystem::path folder =
      target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
}

void AtomicFile::fail(std::string_view what, int code) const {
  const bool space = code == ENOSPC || code == EDQUOT || code == EFBIG;
  throw MachineError(target_.string(), std::string(what) + ": " + std::strerror(code),
                     space ? "free space or name another place" : "check permissions and the disk");
}

void remove_leftovers(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> leftovers;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().find(kTemporary) != std::string::npos) {
      leftovers.push_back(entry.path());
    }
  }
  for (const std::filesystem::path& leftover : leftovers) {
    std::filesystem::remove(leftover, ignored);
  }
}

}  // namespace bellmark
