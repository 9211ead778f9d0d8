#include "harness/run/supervise/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/supervise/rank_status.hpp"

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
[[noreturn]] void become_worker(int request_fd, int event_fd, int log_fd, bool events_on_stdout,
                                pid_t supervisor, const char* program, char* const* words) {
  // A supervisor killed with SIGKILL must not leave a worker behind; a SIGINT of the terminal is
  // the supervisor's to handle.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
  setpgid(0, 0);
  constexpr int kEventFd = 3;
  dup2(request_fd, STDIN_FILENO);
  dup2(log_fd, STDOUT_FILENO);
  dup2(log_fd, STDERR_FILENO);
  if (events_on_stdout) {
    dup2(event_fd, STDOUT_FILENO);
  } else if (event_fd == kEventFd) {
    fcntl(event_fd, F_SETFD, 0);
  } else {
    dup2(event_fd, kEventFd);
  }
  execv(program, words);
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

/// Nothing when it lives on.
std::optional<int> wait_for(pid_t child, std::chrono::milliseconds patience) {
  const auto end = SteadyClock::now() + patience;
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return status;
    if (SteadyClock::now() > end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// An error that a rank sent.
struct RankError {
  std::size_t rank;
  int code;
  std::string message;
};

/// One worker of a launch group, or a launcher with its ranks.
struct Child {
  pid_t pid = -1;
  Descriptor requests;
  Descriptor events;
  std::string buffer;
  std::string last_cell;
  std::filesystem::path stray;  ///< where lines go that are no events; "" to drop them
  Json replicate;
  std::vector<RankError> rank_errors;
  bool launcher = false;
  bool heard = false;  ///< it sent an event
  int code = 0;
  std::string reason;
  bool ready = false;    ///< waits for the others before it samples
  bool sampled = false;  ///< has its samples, and goes on with its work
  bool done = false;
  bool ended = false;  ///< its end of the pipe is closed
};

/// `words` are a program and its arguments.
void start(Child& child, const Json& request, const std::filesystem::path& log, bool listens,
           const std::string& program, std::vector<std::string> words) {
  Descriptor request_read;
  Descriptor event_write;
  make_pipe(request_read, child.requests);
  make_pipe(child.events, event_write);
  const Descriptor log_file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (log_file.get() < 0) {
    throw MachineError(log.string(), std::string("cannot be opened: ") + std::strerror(errno),
                       "check the folder's permissions and free space");
  }
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t self = getpid();
  child.pid = fork();
  if (child.pid < 0) {
    throw MachineError("worker", std::string("cannot be started: ") + std::strerror(errno),
                       "free memory or processes and resume the run");
  }
  if (child.pid == 0) {
    become_worker(request_read.get(), event_write.get(), log_file.get(), child.launcher, self,
                  program.c_str(), pointers.data());
  }
  request_read.reset();
  send_all(child.requests.get(), request.dump() + "\n");
  if (!listens) child.requests.reset();
}

void handle(Child& child, const std::string& line,
            const std::function<void(const Json&)>& on_event) {
  if (line.empty()) return;
  const Json event = Json::parse(line, nullptr, false);
  if (!event.is_object() || !event.contains("event")) {
    if (!child.stray.empty()) std::ofstream(child.stray, std::ios::app) << line << "\n";
    return;
  }
  child.heard = true;
  const auto& kind = event.at("event").get_ref<const std::string&>();
  if (kind == "done") {
    child.done = true;
    child.replicate = event.at("replicate");
  } else if (kind == "error") {
    child.code = event.at("code").get<int>();
    child.reason = event.at("message").get<std::string>();
    if (event.contains("rank")) {
      child.rank_errors.push_back({event.at("rank").get<std::size_t>(), child.code, child.reason});
    }
  } else if (kind == "cell") {
    child.last_cell = event.at("id").get<std::string>();
  } else if (kind == "ready") {
    child.ready = true;
  } else if (kind == "sampled") {
    child.sampled = true;
  }
  if (on_event) on_event(event);
}

void listen(Child& child, const std::function<void(const Json&)>& on_event) {
  char bytes[1 << 16];
  const ssize_t count = read(child.events.get(), bytes, sizeof bytes);
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) {
    child.ended = true;
    return;
  }
  child.buffer.append(bytes, static_cast<std::size_t>(count));
  std::size_t begin = 0;
  for (std::size_t end; (end = child.buffer.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    handle(child, child.buffer.substr(begin, end - begin), on_event);
  }
  child.buffer.erase(0, begin);
}

/// Workers of one launch group; none outlives it.
class LaunchGroup {
 public:
  explicit LaunchGroup(std::size_t count) : children_(count) {}
  LaunchGroup(const LaunchGroup&) = delete;
  LaunchGroup& operator=(const LaunchGroup&) = delete;
  ~LaunchGroup() {
    end();
    for (Child& child : children_) {
      if (child.pid > 0) wait_for(child.pid);
    }
  }

  std::deque<Child>& children() { return children_; }

  void end() {
    for (Child& child : children_) {
      if (child.pid <= 0) continue;
      if (child.launcher && end_launcher(child.pid)) child.pid = -1;
      if (child.pid <= 0) continue;
      kill(-child.pid, SIGKILL);
      kill(child.pid, SIGKILL);
    }
  }

  /// Waits until something is to be read, then reads it. False when nothing came.
  bool listen_all(const std::function<void(const Json&)>& on_event) {
    std::vector<pollfd> events;
    for (const Child& child : children_) {
      events.push_back({child.ended ? -1 : child.events.get(), POLLIN, 0});
    }
    constexpr int kPollMilliseconds = 100;
    if (poll(events.data(), events.size(), kPollMilliseconds) <= 0) return false;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].revents == 0) continue;
      listen(children_[i], i == 0 ? on_event : nullptr);
    }
    return true;
  }

  /// Tells all to begin when every one is ready, and to end when every one has its samples.
  void conduct() {
    const auto every = [&](bool Child::*state) {
      return std::ranges::all_of(children_, [&](const Child& c) { return c.done || c.*state; });
    };
    if (!started_ && every(&Child::ready)) {
      started_ = true;
      for (const Child& child : children_) send_all(child.requests.get(), "begin\n");
    }
    if (started_ && !stopped_ && every(&Child::sampled)) {
      stopped_ = true;
      for (const Child& child : children_) send_all(child.requests.get(), "end\n");
    }
  }

 private:
  /// A launcher ends its ranks, also those on other hosts, before itself. False when it didn't.
  static bool end_launcher(pid_t pid) {
    constexpr std::chrono::seconds kPatience(1);
    kill(pid, SIGTERM);
    const bool ended = wait_for(pid, kPatience).has_value();
    kill(-pid, SIGKILL);  // what it left in its process group
    return ended;
  }

  std::deque<Child> children_;
  bool started_ = false;
  bool stopped_ = false;
};

