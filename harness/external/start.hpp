// One start of a program: its time, its memory and its output.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "harness/external/program.hpp"

namespace bellmark::external {

/// The first bytes of a program's output that are kept. The rest is read and dropped.
inline constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

struct Ended {
  ExitStatus status{0};
  std::int64_t wall_ns = 0;  ///< from before it was started until it had ended
  ChildUsage usage;
  /// The largest resident memory that was seen; nothing unless it was watched.
  std::optional<std::uint64_t> seen_bytes;
  /// The time in which its first thread was ready to run and had no core; nothing where it is
  /// unknown.
  std::optional<std::int64_t> queued_ns;
  std::string output;  ///< kept if wanted
  std::string errors;
  std::size_t dropped_bytes = 0;  ///< of both
};

/// Settings of Start beside the words.
struct StartOptions {
  std::string executable;
  std::map<std::string, std::string> environment;
  std::vector<std::string> passed;  ///< variables of ours that it sees
  std::vector<unsigned long> affinity;
  std::string input;  ///< the file of its standard input; "" for an empty one
  bool keeps_output = false;
  bool watches_memory = false;
};

/// The common options of every start: executable, environment, cores, and that it dies with us.
ChildOptions child_options_of(const StartOptions& options);

/// The number of PUs that a thread of that affinity may run on.
int pu_count_of(const std::vector<unsigned long>& affinity);

/// The largest resident memory of a running process; nothing if it has ended.
std::optional<std::uint64_t> peak_resident(pid_t process);

/// Starts the program in this process's group, waits until it has ended, and drops its output after
/// kKeptBytes. Throws MachineError when it can't be started, or its input can't be read.
Ended start(const std::vector<std::string>& words, const StartOptions& options);

/// `exit code 3: no such file`: how it ended, and the last two lines of its standard error.
std::string end_text(const Ended& ended);

/// Our environment variables that every program sees: the paths of programs and libraries, the GPUs
/// that it may use, and the settings of the rule for memory pages.
const std::vector<std::string>& always_passed();

/// The first line of the version command; "" if there is none, or it prints nothing within seconds.
std::string version_of(const Program& program);

}  // namespace bellmark::external
