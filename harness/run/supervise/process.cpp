#include "harness/run/supervise/process.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>

#include "base/orphans.hpp"
#include "harness/external/runner.hpp"
#include "harness/machine/environment.hpp"
#include "harness/run/supervise/launch_group.hpp"
#include "harness/run/supervise/post_mortem.hpp"
#include "harness/run/supervise/rank_status.hpp"

namespace bellmark::run {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// A worker that dies before it has read its request must not end the supervisor.
class IgnoreBrokenPipes {
 public:
  IgnoreBrokenPipes() : old_(std::signal(SIGPIPE, SIG_IGN)) {}
  IgnoreBrokenPipes(const IgnoreBrokenPipes&) = delete;
  IgnoreBrokenPipes& operator=(const IgnoreBrokenPipes&) = delete;
  ~IgnoreBrokenPipes() { std::signal(SIGPIPE, old_); }

 private:
  void (*old_)(int);
};

/// Ends the programs that a killed worker left behind, and removes their answers. It is made before
/// the workers and ends after them.
class ProgramsEnd {
 public:
  explicit ProgramsEnd(const std::vector<Request>& requests)
      : has_programs_(!requests.front().programs.empty()) {
    if (!has_programs_) return;
    adopt_orphans();
    spared_ = children_now();
  }
  ProgramsEnd(const ProgramsEnd&) = delete;
  ProgramsEnd& operator=(const ProgramsEnd&) = delete;
  ~ProgramsEnd() {
    if (!has_programs_) return;
    end_orphans(spared_, std::chrono::milliseconds(0));
    std::error_code ignored;
    for (const pid_t worker : workers_) {
      std::filesystem::remove_all(external::answer_folder(worker), ignored);
    }
  }

  void add_worker(pid_t worker) { workers_.push_back(worker); }

 private:
  bool has_programs_;
  std::vector<pid_t> spared_;
  std::vector<pid_t> workers_;
};

std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code unreadable;
  const std::uintmax_t size = std::filesystem::file_size(file, unreadable);
  return unreadable ? 0 : size;
}

