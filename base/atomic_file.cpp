// Nameless or temporary file, fsync, rename.
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
constexpr mode_t kMode = 0666;

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

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// The name of a file that this process has open.
std::string name_of_open(int number) { return "/proc/self/fd/" + std::to_string(number); }

/// A file without a name, which the end of the process removes however it ends. -1 where the file
/// system or the kernel has none.
int open_nameless(const std::filesystem::path& folder) {
  const int number = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, kMode);
  if (number < 0 || ::access(name_of_open(number).c_str(), F_OK) == 0) return number;
  ::close(number);  // nothing could name it later
  return -1;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(writable_target(target)) {
  int number = open_nameless(folder_of(target_));
  if (number < 0) {
    number = name_temporary([](const char* name) {
      return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    });
  }
  if (number < 0) {
    const int code = errno;
    if (code == ENOENT || code == ENOTDIR) {
      throw InputError(target.string(), "its folder does not exist", "make the folder first");
    }
    fail("cannot create", code);
  }
  file_ = Descriptor(number);
  buffer_.reserve(kBufferBytes);
}

template <class Make>
int AtomicFile::name_temporary(Make make) {
  // Tells temporary files of several targets in one process apart. The kernel refuses a name that
  // exists.
  static thread_local unsigned serial = 0;
  int made = -1;
  std::filesystem::path name;
  do {
    name = target_;
    name += kTemporary + std::to_string(::getpid()) + "-" + std::to_string(serial++);
    made = make(name.c_str());
  } while (made < 0 && errno == EEXIST);
  if (made >= 0) temporary_ = std::move(name);
  return made;
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
  if (temporary_.empty()) {
    // Only a rename replaces a file, and only a name can be renamed.
    const std::string open_name = name_of_open(file_.get());
    const int linked = name_temporary([&](const char* name) {
      return ::linkat(AT_FDCWD, open_name.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
    if (linked < 0) fail("cannot name it", errno);
  }
  if (::close(file_.release()) != 0) fail("cannot write", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot rename to it", errno);
  temporary_.clear();
  // The new name itself must survive a power cut, if folders can be synced here.
  const Descriptor parent(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
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
