// Tasks that threads take one after another.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "algorithms/parallel/thread_team.hpp"

namespace bellmark::customisable_hierarchy {

/// Runs work(0), ..., work(count - 1) on some threads, and returns when all are done.
using Tasks =
    std::function<void(std::size_t count, const std::function<void(std::size_t task)>& work)>;

/// The calling thread runs them.
inline Tasks one_thread() {
  return [](std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t task = 0; task < count; ++task) work(task);
  };
}

/// The threads of a team run them, and the team outlives this.
inline Tasks tasks_of(ThreadTeam& team) {
  return [&team](std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> taken{0};
    team.run([&](std::size_t) {
      for (std::size_t task; (task = taken.fetch_add(1)) < count;) work(task);
    });
  };
}

/// The number of tasks that keeps so many threads busy to the end; 1 for one thread.
inline std::size_t task_count(std::size_t thread_count) {
  return thread_count == 1 ? 1 : 16 * thread_count;
}

}  // namespace bellmark::customisable_hierarchy
