#include "base/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "base/program.hpp"

namespace bellmark {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kNotStarted = 127;  // the code of shells

/// The data that a child needs between fork and exec, where nothing may be allocated.
struct Start {
  const char* program;
  std::vector<char*> words;        ///< with a null pointer at the end
  std::vector<char*> environment;  ///< likewise
  /// Its number, ours, and a copy of ours at a free number.
  struct Given {
    int number;
    int ours;
    int copy;
  };
  std::vector<Given> descriptors;
  int free_number = 0;  ///< no number from this one on is given
  const std::vector<unsigned long>* affinity;
  bool own_group;
  bool dies_with_parent;
  pid_t parent;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// `NAME=value` for each variable of the child.
std::vector<std::string> environment_of(const ChildOptions& options) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string name(text.substr(0, text.find('=')));
    const auto& passed = options.passed;
    const bool is_passed = !passed || std::ranges::find(*passed, name) != passed->end();
    if (is_passed && !options.environment.contains(name)) all.emplace_back(text);
  }
  for (const auto& [name, value] : options.environment) all.push_back(name + "=" + value);
  return all;
}

/// Only async-signal-safe calls. False, with errno, when a descriptor can't be given.
bool give_descriptors(std::vector<Start::Given>& descriptors, int free_number) {
  // Our descriptor may have the number that the child gives to another one.
  for (Start::Given& given : descriptors) {
    given.copy = fcntl(given.ours, F_DUPFD_CLOEXEC, free_number);
    if (given.copy < 0) return false;
  }
  return std::ranges::all_of(descriptors,
                             [](const auto& given) { return dup2(given.copy, given.number) >= 0; });
}

