// What the state of a cell allows to be judged: disturbed cells, and crowded ones.
#include "harness/verdict/measured.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "harness/verdict/doubt.hpp"
#include "harness/verdict/test_result.hpp"

namespace bellmark::verdict {
namespace {

/// A cell whose cores others had.
void disturb(Json& cell) { cell["doubts"] = {"disturbed: other programs had its cores"}; }

TEST(Disturbance, CapsEveryVerdictOnTimes) {
  Result result({2, 4, 8});
  result.ratio(2, 4, 1.6, 1.7, 1.8).ratio(8, 4, 0.98, 1, 1.02).ratio(4, 2, 0.5, 0.6, 0.7);
  result.ratio(4, 8, 1.05, 1.1, 1.2);
  const std::vector<std::string> claims = {kSlower, kFaster, kShape, kBest};
  for (const std::string& claim : claims) {
    const std::string before = verdict_of(claim, result);
    EXPECT_NE(before, "inconclusive") << claim;
    Result disturbed = result;
    disturb(disturbed.cell(4));
    const Json verdict = judged(claim, disturbed);
    EXPECT_EQ(verdict.at("verdict"), "inconclusive") << claim;
    EXPECT_NE(verdict.at("reason").get<std::string>().find(
                  "not judged: disturbed: other programs had its cores"),
              std::string::npos)
        << verdict;
    EXPECT_EQ(verdict.at("parts").at(0).at("measured").at(0).at("doubt"),
              "disturbed: other programs had its cores");
    // One that was looked at and not disturbed.
    disturbed.cell(4)["doubts"] = Json::array();
    EXPECT_EQ(verdict_of(claim, disturbed), before) << claim;
  }
}

TEST(Disturbance, LeavesCountsAndWhatIsUndecidedAsTheyAre) {
  Result result({2, 4});
  for (const int arity : {2, 4}) {
    result.cell(arity)["phase_log"] = phase_log(growing(6, 1000 / static_cast<unsigned>(arity)));
    disturb(result.cell(arity));
  }
  const auto by = [&](const char* metric) {
    return judged(kSlower + "metric = '" + metric + "'\n", result);
  };
  const auto reason = [&](const char* metric) {
    return by(metric).at("reason").get<std::string>();
  };
  EXPECT_FALSE(reason("phase_log.updated_count.sum").starts_with("not judged: disturbed"));
  EXPECT_TRUE(reason("phase_log.host_ns.sum").starts_with("not judged: disturbed"));
  EXPECT_EQ(by("memory.resident_bytes").at("verdict"), "not testable here");
  EXPECT_EQ(verdict_of(kSlower, result), "not testable here") << "no times at all";
}

TEST(Doubt, ThoseThatDifferInNumbersAreSaidOnce) {
  const Json rows = {
      {{"doubt", "for 7 %"}}, {{"value", 1}}, {{"doubt", "for 9 %"}}, {{"doubt", "else"}}};
  EXPECT_EQ(doubts_of_rows(rows), "for 7 % (and 1 alike, with other numbers); else");
}

TEST(Doubt, ATimeThatIsDoubtedIsShownAndNotJudged) {
  for (const auto& [low, value, high] :
       {std::tuple(1.25, 1.3, 1.35), std::tuple(1.01, 1.1, 1.19), std::tuple(0.8, 0.9, 0.99)}) {
    Result result = Result({2, 4}).ratio(2, 4, low, value, high);
    result.cell(2)["doubts"] = Json::array();
    result.cell(4)["doubts"] = {"one query is asked", "and more"};
    const Json verdict = judged(kSlower, result);
    EXPECT_EQ(verdict.at("verdict"), "inconclusive");
    EXPECT_EQ(verdict.at("reason"), "not judged: one query is asked");
    const Json& row = verdict.at("parts").at(0).at("measured").at(0);
    EXPECT_EQ(row.at("value"), value);
    EXPECT_EQ(row.at("doubt"), "one query is asked");
  }
}

TEST(Doubt, WhatIsNoTimeIsJudged) {
  Result result({2, 4});
  for (const int arity : {2, 4}) {
    result.cell(arity)["doubts"] = {"one query is asked"};
    result.cell(arity)["memory"] = {{"accounted_bytes", arity == 2 ? 13 : 10},
                                    {"accounted", Json::object()}};
  }
  std::string claim = kSlower;
  claim += "metric = 'memory.accounted_bytes'\n";
  const Json verdict = judged(claim, result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  EXPECT_FALSE(verdict.at("parts").at(0).at("measured").at(0).contains("doubt"));
}

TEST(Crowding, RanksThatShareTheirPlacesTestNothing) {
  Result result({2, 4});
  result.ratio(2, 4, 1.25, 1.3, 1.35);
  for (const int arity : {2, 4}) result.cell(arity)["ranks"] = {{"shared_places", Json::array()}};
  EXPECT_EQ(verdict_of(kSlower, result), "reproduced");
  result.cell(4)["ranks"]["shared_places"] = {"pu P#0 of node7"};
  EXPECT_EQ(verdict_of(kSlower, result), "not testable here");
  EXPECT_NE(
      judged(kSlower, result).at("reason").get<std::string>().find("ranks share pu P#0 of node7"),
      std::string::npos);
}

/// Times of phases and TEPS are no better; what is counted is.
TEST(Crowding, OfPhasesAndTeps) {
  const std::vector<double> values = {10, 11, 12, 13, 14, 15};
  Result result({2, 4});
  for (const int arity : {2, 4}) {
    result.cell(arity)["teps"] = {
        {"harmonic_mean", nullptr}, {"median", nullptr}, {"block_medians", values}};
    result.cell(arity)["phase_log"] = phase_log(growing(6, 1000 / static_cast<unsigned>(arity)));
  }
  const auto judge_metrics = [&](bool times_testable) {
    for (const char* metric : {"teps.median", "phase_log.host_ns.sum"}) {
      EXPECT_EQ(verdict_of(kSlower + "metric = '" + metric + "'\n", result) != "not testable here",
                times_testable)
          << metric;
    }
    EXPECT_NE(verdict_of(kSlower + "metric = 'phase_log.updated_count.sum'\n", result),
              "not testable here");
  };
  judge_metrics(true);
  result.cell(4)["ranks"] = {{"shared_places", {"pu P#0 of node7"}}};
  judge_metrics(false);
}

TEST(Crowding, ThreadsWithoutAPlaceOfTheirOwnTestNothing) {
  Result result({2, 4});
  result.ratio(2, 4, 1.25, 1.3, 1.35);
  for (const int arity : {2, 4}) {
    result.cell(arity)["placement"] = {{"pu_count", 2}, {"threads", Json::array({1})}};
    result.cell(arity)["query_count"] = 8;
  }
  EXPECT_EQ(verdict_of(kSlower, result), "reproduced") << "two threads on two PUs";
  result.cell(2)["query_count"] = 7;
  EXPECT_EQ(verdict_of(kSlower, result), "not testable here");
  result.cell(2)["batch"] = true;
  EXPECT_EQ(verdict_of(kSlower, result), "not testable here");
  result.cell(2)["batch"] = false;
  EXPECT_EQ(verdict_of(kSlower, result), "reproduced") << "all threads share each query";
  result.cell(4)["placement"]["threads"] = Json::array({1, 2, 3});
  EXPECT_EQ(verdict_of(kSlower, result), "not testable here");
  EXPECT_NE(judged(kSlower, result).at("reason").get<std::string>().find("4 threads share 2 PUs"),
            std::string::npos);
}

}  // namespace
}  // namespace bellmark::verdict
