// Replicates of several processes as one.
#include "harness/run/supervise/co_run.hpp"

#include <gtest/gtest.h>

namespace bellmark::run {
namespace {

/// A replicate in the wire's form.
Json replicate(const std::string& place, std::vector<std::vector<double>> step_ns, double mhz) {
  return {{"kind", "timed"},
          {"observed", place},
          {"pu_count", 1},
          {"open_ns", 7},
          {"core_mhz", mhz},
          {"steal_ratio", nullptr},
          {"pages", {{"anonymous_bytes", 30}, {"huge_bytes", 20}}},
          {"gpu", nullptr},
          {"ranks", nullptr},
          {"certified", Json::array()},
          {"cells",
           {{{"id", "c"},
             {"variant", "sssp/v"},
             {"status", "ok"},
             {"validation",
              {{"certificate_count", 2},
               {"gpu_certificate_count", 1},
               {"digest_count", 3},
               {"detail", nullptr}}},
             {"prepare_ns", 5},
             {"accounted", Json::object()},
             {"threads", Json::array()},
             {"answers", Json::object()},
             {"step_ns", step_ns},
             {"pass_cpu_ns", Json::array()},
             {"stop_reason", "samples"},
             {"queued_ratio", nullptr}}}}};
}

Json merged_of(const std::vector<Json>& replicates) {
  std::vector<Replicate> typed;
  typed.reserve(replicates.size());
  for (const Json& replicate : replicates) typed.push_back(replicate.get<Replicate>());
  return merge_processes(typed);
}

TEST(CoRun, OneProcessStaysAsItIs) {
  const Json one = replicate("pu P#0", {{1, 2}}, 3000);
  EXPECT_EQ(merged_of({one}), one);
}

TEST(CoRun, TheSlowestProcessGivesTheTimes) {
  const Json merged =
      merged_of({replicate("a", {{1, 2}, {1, 2}, {90, 2}}, 3000),
                 replicate("b", {{4, 2}, {4, 2}}, 2900), replicate("c", {{3, 2}}, 3100)});
  EXPECT_EQ(merged.at("observed"), Json({"process 0: a", "process 1: b", "process 2: c"}));
  EXPECT_EQ(merged.at("core_mhz"), 2900);
  EXPECT_EQ(merged.at("pages"), Json({{"anonymous_bytes", 90}, {"huge_bytes", 60}}));
  const Json& cell = merged.at("cells").at(0);
  EXPECT_EQ(cell.at("step_ns"), Json({{4.0, 2.0}, {4.0, 2.0}}));
  EXPECT_EQ(cell.at("process_pass_ns"), Json({3.0, 6.0, 5.0}));
  EXPECT_EQ(cell.at("validation").at("certificate_count"), 6);
  EXPECT_EQ(cell.at("validation").at("gpu_certificate_count"), 3);
  EXPECT_EQ(cell.at("validation").at("digest_count"), 9);
}

TEST(CoRun, TheMostDisturbedProcessCounts) {
  std::vector<Json> replicates(3, replicate("a", {{1}}, 3000));
  replicates[1]["steal_ratio"] = 0.125;
  replicates[0]["cells"][0]["queued_ratio"] = 0.25;
  replicates[1]["cells"][0]["queued_ratio"] = 0.5;
  const Json merged = merged_of(replicates);
  EXPECT_EQ(merged.at("steal_ratio"), 0.125);
  EXPECT_EQ(merged.at("cells").at(0).at("queued_ratio"), 0.5);
}

TEST(CoRun, OneWrongAnswerMakesTheCellWrong) {
  Json wrong = replicate("b", {}, 3000);
  wrong["cells"][0]["status"] = "wrong";
  wrong["cells"][0]["validation"]["detail"] = "query 1: too short";
  wrong["cells"][0].erase("step_ns");
  for (const auto& pair : {std::vector<Json>{replicate("a", {{1}}, 1), wrong},
                           std::vector<Json>{wrong, replicate("a", {{1}}, 1)}}) {
    const Json cell = merged_of(pair).at("cells").at(0);
    EXPECT_EQ(cell.at("status"), "wrong");
    EXPECT_EQ(cell.at("validation").at("detail"), "query 1: too short");
  }
}

}  // namespace
}  // namespace bellmark::run
