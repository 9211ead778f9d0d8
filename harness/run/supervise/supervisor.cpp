#include "harness/run/supervise/supervisor.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "algorithms/contract/description.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/frequency.hpp"
#include "harness/machine/launch.hpp"
#include "harness/machine/location.hpp"
#include "harness/run/protocol/query_rule_json.hpp"
#include "harness/run/supervise/co_run.hpp"
#include "harness/run/supervise/process.hpp"
#include "harness/run/supervise/signals_noted.hpp"
#include "harness/run/worker/probe_workload.hpp"
#include "harness/sinks/cachegrind.hpp"

namespace bellmark::run {
namespace {

/// A workload as probe_workload() tells of it, or why it could not be opened.
struct Opened {
  Json known;
  std::string code = {};
  std::string reason = {};
};

Json unknown_facts(const std::string& reason) { return {{"digest", nullptr}, {"reason", reason}}; }

/// Identifies this program: a revision would not change with every build.
std::string digest_of_program() {
  std::ifstream stream("/proc/self/exe", std::ios::binary);
  std::vector<char> bytes(std::size_t{1} << 20);
  Digest digest;
  while (stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) ||
         stream.gcount() > 0) {
    digest.add(std::string_view(bytes.data(), static_cast<std::size_t>(stream.gcount())));
  }
  return digest.hex();
}

/// Takes the digest over where none is kept; throws InputError when another one is.
void require_same(const std::string& graph, const std::string& what, Json& kept, const Json& now) {
  if (kept.is_null()) kept = now;
  if (now.is_null() || kept == now) return;
  throw InputError(graph,
                   what + " that this run began with (digest " + kept.get<std::string>() +
                       ", now " + now.get<std::string>() + ")",
                   "start a new run");
}

Json to_json(const Probe& probe, const plan::Plan& plan) {
  Json workloads = Json::array();
  for (const WorkloadFacts& workload : probe.workloads) {
    workloads.push_back({{"graph", workload.graph},
                         {"facts", workload.facts},
                         {"query_count", workload.query_count},
                         {"query_digest", workload.query_digest},
                         {"first_queries", workload.first_queries}});
  }
  Json cells = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    cells.push_back({{"id", plan.cells[i].id}, {"resolved", probe.resolved.at(i)}});
  }
  for (const NotMeasured& cell : probe.not_measured) {
    cells[cell.cell].update({{"code", cell.code}, {"reason", cell.reason}});
  }
  return {{"workloads", std::move(workloads)}, {"cells", std::move(cells)}};
}

/// As to_json() wrote it of a plan with the same cells. Throws Json::exception.
Probe probe_from_json(const Json& noted) {
  Probe probe;
  for (const Json& workload : noted.at("workloads")) {
    probe.workloads.push_back({workload.at("graph").get<std::string>(), workload.at("facts"),
                               workload.at("query_count").get<std::size_t>(),
                               workload.at("query_digest").get<std::string>(),
                               workload.at("first_queries").get<std::vector<std::string>>()});
  }
  for (const Json& cell : noted.at("cells")) {
    if (cell.contains("code")) {
      probe.not_measured.push_back({probe.resolved.size(), cell.at("code").get<std::string>(),
                                    cell.at("reason").get<std::string>()});
    }
    probe.resolved.push_back(cell.at("resolved").get<std::string>());
  }
  return probe;
}

/// All that had a part in a run, first to last.
std::vector<std::string> add_part(Json& parts, const std::string& part) {
  if (parts.is_null()) parts = Json::array();
  if (std::ranges::find(parts, Json(part)) == parts.end()) parts.push_back(part);
  return parts.get<std::vector<std::string>>();
}

/// What ranks must know of their group, to probe and to measure.
void ask_ranks(Json& request, const plan::Plan& plan, const plan::Group& group,
               const std::filesystem::path& status_file) {
  request["rank_count"] = group.rank_count;
  request["status_file"] = std::filesystem::absolute(status_file).string();
  request["needs_cuda"] = std::ranges::any_of(
      group.cells, [&](std::size_t cell) { return plan.cells[cell].needs_cuda; });
}

