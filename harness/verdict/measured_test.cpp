// Claims on each metric, and the states of a cell that prevent a judgement: disturbed and crowded
// cells.
#include "harness/verdict/measured.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "harness/verdict/doubt.hpp"
#include "harness/verdict/test_result.hpp"

namespace bellmark::verdict {
namespace {

TEST(MemoryClaim, AccountedBytesAreExact) {
  const std::string claim = kSlower + "metric = 'memory.accounted_bytes'\n";
  Result result({2, 4});
  EXPECT_EQ(verdict_of(claim, result), "not testable here");
  result.cell(2)["memory"]["accounted_bytes"] = 1300;
  result.cell(4)["memory"]["accounted_bytes"] = 1000;
  EXPECT_EQ(verdict_of(claim, result), "reproduced");
}

TEST(MemoryClaim, AccountedBytesOfOneThing) {
  const std::string claim = kSlower + "metric = 'memory.accounted_bytes.arcs'\n";
  Result result({2, 4});
  for (const int arity : {2, 4}) {
    result.cell(arity)["memory"]["accounted_bytes"] = 9000;
    result.cell(arity)["memory"]["accounted"] = {{"vertices", 8000}};
  }
  EXPECT_EQ(verdict_of(claim, result), "not testable here") << "no arcs";
  result.cell(2)["memory"]["accounted"]["arcs"] = 1300;
  result.cell(4)["memory"]["accounted"]["arcs"] = 1000;
  EXPECT_EQ(verdict_of(claim, result), "reproduced");
}

TEST(MemoryClaim, ResidentBytesNeedSixBlocks) {
  const std::string claim = kSlower + "metric = 'memory.resident_bytes'\n";
  Result result({2, 4});
  EXPECT_EQ(verdict_of(claim, result), "not testable here");
  result.cell(2)["memory"]["resident_block_bytes"] = std::vector<double>(5, 1300);
  result.cell(4)["memory"]["resident_block_bytes"] = std::vector<double>(5, 1000);
  EXPECT_EQ(verdict_of(claim, result), "inconclusive");
  result.cell(2)["memory"]["resident_block_bytes"].push_back(1300);
  result.cell(4)["memory"]["resident_block_bytes"].push_back(1000);
  EXPECT_EQ(verdict_of(claim, result), "reproduced");
}

TEST(PhaseLogClaim, OneCellAgainstBounds) {
  Result result({2});
  result.cell(2)["phase_log"] = phase_log(growing(6, 100));
  const auto verdict = [&](const std::string& metric, const std::string& bounds) {
    return verdict_of(bounds_claim("phase_log." + metric, bounds), result);
  };
  EXPECT_EQ(verdict("phase_count", "at_least = 4, at_most = 4"), "reproduced");
  EXPECT_EQ(verdict("phase_count", "at_least = 5"), "not reproduced");
  EXPECT_EQ(verdict("updated_count.mean", "at_least = 12626.5, at_most = 12626.5"), "reproduced");
  EXPECT_EQ(verdict("updated_count.largest", "at_least = 40000"), "reproduced");
  EXPECT_EQ(verdict("updated_count.late_largest", "at_most = 500"), "reproduced");
  EXPECT_EQ(verdict("updated_count.mean", "at_least = 12626.5, at_most = 12626.5"), "reproduced");
  EXPECT_EQ(verdict("updated_count.late_over_largest", "at_most = 0.01"), "reproduced");
  EXPECT_EQ(verdict("updated_count.late_over_largest", "at_most = 0.009"), "not reproduced");
  EXPECT_EQ(verdict("updated_count.share_at_most_10", "at_least = 0.5, at_most = 0.5"),
            "reproduced");
  EXPECT_EQ(verdict("updated_count.share_above_1000", "at_most = 0.25"), "reproduced");
  EXPECT_EQ(verdict("host_ns.sum", "at_least = 1300, at_most = 7800"), "reproduced");
  EXPECT_EQ(verdict("host_ns.sum_at_most_10", "at_least = 200, at_most = 1200"), "reproduced");
  EXPECT_EQ(verdict("host_ns.sum_above_1000", "at_least = 6001"), "not reproduced");
  // The interval of a median of six is all of them: 1300 to 7800.
  EXPECT_EQ(verdict("host_ns.sum", "at_least = 2000"), "inconclusive");
}

TEST(PhaseLogClaim, RowsShowValueIntervalAndMetric) {
  Result result({2});
  result.cell(2)["phase_log"] = phase_log(growing(7, 100));
  const Json verdict =
      judged(bounds_claim("phase_log.host_ns.sum", "at_least = 1e9, paper = 1.07e8"), result);
  const Json& row = verdict.at("parts").at(0).at("measured").at(0);
  EXPECT_EQ(row.at("metric"), "phase_log.host_ns.sum");
  EXPECT_EQ(row.at("value"), 4 * 1300);
  EXPECT_EQ(row.at("ci95_low"), 1300);
  EXPECT_EQ(row.at("ci95_high"), 7 * 1300);
  EXPECT_TRUE(row.at("denominator").is_null());
  EXPECT_EQ(row.at("paper"), 1.07e8);
  EXPECT_NE(verdict.at("reason").get<std::string>().find("5200 [1300, 9100] ns contradicts"),
            std::string::npos)
      << verdict.at("reason");
}

TEST(PhaseLogClaim, TwoCellsArePairedByQuery) {
  // Times vary sevenfold between queries, their ratio doesn't.
  Result result({2, 4});
  result.cell(2)["phase_log"] = phase_log(growing(7, 130));
  result.cell(4)["phase_log"] = phase_log(growing(7, 100));
  const std::string ratio = kSlower + "metric = 'phase_log.host_ns.sum'\n";
  EXPECT_EQ(verdict_of(ratio, result), "reproduced");
  const Json row = judged(ratio, result).at("parts").at(0).at("measured").at(0);
  EXPECT_NEAR(row.at("ci95_low").get<double>(), 1.3, 1e-12);
  EXPECT_NEAR(row.at("ci95_high").get<double>(), 1.3, 1e-12);
  // A query without such phases has no ratio, and six are needed.
  auto fewer = growing(7, 130);
  fewer[0] = {{5, 1}};
  fewer[1] = {{5, 1}};
  result.cell(2)["phase_log"] = phase_log(fewer);
  const std::string large = kSlower + "metric = 'phase_log.host_ns.sum_above_1000'\n";
  const Json verdict = judged(large, result);
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_NE(verdict.at("reason").get<std::string>().find("fewer than 6 queries"),
            std::string::npos);
}

/// Times of phases that were logged in several blocks: a median over queries for each block.
TEST(PhaseLogClaim, TimesOfSeveralBlocksAreTakenByBlock) {
  const auto log = [](std::uint64_t time) {
    Json whole = phase_log(growing(7, time));
    whole["later_blocks"] = Json::array();
    for (const std::size_t block : {1, 2, 3, 4, 5}) {
      // The machine drifts from block to block.
      const Json queries = phase_log(growing(7, time * (10 + block))).at("queries");
      whole["later_blocks"].push_back({{"index", block}, {"queries", queries}});
    }
    return whole;
  };
  Result result({2, 4});
  result.cell(2)["phase_log"] = log(130);
  result.cell(4)["phase_log"] = log(100);
  const std::string ratio = kSlower + "metric = 'phase_log.host_ns.sum'\n";
  const Json verdict = judged(ratio, result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  EXPECT_NEAR(only_row(verdict).at("ci95_high").get<double>(), 1.3, 1e-12);
  const Json own = only_row(judged(bounds_claim("phase_log.host_ns.sum", "at_least = 1"), result));
  EXPECT_EQ(own.at("ci95_low"), 4 * 13 * 130) << "the first block's median query";
  EXPECT_EQ(own.at("ci95_high"), 4 * 13 * 130 * 15);
  // Counts come from the first block, by query.
  const Json count =
      only_row(judged(bounds_claim("phase_log.updated_count.sum", "at_least = 1"), result));
  EXPECT_EQ(count.at("value"), 50'506);
  // A log that begins with another block is paired by that block: six blocks share five.
  Result moved = result;
  moved.cell(2)["phase_log"]["first_block"] = 6;
  EXPECT_EQ(verdict_of(ratio, moved), "inconclusive");
  moved.cell(4)["phase_log"]["first_block"] = 6;
  EXPECT_EQ(verdict_of(ratio, moved), "reproduced");
  // Two common blocks are too few.
  Json& later = result.cell(2)["phase_log"]["later_blocks"];
  later = {later.at(0)};
  EXPECT_EQ(verdict_of(ratio, result), "inconclusive");
}

TEST(PhaseLogClaim, StatementsMayMixMetrics) {
  Result result({2, 4});
  result.cell(2)["phase_log"] = phase_log(growing(6, 100));
  result.cell(4)["phase_log"] = phase_log(growing(6, 200));
  result.ratio(2, 4, 0.4, 0.5, 0.6);
  const std::string claim =
      "[[claim]]\nid = 'S4'\nkind = 'shape'\ntext = 't'\nstatements = [\n"
      "{ text = 'whole', numerator = { arity = 2 }, denominator = { arity = 4 }, at_most = 0.8, "
      "reason = 'r' },\n"
      "{ text = 'large', metric = 'phase_log.host_ns.sum_above_1000', numerator = { arity = 2 }, "
      "denominator = { arity = 4 }, at_most = 0.8, reason = 'r' },\n"
      "{ text = 'peak', metric = 'phase_log.updated_count.largest', "
      "numerator = { arity = [2, 4] }, at_least = 1000, reason = 'r' }]\n";
  const Json verdict = judged(claim, result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  EXPECT_EQ(verdict.at("parts").at(0).at("measured").size(), 4U);
}

TEST(PhaseLogClaim, OrderAndAbsoluteToo) {
  Result result({2, 4, 8});
  for (const int arity : {2, 4, 8}) {
    result.cell(arity)["phase_log"] = phase_log(growing(6, 1000 / static_cast<unsigned>(arity)));
  }
  EXPECT_EQ(verdict_of(kOrder + "metric = 'phase_log.host_ns.sum'\n", result), "reproduced");
  const Json shown = judged(
      "[[claim]]\nid = 'S5'\nkind = 'absolute'\ntext = 't'\nmetric = 'phase_log.host_ns.sum'\n"
      "cells = [{ where = { arity = 2 }, paper = 1.07e8 }]\n",
      result);
  EXPECT_EQ(shown.at("parts").at(0).at("measured").at(0).at("value"), 13 * 500 * 3.5);
}

TEST(PhaseLogClaim, NotTestableWithoutWhatItNeeds) {
  Result result({2});
  const auto reason = [&](const std::string& metric) {
    const Json verdict = judged(bounds_claim(metric, "at_least = 1"), result);
    EXPECT_EQ(verdict.at("verdict"), "not testable here") << metric;
    return verdict.at("reason").get<std::string>();
  };
  EXPECT_EQ(reason("phase_log.phase_count"), "not measured: a cell was not measured");
  result.cell(2)["wall_ns"] = {{"median", 5e6}, {"ci95_low", 4e6}, {"ci95_high", 6e6}};
  EXPECT_EQ(
      reason("phase_log.phase_count"),
      "not measured: no phase log: the variant keeps none, or no phase pass was made (--smoke, or "
      "--budget ended first)");
  result.cell(2)["phase_log"] = phase_log(growing(6, 100));
  EXPECT_EQ(reason("phase_log.updated_cuont.sum"),
            "not measured: the phase log has no column 'updated_cuont'; "
            "did you mean 'updated_count'?");
  result.cell(2)["phase_log"] = phase_log(growing(5, 100));
  EXPECT_EQ(verdict_of(bounds_claim("phase_log.phase_count", "at_least = 1"), result),
            "inconclusive")
      << "five queries give no interval";
  result.cell(2)["phase_log"] = phase_log(std::vector<Phases>(6));
  EXPECT_EQ(reason("phase_log.updated_count.largest"),
            "not measured: no query's phase log gives phase_log.updated_count.largest");
}

TEST(TimeClaim, The99thPercentileIsOfQueries) {
  Result result({2});
  const auto with_queries = [&](std::size_t query_count) {
    Json blocks = Json::array();
    for (std::size_t block = 0; block < 6; ++block) {
      Json pass = Json::array();
      for (std::size_t query = 0; query < query_count; ++query) pass.push_back(1000 + query);
      pass.back() = 1e9;
      // The median over passes: one slow pass does not count.
      const Json slow(std::vector<double>(query_count, 1e9));
      blocks.push_back({{"index", block}, {"query_ns", Json::array({pass, pass, slow})}});
    }
    result.cell(2)["blocks"] = blocks;
    result.cell(2)["wall_ns"] = {{"median", 5e6}, {"ci95_low", 4e6}, {"ci95_high", 6e6}};
    return judged(bounds_claim("wall_ns.p99", "at_most = 1197"), result);
  };
  EXPECT_EQ(with_queries(200).at("verdict"), "reproduced");
  EXPECT_EQ(with_queries(200).at("parts").at(0).at("measured").at(0).at("value"), 1197);
  EXPECT_EQ(with_queries(300).at("verdict"), "not reproduced");
  EXPECT_EQ(with_queries(99).at("verdict"), "not testable here");
}

TEST(GraphClaim, FactsAreExact) {
  Result result({2});
  result.json["workloads"] = {{{"facts", {{"vertex_count", 1427876}, {"mean_degree", 3.2109}}}}};
  result.cell(2)["workload"] = 0;
  const auto verdict = [&](const std::string& metric, const std::string& bounds) {
    return verdict_of(bounds_claim("graph." + metric, bounds), result);
  };
  EXPECT_EQ(verdict("vertex_count", "at_least = 1427876, at_most = 1427876"), "reproduced");
  EXPECT_EQ(verdict("mean_degree", "at_least = 3.15, at_most = 3.25"), "reproduced");
  EXPECT_EQ(verdict("mean_degree", "at_most = 3.2"), "not reproduced");
  EXPECT_EQ(verdict("mean_length", "at_most = 3.2"), "not testable here") << "an old result";
}

TEST(AnswerClaim, FactsAreTheMeanOverAnswers) {
  Result result({2, 4});
  result.cell(2)["answers"] = {{{"query", 0}, {"objective", 3.0}},
                               {{"query", 1}, {"objective", 5}}};
  result.cell(4)["answers"] = {{{"query", 0}, {"objective", 2}, {"chosen", "3 1"}}};
  EXPECT_EQ(verdict_of(bounds_claim("answer.objective", "at_least = 4, at_most = 4"), result),
            "reproduced");
  EXPECT_EQ(verdict_of(kSlower + "metric = 'answer.objective'\n", result), "direction only");
  EXPECT_EQ(verdict_of(bounds_claim("answer.chosen", "at_least = 4"), result), "not testable here");
  result.cell(4).erase("answers");
  EXPECT_EQ(verdict_of(kSlower + "metric = 'answer.objective'\n", result), "not testable here");
}

TEST(CountedClaim, WorkOfOneThreadIsExact) {
  Result result({2, 4});
  const auto counts = [](double value) {
    return Json{{"looked_at_arc_count", {{"value", value}, {"reason", nullptr}}},
                {"round_count", {{"value", nullptr}, {"reason", "the search has no rounds"}}}};
  };
  result.cell(2)["work_counts"] = counts(40);
  result.cell(4)["work_counts"] = counts(20);
  const auto verdict = [&] {
    return verdict_of(bounds_claim("counted.looked_at_arc_count", "at_least = 40, at_most = 40"),
                      result);
  };
  EXPECT_EQ(verdict(), "reproduced");
  EXPECT_EQ(verdict_of(kSlower + "metric = 'counted.looked_at_arc_count'\n", result),
            "direction only");
  EXPECT_EQ(verdict_of(bounds_claim("counted.round_count", "at_least = 4"), result),
            "not testable here");
  result.cell(2)["parameters"] = {{"threads", "2"}};
  EXPECT_EQ(verdict(), "inconclusive");
  result.cell(2).erase("work_counts");
  EXPECT_EQ(verdict(), "not testable here");
}

TEST(TepsClaim, HaveTheirOwnBlocks) {
  const auto teps = [](std::vector<double> medians) {
    return Json{{"median",
                 {{"median", medians[2]},
                  {"ci95_low", medians.front()},
                  {"ci95_high", medians.back()},
                  {"reason", nullptr}}},
                {"block_medians", medians}};
  };
  Result result({2, 4});
  result.cell(2)["teps"] = teps({10, 11, 12, 13, 14, 15});
  result.cell(4)["teps"] = teps({20, 22, 24, 26, 28, 30});
  EXPECT_EQ(verdict_of(bounds_claim("teps.median", "at_least = 9, at_most = 31"), result),
            "reproduced");
  EXPECT_EQ(verdict_of(bounds_claim("teps.median", "at_least = 40"), result), "not reproduced");
  // Twice as many edges a second, whatever the times say.
  EXPECT_EQ(verdict_of(kSlower + "metric = 'teps.median'\n", result), "not reproduced");
  result.cell(4).erase("teps");
  EXPECT_EQ(verdict_of(kSlower + "metric = 'teps.median'\n", result), "not testable here");
}

TEST(RateClaim, IsJudgedBlockByBlock) {
  const auto rates = [](std::vector<double> blocks) {
    return Json{{"items_per_second",
                 {{"median", blocks[2]},
                  {"ci95_low", blocks.front()},
                  {"ci95_high", blocks.back()},
                  {"reason", nullptr},
                  {"block_values", blocks}}}};
  };
  const std::string metric = "metric = 'rates.items_per_second'\n";
  Result result({2, 4});
  result.cell(2)["rates"] = rates({20, 22, 24, 26, 28, 30});
  result.cell(4)["rates"] = rates({10, 11, 12, 13, 14, 15});
  EXPECT_EQ(
      verdict_of(bounds_claim("rates.items_per_second", "at_least = 9, at_most = 31"), result),
      "reproduced");
  EXPECT_EQ(verdict_of(bounds_claim("rates.items_per_second", "at_least = 40"), result),
            "not reproduced");
  // Twice as many items a second, whatever the times say.
  EXPECT_EQ(verdict_of(kSlower + metric, result), "direction only");
  EXPECT_EQ(judged(kSlower + metric, result).at("parts").at(0).at("measured").at(0).at("value"), 2);
  // A cell with a rate of items has no rate of bytes.
  EXPECT_EQ(verdict_of(kSlower + "metric = 'rates.bytes_per_second'\n", result),
            "not testable here");
  result.cell(4)["rates"] = Json::object();
  const Json verdict = judged(kSlower + metric, result);
  EXPECT_EQ(verdict.at("verdict"), "not testable here");
  EXPECT_NE(verdict.dump().find("neither the problem nor the variant says how much a query does"),
            std::string::npos);
}

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
    // A cell that was checked and found undisturbed.
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

/// The same holds for times of phases and TEPS, but not for counts.
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