/// A worker that dies before it has read what it is sent must not end the supervisor.
class IgnoreBrokenPipes {
 public:
  IgnoreBrokenPipes() : old_(std::signal(SIGPIPE, SIG_IGN)) {}
  IgnoreBrokenPipes(const IgnoreBrokenPipes&) = delete;
  IgnoreBrokenPipes& operator=(const IgnoreBrokenPipes&) = delete;
  ~IgnoreBrokenPipes() { std::signal(SIGPIPE, old_); }

 private:
  void (*old_)(int);
};

/// What a launch wrote to its log.
std::string text_after(const std::filesystem::path& log, std::uintmax_t begin) {
  constexpr std::uintmax_t kMost = 1 << 16;
  std::error_code unreadable;
  const std::uintmax_t size = std::filesystem::file_size(log, unreadable);
  if (unreadable || size <= begin) return {};
  std::ifstream stream(log, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(begin));
  std::string text(std::min(size - begin, kMost), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// What launchers say of a rank that died; "" when they say nothing. Open MPI: `process rank 1 with
/// PID 0 on node x exited on signal 9 (Killed)`; Slurm: `srun: error: x: task 1: Killed`.
std::string dead_rank_text(const std::string& said) {
  static const std::regex kOpenMpi(R"(process rank (\d+) .*exited on (signal \d+ \([^)]*\)))");
  static const std::regex kSlurm(R"(srun: error: .*: task (\d+): (.+))");
  std::smatch match;
  if (std::regex_search(said, match, kOpenMpi)) {
    return "rank " + match[1].str() + " was killed by " + match[2].str();
  }
  if (std::regex_search(said, match, kSlurm))
    return "rank " + match[1].str() + ": " + match[2].str();
  return {};
}

/// The first line that says something; "" when there is none.
std::string first_line(const std::string& said) {
  constexpr std::size_t kLongest = 200;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of("- \t\r=") == std::string::npos) continue;
    return one_line(std::string(trim(line)).substr(0, kLongest));
  }
  return {};
}

