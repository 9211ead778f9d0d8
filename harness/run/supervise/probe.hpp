// What is known of a run's graphs and cells before anything is measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// A cell that gave no time, and why.
struct NotMeasured {
  std::size_t cell;
  std::string code;  ///< unmet-need | not-built | bad-setting | wrong-answer | crash | timeout |
                     ///< interrupted
  std::string reason;
};

/// Of a workload that could not be opened: the digest is null, with the `reason`, and there are no
/// queries.
struct WorkloadFacts {
  std::string graph;
  Json facts;
  std::size_t query_count = 0;
  std::string query_digest;
  std::vector<std::string> first_queries;
};

/// What is known before anything is measured.
struct Probe {
  std::vector<WorkloadFacts> workloads;
  std::vector<std::string> resolved;  ///< per cell: canonical name with `auto` values resolved
  std::vector<NotMeasured> not_measured;
};

/// Opens every workload once, checks it whole (a mapped file's digest too), resolves names and
/// finds unmet needs. Workloads of ranks are opened by ranks, once for each number of them and
/// place. Throws InputError for a graph or query rule that can't be opened, and for a launcher that
/// isn't there.
Probe probe(const plan::Plan& plan);

/// What ranks must know of their group, to probe and to measure.
RankRequest rank_request(const plan::Plan& plan, const plan::Group& group,
                         const std::filesystem::path& status_file);

/// What is known of a group's workload is asked with; without cells.
Request probe_request(const plan::Plan& plan, const plan::Group& group);

/// A request's cells: those of the plan with these indices.
std::vector<CellRequest> cell_requests(const plan::Plan& plan,
                                       const std::vector<std::size_t>& indices);

}  // namespace bellmark::run
