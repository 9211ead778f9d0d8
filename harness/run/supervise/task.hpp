// The tasks of a plan: a list of replicates with names that don't depend on progress.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// One replicate to run: a fresh process.
struct Task {
  Pass pass = Pass::timed;
  std::size_t block = 0;
  std::size_t group = 0;
  std::vector<std::size_t> cells;
  std::string counter_group;  ///< or the profiler
  /// The task's name in the journal, e.g. `timed/3/0`. The name of an isolated cell's task ends in
  /// the cell's id.
  std::string key;

  /// The second measurement of the group's baseline, in a process of its own.
  bool is_second = false;
};

/// All replicates of a plan. Timed blocks come first, each with its phases if claims judge their
/// times. The order of groups turns round from block to block. Then come the visits, which say
/// whether times may be judged. Last come the passes that only explain: phases, kernels, counters,
/// profiles, energy and memory. Cells that need CUDA have an energy pass, and all cells if the
/// experiment asks for it. Ranks have only visits, phases and memory.
std::vector<Task> tasks_of(const plan::Plan& plan);

/// The id of a cell's second measurement in the same block. The plan has no such cell.
inline const std::string kTwice = "/twice";

/// The end of the key of a task that runs again because its block was disturbed.
inline const std::string kAgain = "/again";

/// The task for one of its cells alone.
Task isolate(const Task& task, std::size_t cell, const plan::Plan& plan);

/// The task for the second measurement of one cell alone.
Task isolate_second(const Task& task, std::size_t cell, const plan::Plan& plan);

/// The key of the task of the second measurement, from the key of the cell's own task. That task
/// may be one that ran again.
std::string key_of_second(std::string key);

}  // namespace bellmark::run