/// What to do about a failure that a launcher names; "" when it is none that is known. These words
/// are Open MPI's.
std::string launch_remedy(const std::string& said) {
  if (said.find("attempt to run as root") != std::string::npos) {
    return "; add --allow-run-as-root to the launcher, or set OMPI_ALLOW_RUN_AS_ROOT=1 and "
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
  }
  if (said.find("not enough slots") != std::string::npos) {
    return "; add --oversubscribe to the launcher, or ask for fewer ranks";
  }
  return {};
}

/// Errors of ranks as one: without a rank when all say the same.
std::string error_text(const std::vector<RankError>& errors, std::size_t rank_count) {
  const RankError& first = errors.front();
  const auto same = [&](const RankError& error) { return error.message == first.message; };
  if (errors.size() == rank_count && std::ranges::all_of(errors, same)) return first.message;
  return "rank " + std::to_string(first.rank) + ": " + first.message;
}

}  // namespace

WorkerOutcome run_workers(const std::vector<Json>& requests, double timeout_s,
                          const std::filesystem::path& log,
                          const std::function<bool()>& interrupted,
                          const std::function<void(const Json&)>& on_event,
                          const std::vector<std::string>& before) {
  const IgnoreBrokenPipes ignore_broken_pipes;
  LaunchGroup group(requests.size());
  const bool together = requests.size() > 1;
  // A simulator needs this program's path: /proc/self/exe would be its own.
  const std::string program = before.empty() ? "/proc/self/exe" : before.front();
  std::vector<std::string> words = before;
  words.push_back(before.empty() ? "bellmark"
                                 : std::filesystem::read_symlink("/proc/self/exe").string());
  words.emplace_back("worker");
  for (std::size_t i = 0; i < requests.size(); ++i) {
    start(group.children()[i], requests[i], log, together, program, words);
  }

  const auto timeout = std::chrono::duration<double>(timeout_s);
  auto heard = SteadyClock::now();
  bool timed_out = false;
  bool stopped = false;
  const auto ended = [](const Child& child) { return child.ended; };
  const auto failed = [](const Child& child) { return child.ended && !child.done; };
  while (!std::ranges::all_of(group.children(), ended) &&
         !std::ranges::any_of(group.children(), failed)) {
    if (group.listen_all(on_event)) heard = SteadyClock::now();
    stopped = interrupted();
    timed_out = !stopped && SteadyClock::now() - heard > timeout;
    if (stopped || timed_out) break;
    if (together) group.conduct();
  }

  // The one that failed is waited for before the others are ended: its own end is the reason.
  using End = WorkerOutcome::End;
  WorkerOutcome outcome;
  outcome.end = End::done;
  if (stopped || timed_out) {
    outcome.end = stopped ? End::interrupted : End::timed_out;
    outcome.reason = "nothing heard for " + std::to_string(static_cast<long>(timeout_s)) + " s";
    outcome.last_cell = group.children().front().last_cell;
    return outcome;
  }
  const auto finish = [&](Child& child) {
    const int status = wait_for(child.pid);
    child.pid = -1;
    if (child.done && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      outcome.replicates.push_back(std::move(child.replicate));
      return;
    }
    outcome.end = child.code != 0 ? End::failed : End::crashed;
    outcome.code = child.code;
    outcome.reason =
        child.code != 0 ? child.reason : how_it_died(status) + "; its output is in " + log.string();
    outcome.last_cell = child.last_cell;
  };
  const auto culprit = std::ranges::find_if(group.children(), failed);
  if (culprit != group.children().end()) {
    finish(*culprit);
    return outcome;
  }
  for (Child& child : group.children()) {
    finish(child);
    if (outcome.end != End::done) break;
  }
  return outcome;
}

