#include "harness/run/supervise/supervisor.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "harness/machine/frequency.hpp"
#include "harness/machine/launch.hpp"
#include "harness/machine/location.hpp"
#include "harness/run/protocol/reasons.hpp"
#include "harness/run/supervise/build_probe.hpp"
#include "harness/run/supervise/co_run.hpp"
#include "harness/run/supervise/debugging.hpp"
#include "harness/run/supervise/disturbance.hpp"
#include "harness/run/supervise/journal_entry.hpp"
#include "harness/run/supervise/process.hpp"
#include "harness/sinks/cachegrind.hpp"
#include "harness/sinks/profile.hpp"

namespace bellmark::run {
namespace {

using End = WorkerOutcome::End;

/// A finished timed task, and its disturbance.
struct TimedTask {
  Task task;
  double lost_ratio = 0;
  std::optional<double> core_mhz;
  bool throttled = false;  ///< a GPU's clocks were held back
};

/// The state of one supervised run. Tasks change it, and the journal restores it.
class Supervision {
 public:
  Supervision(const plan::Plan& plan, const Probe& probe, const RunFolder& folder, Journal& journal,
              Progress& progress, const std::function<bool()>& interrupted, AnswerCall answer)
      : plan_(plan),
        probe_(probe),
        folder_(folder),
        journal_(journal),
        progress_(progress),
        interrupted_(interrupted),
        answer_(std::move(answer)),
        begin_(std::chrono::steady_clock::now()) {
    for (const NotMeasured& cell : probe.not_measured) dropped_.insert(cell.cell);
    for (const JournalEntry& entry : entries_of(journal.replicates(), plan)) replay(entry);
  }

  Supervised run() {
    const std::vector<Task> all = tasks_of(plan_);
    std::deque<Task> queue(all.begin(), all.end());
    total_ = all.size();
    work_through(queue);
    if (result_.interrupted) return result_;
    if (!queue.empty()) {
      result_.cuts.push_back("budget: stopped after " + finished_text(queue.size()));
      return result_;
    }
    // Nobody looks at a smoke run's times.
    if (plan_.options.form == "smoke") return result_;
    const std::vector<Task> again = disturbed_tasks();
    queue.assign(again.begin(), again.end());
    total_ += again.size();
    work_through(queue);
    return result_;
  }

 private:
  bool over_budget() const { return plan_.options.budget_s && seconds() > *plan_.options.budget_s; }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  std::optional<double> remaining(std::size_t left) const {
    if (started_ == 0) return std::nullopt;
    return seconds() / static_cast<double>(started_) * static_cast<double>(left);
  }

  /// Works until the queue is empty, the budget is spent or the run is interrupted.
  void work_through(std::deque<Task>& queue) {
    while (!queue.empty()) {
      const Task task = queue.front();
      if (!finished_.contains(task.key) && over_budget()) return;
      queue.pop_front();
      if (finished_.contains(task.key)) continue;
      const std::string so_far = finished_text(queue.size() + 1);
      Task wanted = task;
      std::erase_if(wanted.cells, [&](std::size_t cell) { return dropped_.contains(cell); });
      if (wanted.cells.empty()) continue;
      // Doesn't start work that would be stopped at once.
      if (interrupted_()) {
        interrupt(so_far);
        return;
      }
      progress_.replicate(wanted, finished_count(queue.size() + 1), total_,
                          remaining(queue.size() + 1));
      // Asks for all cells of the group, not only for those still wanted. A resumed run must give
      // the remaining cells the same keys, or it would measure them twice.
      if (task.cells.size() > 1 && isolated_.contains(task.group)) {
        push_singles(queue, wanted);
        continue;
      }
      if (!run_task(wanted, queue)) {
        interrupt(so_far);
        return;
      }
      ++started_;
    }
  }

  /// A graph, and the build that certified answers on it: no build trusts another's certificate.
  using CertifiedBy = std::pair<std::string, std::optional<std::size_t>>;
  static CertifiedBy certified_by(const plan::Group& group) { return {group.graph, group.build}; }

  /// The number of finished tasks when `left` remain.
  std::size_t finished_count(std::size_t left) const { return total_ - std::min(total_, left); }
  std::string finished_text(std::size_t left) const {
    return std::to_string(finished_count(left)) + " of " + std::to_string(total_) + " replicates";
  }

