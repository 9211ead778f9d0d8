// Other builds of Bellmark that measure cells: what they say of themselves and of cells.
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

/// Answers a call by worker processes. What another build sends and can't be read is its failure,
/// as is one that can't be started; of this program it is an error.
WorkerOutcome answer_by_workers(const WorkerCall& call, double timeout_s,
                                const std::filesystem::path& log,
                                const std::function<bool()>& interrupted,
                                const std::function<void(const Event&)>& on_event);

/// What a build says of itself: machine::build_identity(), null where it doesn't say. Throws
/// InputError where it speaks another wire or none, with its log.
Json ask_build(const plan::Build& build);

/// Asks each build of the plan about its cells: names are resolved by it, and what it can't measure
/// is noted. So is a graph or query that is another one to it. Throws Error(interrupted).
void probe_builds(const plan::Plan& plan, Probe& probe);

}  // namespace bellmark::run
