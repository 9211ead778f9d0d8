// Reads plain and gzip bytes in the same way.
#include "base/input.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

#include "base/error.hpp"

namespace bellmark {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr std::array<char, 2> kGzipMagic = {'\x1f', '\x8b'};
constexpr int kGzipWindow = 15 + 16;  // zlib's way of asking for gzip framing

[[noreturn]] void fail_to_open(const std::string& name, int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      throw InputError(name, "no such file", "check the path");
    case ELOOP:
      throw InputError(name, "its links lead round in a circle", "let them end at a file");
    case ENAMETOOLONG:
      throw InputError(name, "is longer than a file's name can be", "check the path");
    case ENXIO:
      throw InputError(name, "is a socket", "name a file");
    default:
      throw MachineError(name, std::string("cannot open: ") + std::strerror(code),
                         "check its permissions");
  }
}

/// A named pipe may never get a writer. A pipe that a shell made has one.
void await_writer(const std::string& name, int pipe) {
  struct statfs system {};
  if (::fstatfs(pipe, &system) == 0 && system.f_type == PIPEFS_MAGIC) return;
  constexpr int kPatienceMs = 2000;
  pollfd watched{pipe, POLLIN, 0};
  if (::poll(&watched, 1, kPatienceMs) != 0) return;
  throw InputError(name, "is a pipe, and nothing was written into it for 2 s",
                   "start its writer first, or name a file");
}

}  // namespace

Descriptor open_for_reading(const std::filesystem::path& path) {
  const std::string name = path.string();
  // Opening a pipe would wait for its writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail_to_open(name, errno);
  struct stat facts {};
  const bool known = ::fstat(file.get(), &facts) == 0;
  if (known && S_ISDIR(facts.st_mode)) throw InputError(name, "is a folder", "name a file in it");
  if (known && S_ISFIFO(facts.st_mode)) await_writer(name, file.get());
  ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
  return file;
}

Input::Input(const std::filesystem::path& path)
    : name_(path.string()), file_(open_for_reading(path)) {
  struct stat facts {};
  if (::fstat(file_.get(), &facts) == 0 && S_ISREG(facts.st_mode)) {
    stored_bytes_ = static_cast<std::uint64_t>(facts.st_size);
  }
}

Input::Input(std::string_view bytes, std::string name)
    : name_(std::move(name)), memory_(bytes), stored_bytes_(bytes.size()) {}

Input::~Input() {
  if (coding_ == Coding::gzip) inflateEnd(&inflater_);
}

std::size_t Input::read(std::span<char> out) {
  if (coding_ == Coding::unknown) detect();
  if (coding_ == Coding::gzip) return inflate_some(out);
  if (!pending_.empty()) {
    const std::size_t count = std::min(pending_.size(), out.size());
    std::copy_n(pending_.begin(), count, out.begin());
    pending_ = pending_.subspan(count);
    return count;
  }
  return read_stored(out);
}

void Input::detect() {
  buffer_.resize(kBufferBytes);
  std::size_t filled = 0;
  // A pipe may first give a single byte.
  while (filled < kGzipMagic.size()) {
    const std::size_t count = read_stored(std::span(buffer_).subspan(filled));
    if (count == 0) break;
    filled += count;
  }
  pending_ = std::span(buffer_).first(filled);
  coding_ = Coding::plain;
  if (filled < kGzipMagic.size() || !std::ranges::equal(pending_.first(2), kGzipMagic)) return;
  if (inflateInit2(&inflater_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  coding_ = Coding::gzip;
  member_open_ = true;
}

std::size_t Input::read_stored(std::span<char> out) {
  if (file_.get() < 0) {
    const std::size_t count = memory_.copy(out.data(), out.size());
    memory_.remove_prefix(count);
    return count;
  }
  for (;;) {
    const ssize_t count = ::read(file_.get(), out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) {
      throw MachineError(name_, std::string("cannot read: ") + std::strerror(errno),
                         "check the disk");
    }
  }
}

bool Input::refill() {
  if (pending_.empty()) pending_ = std::span(buffer_).first(read_stored(buffer_));
  return !pending_.empty();
}

std::size_t Input::inflate_some(std::span<char> out) {
  const auto fail = [&](const std::string& what) {
    throw InputError(name_, what + " after " + std::to_string(inflated_bytes_) + " inflated bytes",
                     "fetch or copy the file again");
  };
  const std::size_t wanted = std::min<std::size_t>(out.size(), std::size_t{1} << 30);
  inflater_.next_out = reinterpret_cast<Bytef*>(out.data());
  inflater_.avail_out = static_cast<uInt>(wanted);
  while (inflater_.avail_out > 0) {
    if (!refill()) {
      if (member_open_) fail("gzip data ends too early");
      break;
    }
    if (!member_open_) {
      if (pending_.front() != kGzipMagic.front()) fail("bytes that are not gzip data");
      inflateReset(&inflater_);
      member_open_ = true;
    }
    const std::size_t before = inflater_.avail_out;
    inflater_.next_in = reinterpret_cast<Bytef*>(pending_.data());
    inflater_.avail_in = static_cast<uInt>(pending_.size());
    const int status = inflate(&inflater_, Z_NO_FLUSH);
    pending_ = pending_.last(inflater_.avail_in);
    inflated_bytes_ += before - inflater_.avail_out;
    if (status == Z_STREAM_END) {
      member_open_ = false;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(std::string("gzip data is damaged (") +
           (inflater_.msg != nullptr ? inflater_.msg : "unknown reason") + ")");
    }
  }
  return wanted - inflater_.avail_out;
}

std::string read_whole(const std::filesystem::path& path) {
  Input input(path);
  std::vector<char> buffer(kBufferBytes);
  std::string text;
  while (const std::size_t count = input.read(buffer)) text.append(buffer.data(), count);
  return text;
}

std::string read_beginning(const std::filesystem::path& path, std::size_t count) {
  Input input(path);
  std::string text(count, '\0');
  std::size_t filled = 0;
  try {
    while (filled < count) {
      const std::size_t more = input.read(std::span(text).subspan(filled));
      if (more == 0) break;
      filled += more;
    }
  } catch (const InputError&) {
    // Bytes that were inflated before the damage are lost with the rest of their piece.
  }
  text.resize(filled);
  return text;
}

std::string gzipped(std::string_view text) {
  if (text.size() > std::numeric_limits<uInt>::max()) {
    throw std::length_error("gzipped() takes less than 4 GiB at once");
  }
  z_stream deflater{};
  constexpr int kMemoryLevel = 8;  // zlib's own default
  if (deflateInit2(&deflater, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string bytes(deflateBound(&deflater, text.size()), '\0');
  deflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  deflater.avail_in = static_cast<uInt>(text.size());
  deflater.next_out = reinterpret_cast<Bytef*>(bytes.data());
  deflater.avail_out = static_cast<uInt>(bytes.size());
  deflate(&deflater, Z_FINISH);  // the buffer has the largest possible size: one call is enough
  bytes.resize(deflater.total_out);
  deflateEnd(&deflater);
  return bytes;
}

}  // namespace bellmark
