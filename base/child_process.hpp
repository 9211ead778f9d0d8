// Other programs, started without a shell: from their words to how they ended.
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

/// Both ends close when a program is started, unless they are named as one of its descriptors.
struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  /// Throws MachineError.
  static Pipe make();
};

/// How a program ended.
class ExitStatus {
 public:
  /// `raw` is what waitpid() says.
  explicit ExitStatus(int raw) : raw_(raw) {}

  bool is_success() const { return raw_ == 0; }
  std::optional<int> code() const;    ///< nothing when a signal killed it
  std::optional<int> signal() const;  ///< nothing when it ended by itself
  std::string text() const;           ///< `exit code 2`, `killed by signal 9 (Killed)`

 private:
  int raw_;
};

/// All that a program is given beside its words. By default it shares our standard streams, our
/// environment and our process group, and lives on when we end.
struct ChildOptions {
  /// The file that is executed; "" for the first word, looked for on PATH when it has no slash.
  std::string program;
  /// Its descriptor -> ours. Standard streams that are not named are shared; all others that we
  /// opened to close on exec are closed.
  std::map<int, int> descriptors;
  /// Variables that it has beside ours, or in their place.
  std::map<std::string, std::string> environment;
  /// Of our own variables those that it sees; nothing for all.
  std::optional<std::vector<std::string>> passed;
  /// The PUs that it may run on, a bit each (affinity_of_thread()); empty for those of the thread
  /// that starts it.
  std::vector<unsigned long> affinity;
  /// A process group of its own: a terminal's Ctrl-C is not for it, and signal_group() reaches the
  /// programs that it starts.
  bool own_group = false;
  /// SIGKILL when the thread that started it ends.
  bool dies_with_parent = false;
};

/// The PUs that the calling thread may run on, a bit each. Throws MachineError.
std::vector<unsigned long> affinity_of_thread();

/// What the kernel has counted of a program that ended.
struct ChildUsage {
  std::int64_t cpu_ns = 0;  ///< of its threads, and of programs that it waited for
  /// Never less than what was resident of the process that started it.
  std::uint64_t peak_bytes = 0;
};

/// A running program. Not waited for, it is killed: nothing outlives its owner.
class ChildProcess {
 public:
  /// Returns when the program runs. Throws MachineError: there is no such program, or it can't be
  /// started.
  explicit ChildProcess(std::vector<std::string> words, const ChildOptions& options = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills what still runs (with own_group its whole group), and waits for it.
  ~ChildProcess();

  pid_t id() const { return id_; }

  /// Until it has ended. Asked again, it says the same.
  ExitStatus wait();
  /// Nothing when it lives on.
  std::optional<ExitStatus> wait(std::chrono::milliseconds patience);
  /// Of one that has ended and was waited for.
  const ChildUsage& usage() const { return usage_; }

  /// Sends a signal; does nothing to a program that was waited for.
  void signal(int number) const;
  /// To all of its group, also to programs that it left there. Needs own_group.
  void signal_group(int number) const;

 private:
  pid_t id_ = -1;
  bool own_group_ = false;
  std::optional<ExitStatus> status_;
  ChildUsage usage_;
};

/// Runs a program to its end. Throws MachineError when it can't be started.
ExitStatus run_program(const std::vector<std::string>& words, const ChildOptions& options = {});

/// The same without a word: standard input is empty, output and errors are dropped.
ExitStatus run_silently(const std::vector<std::string>& words);

struct Captured {
  /// Nothing when it had not ended in time; it was killed then, with all that it started.
  std::optional<ExitStatus> status;
  std::string output;  ///< standard output and standard error, as they came
};

/// Runs a program with an empty standard input, and keeps its output. Programs that it starts and
/// leaves behind are not waited for. Throws MachineError when it can't be started.
Captured capture_output(const std::vector<std::string>& words, std::chrono::milliseconds patience,
                        ChildOptions options = {});

}  // namespace bellmark
