// A library for LD_PRELOAD: makes system calls of a program and its children fail, as the kernel
// may.
//
//   BELLMARK_FAULT=write:3:ENOSPC    the third write() of all these processes together fails so.
//                                    `SHORT` in place of an error: half of it is read or written.
//   BELLMARK_FAULT_COUNTS=FILE       kFunctionCount 64-bit counts of calls, shared by the processes
//   BELLMARK_DISK_BYTES=N            a disk with room for N bytes, counted in the same file
//   BELLMARK_DISK_LOG=FILE           after each write, the disk's bytes: 64 bits, appended
//   BELLMARK_CLOCK_SHIFT=SECONDS     every clock but those of CPU time, from the first call on
//
// Calls that the C library makes within itself are not intercepted.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace {

enum Function : std::size_t {
  kOpen,
  kRead,
  kWrite,
  kFsync,
  kRename,
  kFtruncate,
  kMkdir,
  kMmap,
  kPipe
};
constexpr std::array kNames{"open",      "read",  "write", "fsync", "rename",
                            "ftruncate", "mkdir", "mmap",  "pipe"};
constexpr std::size_t kDisk = kNames.size();  ///< bytes written, after the counts of calls
constexpr std::size_t kCountBytes = (kNames.size() + 1) * sizeof(std::uint64_t);

struct Error {
  const char* name;
  int number;
};
constexpr std::array kErrors{Error{"ENOSPC", ENOSPC}, Error{"EIO", EIO},
                             Error{"EINTR", EINTR},   Error{"ENOMEM", ENOMEM},
                             Error{"EMFILE", EMFILE}, Error{"EACCES", EACCES}};
constexpr int kShort = -1;

/// The next definition of a function: the C library's.
template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

struct Plan {
  std::atomic<std::uint64_t>* counts = nullptr;
  std::size_t function = kNames.size();
  std::uint64_t call = 0;
  int error = 0;
  std::uint64_t disk_bytes = UINT64_MAX;
  int disk_log = -1;
  std::int64_t clock_shift = 0;

  Plan() {
    if (const char* shift = std::getenv("BELLMARK_CLOCK_SHIFT")) clock_shift = std::atoll(shift);
    const char* file = std::getenv("BELLMARK_FAULT_COUNTS");
    if (file == nullptr) return;
    static auto* const open_file = real<int(const char*, int, ...)>("open");
    static auto* const map = real<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
    const int descriptor = open_file(file, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void* const memory =
        map(nullptr, kCountBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory == MAP_FAILED) return;
    counts = static_cast<std::atomic<std::uint64_t>*>(memory);
    if (const char* bytes = std::getenv("BELLMARK_DISK_BYTES")) {
      disk_bytes = std::strtoull(bytes, nullptr, 10);
    }
    if (const char* log = std::getenv("BELLMARK_DISK_LOG")) {
      disk_log = open_file(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    }
    if (const char* fault = std::getenv("BELLMARK_FAULT")) parse(fault);
  }

  void parse(const std::string& fault) {
    const std::size_t first = fault.find(':');
    const std::size_t last = fault.rfind(':');
    if (first == std::string::npos || first == last) return;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (fault.substr(0, first) == kNames[i]) function = i;
    }
    call = std::strtoull(fault.c_str() + first + 1, nullptr, 10);
    error = kShort;
    for (const Error& known : kErrors) {
      if (fault.substr(last + 1) == known.name) error = known.number;
    }
  }
};

Plan& plan() {
  static Plan plan;
  return plan;
}

/// 0 for a call that goes on unchanged, an error, or kShort.
int fault_of(Function function) {
  Plan& own = plan();
  if (own.counts == nullptr) return 0;
  const std::uint64_t call = ++own.counts[function];
  return function == own.function && call == own.call ? own.error : 0;
}

/// True if a call fails. errno says why.
bool fails(Function function) {
  const int fault = fault_of(function);
  if (fault <= 0) return false;
  errno = fault;
  return true;
}

bool is_on_disk(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// The number of bytes, of `size`, that may be read or written; -1 with errno if none may.
ssize_t allowed(Function function, int descriptor, std::size_t size) {
  const int fault = fault_of(function);
  if (fault > 0) {
    errno = fault;
    return -1;
  }
  if (fault == kShort) size = std::max<std::size_t>(1, size / 2);
  Plan& own = plan();
  if (function != kWrite || own.counts == nullptr || !is_on_disk(descriptor)) {
    return static_cast<ssize_t>(size);
  }
  const std::uint64_t before = own.counts[kDisk].fetch_add(size);
  if (own.disk_log >= 0) {
    static auto* const append = real<ssize_t(int, const void*, size_t)>("write");
    const std::uint64_t after = before + size;
    (void)!append(own.disk_log, &after, sizeof after);
  }
  if (before + size <= own.disk_bytes) return static_cast<ssize_t>(size);
  if (before >= own.disk_bytes) {
    errno = ENOSPC;
    return -1;
  }
  return static_cast<ssize_t>(own.disk_bytes - before);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);
  va_end(more);
  static auto* const next = real<int(const char*, int, ...)>("open");
  return fails(kOpen) ? -1 : next(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);
  va_end(more);
  static auto* const next = real<int(const char*, int, ...)>("open64");
  return fails(kOpen) ? -1 : next(path, flags, mode);
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  static auto* const next = real<ssize_t(int, void*, size_t)>("read");
  const ssize_t count = size == 0 ? 0 : allowed(kRead, descriptor, size);
  return count < 0 ? count : next(descriptor, bytes, static_cast<size_t>(count));
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  const ssize_t count = size == 0 ? 0 : allowed(kWrite, descriptor, size);
  return count < 0 ? count : next(descriptor, bytes, static_cast<size_t>(count));
}

// Writes only the first part: a caller has to go on with the others.
ssize_t writev(int descriptor, const iovec* parts, int count) {
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len > 0) return write(descriptor, parts[i].iov_base, parts[i].iov_len);
  }
  return 0;
}

int fsync(int descriptor) {
  static auto* const next = real<int(int)>("fsync");
  return fails(kFsync) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) {
  static auto* const next = real<int(const char*, const char*)>("rename");
  return fails(kRename) ? -1 : next(from, to);
}

int ftruncate(int descriptor, off_t size) {
  static auto* const next = real<int(int, off_t)>("ftruncate");
  return fails(kFtruncate) ? -1 : next(descriptor, size);
}

int mkdir(const char* path, mode_t mode) {
  static auto* const next = real<int(const char*, mode_t)>("mkdir");
  return fails(kMkdir) ? -1 : next(path, mode);
}

void* mmap(void* address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  static auto* const next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  return fails(kMmap) ? MAP_FAILED : next(address, size, protection, flags, descriptor, offset);
}

int pipe2(int* ends, int flags) {
  static auto* const next = real<int(int*, int)>("pipe2");
  return fails(kPipe) ? -1 : next(ends, flags);
}

int clock_gettime(clockid_t id, timespec* time) {
  static auto* const next = real<int(clockid_t, timespec*)>("clock_gettime");
  const int code = next(id, time);
  const bool of_cpu = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
  if (code == 0 && !of_cpu) time->tv_sec += plan().clock_shift;
  return code;
}

time_t time(time_t* result) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
