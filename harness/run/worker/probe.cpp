#include "harness/run/worker/probe.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "harness/machine/build_facts.hpp"
#include "harness/machine/launch.hpp"
#include "harness/run/worker/agree.hpp"

namespace bellmark::run {
namespace {

constexpr std::size_t kFirstQueriesShown = 5;

/// Why this build or machine can't meet a need; "" when only the input can meet it.
std::string unmet_by_machine(Need need, bool is_rank) {
  if (need == Need::cuda) {
    static const std::string absence = gpu::unmet();
    return absence;
  }
  if (need == Need::mpi && !is_rank) {
    const std::string absence = machine::rank_program_absence();
    return absence.empty() ? "nothing launches it as ranks: --launcher 'mpirun -n {ranks}'"
                           : absence;
  }
  return Registry::global().absence_of(need);
}

Obstacle unmet(Need need, const std::string& reason) {
  return {"unmet-need", "needs " + to_string(need) + ": " + reason};
}

/// The obstacle of needs that don't depend on the input.
Obstacle unmet_here(const std::vector<Need>& needs, bool is_rank) {
  for (const Need need : needs) {
    if (const std::string reason = unmet_by_machine(need, is_rank); !reason.empty()) {
      return unmet(need, reason);
    }
  }
  return {};
}

}  // namespace

Obstacle obstacle_here(const Selection& selection, bool is_rank) {
  const Family& family = *selection.family;
  if (!family.absence.empty()) return {"unmet-need", family.absence};
  const bool resolves = std::ranges::any_of(
      selection.settings.entries(), [](const auto& entry) { return entry.second == "auto"; });
  if (resolves) return unmet_here(family.common_needs(), is_rank);
  const Instance* const instance = family.instance(selection.settings);
  if (instance == nullptr) return {"not-built", family.not_built(selection.settings).what()};
  return unmet_here(instance->description.needs, is_rank);
}

Obstacle find_obstacle(const Selection& selection, const Workload& workload, bool is_rank,
                       std::string& resolved_name) {
  resolved_name = selection.name();
  if (const std::string& absence = selection.family->absence; !absence.empty()) {
    return {"unmet-need", absence};
  }
  if (is_rank && !workload.distributed()) {
    return {"unmet-need", selection.family->problem() +
                              " knows nothing of ranks, each of which would do the whole search: "
                              "name a variant of a problem that does, e.g. "
                              "distributed-bfs/hybrid, or leave the launcher out"};
  }
  for (const Need need : selection.family->common_needs()) {
    if (const std::string reason = workload.unmet(need); !reason.empty()) {
      return unmet(need, reason);
    }
  }
  Settings resolved;
  const Instance* instance = nullptr;
  try {
    resolved = selection.family->instances.front().resolve(selection.settings, workload);
    resolved_name = selection.family->canonical(resolved);
  } catch (const InputError& error) {
    return {"bad-setting", error.what()};
  }
  try {
    instance = &find_instance(selection, workload, resolved);
  } catch (const InputError& error) {
    return {"not-built", error.what()};
  }
  for (const Need need : instance->description.needs) {
    std::string reason = unmet_by_machine(need, is_rank);
    if (reason.empty()) reason = workload.unmet(need);
    if (!reason.empty()) return unmet(need, reason);
  }
  return {};
}

Probed probe_workload(const Request& request) {
  const bool is_rank = request.ranks.has_value();
  const auto workload =
      Registry::global().open_workload(request.problem, request.graph, request.queries);
  workload->verify();
  Probed probed;
  probed.build = machine::build_identity();
  probed.facts = Json::object();
  for (const auto& [name, value] : workload->facts()) {
    probed.facts[name] = std::visit([](const auto& v) { return Json(v); }, value);
  }
  probed.query_count = workload->query_count();
  probed.query_digest = workload->query_digest();
  for (std::size_t i = 0; i < std::min(kFirstQueriesShown, workload->query_count()); ++i) {
    probed.first_queries.push_back(workload->query_text(i));
  }
  for (const CellRequest& cell : request.cells) {
    const Selection selection = Registry::global().select(cell.variant).front();
    ProbedCell& known = probed.cells.emplace_back();
    known.id = cell.id;
    auto [code, reason] = find_obstacle(selection, *workload, is_rank, known.resolved);
    if (is_rank) {
      reason = agreed_text(world(), reason);
      code = first_text(world(), code);
    }
    if (code.empty()) continue;
    known.code = code;
    known.reason = reason;
  }
  return probed;
}

}  // namespace bellmark::run
