#include "harness/run/supervise/task.hpp"

#include <algorithm>

#include "algorithms/contract/registry.hpp"
#include "harness/sinks/cachegrind.hpp"

namespace bellmark::run {

std::vector<Task> tasks_of(const plan::Plan& plan) {
  std::vector<Task> tasks;
  const auto add = [&](Task task) {
    task.key = to_string(task.pass) + (task.counter_group.empty() ? "" : ":" + task.counter_group) +
               "/" + std::to_string(task.block) + "/" + std::to_string(task.group);
    tasks.push_back(std::move(task));
  };
  const std::size_t groups = plan.groups.size();
  const bool is_smoke = plan.options.form == "smoke";
  const bool repeats = Registry::global().repeats(plan.experiment.problem);
  // Several processes at once are only timed, and one of them alone is visited. Instruments would
  // change their influence on each other.
  const auto add_phases = [&](std::size_t block, std::size_t group) {
    if (plan.groups[group].process_count > 1) return;
    add({Pass::phases, block, group, plan.groups[group].cells, "", ""});
  };
  for (std::size_t block = 0; block < plan.block_count; ++block) {
    for (std::size_t i = 0; i < groups; ++i) {
      const std::size_t group = block % 2 == 0 ? i : groups - 1 - i;
      add({Pass::timed, block, group, plan.groups[group].cells, "", ""});
    }
    // Claims on phase logs need them in every block, even if a budget ends the run early.
    if (is_smoke || !plan.phases_each_block) continue;
    for (std::size_t group = 0; group < groups; ++group) add_phases(block, group);
  }
  if (is_smoke) return tasks;
  for (std::size_t block = 0; block < plan.block_count && !plan.fresh_cells.empty(); ++block) {
    for (std::size_t group = 0; group < groups; ++group) {
      std::vector<std::size_t> cells = plan.groups[group].cells;
      std::erase_if(cells, [&](std::size_t cell) {
        return std::ranges::find(plan.fresh_cells, cell) == plan.fresh_cells.end();
      });
      if (cells.empty()) continue;
      add({Pass::timed, plan.block_count + block, group, std::move(cells), "", ""});
    }
  }
  for (std::size_t group = 0; group < groups; ++group) {
    // Steps that run many times in a row are repeated anyway.
    if (!repeats) add({Pass::visits, 0, group, plan.groups[group].cells, "", ""});
    if (!plan.phases_each_block) add_phases(0, group);
    if (plan.groups[group].process_count > 1) continue;
    if (!plan.groups[group].launcher.empty()) {
      // Each rank counts its own threads, and the counts add up. All other instruments see one
      // process.
      for (const std::string& counters : plan.experiment.counters) {
        if (!sinks::counts_threads(counters)) continue;
        add({Pass::counters, 0, group, plan.groups[group].cells, counters, ""});
      }
      continue;
    }
    std::vector<std::size_t> on_gpu = plan.groups[group].cells;
    std::erase_if(on_gpu, [&](std::size_t cell) { return !plan.cells[cell].needs_cuda; });
    if (!on_gpu.empty()) add({Pass::kernels, 0, group, on_gpu, "", ""});
    for (const std::string& counters : plan.experiment.counters) {
      if (counters == sinks::kCachegrind) {
        // A simulator counts a whole process, so each cell has its own task.
        Task task{Pass::counters, 0,
                  group,          {},
                  counters,       "counters:" + counters + "/0/" + std::to_string(group)};
        for (const std::size_t cell : plan.groups[group].cells) {
          tasks.push_back(isolate(task, cell, plan));
        }
        continue;
      }
      add({Pass::counters, 0, group, plan.groups[group].cells, counters, ""});
    }
    for (const std::string& profiler : plan.experiment.profiles) {
      const Task task{Pass::profile, 0,
                      group,         {},
                      profiler,      "profile:" + profiler + "/0/" + std::to_string(group)};
      for (const std::size_t cell : plan.groups[group].cells) {
        tasks.push_back(isolate(task, cell, plan));
      }
    }
    // Energy that is asked for has a spread, so it comes in every block.
    if (!plan.experiment.energy && !on_gpu.empty()) {
      add({Pass::energy, 0, group, on_gpu, "", ""});
    }
  }
  for (std::size_t block = 0; block < plan.block_count && plan.experiment.energy; ++block) {
    for (std::size_t group = 0; group < groups; ++group) {
      if (plan.groups[group].process_count > 1 || !plan.groups[group].launcher.empty()) continue;
      add({Pass::energy, block, group, plan.groups[group].cells, "", ""});
    }
  }
  if (!plan.experiment.memory) return tasks;
  for (std::size_t block = 0; block < plan.block_count; ++block) {
    for (std::size_t group = 0; group < groups; ++group) {
      if (plan.groups[group].process_count > 1) continue;
      for (const std::size_t cell : plan.groups[group].cells) {
        Task task{Pass::memory, block,
                  group,        {},
                  "",           "memory/" + std::to_string(block) + "/" + std::to_string(group)};
        tasks.push_back(isolate(task, cell, plan));
      }
    }
  }
  return tasks;
}

Task isolate(const Task& task, std::size_t cell, const plan::Plan& plan) {
  Task alone = task;
  alone.cells = {cell};
  alone.key += "/" + plan.cells[cell].id;
  return alone;
}

Task isolate_second(const Task& task, std::size_t cell, const plan::Plan& plan) {
  Task second = isolate(task, cell, plan);
  second.key = key_of_second(std::move(second.key));
  second.is_second = true;
  return second;
}

std::string key_of_second(std::string key) {
  if (key.ends_with(kAgain)) key.resize(key.size() - kAgain.size());
  return key + kTwice;
}

}  // namespace bellmark::run
