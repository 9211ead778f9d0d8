// Requests to worker processes, and how they ended.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/run/supervise/worker_outcome.hpp"

namespace bellmark::run {

/// Whose `worker` is run, and how.
struct WorkerProgram {
  std::string path = {};                 ///< of a `bellmark`; "" for this program's own
  std::vector<std::string> before = {};  ///< words that its own come after (a simulator's)
};

/// Runs `bellmark worker` on each request, all at once (a launch group). Several workers begin to
/// sample together, and each goes on with its work until the last has its samples. All are killed
/// when one of them fails, when none says anything for `timeout_s`, or when `interrupted()` turns
/// true. Their standard output and error go to `log`; `on_event` is told of the first one's events.
WorkerOutcome run_workers(const std::vector<Request>& requests, double timeout_s,
                          const std::filesystem::path& log,
                          const std::function<bool()>& interrupted,
                          const std::function<void(const Event&)>& on_event,
                          const WorkerProgram& program = {});

/// Runs `command`, a launcher that starts the request's ranks, which answer it together. The
/// request goes to the launcher's standard input; events are the lines of its standard output that
/// are JSON, all else goes to `log`. Errors are those of a rank, and say of which unless all ranks
/// say the same. The launcher ends its ranks itself when asked to (SIGTERM), as it is 10 seconds
/// after a rank noted the signal that killed it, too; after another second it is killed. Its
/// standard input stays open until the answer is there, and a rank whose own ends before ends with
/// it, as it does with its parent. What a hang or a crash is put down to comes from the request's
/// status file (RankStatus), which is made here, and from what the launcher wrote.
WorkerOutcome run_launched(const Request& request, const std::vector<std::string>& command,
                           double timeout_s, const std::filesystem::path& log,
                           const std::function<bool()>& interrupted,
                           const std::function<void(const Event&)>& on_event);

}  // namespace bellmark::run