  void interrupt(const std::string& so_far) {
    result_.interrupted = true;
    result_.finished = so_far;
  }

  /// For each disturbed timed block its task again, under a name of its own. A clock is slow if it
  /// is below the fastest of its group.
  std::vector<Task> disturbed_tasks() const {
    std::map<std::size_t, double> fastest_mhz;
    for (const TimedTask& timed : timed_) {
      double& fastest = fastest_mhz[timed.task.group];
      fastest = std::max(fastest, timed.core_mhz.value_or(0));
    }
    std::vector<Task> again;
    for (const TimedTask& timed : timed_) {
      if (timed.task.key.find(kAgain) != std::string::npos) continue;
      const double slow_mhz = (1 - kMostLost) * fastest_mhz.at(timed.task.group);
      const bool is_slow = timed.core_mhz && *timed.core_mhz < slow_mhz;
      if (timed.lost_ratio <= kMostLost && !is_slow && !timed.throttled) continue;
      again.push_back(timed.task);
      again.back().key += kAgain;
    }
    return again;
  }

  /// The second measurement of the baseline has its own process, as the first one has.
  void push_singles(std::deque<Task>& queue, const Task& task) const {
    if (const auto twice = measured_twice(task)) {
      queue.push_front(isolate_second(task, *twice, plan_));
    }
    for (auto cell = task.cells.rbegin(); cell != task.cells.rend(); ++cell) {
      queue.push_front(isolate(task, *cell, plan_));
    }
  }

  /// The cell of the task that is measured a second time; nothing where there is none.
  std::optional<std::size_t> measured_twice(const Task& task) const {
    const std::optional<std::size_t> twice = plan_.groups[task.group].twice;
    if (task.pass != Pass::timed || !twice) return std::nullopt;
    if (std::ranges::find(task.cells, *twice) == task.cells.end()) return std::nullopt;
    return twice;
  }

  WorkerOutcome measure(const Task& task) {
    const plan::Group& group = plan_.groups[task.group];
    const machine::FrequencyControl clock(group.frequency, pus_of(group));
    if (task.pass == Pass::profile) return profile(task);
    if (task.counter_group == sinks::kCachegrind) return simulate(task);
    return call(task, requests(task),
                group.launcher.empty()
                    ? std::vector<std::string>()
                    : machine::launch_words(group.launcher, program_of(plan_, group)));
  }

  WorkerOutcome call(const Task& task, std::vector<Request> requests,
                     std::vector<std::string> words) {
    const plan::Group& group = plan_.groups[task.group];
    return answer_({std::move(requests), std::move(words), program_of(plan_, group)},
                   [this](const Event& event) { show(event); });
  }

  /// Writes the entry into the journal, and takes it over.
  void note(const JournalEntry& entry) {
    journal_.append(Json(entry));
    replay(entry);
  }

  /// False when interrupted.
  bool run_task(const Task& task, std::deque<Task>& queue) {
    WorkerOutcome outcome = measure(task);
    if (outcome.end == End::interrupted) return false;
    if (outcome.end == End::done) {
      note({task.key,
            Measured{task.block, task.group, merge_processes(std::move(outcome.replicates))}});
      return true;
    }
    if (outcome.end == End::failed && outcome.code == static_cast<int>(ExitCode::machine)) {
      throw MachineError("", outcome.reason, "then: bellmark resume " + folder_.path.string());
    }
    const std::optional<std::size_t> culprit = culprit_of(task, outcome);
    if (outcome.end == End::crashed) outcome.reason = crash_text(outcome, culprit);
    if (!culprit) {
      if (!is_a_cells(outcome)) throw Error(ExitCode{outcome.code}, "", outcome.reason);
      // Several cells were sampled together: each has its own process from here on.
      progress_.problem(outcome.reason + "; running the cells of this group one by one");
      note({task.key + "/isolated", Isolated{task.group, outcome.reason}});
      push_singles(queue, task);
      return true;
    }
    const std::string& id = plan_.cells[*culprit].id;
    note({task.key + "/failed/" + id, CellFailed{id, code_of(outcome), outcome.reason}});
    queue.push_front(task);  // once more, without the culprit
    return true;
  }

