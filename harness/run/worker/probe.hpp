// What is known of a workload and its cells before anything is measured.
#pragma once

#include <string>

#include "algorithms/contract/registry.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// Why a selection can't be measured on a workload here; both empty when nothing is against it.
struct Obstacle {
  std::string code;  ///< one of a result's `not_measured`
  std::string reason;
};

/// What this build and machine have against a selection, whatever its input.
Obstacle obstacle_here(const Selection& selection, bool is_rank);

/// The same with its input. `resolved_name` gets the selection's name with `auto` values resolved.
Obstacle find_obstacle(const Selection& selection, const Workload& workload, bool is_rank,
                       std::string& resolved_name);

/// Opens the request's workload and checks it whole (a mapped file's digest too). Of each cell it
/// finds the resolved name, and why it can't be measured. Ranks run it together and agree; only a
/// problem that is distributed can be theirs. Throws InputError when the workload can't be opened.
Probed probe_workload(const Request& request);

}  // namespace bellmark::run