WorkerOutcome run_launched(const Json& request, std::size_t rank_count,
                           const std::vector<std::string>& command, double timeout_s,
                           const std::filesystem::path& log,
                           const std::function<bool()>& interrupted,
                           const std::function<void(const Json&)>& on_event) {
  const IgnoreBrokenPipes ignore_broken_pipes;
  const std::filesystem::path file = request.at("status_file").get<std::string>();
  const RankStatus status = RankStatus::create(file, rank_count);
  std::error_code ignored;
  const std::uintmax_t log_size =
      std::filesystem::exists(log, ignored) ? std::filesystem::file_size(log, ignored) : 0;
  LaunchGroup group(1);
  Child& child = group.children().front();
  child.launcher = true;
  child.stray = log;
  start(child, request, log, true, command.front(), command);

  using End = WorkerOutcome::End;
  WorkerOutcome outcome;
  outcome.end = End::done;
  // When a rank has died mpirun takes seconds to end, and srun waits for the others unless it has
  // --kill-on-bad-exit. A launcher whose output has ended says soon after how it ended.
  constexpr std::chrono::seconds kPatience(10);
  auto heard = SteadyClock::now();
  std::optional<SteadyClock::time_point> died;
  while (!child.ended && outcome.end == End::done) {
    if (group.listen_all(on_event)) heard = SteadyClock::now();
    if (child.done) child.requests.reset();  // until then the ranks end when it is closed
    if (!died && any_died(status.lines())) died = SteadyClock::now();
    if (died && SteadyClock::now() - *died > kPatience) outcome.end = End::crashed;
    if (SteadyClock::now() - heard > std::chrono::duration<double>(timeout_s)) {
      outcome.end = End::timed_out;
    }
    if (interrupted()) outcome.end = End::interrupted;
  }
  if (!child.buffer.empty()) handle(child, child.buffer, on_event);
  std::optional<int> end;
  if (child.ended) end = wait_for(child.pid, kPatience);
  if (end) child.pid = -1;
  // Before the ranks are ended, which changes what they say of themselves.
  const std::string culprit = culprit_text(status.lines());
  const std::string said = text_after(log, log_size);
  const std::string dead = any_died(status.lines()) ? culprit : dead_rank_text(said);
  group.end();
  std::filesystem::remove(file, ignored);

  outcome.last_cell = child.last_cell;
  if (outcome.end == End::interrupted) return outcome;
  const std::string where = "; the ranks' output is in " + log.string();
  if (!child.rank_errors.empty()) {
    outcome.end = End::failed;
    outcome.code = child.rank_errors.front().code;
    outcome.reason = error_text(child.rank_errors, rank_count);
  } else if (child.code != 0) {
    outcome.end = End::failed;
    outcome.code = child.code;
    outcome.reason = child.reason;
  } else if (outcome.end == End::timed_out && dead.empty()) {
    outcome.reason = "nothing heard for " + std::to_string(static_cast<long>(timeout_s)) + " s";
    if (!culprit.empty()) {
      outcome.reason += ": " + culprit;
    } else if (!child.heard) {
      outcome.reason +=
          ": no rank is known to have begun: they are still starting (MPI_Init), and a launcher "
          "whose process manager doesn't fit the MPI library is the common reason (see: srun "
          "--mpi=list)";
    }
    outcome.reason += where;
  } else if (child.done && end && WIFEXITED(*end) && WEXITSTATUS(*end) == 0) {
    outcome.replicates.push_back(std::move(child.replicate));
  } else {
    outcome.end = End::crashed;
    outcome.reason = dead;
    if (dead.empty()) {
      outcome.reason = "the launcher " + (end ? how_it_died(*end) : std::string("went on"));
      const std::string more = culprit.empty() ? first_line(said) : culprit;
      if (!more.empty()) outcome.reason += ": " + more;
      outcome.reason += launch_remedy(said);
    }
    outcome.reason += where;
  }
  return outcome;
}

}  // namespace bellmark::run