  /// The cell at which a task failed; nothing when that is unknown.
  std::optional<std::size_t> culprit_of(const Task& task, const WorkerOutcome& outcome) const {
    if (task.cells.size() == 1) return task.cells.front();
    if (outcome.was_killed) return {};  // all cells together took too much memory
    if (outcome.last_cell.empty()) return {};
    const std::string id = outcome.last_cell.substr(0, outcome.last_cell.find(kTwice));
    const auto found = std::ranges::find(plan_.cells, id, &plan::Cell::id);
    if (found == plan_.cells.end()) return {};
    return static_cast<std::size_t>(found - plan_.cells.begin());
  }

  /// True if one of the cells failed, and not a thing that all of them share.
  static bool is_a_cells(const WorkerOutcome& outcome) {
    return outcome.end != End::failed || outcome.code == static_cast<int>(ExitCode::crash) ||
           outcome.code == static_cast<int>(ExitCode::internal);
  }

  /// How it died, at which query if that is known, and how to see it in a debugger.
  std::string crash_text(const WorkerOutcome& outcome, std::optional<std::size_t> culprit) const {
    std::string text = outcome.reason;
    std::string query;
    if (outcome.crashing) {
      const auto at = std::ranges::find(plan_.cells, outcome.crashing->id, &plan::Cell::id);
      if (at == plan_.cells.end()) return text;
      culprit = static_cast<std::size_t>(at - plan_.cells.begin());
      query = outcome.crashing->query;
    }
    if (!culprit || !plan_.cells[*culprit].launcher.empty()) return text;
    if (plan_.cells[*culprit].build) return text;  // the command is this program's
    const plan::Cell& cell = plan_.cells[*culprit];
    if (!query.empty()) text = "at " + query + " of " + cell.variant + ": " + text;
    return text + "; debug it: " + debug_command(cell, plan_.experiment.problem, query);
  }

  static std::string code_of(const WorkerOutcome& outcome) {
    if (outcome.end == End::timed_out) return "timeout";
    if (outcome.end != End::failed) return "crash";
    if (outcome.code == static_cast<int>(ExitCode::usage)) return "bad-setting";
    if (outcome.code == static_cast<int>(ExitCode::all_unmet)) return "unmet-need";
    return "crash";
  }

