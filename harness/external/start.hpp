// One start of a program: its time, its memory and what it said.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "harness/external/program.hpp"

namespace bellmark::external {

/// Of what a program prints so much is kept; the rest is read and dropped.
inline constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

struct Ended {
  ExitStatus status{0};
  std::int64_t wall_ns = 0;  ///< from before it was started until it had ended
  ChildUsage usage;
  /// The largest of its resident memory that was seen; nothing unless it was watched.
  std::optional<std::uint64_t> seen_bytes;
  /// How long its first thread was ready to run and had no core; nothing where nobody tells.
  std::optional<std::int64_t> queued_ns;
  std::string output;  ///< kept where it is wanted
  std::string errors;
  std::size_t dropped_bytes = 0;  ///< of both
};

/// What Start has to know beside the words.
struct StartOptions {
  std::string executable;
  std::map<std::string, std::string> environment;
  std::vector<std::string> passed;  ///< variables of ours that it sees
  std::vector<unsigned long> affinity;
  std::string input;  ///< the file of its standard input; "" for an empty one
  bool keeps_output = false;
  bool watches_memory = false;
};

/// What every start has in common: executable, environment, cores, and that it dies with us.
ChildOptions child_options_of(const StartOptions& options);

/// How many PUs a thread of that affinity may run on.
int pu_count_of(const std::vector<unsigned long>& affinity);

/// The largest resident memory that a running process had; nothing where it has ended.
std::optional<std::uint64_t> peak_resident(pid_t process);

/// Starts the program in this process's group, waits until it has ended, and drops what it writes
/// beyond kKeptBytes. Throws MachineError when it can't be started, or its input can't be read.
Ended start(const std::vector<std::string>& words, const StartOptions& options);

/// `exit code 3: no such file`: how it ended, and the last line that it wrote of its errors.
std::string end_text(const Ended& ended);

/// Variables of ours that every program sees: where programs and libraries lie, which GPUs it may
/// use, and what the rule for memory pages sets.
const std::vector<std::string>& always_passed();

/// What the version command says first; "" where there is none, or it says nothing within seconds.
std::string version_of(const Program& program);

}  // namespace bellmark::external
