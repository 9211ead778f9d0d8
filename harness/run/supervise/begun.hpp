// The inputs at a run's beginning, kept in its folder (begun.json): graphs, queries, cells, builds
// and hosts.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/supervise/probe.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {

/// Notes the inputs of a run in its folder: graphs, queries, cells, this build and host. A resumed
/// run is compared with the notes of its beginning. Returns warnings for readers of its times:
/// other builds or hosts that had a part. Throws InputError when a graph, its queries or a compared
/// build has changed.
std::vector<std::string> note_beginning(const RunFolder& folder, const plan::Plan& plan,
                                        const Probe& probe);

/// The topology of the machine that noted the run's inputs, which may be another; this machine's
/// without a note. Throws InputError when the note is damaged.
machine::Topology noted_topology(const RunFolder& folder);

/// The facts and warnings of a run's last note.
struct Noted {
  Probe probe;
  std::vector<std::string> warnings;
};

/// The facts about the run's workloads and cells from the last note, for a run that measures
/// nothing more: opening graphs can take as long as measuring. They are of the machine that noted
/// them, which may be another. Throws InputError without a note, and if the plan has other cells
/// here.
Noted noted_beginning(const RunFolder& folder, const plan::Plan& plan);

}  // namespace bellmark::run
