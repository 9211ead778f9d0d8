// For tests: a small experiment, and plans of it on a made-up machine.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {

inline machine::Topology four_cores() { return machine::Topology::synthetic("pack:1 core:4 pu:2"); }

inline constexpr const char* kText = R"(id = "e"
variants = ["sssp/dijkstra:arity={arity},extract={extract}"]
[workload]
problem = "sssp"
queries = { kind = "uniform-sources", count = 16, seed = 1 }
[axes]
graph = ["g", "h"]
arity = [2, 4]
extract = ["bottom-up", "top-down"]
[quick]
query_count = 4
sample_count = 5
seconds_per_process = 0.5
axes = { graph = ["g"] }
)";

inline Experiment experiment(const std::string& old = "", const std::string& now = "") {
  std::string text = kText;
  if (!old.empty()) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), now);
  }
  return parse_experiment(text, "e.toml");
}

template <class Set>
Options with(Set&& set) {
  Options options;
  set(options);
  return options;
}

inline Plan plan_of(const Experiment& experiment, const Options& options = {}) {
  return make_plan(experiment, options, four_cores());
}

inline std::set<std::string> ids(const Plan& plan) {
  std::set<std::string> ids;
  for (const Cell& cell : plan.cells) ids.insert(cell.id);
  return ids;
}

inline std::string fault(const Experiment& experiment, const Options& options = {}) {
  try {
    plan_of(experiment, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A file whose graphs mention an axis, and whose short form has a stand-in of its own.
inline Experiment scaled() {
  return parse_experiment(R"(id = "s"
variants = ["sssp/dijkstra:arity={arity}"]
stand_in = "large for huge"
[workload]
problem = "sssp"
queries = { kind = "uniform-sources", count = 16, seed = 1 }
[axes]
graph = ["square:scale={scale},seed={seed}"]
scale = [19, 20, 21, 22, 23]
seed = ["1{digit}"]
digit = [0]
arity = [2, 4]
placement = ["core:0"]
[run]
baseline = { arity = 2 }
[quick]
stand_in = "small for huge"
axes = { scale = [14, 15, 16], placement = ["none"] }
)",
                          "s.toml");
}

}  // namespace bellmark::plan
