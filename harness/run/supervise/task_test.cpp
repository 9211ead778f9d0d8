// The tasks of plans: their order and their keys.
#include "harness/run/supervise/task.hpp"

#include <gtest/gtest.h>

#include <set>

namespace bellmark::run {
namespace {

plan::Plan plan_of(bool memory, const std::string& form = "full") {
  plan::Experiment experiment =
      plan::adhoc_experiment({"sssp/dijkstra:arity=2", "sssp/dijkstra:arity=4"});
  experiment.block_count = 2;
  experiment.memory = memory;
  plan::Options options;
  options.form = form;
  options.graphs = {"g", "h"};
  options.counters = {"software", "cache"};
  return make_plan(experiment, options, machine::Topology::synthetic("core:2 pu:1"));
}

std::vector<std::string> keys(const std::vector<Task>& tasks) {
  std::vector<std::string> keys;
  keys.reserve(tasks.size());
  for (const Task& task : tasks) keys.push_back(task.key);
  return keys;
}

TEST(Tasks, BlocksFirstInTurningOrderThenThePassesThatExplain) {
  const auto tasks = tasks_of(plan_of(false));
  EXPECT_EQ(keys(tasks),
            (std::vector<std::string>{"timed/0/0", "timed/0/1", "timed/1/1", "timed/1/0",
                                      "visits/0/0", "phases/0/0", "counters:software/0/0",
                                      "counters:cache/0/0", "visits/0/1", "phases/0/1",
                                      "counters:software/0/1", "counters:cache/0/1"}));
  EXPECT_EQ(tasks[0].cells, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(tasks[2].cells, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(tasks[7].counter_group, "cache");
}

TEST(Tasks, PhasesThatClaimsJudgeComeWithTheirBlock) {
  plan::Plan plan = plan_of(false);
  plan.phases_each_block = true;
  auto all = keys(tasks_of(plan));
  all.resize(9);
  EXPECT_EQ(all, (std::vector<std::string>{"timed/0/0", "timed/0/1", "phases/0/0", "phases/0/1",
                                           "timed/1/1", "timed/1/0", "phases/1/0", "phases/1/1",
                                           "visits/0/0"}));
}

TEST(Tasks, ProfilersHaveAProcessACellAndEnergyIsOfAllInEachBlockWhereItIsAskedFor) {
  plan::Plan plan = plan_of(false);
  plan.experiment.counters.clear();
  plan.experiment.profiles = {"perf"};
  plan.experiment.energy = true;
  std::vector<std::string> all = keys(tasks_of(plan));
  all.erase(all.begin(), all.begin() + 4);  // timed
  const auto profiled = [&](std::size_t cell) {
    return "profile:perf/0/" + std::to_string(cell / 2) + "/" + plan.cells[cell].id;
  };
  EXPECT_EQ(all,
            (std::vector<std::string>{"visits/0/0", "phases/0/0", profiled(0), profiled(1),
                                      "visits/0/1", "phases/0/1", profiled(2), profiled(3),
                                      "energy/0/0", "energy/0/1", "energy/1/0", "energy/1/1"}));
}

TEST(Tasks, MemoryIsMeasuredCellByCell) {
  const plan::Plan plan = plan_of(true);
  const auto tasks = tasks_of(plan);
  ASSERT_EQ(tasks.size(), 12U + 2 * 4);
  EXPECT_EQ(tasks[12].key, "memory/0/0/" + plan.cells[0].id);
  EXPECT_EQ(tasks[12].cells, std::vector<std::size_t>{0});
  EXPECT_EQ(tasks.back().key, "memory/1/1/" + plan.cells[3].id);
}

TEST(Tasks, EnergyIsAskedOfCellsThatNeedCuda) {
  plan::Plan plan = plan_of(false);
  plan.cells[3].needs_cuda = true;
  const auto tasks = tasks_of(plan);
  ASSERT_EQ(tasks.size(), 14U);
  EXPECT_EQ(tasks[10].key, "kernels/0/1");
  EXPECT_EQ(tasks.back().key, "energy/0/1");
  EXPECT_EQ(tasks.back().cells, std::vector<std::size_t>{3});
}

TEST(Tasks, KeysAreUnique) {
  const auto all = keys(tasks_of(plan_of(true)));
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(Tasks, KernelsAreLookedForInGpuVariantsOnly) {
  plan::Experiment experiment = plan::adhoc_experiment({"sssp/dijkstra", "sssp/uses-gpu"});
  plan::Options options;
  options.graphs = {"g"};
  options.counters = {"gpu-dram"};
  const plan::Plan plan =
      make_plan(experiment, options, machine::Topology::synthetic("core:1 pu:1"));
  const auto tasks = tasks_of(plan);
  ASSERT_EQ(tasks.size(), plan.block_count + 5);
  const Task& kernels = tasks[plan.block_count + 2];
  EXPECT_EQ(kernels.key, "kernels/0/0");
  EXPECT_EQ(kernels.pass, Pass::kernels);
  ASSERT_EQ(kernels.cells.size(), 1U);
  EXPECT_EQ(plan.cells[kernels.cells[0]].variant, "sssp/uses-gpu");
  EXPECT_EQ(tasks[plan.block_count + 3].key, "counters:gpu-dram/0/0");
}

TEST(Tasks, ProcessesAtOnceAreTimedAndOneOfThemVisited) {
  plan::Plan plan = plan_of(true);
  plan.groups[0].process_count = 2;
  std::vector<std::string> of_first;
  for (const Task& task : tasks_of(plan)) {
    if (task.group == 0) of_first.push_back(task.key);
  }
  EXPECT_EQ(of_first, (std::vector<std::string>{"timed/0/0", "timed/1/0", "visits/0/0"}));
}

TEST(Tasks, SmokeIsTimedOnly) {
  EXPECT_EQ(keys(tasks_of(plan_of(true, "smoke"))),
            (std::vector<std::string>{"timed/0/0", "timed/0/1"}));
}

TEST(Tasks, IsolatedTaskEndsInTheCellsId) {
  const plan::Plan plan = plan_of(false);
  const Task alone = isolate(tasks_of(plan)[1], 3, plan);
  EXPECT_EQ(alone.key, "timed/0/1/" + plan.cells[3].id);
  EXPECT_EQ(alone.cells, std::vector<std::size_t>{3});
  EXPECT_EQ(alone.group, 1U);
}

}  // namespace
}  // namespace bellmark::run
