// The facts about a run's graphs and cells before anything is measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// A cell that gave no time, and the reason.
struct NotMeasured {
  std::size_t cell;
  std::string code;  ///< unmet-need | not-built | bad-setting | wrong-answer | crash | timeout |
                     ///< interrupted
  std::string reason;
};

/// For a workload that could not be opened, the digest is null, with the `reason`, and there are no
/// queries.
struct WorkloadFacts {
  std::string graph;
  Json facts;
  std::size_t query_count = 0;
  std::string query_digest;
  std::vector<std::string> first_queries;
};

/// The facts about this machine and build that a result holds: `environment`
/// (machine::environment()), `topology` (its `summary` and `hwloc_xml`) and `build`
/// (machine::build_facts()).
Json origin_here();

/// All facts before anything is measured.
struct Probe {
  std::vector<WorkloadFacts> workloads;
  std::vector<std::string> resolved;  ///< per cell: canonical name with `auto` values resolved
  std::vector<NotMeasured> not_measured;
  Json origin = {};  ///< origin_here() of the machine that measures; null until it begins
};

/// Opens every workload once, checks it whole (with a mapped file's digest), resolves names and
/// finds unmet needs. Ranks open the workloads of ranks, once for each number of ranks and each
/// place. Throws InputError for a graph or query rule that can't be opened, and for a missing
/// launcher.
Probe probe(const plan::Plan& plan);

/// The facts that ranks need of their group, to probe and to measure.
RankRequest rank_request(const plan::Plan& plan, const plan::Group& group,
                         const std::filesystem::path& status_file);

/// The request for the facts about a group's workload, without cells.
Request probe_request(const plan::Plan& plan, const plan::Group& group);

/// The cells of a request: those of the plan with these indices.
std::vector<CellRequest> cell_requests(const plan::Plan& plan,
                                       const std::vector<std::size_t>& indices);

}  // namespace bellmark::run
