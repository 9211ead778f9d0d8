// A result as a trace: every track, the nesting of slices, and results that lack parts.
#include "harness/report/trace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "harness/report/test_report.hpp"

namespace bellmark::report {
namespace {

Json measured() {
  Json result = report::result();
  Json& cell = result["cells"][0];
  cell["phases"] = {{{"name", "initialise"},
                     {"count", 4},
                     {"wall_ns", 1000.0},
                     {"share_ratio", 0.1},
                     {"notes", Json::object()},
                     {"children", Json::array()}},
                    {{"name", "search"},
                     {"count", 4},
                     {"wall_ns", 9000.0},
                     {"share_ratio", 0.9},
                     {"notes", {{"settled_count", 7}}},
                     {"children",
                      {{{"name", "heap"},
                        {"count", 8},
                        {"wall_ns", 4000.0},
                        {"share_ratio", 0.4},
                        {"notes", Json::object()},
                        {"children", Json::array()}},
                       {{"name", "relax"},
                        {"count", 8},
                        {"wall_ns", 3000.0},
                        {"share_ratio", 0.3},
                        {"notes", Json::object()},
                        {"children", Json::array()}}}}}};
  cell["phase_log"] = {
      {"columns", {"frontier_count", "host_ns", "gpu_ns"}},
      {"first_queries", {{{"query", 0}, {"rows", {{1, 500, 300}, {9, 700, 400}}}}}}};
  cell["gpu_kernels"] = {{{"name", "expand"}, {"launch_count", 3}, {"gpu_ns", 900}},
                         {{"name", "untimed"}, {"launch_count", 1}, {"gpu_ns", nullptr}}};
  cell["gpu_copies"] = {{{"kind", "device-to-host"}, {"count", 2}, {"bytes", 8}, {"gpu_ns", 100}}};
  cell["ranks"] = {{"places", {{{"host", "a"}, {"resolved", "core:0"}}, {{"host", "b"}}}},
                   {"block_ns", {{100, 200}, {120, 260}, {110, 220}}}};
  return result;
}

/// Events of one process by the name of their track.
std::map<std::string, std::vector<Json>> tracks(const Json& trace, int process) {
  std::map<int, std::string> names;
  std::map<std::string, std::vector<Json>> found;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("pid") != process) continue;
    if (event.at("name") == "thread_name") {
      names[event.at("tid").get<int>()] = event.at("args").at("name").get<std::string>();
    } else if (event.at("ph") == "X") {
      found[names.at(event.at("tid").get<int>())].push_back(event);
    }
  }
  return found;
}

TEST(Trace, HasATrackForEachThingThatWasTimed) {
  const auto found = tracks(trace({measured()}), 1);
  EXPECT_EQ(found.at("query (median of timed samples)").at(0).at("dur"), 1500.0);
  const auto& phases = found.at("phases (instrumented, mean of a query)");
  ASSERT_EQ(phases.size(), 4U);
  EXPECT_EQ(phases[1].at("name"), "search");
  EXPECT_EQ(phases[1].at("ts"), 1.0);
  EXPECT_EQ(phases[1].at("args").at("settled_count"), 7);
  EXPECT_EQ(phases[3].at("name"), "relax");  // within search, behind heap
  EXPECT_EQ(phases[3].at("ts"), 5.0);
  const auto& rounds = found.at("query 0: rounds by host_ns");
  ASSERT_EQ(rounds.size(), 2U);
  EXPECT_EQ(rounds[1].at("name"), "round 1");
  EXPECT_EQ(rounds[1].at("ts"), 0.5);
  EXPECT_EQ(rounds[1].at("dur"), 0.7);
  EXPECT_EQ(rounds[1].at("args").at("frontier_count"), 9);
  EXPECT_EQ(found.at("query 0: rounds by gpu_ns")[1].at("ts"), 0.3);
  EXPECT_EQ(found.at("GPU kernels (sums over a pass)").size(), 1U) << "one has no time";
  EXPECT_EQ(found.at("GPU copies (sums over a pass)")[0].at("args").at("bytes"), 8);
  EXPECT_EQ(found.at("rank 0")[0].at("dur"), 0.11);
  EXPECT_EQ(found.at("rank 1")[0].at("args").at("host"), "b");
}

TEST(Trace, EachCellIsAProcess) {
  const Json all = trace({measured(), measured()});
  std::map<int, std::string> processes;
  for (const Json& event : all.at("traceEvents")) {
    if (event.at("name") != "process_name") continue;
    processes[event.at("pid").get<int>()] = event.at("args").at("name").get<std::string>();
  }
  EXPECT_EQ(processes.size(), 8U);
  EXPECT_EQ(processes.at(2), "e: arity=2");
  EXPECT_EQ(tracks(all, 3).size(), 0U) << "a wrong cell has no time";
  EXPECT_EQ(trace({}).at("traceEvents"), Json::array());
}

}  // namespace
}  // namespace bellmark::report