/// Where ranks that only probe write, before there is a run folder. Both files go, but a log that
/// an error names stays.
class ProbeFiles {
 public:
  ProbeFiles() {
    // One name a probe: a log that an error names must not be the next one's.
    static unsigned serial = 0;
    base_ = std::filesystem::temp_directory_path() /
            ("bellmark-probe-" + std::to_string(getpid()) + "-" + std::to_string(serial++));
    remove();
  }
  ProbeFiles(const ProbeFiles&) = delete;
  ProbeFiles& operator=(const ProbeFiles&) = delete;
  ~ProbeFiles() { remove(); }

  std::filesystem::path log() const { return base_.string() + ".log"; }
  std::filesystem::path status() const { return base_.string() + ".status"; }
  void keep_log() { log_stays_ = true; }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(status(), ignored);
    if (!log_stays_) std::filesystem::remove(log(), ignored);
  }

  std::filesystem::path base_;
  bool log_stays_ = false;
};

/// Ranks open the workload, each its own part of it.
Opened open_in_ranks(Json request, const plan::Plan& plan, const plan::Group& group) {
  if (const std::string absence = machine::launch_absence(group.launcher); !absence.empty()) {
    return {Json(), "unmet-need", "needs " + to_string(Need::mpi) + ": " + absence};
  }
  ProbeFiles files;
  ask_ranks(request, plan, group, files.status());
  const SignalsNoted signals;  // so that files are removed
  const WorkerOutcome outcome =
      run_launched(request, group.rank_count, machine::launch_words(group.launcher),
                   plan.experiment.timeout_s, files.log(), SignalsNoted::any, nullptr);
  using End = WorkerOutcome::End;
  if (outcome.end == End::interrupted) {
    throw Error(ExitCode::interrupted, group.graph, "interrupted while ranks opened it");
  }
  // What ranks say themselves needs no log.
  if (outcome.end == End::crashed || outcome.end == End::timed_out) files.keep_log();
  if (outcome.end == End::done) return {outcome.replicates.front()};
  if (outcome.end == End::failed && outcome.code != static_cast<int>(ExitCode::all_unmet)) {
    throw Error(ExitCode{outcome.code}, "", outcome.reason);
  }
  const std::string code = outcome.end == End::failed      ? "unmet-need"
                           : outcome.end == End::timed_out ? "timeout"
                                                           : "crash";
  return {Json(), code, outcome.reason};
}

/// A graph for ranks is never opened here: no process may have to hold it whole.
Opened open_workload(const plan::Plan& plan, const plan::Group& group,
                     const std::vector<std::size_t>& indices) {
  Json cells = Json::array();
  for (const std::size_t i : indices) {
    cells.push_back({{"id", plan.cells[i].id}, {"variant", plan.cells[i].variant}});
  }
  Json request = {{"kind", "probe"},
                  {"problem", plan.experiment.problem},
                  {"graph", group.graph},
                  {"queries", plan.experiment.queries},
                  {"placement", group.placement},
                  {"force", plan.options.force},
                  {"cells", cells}};
  if (group.launcher.empty()) return {probe_workload(request)};
  return open_in_ranks(std::move(request), plan, group);
}

/// State of one supervised run; tasks change it, the journal restores it.
class Supervision {
 public:
  Supervision(const plan::Plan& plan, const Probe& probe, const RunFolder& folder, Journal& journal,
              Progress& progress, const std::function<bool()>& interrupted)
      : plan_(plan),
        probe_(probe),
        folder_(folder),
        journal_(journal),
        progress_(progress),
        interrupted_(interrupted),
        begin_(std::chrono::steady_clock::now()) {
    for (const NotMeasured& cell : probe.not_measured) dropped_.insert(cell.cell);
    for (const Json& replicate : journal.replicates()) replay(replicate);
  }

