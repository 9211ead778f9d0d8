// Other builds of Bellmark that measure cells: their facts about themselves and about cells.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/plan/plan.hpp"
#include "harness/run/supervise/probe.hpp"
#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {

/// Path of the build that measures a group; "" for this program.
std::string program_of(const plan::Plan& plan, const plan::Group& group);

/// Answers a call by worker processes, or by a launch if its request names ranks. An unreadable
/// answer of another build is its failure, and so is a failed start. For this program both are
/// errors.
WorkerOutcome answer_by_workers(const WorkerCall& call, double timeout_s,
                                const std::filesystem::path& log,
                                const std::function<bool()>& interrupted,
                                const std::function<void(const Event&)>& on_event);

/// A build's facts about itself: machine::build_identity(), null if it gives none. Throws
/// InputError, with its log, if it speaks another wire or none.
Json ask_build(const plan::Build& build);

/// Asks each build of the plan about its cells. The build resolves names, and cells that it can't
/// measure are noted. So is a graph or query that differs for it. Throws Error(interrupted).
void probe_builds(const plan::Plan& plan, Probe& probe);

}  // namespace bellmark::run
