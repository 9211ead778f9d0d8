// The outcome of a request to a worker, or to ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

struct WorkerOutcome {
  enum class End { done, failed, crashed, timed_out, interrupted };
  End end = End::crashed;
  std::vector<Replicate> replicates;  ///< when done: one a request
  std::optional<Probed> probed;       ///< when done with a probe
  int code = 0;                       ///< when failed: the exit code that the error asks for
  std::string reason;                 ///< when not done: one line
  std::optional<Crashing> crashing;   ///< when crashed: its last words
  bool was_killed = false;            ///< when crashed: by SIGKILL, as when memory runs out
  std::string last_cell;  ///< id of the cell last entered; "" while several are sampled together
};

}  // namespace bellmark::run