  Supervised run() {
    const std::vector<Task> all = tasks_of(plan_);
    std::deque<Task> queue(all.begin(), all.end());
    std::size_t started = 0;
    while (!queue.empty()) {
      const Task task = queue.front();
      queue.pop_front();
      const std::size_t finished = all.size() - std::min(all.size(), queue.size() + 1);
      if (finished_.contains(task.key)) continue;
      const std::string so_far =
          std::to_string(finished) + " of " + std::to_string(all.size()) + " replicates";
      if (over_budget()) {
        result_.cuts.push_back("budget: stopped after " + so_far);
        break;
      }
      Task wanted = task;
      std::erase_if(wanted.cells, [&](std::size_t cell) { return dropped_.contains(cell); });
      if (wanted.cells.empty()) continue;
      // Not to start what would be stopped at once.
      if (interrupted_()) {
        result_.interrupted = true;
        result_.finished = so_far;
        break;
      }
      progress_.replicate(wanted, finished, all.size(), remaining(started, queue.size() + 1));
      // Asked of all its cells, not of those still wanted: a resumed run must give the same keys
      // to what is left, or it would be measured twice.
      if (task.cells.size() > 1 && isolated_.contains(task.group)) {
        push_singles(queue, wanted);
        continue;
      }
      if (!run_task(wanted, queue)) {
        result_.interrupted = true;
        result_.finished = so_far;
        break;
      }
      ++started;
    }
    return result_;
  }

 private:
  bool over_budget() const { return plan_.options.budget_s && seconds() > *plan_.options.budget_s; }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  std::optional<double> remaining(std::size_t started, std::size_t left) const {
    if (started == 0) return std::nullopt;
    return seconds() / static_cast<double>(started) * static_cast<double>(left);
  }

  void push_singles(std::deque<Task>& queue, const Task& task) const {
    for (auto cell = task.cells.rbegin(); cell != task.cells.rend(); ++cell) {
      queue.push_front(isolate(task, *cell, plan_));
    }
  }

  /// False when interrupted.
  bool run_task(const Task& task, std::deque<Task>& queue) {
    const plan::Group& group = plan_.groups[task.group];
    const machine::FrequencyControl clock(group.frequency, pus_of(group));
    WorkerOutcome outcome =
        task.counter_group == sinks::kCachegrind ? simulate(task)
        : !group.launcher.empty()
            ? run_launched(requests(task).front(), group.rank_count,
                           machine::launch_words(group.launcher), plan_.experiment.timeout_s,
                           folder_.log_file(), interrupted_,
                           [&](const Json& event) { show(event); })
            : run_workers(requests(task), plan_.experiment.timeout_s, folder_.log_file(),
                          interrupted_, [&](const Json& event) { show(event); });
    using End = WorkerOutcome::End;
    if (outcome.end == End::interrupted) return false;
    if (outcome.end == End::done) {
      Json line = {{"task", task.key}, {"block", task.block}, {"group", task.group}};
      line.update(merge_processes(std::move(outcome.replicates)));
      journal_.append(line);
      replay(line);
      return true;
    }
    if (outcome.end == End::failed && outcome.code == static_cast<int>(ExitCode::machine)) {
      throw MachineError("", outcome.reason, "then: bellmark resume " + folder_.path.string());
    }

    std::size_t culprit = plan_.cells.size();
    if (task.cells.size() == 1) {
      culprit = task.cells.front();
    } else if (!outcome.last_cell.empty()) {
      culprit = static_cast<std::size_t>(
          std::ranges::find(plan_.cells, outcome.last_cell, &plan::Cell::id) - plan_.cells.begin());
    }
    if (culprit == plan_.cells.size()) {
      if (outcome.end == End::failed) throw Error(ExitCode{outcome.code}, "", outcome.reason);
      // Several cells were sampled together: from now on each has its own process.
      progress_.problem(outcome.reason + "; running the cells of this group one by one");
      const Json line = {{"task", task.key + "/isolated"}, {"isolated_group", task.group}};
      journal_.append(line);
      replay(line);
      push_singles(queue, task);
      return true;
    }
    const std::string code = outcome.end == End::timed_out                           ? "timeout"
                             : outcome.end != End::failed                            ? "crash"
                             : outcome.code == static_cast<int>(ExitCode::usage)     ? "bad-setting"
                             : outcome.code == static_cast<int>(ExitCode::all_unmet) ? "unmet-need"
                                                                                     : "crash";
    const Json line = {
        {"task", task.key + "/failed/" + plan_.cells[culprit].id},
        {"failed",
         {{"cell", plan_.cells[culprit].id}, {"code", code}, {"reason", outcome.reason}}}};
    journal_.append(line);
    replay(line);
    queue.push_front(task);  // once more, without the culprit
    return true;
  }

