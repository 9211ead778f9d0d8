#include "harness/run/supervise/probe.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>

#include "algorithms/contract/description.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/build_facts.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/launch.hpp"
#include "harness/machine/topology.hpp"
#include "harness/plan/cells.hpp"
#include "harness/run/supervise/build_probe.hpp"
#include "harness/run/supervise/probe_folder.hpp"
#include "harness/run/supervise/process.hpp"
#include "harness/run/supervise/signals_noted.hpp"
#include "harness/run/worker/probe.hpp"

namespace bellmark::run {
namespace {

using End = WorkerOutcome::End;

/// The facts that probe_workload() gives of a workload, or why it could not be opened.
struct Opened {
  std::optional<Probed> known;
  std::string code = {};
  std::string reason = {};
};

Json unknown_facts(const std::string& reason) { return {{"digest", nullptr}, {"reason", reason}}; }

/// Ranks open the workload, each its own part.
Opened open_in_ranks(Request request, const plan::Plan& plan, const plan::Group& group) {
  if (const std::string absence = machine::launch_absence(group.launcher); !absence.empty()) {
    return {{}, "unmet-need", "needs " + to_string(Need::mpi) + ": " + absence};
  }
  ProbeFolder folder;
  request.ranks = rank_request(plan, group, folder.status());
  const SignalsNoted signals;  // so that the folder is removed
  WorkerOutcome outcome =
      run_launched(request, machine::launch_words(group.launcher), plan.experiment.timeout_s,
                   folder.log(), SignalsNoted::any, nullptr);
  if (outcome.end == End::interrupted) {
    throw Error(ExitCode::interrupted, group.graph, "interrupted while ranks opened it");
  }
  // Errors that ranks report need no log.
  if (outcome.end == End::crashed || outcome.end == End::timed_out) folder.keep_log();
  if (outcome.end == End::done) return {std::move(outcome.probed)};
  if (outcome.end == End::timed_out) return {{}, "timeout", outcome.reason};
  const auto failed_with = [&](ExitCode code) { return outcome.code == static_cast<int>(code); };
  if (outcome.end == End::crashed || failed_with(ExitCode::crash)) {
    return {{}, "crash", outcome.reason};
  }
  if (failed_with(ExitCode::all_unmet)) return {{}, "unmet-need", outcome.reason};
  throw Error(ExitCode{outcome.code}, "", outcome.reason);
}

/// The line of the file that states a cell's queries or graph, whichever the fault is about.
std::string place_of(const plan::Plan& plan, const plan::Cell& cell, const std::string& fault) {
  const plan::Experiment& file = plan.experiment;
  if (!file.text.empty() && fault.starts_with("queries: ")) {
    return plan::place_of(file, "workload.queries");
  }
  return plan::place_of_axis(plan, plan.options.input_axis,
                             plan::axis_text(cell.axes[plan.options.input_axis]));
}

/// A graph for ranks is never opened here: it may not fit into one process.
Opened open_workload(const plan::Plan& plan, const plan::Group& group,
                     const std::vector<std::size_t>& indices) {
  Request request = probe_request(plan, group);
  // Another build is asked about its own cells: this build's obstacles don't hold there.
  std::vector<std::size_t> own = indices;
  std::erase_if(own, [&](std::size_t i) { return plan.cells[i].build.has_value(); });
  request.cells = cell_requests(plan, own);
  if (!group.launcher.empty()) return open_in_ranks(std::move(request), plan, group);
  const plan::Cell& cell = plan.cells[indices.front()];
  try {
    return {
        plan::with_place([&] { return probe_workload(request); },
                         [&](const std::string& fault) { return place_of(plan, cell, fault); })};
  } catch (const std::bad_alloc&) {
    throw MachineError(group.graph, "there is no memory to open it",
                       "use a smaller input, or give the process more");
  }
}

/// The cells that are opened together with a group's first cell. They have its graph and launcher.
/// If ranks are dealt the places, they also have its placement, because the ranks may be too many
/// for it.
std::vector<std::size_t> opened_with(const plan::Plan& plan, const plan::Group& group) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const plan::Cell& cell = plan.cells[i];
    if (cell.graph != group.graph || cell.launcher != group.launcher) continue;
    if (!group.launcher.empty() && cell.placement != group.placement) continue;
    indices.push_back(i);
  }
  return indices;
}

