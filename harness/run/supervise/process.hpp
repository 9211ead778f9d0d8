// Sends requests to worker processes, and says how the processes ended.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/run/supervise/worker_outcome.hpp"

namespace bellmark::run {

/// The program that runs as `worker`, and the words before it.
struct WorkerProgram {
  std::string path = {};                 ///< of a `bellmark`; "" for this program's own
  std::vector<std::string> before = {};  ///< words that its own come after (a simulator's)
};

/// Runs `bellmark worker` on each request, all at once (a launch group). The workers begin to
/// sample together, and each works on until the last has its samples. All are killed when one of
/// them fails, when none sends anything for `timeout_s`, or when `interrupted()` turns true. Their
/// standard output and error go to `log`. `on_event` gets the first worker's events.
WorkerOutcome run_workers(const std::vector<Request>& requests, double timeout_s,
                          const std::filesystem::path& log,
                          const std::function<bool()>& interrupted,
                          const std::function<void(const Event&)>& on_event,
                          const WorkerProgram& program = {});

/// Runs `command`, a launcher that starts the request's ranks. The ranks answer the request
/// together. The request goes to the launcher's standard input. Events are the JSON lines of its
/// standard output, and all other lines go to `log`. An error is that of a rank and names it,
/// unless all ranks say the same.
///
/// A launcher is asked to end its ranks (SIGTERM), and killed a second later. That also happens 10
/// seconds after a rank noted the signal that killed it. The launcher's standard input stays open
/// until the answer is there. A rank ends when its own standard input or its parent does.
///
/// The cause of a hang or a crash comes from the request's status file (RankStatus), which this
/// function makes, and from the launcher's lines.
WorkerOutcome run_launched(const Request& request, const std::vector<std::string>& command,
                           double timeout_s, const std::filesystem::path& log,
                           const std::function<bool()>& interrupted,
                           const std::function<void(const Event&)>& on_event);

}  // namespace bellmark::run