  /// The cell's preparing alone and with a pass over the queries, each in a simulated process; the
  /// difference becomes its counters.
  WorkerOutcome simulate(const Task& task) {
    Json request = requests(task).front();
    const std::filesystem::path file = folder_.path / "cachegrind.out";
    const sinks::Simulator simulator =
        sinks::cachegrind(file, machine::Topology::this_machine().caches());
    // Without a simulator the replicate comes from a plain process: it says what the cell is.
    request["kind"] = "simulated";
    WorkerOutcome outcome;
    std::vector<std::string> texts;
    for (const int pass_count : {0, 1}) {
      request["pass_count"] = pass_count;
      outcome = run_workers(
          {request}, plan_.experiment.timeout_s, folder_.log_file(), interrupted_,
          [&](const Json& event) { show(event); }, simulator.words);
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
    Json& replicate = outcome.replicates.front();
    replicate["kind"] = "counters";
    Json& counters = replicate["cells"][0]["counters"];
    counters = Json::array();
    for (const sinks::Reading& reading : readings) {
      counters.push_back({{"group", sinks::kCachegrindSource},
                          {"name", reading.name},
                          {"unit", reading.unit},
                          {"value", reading.value ? Json(*reading.value) : Json()},
                          {"reason", reading.value ? Json() : Json(reading.reason)}});
    }
    return outcome;
  }

  static std::vector<unsigned> pus_of(const plan::Group& group) {
    if (group.frequency == machine::kUnchanged) return {};
    const machine::Topology topology = machine::Topology::this_machine();
    return machine::pus_of(machine::expand(topology, group.placement).front());
  }

  /// One request a process.
  std::vector<Json> requests(const Task& task) const {
    Json cells = Json::array();
    for (const std::size_t cell : task.cells) {
      cells.push_back({{"id", plan_.cells[cell].id}, {"variant", plan_.cells[cell].variant}});
    }
    const plan::Group& group = plan_.groups[task.group];
    const auto certified = certified_.find(group.graph);
    // The order of sampling differs from block to block, and is the same again on a resumed run.
    const std::uint64_t seed =
        digest64(std::as_bytes(std::span(task.key))) ^ plan_.experiment.queries.seed;
    Json request = {
        {"kind", task.kind},
        {"problem", plan_.experiment.problem},
        {"graph", group.graph},
        {"queries", plan_.experiment.queries},
        {"placement", group.placement},
        {"process_count", group.process_count},
        {"force", plan_.options.force},
        {"seed", seed},
        {"stop_rule",
         {{"sample_count", plan_.stop_rule.sample_count},
          {"seconds", plan_.stop_rule.seconds},
          {"half_width", plan_.stop_rule.half_width}}},
        {"counter_group", task.counter_group},
        {"cells", cells},
        {"certified", certified == certified_.end() ? Json::array() : certified->second}};
    if (!group.launcher.empty()) {
      ask_ranks(request, plan_, group, folder_.path / "ranks.status");
    }
    std::vector<Json> requests(group.process_count, request);
    for (std::size_t worker = 0; worker < requests.size(); ++worker) {
      requests[worker]["worker"] = worker;
    }
    return requests;
  }

  void show(const Json& event) {
    if (event.at("event") != "progress") return;
    std::map<std::string, double> query_ns;
    const double count = static_cast<double>(probe_.workloads.front().query_count);
    for (const auto& [id, pass_ns] : event.at("pass_ns").items()) {
      query_ns[id] = pass_ns.get<double>() / count;
    }
    progress_.estimate(query_ns);
  }

  /// Takes over what a line of the journal says.
  void replay(const Json& line) {
    finished_.insert(line.at("task").get<std::string>());
    if (line.contains("isolated_group")) {
      isolated_.insert(line.at("isolated_group").get<std::size_t>());
      return;
    }
    if (line.contains("failed")) {
      const Json& failed = line.at("failed");
      drop(failed.at("cell"), failed.at("code"), failed.at("reason"));
      return;
    }
    const auto& group = plan_.groups.at(line.at("group").get<std::size_t>());
    certified_[group.graph] = line.at("certified");
    for (const Json& cell : line.at("cells")) {
      if (cell.at("status") == "wrong") {
        drop(cell.at("id"), "wrong-answer", cell.at("validation").at("detail"));
      }
    }
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
  std::chrono::steady_clock::time_point begin_;
  std::set<std::string> finished_;
  std::set<std::size_t> dropped_;
  std::set<std::size_t> isolated_;
  std::map<std::string, Json> certified_;
  Supervised result_;
};

}  // namespace

Probe probe(const plan::Plan& plan) {
  Probe probe;
  probe.resolved.resize(plan.cells.size());
  std::vector<bool> probed(plan.cells.size(), false);
  for (const plan::Group& group : plan.groups) {
    if (probed[group.cells.front()]) continue;
    const bool in_ranks = !group.launcher.empty();
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
      const plan::Cell& cell = plan.cells[i];
      if (cell.graph != group.graph || cell.launcher != group.launcher) continue;
      // Ranks are dealt the places, and may be too many for them.
      if (in_ranks && cell.placement != group.placement) continue;
      probe.resolved[i] = cell.variant;
      probed[i] = true;
      indices.push_back(i);
    }
    const auto has_unmet = [&](std::size_t i) { return !plan.cells[i].unmet.empty(); };
    // Not to start 300 ranks who would say that they are too many.
    const Opened opened = in_ranks && std::ranges::all_of(indices, has_unmet)
                              ? Opened{Json(), "unmet-need", plan.cells[indices.front()].unmet}
                              : open_workload(plan, group, indices);
    for (const std::size_t i : indices) {
      if (has_unmet(i)) {
        probe.not_measured.push_back({i, "unmet-need", plan.cells[i].unmet});
      } else if (opened.known.is_null()) {
        probe.not_measured.push_back({i, opened.code, opened.reason});
      }
    }
    const auto facts = std::ranges::find(probe.workloads, group.graph, &WorkloadFacts::graph);
    const bool first = facts == probe.workloads.end();
    if (opened.known.is_null()) {
      if (first) probe.workloads.push_back({group.graph, unknown_facts(opened.reason), 0, "", {}});
      continue;
    }
    WorkloadFacts known{group.graph, opened.known.at("facts"),
                        opened.known.at("query_count").get<std::size_t>(),
                        opened.known.at("query_digest").get<std::string>(),
                        opened.known.at("first_queries").get<std::vector<std::string>>()};
    if (first) {
      probe.workloads.push_back(std::move(known));
    } else if (facts->query_digest.empty()) {
      *facts = std::move(known);
    } else if (facts->query_digest != known.query_digest) {
      throw Error(ExitCode::internal, group.graph,
                  "other numbers of ranks ask other queries: their times can't be compared");
    }
    for (const Json& cell : opened.known.at("cells")) {
      const auto i = static_cast<std::size_t>(
          std::ranges::find(plan.cells, cell.at("id").get<std::string>(), &plan::Cell::id) -
          plan.cells.begin());
      probe.resolved[i] = cell.at("resolved").get<std::string>();
      if (cell.at("code").is_null() || !plan.cells[i].unmet.empty()) continue;
      probe.not_measured.push_back(
          {i, cell.at("code").get<std::string>(), cell.at("reason").get<std::string>()});
    }
  }
  return probe;
}