  /// Runs the cell's preparing alone, and with a pass over the queries, each in a simulated
  /// process. The difference of both becomes the cell's counters.
  WorkerOutcome simulate(const Task& task) {
    Request request = requests(task).front();
    const std::filesystem::path file = folder_.path / "cachegrind.out";
    const sinks::Simulator simulator =
        is_program(plan_.cells[task.cells.front()].variant)
            ? sinks::Simulator{{}, kOwnProcess}
            : sinks::cachegrind(file, machine::Topology::this_machine().caches());
    // Without a simulator the replicate comes from a plain process, with the facts about the cell.
    request.pass = Pass::simulated;
    WorkerOutcome outcome;
    std::vector<std::string> texts;
    for (const std::size_t pass_count : {0U, 1U}) {
      request.pass_count = pass_count;
      outcome = call(task, {request}, simulator.words);
      if (outcome.end != WorkerOutcome::End::done) return outcome;
      if (simulator.words.empty()) break;
      std::ostringstream text;
      text << std::ifstream(file).rdbuf();
      texts.push_back(text.str());
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
    const auto readings = simulator.words.empty() ? sinks::no_cachegrind_readings(simulator.absence)
                                                  : sinks::cachegrind_readings(texts[1], texts[0]);
    Replicate& replicate = outcome.replicates.front();
    replicate.pass = Pass::counters;
    auto& counters = replicate.cells.at(0).counters.emplace();
    for (const sinks::Reading& reading : readings) {
      CounterReading& counter = counters.emplace_back();
      counter = {sinks::kCachegrindSource, reading.name, reading.unit, {}, {}};
      if (reading.value) {
        counter.value = *reading.value;
      } else {
        counter.reason = reading.reason;
      }
    }
    return outcome;
  }

  /// Runs the cell's preparing and some passes over its queries in a process under a profiler. If
  /// that is impossible or fails, a plain process gives the facts about the cell, and the reading
  /// gives the reason.
  WorkerOutcome profile(const Task& task) {
    constexpr std::size_t kMostStacks = 2000;
    const plan::Cell& cell = plan_.cells[task.cells.front()];
    Request request = requests(task).front();
    request.pass = Pass::simulated;
    ProfileReading reading{.profiler = task.counter_group};
    const std::filesystem::path file =
        std::filesystem::path("profiles") / (cell.id + sinks::artefact_ending(task.counter_group));
    sinks::Profiler profiler{{}, "", kOwnProcess};
    if (!is_program(cell.variant)) {
      profiler = sinks::profiler(task.counter_group, folder_.path / file);
    }
    WorkerOutcome outcome;
    if (!profiler.words.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories((folder_.path / file).parent_path(), ignored);
      request.pass_count = profiled_passes(cell.id, task.counter_group);
      outcome = call(task, {request}, profiler.words);
      if (outcome.end == End::interrupted) return outcome;
      if (outcome.end == End::done) {
        try {
          reading.stacks = sinks::stacks_of(task.counter_group, folder_.path / file, kMostStacks);
          reading.file = file.string();
          reading.unit = profiler.unit;
          reading.pass_count = request.pass_count;
        } catch (const Error& error) {
          profiler.absence = error.what();
        }
      } else {
        profiler.absence = "failed under the profiler: " + outcome.reason;
      }
    }
    if (!profiler.absence.empty()) reading.reason = profiler.absence;
    if (outcome.replicates.empty()) {
      request.pass_count = 0;
      outcome = call(task, {request}, {});
      if (outcome.end != End::done) return outcome;
    }
    outcome.replicates.front().pass = Pass::profile;
    outcome.replicates.front().cells.at(0).profile = std::move(reading);
    return outcome;
  }

  /// Passes for a second or two, where time is sampled; one pass of a simulator or tracer.
  std::size_t profiled_passes(const std::string& id, const std::string& profiler) const {
    constexpr double kWantedNs = 2e9;
    constexpr double kMost = 100'000;
    const auto known = pass_ns_.find(id);
    if (profiler != "perf" || known == pass_ns_.end() || known->second <= 0) return 1;
    return static_cast<std::size_t>(std::clamp(kWantedNs / known->second, 1.0, kMost));
  }

  static bool is_program(const std::string& variant) {
    const Selection selection = Registry::global().select(variant).front();
    return !selection.family->description().program.empty();
  }

  static std::vector<unsigned> pus_of(const plan::Group& group) {
    if (group.frequency == machine::kUnchanged) return {};
    const machine::Topology topology = machine::Topology::this_machine();
    return machine::pus_of(machine::expand(topology, group.placement).front());
  }

  /// One request for each process.
  std::vector<Request> requests(const Task& task) const {
    const plan::Group& group = plan_.groups[task.group];
    Request request;
    request.pass = task.pass;
    request.problem = plan_.experiment.problem;
    request.graph = group.graph;
    request.queries = plan_.experiment.queries;
    request.placement = group.placement;
    request.process_count = group.process_count;
    // Huge pages would make resident memory count in steps of 2 MiB.
    request.pages = task.pass == Pass::memory ? machine::Pages::small : group.pages;
    request.memory = group.memory;
    request.prepared = plan_.options.prepared;
    request.force = plan_.options.force;
    // The order of sampling differs from block to block, and is the same in a resumed run.
    request.seed = digest64(std::as_bytes(std::span(task.key))) ^ plan_.experiment.queries.seed;
    request.stop_rule = plan_.stop_rule;
    request.counter_group = task.counter_group;
    request.cells = cell_requests(plan_, task.cells);
    request.programs = plan_.experiment.programs;
    if (const auto twice = measured_twice(task)) {
      const plan::Cell& cell = plan_.cells[*twice];
      if (task.is_second) request.cells.clear();
      if (task.is_second || !isolated_.contains(task.group)) {
        request.cells.push_back({cell.id + kTwice, cell.variant, cell.start});
      }
    }
    const auto known = certified_.find(certified_by(group));
    if (task.pass == Pass::visits) {
      request.queries.count =
          plan::kVisitedQueries;  // not the cell's queries, so that none is certified
    } else if (known != certified_.end()) {
      request.certified = known->second;
    }
    if (!group.launcher.empty()) {
      request.ranks = rank_request(plan_, group, folder_.path / "ranks.status");
    }
    if (task.pass == Pass::visits) request.process_count = 1;
    std::vector<Request> requests(request.process_count, request);
    for (std::size_t worker = 0; worker < requests.size(); ++worker) {
      requests[worker].worker = worker;
    }
    return requests;
  }

  void show(const Event& event) {
    const auto* progress = std::get_if<SamplingProgress>(&event);
    if (progress == nullptr) return;
    std::map<std::string, double> query_ns;
    const double count = static_cast<double>(probe_.workloads.front().query_count);
    for (const auto& [id, pass_ns] : progress->pass_ns) {
      if (!id.ends_with(kTwice)) query_ns[id] = pass_ns / count;
    }
    progress_.estimate(query_ns);
  }

  /// Takes over an entry of the journal.
  void replay(const JournalEntry& entry) {
    finished_.insert(entry.task);
    if (const auto* isolated = std::get_if<Isolated>(&entry.what)) {
      isolated_.insert(isolated->group);
      if (!isolated->reason.empty()) result_.isolated.push_back(*isolated);
    } else if (const auto* failed = std::get_if<CellFailed>(&entry.what)) {
      drop(failed->cell, failed->code, failed->reason);
    } else {
      const auto& measured = std::get<Measured>(entry.what);
      if (measured.replicate.pass == Pass::timed) note_timed(entry.task, measured);
      if (measured.replicate.pass != Pass::visits) {
        certified_[certified_by(plan_.groups.at(measured.group))] = measured.replicate.certified;
      }
      for (const CellReplicate& cell : measured.replicate.cells) {
        if (cell.wrong) drop(cell.id, "wrong-answer", cell.validation.detail.value_or(""));
      }
    }
  }

  void note_timed(const std::string& key, const Measured& measured) {
    Task task{Pass::timed, measured.block, measured.group, {}, "", key};
    for (const CellReplicate& cell : measured.replicate.cells) {
      if (cell.timed && !cell.timed->step_ns.empty()) {
        const std::vector<double>& pass = cell.timed->step_ns.back();
        pass_ns_[cell.id] = std::accumulate(pass.begin(), pass.end(), 0.0);
      }
      const auto found = std::ranges::find(plan_.cells, cell.id, &plan::Cell::id);
      if (found == plan_.cells.end()) continue;
      task.cells.push_back(static_cast<std::size_t>(found - plan_.cells.begin()));
    }
    timed_.push_back({std::move(task), lost_ratio(measured.replicate), measured.replicate.core_mhz,
                      !throttles_of(measured.replicate).empty()});
  }

  void drop(const std::string& id, const std::string& code, const std::string& reason) {
    const auto found = std::ranges::find(plan_.cells, id, &plan::Cell::id);
    if (found == plan_.cells.end()) return;
    const auto cell = static_cast<std::size_t>(found - plan_.cells.begin());
    if (!dropped_.insert(cell).second) return;
    result_.not_measured.push_back({cell, code, reason});
    progress_.problem(found->variant + ": " + code + ": " + reason);
  }

  const plan::Plan& plan_;
  const Probe& probe_;
  const RunFolder& folder_;
  Journal& journal_;
  Progress& progress_;
  const std::function<bool()>& interrupted_;
  AnswerCall answer_;
  std::chrono::steady_clock::time_point begin_;
  std::map<std::string, double> pass_ns_;  ///< a timed pass of each cell
  std::set<std::string> finished_;
  std::set<std::size_t> dropped_;
  std::set<std::size_t> isolated_;
  std::map<CertifiedBy, CertifiedDigests> certified_;
  std::vector<TimedTask> timed_;
  std::size_t total_ = 0;    ///< tasks
  std::size_t started_ = 0;  ///< by this process
  Supervised result_;
};

/// Workers answer calls in processes.
AnswerCall by_processes(const plan::Plan& plan, const RunFolder& folder,
                        const std::function<bool()>& interrupted) {
  return [&](const WorkerCall& call, const std::function<void(const Event&)>& on_event) {
    return answer_by_workers(call, plan.experiment.timeout_s, folder.log_file(), interrupted,
                             on_event);
  };
}

}  // namespace

Supervised supervise(const plan::Plan& plan, const Probe& probe, const RunFolder& folder,
                     Journal& journal, Progress& progress, const std::function<bool()>& interrupted,
                     AnswerCall answer) {
  if (!answer) answer = by_processes(plan, folder, interrupted);
  return Supervision(plan, probe, folder, journal, progress, interrupted, std::move(answer)).run();
}

}  // namespace bellmark::run
