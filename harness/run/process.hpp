// One worker process: started, fed its request, listened to, and ended when it must be.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

struct WorkerOutcome {
  enum class End { done, failed, crashed, timed_out, interrupted };
  End end = End::crashed;
  Json replicate;         ///< when done
  int code = 0;           ///< when failed: the exit code that the error asks for
  std::string reason;     ///< when not done: one line
  std::string last_cell;  ///< id of the cell last entered; "" while several are sampled together
};

/// Runs `bellmark worker` on one request. The worker is killed when it says nothing for
/// `timeout_s`, or when `interrupted()` turns true. Its standard output and error go to `log`.
WorkerOutcome run_worker(const Json& request, double timeout_s, const std::filesystem::path& log,
                         const std::function<bool()>& interrupted,
                         const std::function<void(const Json&)>& on_event);

}  // namespace bellmark::run