std::vector<std::string> note_beginning(const RunFolder& folder, const plan::Plan& plan,
                                        const Probe& probe) {
  const std::filesystem::path file = folder.begun_file();
  Json begun = Json::object();
  if (std::ifstream stream(file); stream) begun = Json::parse(stream, nullptr, false);
  const Json before = begun;
  std::vector<std::string> builds;
  std::vector<std::string> hosts;
  std::vector<std::string> boots;
  try {
    for (const WorkloadFacts& workload : probe.workloads) {
      if (workload.query_digest.empty()) continue;  // could not be opened
      Json& kept = begun["workloads"][workload.graph];
      require_same(workload.graph, "is not the graph", kept["digest"],
                   workload.facts.value("digest", Json()));
      require_same(workload.graph, "its queries are not those", kept["query_digest"],
                   workload.query_digest);
    }
    builds = add_part(begun["builds"], digest_of_program());
    hosts = add_part(begun["hosts"], machine::host_name());
    boots = add_part(begun["boots"], machine::boot_id());
    begun["probe"] = to_json(probe, plan);
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("damaged: ") + error.what(), "start a new run");
  }
  if (begun != before) write_file(file, begun.dump(2) + "\n");
  std::vector<std::string> warnings;
  if (builds.size() > 1) {
    warnings.push_back(std::to_string(builds.size()) +
                       " builds of Bellmark had a part in this run");
  }
  if (hosts.size() > 1) {
    warnings.push_back("this run went over several hosts: " + join(hosts, ", "));
  } else if (boots.size() > 1) {
    warnings.push_back(hosts.front() +
                       " was started again during this run, or another machine of that name had a "
                       "part in it");
  }
  return warnings;
}

