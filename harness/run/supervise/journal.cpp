#include "harness/run/supervise/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "harness/run/protocol/json_text.hpp"

namespace bellmark::run {
namespace {

MachineError failure(const std::filesystem::path& file, const char* what) {
  return MachineError(file.string(), std::string(what) + ": " + std::strerror(errno),
                      "free space or fix the permissions, then: bellmark resume");
}

std::size_t lines_left(std::istream& stream) {
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line) && !stream.eof();) ++count;
  return count;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file) : file_(file) {
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0644);
  if (descriptor_ < 0) throw failure(file, "cannot be opened");
  std::ifstream stream(file, std::ios::binary);
  for (std::string line; std::getline(stream, line);) {
    if (stream.eof()) break;  // no newline: the line in flight when the run was killed
    Json replicate = parse_json(line);
    if (!replicate.is_object()) {
      damage_ = file.string() + ":" + std::to_string(replicates_.size() + 1) +
                ": is damaged; what it and " + std::to_string(lines_left(stream)) +
                " later lines held is measured again";
      break;
    }
    replicates_.push_back(std::move(replicate));
    size_ += static_cast<long>(line.size()) + 1;
  }
  if (ftruncate(descriptor_, size_) != 0) throw failure(file, "cannot be cut");
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Journal::append(const Json& replicate) {
  const std::string line = json_text(replicate) + "\n";
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      // The next run would only cut off half a line, so none is left behind.
      if (ftruncate(descriptor_, size_) != 0) errno = error;
      errno = error;
      throw failure(file_, "cannot be written");
    }
    written += static_cast<std::size_t>(count);
  }
  if (fsync(descriptor_) != 0) throw failure(file_, "cannot be flushed");
  size_ += static_cast<long>(line.size());
  replicates_.push_back(replicate);
}

}  // namespace bellmark::run
