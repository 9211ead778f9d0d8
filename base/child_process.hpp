// Other programs, started without a shell: from their words to their exit status.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"

namespace bellmark {

/// Both ends close when a program starts, unless they are named as its descriptors.
struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  /// Throws MachineError.
  static Pipe make();
};

/// How a program ended.
class ExitStatus {
 public:
  /// `raw` is the status from waitpid().
  explicit ExitStatus(int raw) : raw_(raw) {}

  bool is_success() const { return raw_ == 0; }
  std::optional<int> code() const;    ///< nothing when a signal killed it
  std::optional<int> signal() const;  ///< nothing when it ended by itself
  std::string text() const;           ///< `exit code 2`, `killed by signal 9 (Killed)`

 private:
  int raw_;
};

/// Everything that a program is given beside its words. By default it shares our standard streams,
/// our environment and our process group, and lives on when we end.
struct ChildOptions {
  /// The file that is executed; "" for the first word, which is looked up on PATH if it has no
  /// slash.
  std::string program;
  /// Its descriptor -> ours. Standard streams that are not named are shared. All other descriptors
  /// that we opened to close on exec are closed.
  std::map<int, int> descriptors;
  /// Variables that it has in addition to ours, or in place of ours.
  std::map<std::string, std::string> environment;
  /// The names of our own variables that it sees; nothing for all.
  std::optional<std::vector<std::string>> passed;
  /// The PUs that it may run on, one bit each (affinity_of_thread()); empty for the PUs of the
  /// thread that starts it.
  std::vector<unsigned long> affinity;
  /// A process group of its own: a terminal's Ctrl-C does not reach it, and signal_group() reaches
  /// the programs that it starts.
  bool own_group = false;
  /// SIGKILL when the thread that started it ends.
  bool dies_with_parent = false;
};

/// The PUs that the calling thread may run on, one bit each. Throws MachineError.
std::vector<unsigned long> affinity_of_thread();

/// The kernel's counts for a program that ended.
struct ChildUsage {
  std::int64_t cpu_ns = 0;  ///< of its threads, and of programs that it waited for
  /// Never less than the resident memory of the process that started it.
  std::uint64_t peak_bytes = 0;
};

/// A running program. Unless it is waited for, it is killed: nothing outlives its owner.
class ChildProcess {
 public:
  /// Returns when the program runs. Throws MachineError if there is no such program, or if it can't
  /// be started.
  explicit ChildProcess(std::vector<std::string> words, const ChildOptions& options = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills the program (with own_group its whole group) if it still runs, and waits for it.
  ~ChildProcess();

  pid_t id() const { return id_; }

  /// Waits until it has ended. A second call returns the same status.
  ExitStatus wait();
  /// Nothing if it lives on.
  std::optional<ExitStatus> wait(std::chrono::milliseconds patience);
  /// The usage of a program that has ended and was waited for.
  const ChildUsage& usage() const { return usage_; }

  /// Sends a signal. Does nothing to a program that was waited for.
  void signal(int number) const;
  /// Sends it to all of its group, even to programs that it left there. Needs own_group.
  void signal_group(int number) const;

 private:
  pid_t id_ = -1;
  bool own_group_ = false;
  std::optional<ExitStatus> status_;
  ChildUsage usage_;
};

/// Runs a program to its end. Throws MachineError when it can't be started.
ExitStatus run_program(const std::vector<std::string>& words, const ChildOptions& options = {});

/// Runs it without output: standard input is empty, output and errors are dropped.
ExitStatus run_silently(const std::vector<std::string>& words);

struct Captured {
  /// Nothing if it had not ended in time. It was then killed, with all programs that it started.
  std::optional<ExitStatus> status;
  std::string output;  ///< standard output and standard error, as they came
};

/// Runs a program with an empty standard input, and keeps its output. Programs that it starts and
/// leaves behind are not waited for. Throws MachineError when it can't be started.
Captured capture_output(const std::vector<std::string>& words, std::chrono::milliseconds patience,
                        ChildOptions options = {});

}  // namespace bellmark
