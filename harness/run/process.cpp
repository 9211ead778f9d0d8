#include "harness/run/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  int get() const { return value_; }
  void reset(int value = -1) {
    if (value_ >= 0) close(value_);
    value_ = value;
  }

 private:
  int value_;
};

void make_pipe(Descriptor& read_end, Descriptor& write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw MachineError("worker", std::string("no pipe: ") + std::strerror(errno),
                       "close other programs and resume the run");
  }
  read_end.reset(ends[0]);
  write_end.reset(ends[1]);
}

/// The child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become_worker(int request_fd, int event_fd, int log_fd, pid_t supervisor) {
  // A supervisor killed with SIGKILL must not leave a worker behind; a SIGINT of the terminal is
  // the supervisor's to handle.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
  setpgid(0, 0);
  constexpr int kEventFd = 3;
  dup2(request_fd, STDIN_FILENO);
  dup2(log_fd, STDOUT_FILENO);
  dup2(log_fd, STDERR_FILENO);
  if (event_fd == kEventFd) {
    fcntl(event_fd, F_SETFD, 0);
  } else {
    dup2(event_fd, kEventFd);
  }
  execl("/proc/self/exe", "bellmark", "worker", static_cast<char*>(nullptr));
  _exit(127);
}

void send_all(int descriptor, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(descriptor, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // the worker died; its end says how
    sent += static_cast<std::size_t>(count);
  }
}

std::string how_it_died(int status) {
  if (WIFSIGNALED(status)) {
    return std::string("killed by signal ") + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  }
  return "ended without an answer, exit code " + std::to_string(WEXITSTATUS(status));
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

WorkerOutcome run_worker(const Json& request, double timeout_s, const std::filesystem::path& log,
                         const std::function<bool()>& interrupted,
                         const std::function<void(const Json&)>& on_event) {
  Descriptor request_read;
  Descriptor request_write;
  Descriptor event_read;
  Descriptor event_write;
  make_pipe(request_read, request_write);
  make_pipe(event_read, event_write);
  const Descriptor log_file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (log_file.get() < 0) {
    throw MachineError(log.string(), std::string("cannot be opened: ") + std::strerror(errno),
                       "check the folder's permissions and free space");
  }

  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) {
    throw MachineError("worker", std::string("cannot be started: ") + std::strerror(errno),
                       "free memory or processes and resume the run");
  }
  if (child == 0) become_worker(request_read.get(), event_write.get(), log_file.get(), self);
  request_read.reset();
  event_write.reset();

  // A worker that dies before it has read its request must not end the supervisor.
  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
  send_all(request_write.get(), request.dump() + "\n");
  request_write.reset();
  std::signal(SIGPIPE, old_handler);

  WorkerOutcome outcome;
  bool done = false;
  const auto handle = [&](const std::string& line) {
    const Json event = Json::parse(line, nullptr, false);
    if (event.is_discarded()) return;
    const auto& kind = event.at("event").get_ref<const std::string&>();
    if (kind == "done") {
      done = true;
      outcome.replicate = event.at("replicate");
    } else if (kind == "error") {
      outcome.code = event.at("code").get<int>();
      outcome.reason = event.at("message").get<std::string>();
    } else if (kind == "cell") {
      outcome.last_cell = event.at("id").get<std::string>();
    }
    on_event(event);
  };

  const auto timeout = std::chrono::duration<double>(timeout_s);
  auto heard = SteadyClock::now();
  std::string buffer;
  bool timed_out = false;
  bool stopped = false;
  for (;;) {
    pollfd poll_event{event_read.get(), POLLIN, 0};
    constexpr int kPollMilliseconds = 100;
    const int ready = poll(&poll_event, 1, kPollMilliseconds);
    stopped = interrupted();
    timed_out = !stopped && SteadyClock::now() - heard > timeout;
    if (stopped || timed_out) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      break;
    }
    if (ready <= 0) continue;
    char bytes[1 << 16];
    const ssize_t count = read(event_read.get(), bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    heard = SteadyClock::now();
    buffer.append(bytes, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1) {
      handle(buffer.substr(begin, end - begin));
    }
    buffer.erase(0, begin);
  }
  const int status = wait_for(child);

  using End = WorkerOutcome::End;
  if (stopped) {
    outcome.end = End::interrupted;
  } else if (timed_out) {
    outcome.end = End::timed_out;
    outcome.reason = "nothing heard for " + std::to_string(static_cast<long>(timeout_s)) + " s";
  } else if (done && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    outcome.end = End::done;
  } else if (outcome.code != 0) {
    outcome.end = End::failed;
  } else {
    outcome.end = End::crashed;
    outcome.reason = how_it_died(status) + "; its output is in " + log.string();
  }
  return outcome;
}

}  // namespace bellmark::run
