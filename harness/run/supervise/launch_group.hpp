// Workers that start together: sends their requests, reads their events, and ends them.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// The command that starts a worker.
struct WorkerCommand {
  std::vector<std::string> words;  ///< the program and its arguments
  std::string program = {};        ///< the file that is executed, where it isn't the first word
  /// A launcher passes events on over its own standard output. A worker has a descriptor for them.
  bool is_launcher = false;
  std::map<std::string, std::string> environment = {};  ///< added to ours
};

/// One worker, or a launcher with its ranks.
class WorkerProcess {
 public:
  /// Its output goes to `log`, and so do a launcher's lines that are not events. With `listens` its
  /// standard input stays open after the request. Throws MachineError.
  WorkerProcess(const Request& request, const WorkerCommand& command,
                const std::filesystem::path& log, bool listens);

  ChildProcess& process() { return process_; }
  int event_fd() const { return events_.get(); }
  /// Reads the available output, and passes each event to `on_event` (which may be null). False
  /// when it had no event: other output is no sign of progress.
  bool listen(const std::function<void(const Event&)>& on_event);
  /// Takes the text after the last whole line.
  void take_rest(const std::function<void(const Event&)>& on_event);
  /// Writes a line to its standard input. A dead process gets nothing: its exit status says how it
  /// died.
  void say(const std::string& line) const;
  void close_input() { input_.reset(); }
  /// Ends it with all processes that it started. A launcher is asked first, because it ends ranks
  /// on other hosts.
  void end();

  bool is_ready() const { return ready_; }
  bool has_sampled() const { return sampled_; }
  bool has_answered() const { return answer_.has_value(); }
  bool was_heard() const { return heard_; }
  bool has_ended() const { return ended_; }  ///< its end of the pipe is closed
  const std::string& last_cell() const { return last_cell_; }
  const std::optional<Crashing>& crashing() const { return crashing_; }
  const std::vector<Failed>& errors() const { return errors_; }
  /// Done or Probed. Asked once, after has_answered().
  Event take_answer() { return std::move(*answer_); }

 private:
  /// True when the line was an event.
  bool take(const std::string& line, const std::function<void(const Event&)>& on_event);
  void log_line(const std::string& line);

  bool is_launcher_;
  std::filesystem::path log_;
  Descriptor input_;
  Descriptor events_;
  ChildProcess process_;
  std::string buffer_;
  std::string last_cell_;
  std::optional<Event> answer_;
  std::optional<Crashing> crashing_;
  std::vector<Failed> errors_;
  std::size_t logged_bytes_ = 0;
  bool heard_ = false;
  bool ready_ = false;
  bool sampled_ = false;
  bool ended_ = false;
};

/// Workers of one launch group. None outlives the group.
class LaunchGroup {
 public:
  LaunchGroup(const std::vector<Request>& requests, const WorkerCommand& command,
              const std::filesystem::path& log);
  LaunchGroup(const LaunchGroup&) = delete;
  LaunchGroup& operator=(const LaunchGroup&) = delete;
  ~LaunchGroup();

  std::deque<WorkerProcess>& workers() { return workers_; }

  /// Waits for output, then reads it. `on_event` gets the first worker's events. False when no
  /// event came within a tenth of a second.
  bool listen_all(const std::function<void(const Event&)>& on_event);

  /// Tells all workers to begin when every one is ready, and to end when every one has its samples.
  void conduct();

 private:
  std::deque<WorkerProcess> workers_;
  bool started_ = false;
  bool stopped_ = false;
};

}  // namespace bellmark::run
