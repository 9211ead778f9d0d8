// What a plan asks to be run: a list of replicates with names that don't depend on progress.
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
  /// Names the task in the journal, e.g. `timed/3/0`; a task of one isolated cell ends in its id.
  std::string key;

  /// The second measurement of the group's baseline, in a process of its own.
  bool is_second = false;
};

/// All replicates of a plan: timed blocks first (the order of groups turns round from block to
/// block), each with its phases where claims judge their times. Then come the visits, which say
/// whether times may be judged, and the passes that only explain: phases, kernels, counters,
/// profiles, energy (of cells that need CUDA, or of all where it is asked for), memory. Of ranks
/// only visits, phases and memory are taken.
std::vector<Task> tasks_of(const plan::Plan& plan);

/// The id under which a cell is measured a second time in the same block; the plan has no such
/// cell.
inline const std::string kTwice = "/twice";

/// What the key of a task ends in that is run once more, because its block was disturbed.
inline const std::string kAgain = "/again";

/// The same task for one of its cells alone.
Task isolate(const Task& task, std::size_t cell, const plan::Plan& plan);

/// The task of a cell alone that measures it a second time.
Task isolate_second(const Task& task, std::size_t cell, const plan::Plan& plan);

/// The key of that task, from the key of the cell's own, which may be one that was run again.
std::string key_of_second(std::string key);

}  // namespace bellmark::run
