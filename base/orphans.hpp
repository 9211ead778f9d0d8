// Programs that our programs started and left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <vector>

namespace bellmark {

/// After this call, processes that our programs leave behind become children of this process, in
/// any session or group (PR_SET_CHILD_SUBREAPER).
void adopt_orphans();

/// The children of this process that run, or have ended and were not waited for.
std::vector<pid_t> children_now();

/// Kills every child that is not `spared`, with all processes that they started. Children that end
/// by themselves within `patience` are waited for and not counted. Returns the number of killed
/// ones.
std::size_t end_orphans(const std::vector<pid_t>& spared, std::chrono::milliseconds patience);

}  // namespace bellmark
