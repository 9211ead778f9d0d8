#include "harness/run/supervise/launch_group.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

MachineError pipe_failure(const char* what) {
  return MachineError("pipe to the worker", std::string(what) + ": " + std::strerror(errno),
                      "close other programs and try again");
}

void send_all(int descriptor, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(descriptor, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) return;  // the worker died; its exit status says how
    if (count < 0) throw pipe_failure("cannot be written");
    sent += static_cast<std::size_t>(count);
  }
}

/// Keeps our ends of the pipes to a new process. The process's ends are closed when it runs.
ChildProcess start(const WorkerCommand& command, const std::filesystem::path& log,
                   Descriptor& input, Descriptor& events) {
  Pipe requests = Pipe::make();
  Pipe answers = Pipe::make();
  const Descriptor log_file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (log_file.get() < 0) {
    throw MachineError(log.string(), std::string("cannot be opened: ") + std::strerror(errno),
                       "check the folder's permissions and free space");
  }
  constexpr int kEventFd = 3;
  ChildOptions options;
  options.program = command.program;
  options.environment = command.environment;
  options.descriptors = {{STDIN_FILENO, requests.read_end.get()},
                         {STDOUT_FILENO, log_file.get()},
                         {STDERR_FILENO, log_file.get()}};
  options.descriptors[command.is_launcher ? STDOUT_FILENO : kEventFd] = answers.write_end.get();
  // A supervisor killed with SIGKILL must not leave a worker behind. The supervisor handles a
  // SIGINT of the terminal.
  options.dies_with_parent = true;
  options.own_group = true;
  input = std::move(requests.write_end);
  events = std::move(answers.read_end);
  return ChildProcess(command.words, options);
}

}  // namespace

WorkerProcess::WorkerProcess(const Request& request, const WorkerCommand& command,
                             const std::filesystem::path& log, bool listens)
    : is_launcher_(command.is_launcher), log_(log), process_(start(command, log, input_, events_)) {
  say(line_of(request));
  if (!listens) close_input();
}

void WorkerProcess::say(const std::string& line) const {
  if (input_.get() >= 0) send_all(input_.get(), line);
}

bool WorkerProcess::take(const std::string& line,
                         const std::function<void(const Event&)>& on_event) {
  if (line.empty()) return false;
  std::optional<Event> event = parse_event(line);
  if (!event) {
    if (is_launcher_) log_line(line);
    return false;
  }
  heard_ = true;
  if (const auto* failed = std::get_if<Failed>(&*event)) errors_.push_back(*failed);
  if (const auto* crashing = std::get_if<Crashing>(&*event)) crashing_ = *crashing;
  if (const auto* entered = std::get_if<CellEntered>(&*event)) last_cell_ = entered->id;
  if (std::holds_alternative<Ready>(*event)) ready_ = true;
  if (std::holds_alternative<Sampled>(*event)) sampled_ = true;
  if (on_event) on_event(*event);
  if (std::holds_alternative<Done>(*event) || std::holds_alternative<Probed>(*event)) {
    answer_ = std::move(event);
  }
  return true;
}

/// A worker that prints forever must not fill the disk before its timeout.
void WorkerProcess::log_line(const std::string& line) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  if (logged_bytes_ > kMost) return;
  logged_bytes_ += line.size() + 1;
  std::ofstream(log_, std::ios::app) << line << "\n";
}

bool WorkerProcess::listen(const std::function<void(const Event&)>& on_event) {
  char bytes[1 << 16];
  const ssize_t count = read(events_.get(), bytes, sizeof bytes);
  if (count < 0 && errno == EINTR) return false;
  if (count < 0) throw pipe_failure("cannot be read");
  if (count == 0) {
    ended_ = true;
    return false;
  }
  const std::size_t seen = buffer_.size();
  buffer_.append(bytes, static_cast<std::size_t>(count));
  bool heard = false;
  std::size_t begin = 0;
  for (std::size_t end; (end = buffer_.find('\n', std::max(begin, seen))) != std::string::npos;
       begin = end + 1) {
    heard = take(buffer_.substr(begin, end - begin), on_event) || heard;
  }
  buffer_.erase(0, begin);
  // An event is an object. A line that begins otherwise is not kept until it ends.
  const bool may_be_event = buffer_.starts_with('{');
  constexpr std::size_t kLongestEvent = std::size_t{1} << 28;
  constexpr std::size_t kLongestOther = std::size_t{1} << 20;
  if (buffer_.size() > (may_be_event ? kLongestEvent : kLongestOther)) take_rest(on_event);
  return heard;
}

void WorkerProcess::take_rest(const std::function<void(const Event&)>& on_event) {
  take(std::exchange(buffer_, {}), on_event);
}

void WorkerProcess::end() {
  constexpr std::chrono::seconds kPatience(1);
  if (is_launcher_) {
    process_.signal(SIGTERM);
    process_.wait(kPatience);
  }
  process_.signal_group(SIGKILL);  // also processes that it left in its group
  process_.wait();
}

LaunchGroup::LaunchGroup(const std::vector<Request>& requests, const WorkerCommand& command,
                         const std::filesystem::path& log) {
  const bool listens = requests.size() > 1 || command.is_launcher;
  for (const Request& request : requests) workers_.emplace_back(request, command, log, listens);
}

LaunchGroup::~LaunchGroup() {
  for (WorkerProcess& worker : workers_) worker.end();
}

bool LaunchGroup::listen_all(const std::function<void(const Event&)>& on_event) {
  std::vector<pollfd> events;
  for (const WorkerProcess& worker : workers_) {
    events.push_back({worker.has_ended() ? -1 : worker.event_fd(), POLLIN, 0});
  }
  constexpr int kPollMilliseconds = 100;
  if (poll(events.data(), events.size(), kPollMilliseconds) <= 0) return false;
  bool heard = false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].revents == 0) continue;
    heard = workers_[i].listen(i == 0 ? on_event : nullptr) || heard;
  }
  return heard;
}

void LaunchGroup::conduct() {
  const auto every = [&](bool (WorkerProcess::*state)() const) {
    return std::ranges::all_of(workers_, [&](const WorkerProcess& worker) {
      return worker.has_answered() || (worker.*state)();
    });
  };
  if (!started_ && every(&WorkerProcess::is_ready)) {
    started_ = true;
    for (const WorkerProcess& worker : workers_) worker.say("begin\n");
  }
  if (started_ && !stopped_ && every(&WorkerProcess::has_sampled)) {
    stopped_ = true;
    for (const WorkerProcess& worker : workers_) worker.say("end\n");
  }
}

}  // namespace bellmark::run
