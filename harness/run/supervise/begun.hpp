// What a run began with, kept in its folder (begun.json): graphs, queries, cells, builds and hosts.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/supervise/probe.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {

/// Notes in the folder what a run measures: graphs, queries, cells, this build and host; a resumed
/// run is compared with what it began with. Returns what readers of its times must know: other
/// builds or hosts that had a part. Throws InputError when a graph, its queries or a build that is
/// compared are others now.
std::vector<std::string> note_beginning(const RunFolder& folder, const plan::Plan& plan,
                                        const Probe& probe);

/// What was noted last of the run's workloads and cells, for who measures nothing more: opening
/// graphs can take as long as measuring. Throws InputError where nothing was, on another host, and
/// where the plan has other cells here.
Probe noted_probe(const RunFolder& folder, const plan::Plan& plan);

}  // namespace bellmark::run
