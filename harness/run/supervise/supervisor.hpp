// The supervisor turns a plan into finished replicates, whatever happens to workers.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/supervise/begun.hpp"
#include "harness/run/supervise/journal.hpp"
#include "harness/run/supervise/journal_entry.hpp"
#include "harness/run/supervise/probe.hpp"
#include "harness/run/supervise/run_folder.hpp"
#include "harness/run/supervise/task.hpp"
#include "harness/run/supervise/worker_outcome.hpp"

namespace bellmark::run {

/// Gets the progress of a run; the console draws it.
class Progress {
 public:
  virtual ~Progress() = default;
  /// `finished` of `total` replicates; `remaining_s` when it is known.
  virtual void replicate(const Task& task, std::size_t finished, std::size_t total,
                         std::optional<double> remaining_s) = 0;
  /// Running estimates: cell id -> nanoseconds of a query.
  virtual void estimate(const std::map<std::string, double>& query_ns) = 0;
  virtual void problem(const std::string& text) = 0;
};

struct Supervised {
  std::vector<NotMeasured> not_measured;
  std::vector<Isolated> isolated;  ///< groups whose process ended, and how
  std::vector<std::string> cuts;   ///< work that the time budget left out
  bool interrupted = false;
  std::string finished;  ///< when interrupted: "3 of 14 replicates"
};

/// Requests, and the words that start their worker. These are a launcher's words if the request
/// names ranks. Otherwise they are the words before the worker's own command (a simulator's).
struct WorkerCall {
  std::vector<Request> requests;
  std::vector<std::string> words;
  std::string program = {};  ///< path of the build that answers; "" for this one
};
/// Answers a call, and passes on its events. Worker processes do this; a test replaces them.
using AnswerCall =
    std::function<WorkerOutcome(const WorkerCall&, const std::function<void(const Event&)>&)>;

/// Runs every task that the journal lacks. Then, while the budget lasts, it repeats each timed
/// block that was disturbed (disturbance.hpp). A cell that answers wrongly, crashes or hangs is
/// recorded and left out of later tasks. The other cells go on. Returns early when interrupted.
/// Throws MachineError when the machine fails, and the run can be resumed. Without `answer`,
/// processes answer calls.
Supervised supervise(const plan::Plan& plan, const Probe& probe, const RunFolder& folder,
                     Journal& journal, Progress& progress, const std::function<bool()>& interrupted,
                     AnswerCall answer = nullptr);

}  // namespace bellmark::run