/// The child between vfork and exec, in its parent's memory: only async-signal-safe calls. Writes
/// an error to `failure`, which closes by itself when the program runs.
[[noreturn]] void become_program(Start& start, int failure) {
  if (start.dies_with_parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start.parent) _exit(kNotStarted);
  }
  if (start.own_group) setpgid(0, 0);
  const auto& pus = *start.affinity;
  // If its thread can't be bound, the program still runs: a measurement reads its real place.
  if (!pus.empty()) {
    sched_setaffinity(0, pus.size() * sizeof(unsigned long),
                      reinterpret_cast<const cpu_set_t*>(pus.data()));
  }
  failure = fcntl(failure, F_DUPFD_CLOEXEC, start.free_number);
  if (give_descriptors(start.descriptors, start.free_number)) {
    execve(start.program, start.words.data(), start.environment.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(kNotStarted);
}

/// The error that the child wrote; nothing when the program runs.
std::optional<int> failure_of_start(int failure) {
  int error = 0;
  ssize_t count = 0;
  while ((count = read(failure, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (count == sizeof error) return error;
  return std::nullopt;
}

ChildUsage usage_of(const rusage& counted) {
  const auto ns_of = [](const timeval& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
  };
  constexpr std::uint64_t kKibibyte = 1024;
  return {ns_of(counted.ru_utime) + ns_of(counted.ru_stime),
          static_cast<std::uint64_t>(counted.ru_maxrss) * kKibibyte};
}

int wait_for(pid_t child, ChildUsage& usage) {
  int raw = 0;
  rusage counted{};
  while (wait4(child, &raw, 0, &counted) < 0 && errno == EINTR) {
  }
  usage = usage_of(counted);
  return raw;
}

std::string found_program(const std::string& word) {
  if (std::string program = find_program(word); !program.empty()) return program;
  throw MachineError(
      word, "there is no such program",
      word.find('/') == std::string::npos ? "install it, or put it on PATH" : "check the path");
}

/// Takes the available output. False at the end.
bool append_from(int descriptor, std::string& text) {
  char bytes[1 << 16];
  const ssize_t count = read(descriptor, bytes, sizeof bytes);
  if (count < 0) return errno == EINTR;
  text.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

bool is_readable(int descriptor, std::chrono::milliseconds patience) {
  pollfd watched{descriptor, POLLIN, 0};
  return poll(&watched, 1, static_cast<int>(patience.count())) > 0;
}

Descriptor nothing(int flags) { return Descriptor(open("/dev/null", flags | O_CLOEXEC)); }

}  // namespace

Pipe Pipe::make() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw MachineError("pipe", std::string("cannot be made: ") + std::strerror(errno),
                       "close other programs and try again");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<unsigned long> affinity_of_thread() {
  // As many bits as the kernel has PUs. The kernel answers fewer bits with EINVAL.
  for (std::vector<unsigned long> pus(CPU_SETSIZE / (8 * sizeof(unsigned long)));;
       pus.resize(2 * pus.size())) {
    const std::size_t bytes = pus.size() * sizeof(unsigned long);
    if (sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(pus.data())) == 0) return pus;
    if (errno == EINVAL && bytes < (std::size_t{1} << 20)) continue;
    throw MachineError("affinity", std::string("cannot be read: ") + std::strerror(errno));
  }
}

std::optional<int> ExitStatus::code() const {
  if (WIFEXITED(raw_)) return WEXITSTATUS(raw_);
  return std::nullopt;
}

std::optional<int> ExitStatus::signal() const {
  if (WIFSIGNALED(raw_)) return WTERMSIG(raw_);
  return std::nullopt;
}

std::string ExitStatus::text() const {
  if (const auto number = signal()) {
    return "killed by signal " + std::to_string(*number) + " (" + strsignal(*number) + ")";
  }
  return "exit code " + std::to_string(WEXITSTATUS(raw_));
}

ChildProcess::ChildProcess(std::vector<std::string> words, const ChildOptions& options)
    : own_group_(options.own_group) {
  const std::string program =
      found_program(options.program.empty() ? words.at(0) : options.program);
  std::vector<std::string> environment = environment_of(options);
  Start start{.program = program.c_str(),
              .words = pointers_to(words),
              .environment = pointers_to(environment),
              .descriptors = {},
              .free_number = STDERR_FILENO + 1,
              .affinity = &options.affinity,
              .own_group = options.own_group,
              .dies_with_parent = options.dies_with_parent,
              .parent = getpid()};
  for (const auto& [number, ours] : options.descriptors) {
    start.descriptors.push_back({number, ours, -1});
    start.free_number = std::max(start.free_number, number + 1);
  }
  Pipe failure = Pipe::make();
  // fork() would copy the page tables. With a large graph in this process, that takes longer than
  // many a program. Here the child borrows the memory until it has become the program.
  id_ = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (id_ == 0) become_program(start, failure.write_end.get());
  std::optional<int> error;
  if (id_ < 0) {
    error = errno;
  } else {
    failure.write_end.reset();
    error = failure_of_start(failure.read_end.get());
    if (error) wait_for(id_, usage_);
  }
  if (!error) return;
  throw MachineError(program, std::string("cannot be started: ") + std::strerror(*error),
                     "free memory or processes, or check the program");
}

ChildProcess::~ChildProcess() {
  if (status_) return;
  if (own_group_) signal_group(SIGKILL);
  signal(SIGKILL);
  wait_for(id_, usage_);
}

ExitStatus ChildProcess::wait() {
  if (!status_) status_ = ExitStatus(wait_for(id_, usage_));
  return *status_;
}

std::optional<ExitStatus> ChildProcess::wait(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause(10);
  const auto end = SteadyClock::now() + patience;
  while (!status_) {
    int raw = 0;
    rusage counted{};
    if (wait4(id_, &raw, WNOHANG, &counted) == id_) {
      status_ = ExitStatus(raw);
      usage_ = usage_of(counted);
    } else if (SteadyClock::now() >= end) {
      break;
    } else {
      std::this_thread::sleep_for(kPause);
    }
  }
  return status_;
}

void ChildProcess::signal(int number) const {
  if (!status_) kill(id_, number);
}

void ChildProcess::signal_group(int number) const {
  if (own_group_) kill(-id_, number);
}

ExitStatus run_program(const std::vector<std::string>& words, const ChildOptions& options) {
  return ChildProcess(words, options).wait();
}

ExitStatus run_silently(const std::vector<std::string>& words) {
  const Descriptor in = nothing(O_RDONLY);
  const Descriptor out = nothing(O_WRONLY);
  ChildOptions options;
  options.descriptors = {
      {STDIN_FILENO, in.get()}, {STDOUT_FILENO, out.get()}, {STDERR_FILENO, out.get()}};
  return run_program(words, options);
}

Captured capture_output(const std::vector<std::string>& words, std::chrono::milliseconds patience,
                        ChildOptions options) {
  constexpr std::chrono::milliseconds kPause(20);
  const auto end = SteadyClock::now() + patience;
  const Descriptor in = nothing(O_RDONLY);
  Pipe pipe = Pipe::make();
  const int out = pipe.write_end.get();
  options.own_group = true;
  options.descriptors = {{STDIN_FILENO, in.get()}, {STDOUT_FILENO, out}, {STDERR_FILENO, out}};
  ChildProcess child(words, options);
  pipe.write_end.reset();
  Captured captured;
  const int said = pipe.read_end.get();
  while (SteadyClock::now() < end) {
    // Checked before the pipe is read: the pipe then has all output of an ended program.
    const bool ended = child.wait(std::chrono::milliseconds(0)).has_value();
    if (is_readable(said, ended ? std::chrono::milliseconds(0) : kPause)) {
      if (append_from(said, captured.output)) continue;
      captured.status = child.wait(
          std::chrono::duration_cast<std::chrono::milliseconds>(end - SteadyClock::now()));
      break;
    }
    if (!ended) continue;
    captured.status = child.wait();
    break;
  }
  if (!captured.status) child.signal_group(SIGKILL);
  return captured;
}

}  // namespace bellmark
