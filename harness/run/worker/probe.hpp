// The facts about a workload and its cells before anything is measured.
#pragma once

#include <string>

#include "algorithms/contract/registry.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// Why a selection can't be measured on a workload here; both empty when it can.
struct Obstacle {
  std::string code;  ///< one of a result's `not_measured`
  std::string reason;
};

/// The obstacle of a selection in this build and machine, whatever its input.
Obstacle obstacle_here(const Selection& selection, bool is_rank);

/// The obstacle with its input. `resolved_name` gets the selection's name with `auto` values
/// resolved.
Obstacle find_obstacle(const Selection& selection, const Workload& workload, bool is_rank,
                       std::string& resolved_name);

/// Opens the request's workload and checks it whole (with a mapped file's digest). Finds each
/// cell's resolved name, and why it can't be measured. Ranks run it together and agree. They can
/// only measure distributed problems. Throws InputError when the workload can't be opened.
Probed probe_workload(const Request& request);

}  // namespace bellmark::run