/// Takes over the facts of a workload. Throws Error(internal) when other numbers of ranks have
/// other queries.
void take_facts(Probe& probe, const std::string& graph, const Opened& opened) {
  const auto facts = std::ranges::find(probe.workloads, graph, &WorkloadFacts::graph);
  const bool first = facts == probe.workloads.end();
  if (!opened.known) {
    if (first) probe.workloads.push_back({graph, unknown_facts(opened.reason), 0, "", {}});
    return;
  }
  const Probed& known = *opened.known;
  WorkloadFacts found{graph, known.facts, known.query_count, known.query_digest,
                      known.first_queries};
  if (first) {
    probe.workloads.push_back(std::move(found));
  } else if (facts->query_digest.empty()) {
    *facts = std::move(found);
  } else if (facts->query_digest != found.query_digest) {
    throw Error(ExitCode::internal, graph,
                "other numbers of ranks ask other queries: their times can't be compared");
  }
}

void take_cells(Probe& probe, const plan::Plan& plan, const Probed& known) {
  for (const ProbedCell& cell : known.cells) {
    const auto i = static_cast<std::size_t>(
        std::ranges::find(plan.cells, cell.id, &plan::Cell::id) - plan.cells.begin());
    probe.resolved[i] = cell.resolved;
    if (!cell.code || !plan.cells[i].unmet.empty()) continue;
    probe.not_measured.push_back({i, *cell.code, cell.reason.value_or("")});
  }
}

}  // namespace

RankRequest rank_request(const plan::Plan& plan, const plan::Group& group,
                         const std::filesystem::path& status_file) {
  RankRequest ranks;
  ranks.count = group.rank_count;
  ranks.status_file = std::filesystem::absolute(status_file).string();
  if (!is_utf8(ranks.status_file)) {
    throw InputError(ranks.status_file, "is not UTF-8 text, and ranks are told of it in JSON",
                     "run in a folder with another name");
  }
  ranks.needs_cuda = std::ranges::any_of(
      group.cells, [&](std::size_t cell) { return plan.cells[cell].needs_cuda; });
  return ranks;
}

Request probe_request(const plan::Plan& plan, const plan::Group& group) {
  Request request;
  request.pass = Pass::probe;
  request.problem = plan.experiment.problem;
  request.graph = group.graph;
  request.queries = plan.experiment.queries;
  request.placement = group.placement;
  request.pages = group.pages;
  request.memory = group.memory;
  request.prepared = plan.options.prepared;
  request.force = plan.options.force;
  request.programs = plan.experiment.programs;
  return request;
}

std::vector<CellRequest> cell_requests(const plan::Plan& plan,
                                       const std::vector<std::size_t>& indices) {
  std::vector<CellRequest> cells;
  cells.reserve(indices.size());
  for (const std::size_t i : indices) {
    cells.push_back({plan.cells[i].id, plan.cells[i].variant, plan.cells[i].start});
  }
  return cells;
}

Json origin_here() {
  const machine::Topology topology = machine::Topology::this_machine();
  return {{"environment", machine::environment()},
          {"topology", {{"summary", topology.summary()}, {"hwloc_xml", topology.xml()}}},
          {"build", machine::build_facts()}};
}

Probe probe(const plan::Plan& plan) {
  Probe probe;
  probe.resolved.resize(plan.cells.size());
  std::vector<bool> probed(plan.cells.size(), false);
  for (const plan::Group& group : plan.groups) {
    if (probed[group.cells.front()]) continue;
    const std::vector<std::size_t> indices = opened_with(plan, group);
    for (const std::size_t i : indices) {
      probe.resolved[i] = plan.cells[i].variant;
      probed[i] = true;
    }
    const auto has_unmet = [&](std::size_t i) { return !plan.cells[i].unmet.empty(); };
    // Does not start 300 ranks only to hear that they are too many.
    const Opened opened = !group.launcher.empty() && std::ranges::all_of(indices, has_unmet)
                              ? Opened{{}, "unmet-need", plan.cells[indices.front()].unmet}
                              : open_workload(plan, group, indices);
    for (const std::size_t i : indices) {
      if (has_unmet(i)) {
        probe.not_measured.push_back({i, "unmet-need", plan.cells[i].unmet});
      } else if (!opened.known) {
        probe.not_measured.push_back({i, opened.code, opened.reason});
      }
    }
    take_facts(probe, group.graph, opened);
    if (opened.known) take_cells(probe, plan, *opened.known);
  }
  probe_builds(plan, probe);
  return probe;
}

}  // namespace bellmark::run
