// Programs that programs of ours started and left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <vector>

namespace bellmark {

/// From here on what a program of ours leaves behind becomes a child of this process, whatever
/// session or group it is in (PR_SET_CHILD_SUBREAPER).
void adopt_orphans();

/// The children of this process that run, or have ended and were not waited for.
std::vector<pid_t> children_now();

/// Kills every child that is not `spared`, and all that they started. Those that end by themselves
/// within `patience` are waited for and not counted. How many were killed.
std::size_t end_orphans(const std::vector<pid_t>& spared, std::chrono::milliseconds patience);

}  // namespace bellmark
