#include "harness/run/supervise/build_probe.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "harness/machine/launch.hpp"
#include "harness/run/supervise/probe_folder.hpp"
#include "harness/run/supervise/process.hpp"
#include "harness/run/supervise/signals_noted.hpp"

namespace bellmark::run {
namespace {

using End = WorkerOutcome::End;

/// One probe by another build, in a folder that lasts as long. Throws Error(interrupted).
WorkerOutcome ask(const WorkerCall& call, double timeout_s, ProbeFolder& folder) {
  const SignalsNoted signals;  // so that the folder is removed
  WorkerOutcome outcome =
      answer_by_workers(call, timeout_s, folder.log(), SignalsNoted::any, nullptr);
  if (outcome.end == End::interrupted) {
    throw Error(ExitCode::interrupted, call.program,
                "interrupted while it was asked for its cells");
  }
  if (outcome.end == End::crashed) folder.keep_log();
  if (outcome.end == End::done && !outcome.probed) {
    outcome.end = End::failed;
    outcome.reason = "it was asked what it knows, and answered something else";
  }
  return outcome;
}

std::string code_of(const WorkerOutcome& outcome) {
  if (outcome.end == End::timed_out) return "timeout";
  if (outcome.end == End::failed && outcome.code == static_cast<int>(ExitCode::all_unmet)) {
    return "unmet-need";
  }
  // A usage error: a variant, key, graph or version that the build doesn't know.
  const bool refuses =
      outcome.end == End::failed && outcome.code == static_cast<int>(ExitCode::usage);
  return refuses ? "not-built" : "crash";
}

/// The difference between this build's inputs and the planning program's; "" if there is none.
std::string difference(const WorkloadFacts& known, const Probed& probed) {
  if (probed.facts.value("digest", Json()) != known.facts.value("digest", Json())) {
    return "the input is another one to it (another digest)";
  }
  if (probed.query_digest != known.query_digest) return "its queries are others (another digest)";
  return {};
}

/// Probes cells of one build and one graph.
class BuildProbe {
 public:
  BuildProbe(const plan::Plan& plan, const plan::Group& group, Probe& probe)
      : plan_(plan),
        group_(group),
        probe_(probe),
        build_(plan.options.builds.at(group.build.value())),
        known_(*std::ranges::find(probe.workloads, group.graph, &WorkloadFacts::graph)),
        request_(probe_request(plan, group)) {}

  /// All at once, or one by one if the build refuses, because a refusal names only one cell.
  void ask_of(const std::vector<std::size_t>& cells) {
    request_.cells = cell_requests(plan_, cells);
    ProbeFolder folder;
    std::vector<std::string> words;
    if (!group_.launcher.empty()) {
      const std::string absence = machine::launch_absence(group_.launcher, build_.program);
      if (!absence.empty()) {
        const std::string reason = "needs " + to_string(Need::mpi) + ": " + absence;
        for (const std::size_t cell : cells) note(cell, "unmet-need", reason);
        return;
      }
      words = machine::launch_words(group_.launcher, build_.program);
      request_.ranks = rank_request(plan_, group_, folder.status());
    }
    const WorkerOutcome outcome =
        ask({{request_}, std::move(words), build_.program}, plan_.experiment.timeout_s, folder);
    if (outcome.end == End::done) {
      take(cells, *outcome.probed);
    } else if (cells.size() > 1 && code_of(outcome) == "not-built") {
      for (const std::size_t cell : cells) ask_of({cell});
    } else {
      for (const std::size_t cell : cells) note(cell, code_of(outcome), outcome.reason);
    }
  }

 private:
  void take(const std::vector<std::size_t>& cells, const Probed& probed) {
    const std::string other = difference(known_, probed);
    for (const std::size_t i : cells) {
      const auto cell = std::ranges::find(probed.cells, plan_.cells[i].id, &ProbedCell::id);
      if (!other.empty()) {
        note(i, "unmet-need", other);
      } else if (cell == probed.cells.end()) {
        note(i, "crash", "it says nothing of this cell");
      } else {
        probe_.resolved[i] = cell->resolved;
        if (cell->code) note(i, *cell->code, cell->reason.value_or(""));
      }
    }
  }

  void note(std::size_t cell, const std::string& code, const std::string& reason) {
    probe_.not_measured.push_back({cell, code, "build " + build_.name + ": " + reason});
  }

  const plan::Plan& plan_;
  const plan::Group& group_;
  Probe& probe_;
  const plan::Build& build_;
  const WorkloadFacts& known_;
  Request request_;
};

}  // namespace

std::string program_of(const plan::Plan& plan, const plan::Group& group) {
  return group.build ? plan.options.builds.at(*group.build).program : "";
}

WorkerOutcome answer_by_workers(const WorkerCall& call, double timeout_s,
                                const std::filesystem::path& log,
                                const std::function<bool()>& interrupted,
                                const std::function<void(const Event&)>& on_event) {
  try {
    if (call.requests.front().ranks) {
      return run_launched(call.requests.front(), call.words, timeout_s, log, interrupted, on_event);
    }
    return run_workers(call.requests, timeout_s, log, interrupted, on_event,
                       {call.program, call.words});
  } catch (const Error& error) {
    if (call.program.empty()) throw;
    WorkerOutcome outcome;
    outcome.end = End::failed;
    outcome.code = static_cast<int>(ExitCode::crash);
    outcome.reason = error.what();
    return outcome;
  }
}

Json ask_build(const plan::Build& build) {
  constexpr double kPatienceS = 60;
  Request request;
  request.pass = Pass::probe;
  request.problem = "sssp";
  request.graph = "grid:rows=2,columns=2";
  request.queries.kind = "list";
  request.queries.count = 1;
  request.queries.list = {1};
  request.placement = "none";
  ProbeFolder folder;
  const WorkerOutcome outcome = ask({{request}, {}, build.program}, kPatienceS, folder);
  if (outcome.end == End::done) return outcome.probed->build;
  throw InputError("build " + build.name, "its worker can't be asked: " + outcome.reason,
                   "name a build whose `bellmark worker` speaks version " +
                       std::to_string(kWireVersion) + " of the wire (docs/reference/wire.md)");
}

void probe_builds(const plan::Plan& plan, Probe& probe) {
  const std::vector<NotMeasured> own = probe.not_measured;
  for (const plan::Group& group : plan.groups) {
    if (!group.build) continue;
    std::vector<std::size_t> cells = group.cells;
    std::erase_if(cells, [&](std::size_t cell) {
      return std::ranges::find(own, cell, &NotMeasured::cell) != own.end();
    });
    if (!cells.empty()) BuildProbe(plan, group, probe).ask_of(cells);
  }
}

}  // namespace bellmark::run