/// The lines that a launch wrote to its log.
std::string text_after(const std::filesystem::path& log, std::uintmax_t begin) {
  constexpr std::uintmax_t kMost = 1 << 16;
  const std::uintmax_t size = size_of(log);
  if (size <= begin) return {};
  std::ifstream stream(log, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(begin));
  std::string text(std::min(size - begin, kMost), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

void take_answer(WorkerProcess& worker, WorkerOutcome& outcome) {
  Event answer = worker.take_answer();
  if (auto* done = std::get_if<Done>(&answer)) {
    outcome.replicates.push_back(std::move(done->replicate));
  } else {
    outcome.probed = std::get<Probed>(std::move(answer));
  }
}

/// Takes over the end of a worker that is done or has failed.
void finish(WorkerProcess& worker, const std::filesystem::path& log, WorkerOutcome& outcome) {
  const ExitStatus status = worker.process().wait();
  if (worker.has_answered() && status.is_success()) {
    take_answer(worker, outcome);
    return;
  }
  outcome.last_cell = worker.last_cell();
  if (worker.errors().empty()) {
    outcome.end = WorkerOutcome::End::crashed;
    outcome.crashing = worker.crashing();
    outcome.was_killed = status.signal() == SIGKILL;
    outcome.reason = death_text(status) + (outcome.was_killed ? ", as when memory runs out" : "") +
                     "; its output is in " + log.string();
  } else {
    outcome.end = WorkerOutcome::End::failed;
    outcome.code = worker.errors().back().code;
    outcome.reason = worker.errors().back().message;
  }
}

WorkerCommand worker_command(const WorkerProgram& program,
                             std::map<std::string, std::string> environment) {
  constexpr const char* kOwn = "/proc/self/exe";
  if (program.before.empty()) {
    return {{"bellmark", "worker"},
            program.path.empty() ? kOwn : program.path,
            false,
            std::move(environment)};
  }
  // A simulator needs this program's path: /proc/self/exe would be its own.
  WorkerCommand command{program.before, {}, false, std::move(environment)};
  command.words.push_back(program.path.empty() ? std::filesystem::read_symlink(kOwn).string()
                                               : program.path);
  command.words.emplace_back("worker");
  return command;
}

}  // namespace

WorkerOutcome run_workers(const std::vector<Request>& requests, double timeout_s,
                          const std::filesystem::path& log,
                          const std::function<bool()>& interrupted,
                          const std::function<void(const Event&)>& on_event,
                          const WorkerProgram& program) {
  const IgnoreBrokenPipes ignore_broken_pipes;
  ProgramsEnd programs(requests);
  LaunchGroup group(requests,
                    worker_command(program, machine::environment_of(requests.front().pages)), log);
  auto& workers = group.workers();
  for (WorkerProcess& worker : workers) programs.add_worker(worker.process().id());

  const auto timeout = std::chrono::duration<double>(timeout_s);
  auto heard = SteadyClock::now();
  WorkerOutcome outcome;
  outcome.end = WorkerOutcome::End::done;
  const auto ended = [](const WorkerProcess& worker) { return worker.has_ended(); };
  const auto failed = [](const WorkerProcess& worker) {
    return worker.has_ended() && !worker.has_answered();
  };
  while (!std::ranges::all_of(workers, ended) && !std::ranges::any_of(workers, failed)) {
    if (group.listen_all(on_event)) heard = SteadyClock::now();
    if (interrupted()) {
      outcome.end = WorkerOutcome::End::interrupted;
    } else if (SteadyClock::now() - heard > timeout) {
      outcome.end = WorkerOutcome::End::timed_out;
    }
    if (outcome.end != WorkerOutcome::End::done) {
      outcome.reason = "nothing heard for " + std::to_string(static_cast<long>(timeout_s)) + " s";
      outcome.last_cell = workers.front().last_cell();
      return outcome;
    }
    if (workers.size() > 1) group.conduct();
  }

  // Waits for the failed worker before it ends the others: that worker's end is the reason.
  if (const auto culprit = std::ranges::find_if(workers, failed); culprit != workers.end()) {
    finish(*culprit, log, outcome);
    return outcome;
  }
  for (WorkerProcess& worker : workers) {
    finish(worker, log, outcome);
    if (outcome.end != WorkerOutcome::End::done) break;
  }
  return outcome;
}

WorkerOutcome run_launched(const Request& request, const std::vector<std::string>& command,
                           double timeout_s, const std::filesystem::path& log,
                           const std::function<bool()>& interrupted,
                           const std::function<void(const Event&)>& on_event) {
  const IgnoreBrokenPipes ignore_broken_pipes;
  const RankRequest& ranks = request.ranks.value();
  const RankStatus status = RankStatus::create(ranks.status_file, ranks.count);
  const std::uintmax_t log_size = size_of(log);
  LaunchGroup group({request}, {command, {}, true, machine::environment_of(request.pages)}, log);
  WorkerProcess& launcher = group.workers().front();

  LaunchSeen seen;
  seen.rank_count = ranks.count;
  seen.timeout_s = timeout_s;
  seen.log = log.string();
  // After a rank's death mpirun takes seconds to end. srun waits for the other ranks unless it has
  // --kill-on-bad-exit. A launcher whose output has ended soon says how it ended.
  constexpr std::chrono::seconds kPatience(10);
  auto heard = SteadyClock::now();
  std::optional<SteadyClock::time_point> died;
  while (!launcher.has_ended() && seen.stopped == WorkerOutcome::End::done) {
    if (group.listen_all(on_event)) heard = SteadyClock::now();
    if (launcher.has_answered())
      launcher.close_input();  // before the answer, ranks end when it is closed
    if (!died && any_died(status.lines())) died = SteadyClock::now();
    if (died && SteadyClock::now() - *died > kPatience) seen.stopped = WorkerOutcome::End::crashed;
    if (SteadyClock::now() - heard > std::chrono::duration<double>(timeout_s)) {
      seen.stopped = WorkerOutcome::End::timed_out;
    }
    if (interrupted()) seen.stopped = WorkerOutcome::End::interrupted;
  }
  launcher.take_rest(on_event);
  if (launcher.has_ended()) seen.status = launcher.process().wait(kPatience);
  // Read before the ranks are ended, which changes their status.
  seen.culprit = culprit_text(status.lines());
  seen.said = text_after(log, log_size);
  seen.rank_died = any_died(status.lines());
  launcher.end();
  std::error_code ignored;
  std::filesystem::remove(ranks.status_file, ignored);

  seen.heard = launcher.was_heard();
  seen.answered = launcher.has_answered();
  seen.errors = launcher.errors();
  if (seen.stopped == WorkerOutcome::End::timed_out && !seen.heard && seen.culprit.empty()) {
    seen.host_name_fault = machine::host_name_fault();
  }
  WorkerOutcome outcome = post_mortem(seen);
  outcome.last_cell = launcher.last_cell();
  if (outcome.end == WorkerOutcome::End::done) take_answer(launcher, outcome);
  return outcome;
}

}  // namespace bellmark::run