Probe noted_probe(const RunFolder& folder, const plan::Plan& plan) {
  const std::filesystem::path file = folder.begun_file();
  Json begun;
  if (std::ifstream stream(file); stream) begun = Json::parse(stream, nullptr, false);
  if (begun.is_null() || (begun.is_object() && !begun.contains("probe"))) {
    throw InputError(folder.path.string(), "nothing of its graphs was noted, so none was measured",
                     "go on with it, or remove it");
  }
  try {
    const Json& noted = begun.at("probe");
    const Json& hosts = begun.at("hosts");
    const auto host = hosts.at(hosts.size() - 1).get<std::string>();
    if (host != machine::host_name()) {
      throw InputError(
          folder.path.string(),
          "it ran on " + host + ", whose facts " + machine::host_name() + " can't tell",
          "end it there");
    }
    const auto same = [](const Json& cell, const plan::Cell& planned) {
      return cell.at("id").get<std::string>() == planned.id;
    };
    const Json& cells = noted.at("cells");
    if (!std::equal(cells.begin(), cells.end(), plan.cells.begin(), plan.cells.end(), same)) {
      throw InputError(folder.path.string(), "its cells are others on this machine",
                       "end it as it was set up where it ran");
    }
    return probe_from_json(noted);
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("damaged: ") + error.what(), "start a new run");
  }
}

Supervised supervise(const plan::Plan& plan, const Probe& probe, const RunFolder& folder,
                     Journal& journal, Progress& progress,
                     const std::function<bool()>& interrupted) {
  return Supervision(plan, probe, folder, journal, progress, interrupted).run();
}

}  // namespace bellmark::run
