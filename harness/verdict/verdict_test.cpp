// Each rule of verdict.hpp on results made by hand.
#include "harness/verdict/verdict.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace bellmark::verdict {
namespace {

/// A result whose cells differ in arity (and graph), with the ratios that a test states.
struct Result {
  Json json = {{"experiment", {{"stand_in", nullptr}}},
               {"cells", Json::array()},
               {"comparisons", Json::array()}};

  explicit Result(const std::vector<int>& arities, const std::vector<std::string>& graphs = {"g"}) {
    for (const std::string& graph : graphs) {
      for (const int arity : arities) {
        json["cells"].push_back({{"id", id(arity, graph)},
                                 {"label", "arity=" + std::to_string(arity)},
                                 {"axes", {{"graph", graph}, {"arity", arity}}},
                                 {"wall_ns", nullptr},
                                 {"memory",
                                  {{"accounted_bytes", nullptr},
                                   {"resident_bytes", nullptr},
                                   {"resident_block_bytes", Json::array()}}}});
      }
    }
  }

  static std::string id(int arity, const std::string& graph = "g") {
    return graph + std::to_string(arity);
  }
  Json& cell(int arity) {
    for (Json& cell : json["cells"]) {
      if (cell.at("id") == id(arity)) return cell;
    }
    throw std::out_of_range("no such cell");
  }
  Result& ratio(int a, int b, double low, double value, double high,
                const std::string& graph = "g") {
    json["comparisons"].push_back({{"a", id(a, graph)},
                                   {"b", id(b, graph)},
                                   {"ratio", value},
                                   {"ci95_low", low},
                                   {"ci95_high", high},
                                   {"reason", nullptr}});
    return *this;
  }
  Result& no_interval(int a, int b, double value) {
    json["comparisons"].push_back({{"a", id(a)},
                                   {"b", id(b)},
                                   {"ratio", value},
                                   {"ci95_low", nullptr},
                                   {"ci95_high", nullptr},
                                   {"reason", "fewer than 6 blocks: no 95 % interval"}});
    return *this;
  }
};

/// An experiment with the claims that `claims` states in TOML.
plan::Experiment experiment(const std::string& claims) {
  return plan::parse_experiment(
      "id = 'e'\npaper = { key = 'p', item = 'Table 1' }\nvariants = ['v']\n"
      "[workload]\nproblem = 'sssp'\nqueries = { kind = 'uniform-sources' }\n"
      "[axes]\ngraph = ['g']\narity = [2, 4, 8]\n" +
          claims,
      "e.toml");
}

Json judged(const std::string& claims, const Result& result) {
  const Json verdicts = judge(experiment(claims), result.json);
  EXPECT_EQ(verdicts.size(), 1U);
  return verdicts.at(0);
}

std::string verdict_of(const std::string& claims, const Result& result) {
  return judged(claims, result).at("verdict");
}

std::string ratio_claim(const std::string& paper) {
  return "[[claim]]\nid = 'Y1'\nkind = 'ratio'\ntext = 'two is slower'\n"
         "numerator = { arity = 2 }\ndenominator = { arity = 4 }\npaper = " +
         paper + "\n";
}

const std::string kSlower = ratio_claim("{ low = 1.2, high = 1.5 }");
const std::string kFaster = ratio_claim("{ low = 0.5, high = 0.8 }");
const std::string kOrder =
    "[[claim]]\nid = 'Y2'\nkind = 'order'\ntext = 'more is faster'\n"
    "order = [{ arity = 2 }, { arity = 4 }, { arity = 8 }]\n";
const std::string kBest =
    "[[claim]]\nid = 'Y3'\nkind = 'argmin'\ntext = 'four is best'\nalong = 'arity'\n"
    "paper = { value = 4 }\n";
const std::string kShape =
    "[[claim]]\nid = 'Y4'\nkind = 'shape'\ntext = 'falls, then is flat'\nstatements = [\n"
    "{ text = 'falls', numerator = { arity = 2 }, denominator = { arity = 4 }, at_least = 1.5 },\n"
    "{ text = 'flat', numerator = { arity = 8 }, denominator = { arity = 4 }, at_least = 0.9, "
    "at_most = 1.1 }]\n";

TEST(RatioClaim, ReproducedWhenTheIntervalMeetsThePapersRange) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.25, 1.3, 1.35)), "reproduced");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.01, 1.1, 1.2)), "reproduced");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.5, 1.7, 1.9)), "reproduced");
  EXPECT_EQ(verdict_of(kFaster, Result({2, 4}).ratio(2, 4, 0.6, 0.7, 0.9)), "reproduced");
}

TEST(RatioClaim, DirectionOnlyOnThePapersSideOutsideItsRange) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.01, 1.1, 1.19)), "direction only");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.51, 1.7, 1.9)), "direction only");
  EXPECT_EQ(verdict_of(kFaster, Result({2, 4}).ratio(2, 4, 0.81, 0.9, 0.99)), "direction only");
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

TEST(RatioClaim, NotReproducedOnTheOtherSide) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 0.8, 0.9, 0.99)), "not reproduced");
  EXPECT_EQ(verdict_of(kFaster, Result({2, 4}).ratio(2, 4, 1.01, 1.1, 1.2)), "not reproduced");
}

TEST(RatioClaim, InconclusiveWhenTheIntervalContainsOneOrIsMissing) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 0.99, 1.3, 1.5)), "inconclusive");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.0, 1.3, 1.5)), "inconclusive");
  const Json verdict = judged(kSlower, Result({2, 4}).no_interval(2, 4, 1.3));
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_NE(verdict.at("reason").get<std::string>().find("fewer than 6 blocks"), std::string::npos);
}

TEST(RatioClaim, NotTestableWithoutItsCells) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 8})), "not testable here");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4})), "not testable here");
}

TEST(RatioClaim, UsesAComparisonStoredTheOtherWayRound) {
  const Json verdict = judged(kSlower, Result({2, 4}).ratio(4, 2, 0.7, 0.75, 0.8));
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  const Json& row = verdict.at("parts").at(0).at("measured").at(0);
  EXPECT_DOUBLE_EQ(row.at("value").get<double>(), 1 / 0.75);
  EXPECT_DOUBLE_EQ(row.at("ci95_low").get<double>(), 1 / 0.8);
  EXPECT_DOUBLE_EQ(row.at("ci95_high").get<double>(), 1 / 0.7);
}

TEST(RatioClaim, WeakestOfItsPairsOnThePlacesThatAgree) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 1.25, 1.3, 1.35, "g").ratio(2, 4, 0.8, 0.9, 0.95, "h");
  EXPECT_EQ(verdict_of(kSlower, result), "not reproduced");
  EXPECT_EQ(verdict_of(kSlower + "where = { graph = 'g' }\n", result), "reproduced");
  // Pairs across graphs are none of this claim's.
  EXPECT_EQ(judged(kSlower, result).at("parts").at(0).at("measured").size(), 2U);
}

TEST(OrderClaim, EveryRow) {
  const auto with = [](double first, double second) {
    Result result({2, 4, 8});
    result.ratio(4, 2, first - 0.05, first, first + 0.05);
    return result.ratio(8, 4, second - 0.05, second, second + 0.05);
  };
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 0.9)), "reproduced");
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 1.0)), "direction only");
  EXPECT_EQ(verdict_of(kOrder, with(1.0, 1.0)), "inconclusive");
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 1.2)), "not reproduced");
  EXPECT_EQ(verdict_of(kOrder, with(1.0, 1.2)), "not reproduced");
}

TEST(OrderClaim, MissingCells) {
  EXPECT_EQ(verdict_of(kOrder, Result({2, 4}).ratio(4, 2, 0.7, 0.8, 0.9)), "inconclusive");
  EXPECT_EQ(verdict_of(kOrder, Result({2})), "not testable here");
  EXPECT_EQ(verdict_of(kOrder, Result({2, 4, 8})), "not testable here") << "nothing was measured";
  EXPECT_EQ(verdict_of(kShape, Result({2, 4, 8})), "not testable here");
  Result result({2, 4, 8});
  result.no_interval(4, 2, 0.8).no_interval(8, 4, 0.8);
  EXPECT_EQ(verdict_of(kOrder, result), "inconclusive");
}

TEST(ArgminClaim, ReproducedWhenBestOrTheSameAsTheBest) {
  Result best({2, 4, 8});
  best.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 1.01, 1.02, 1.03);
  EXPECT_EQ(verdict_of(kBest, best), "reproduced");
  Result same({2, 4, 8});
  same.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 0.98, 0.99, 1.01);
  EXPECT_EQ(verdict_of(kBest, same), "reproduced");
}

TEST(ArgminClaim, DirectionOnlyWhenANeighbourIsBest) {
  Result result({2, 4, 8, 16});
  result.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 0.8, 0.85, 0.9).ratio(16, 4, 1.1, 1.2, 1.3);
  EXPECT_EQ(verdict_of(kBest, result), "direction only");
}

TEST(ArgminClaim, NotReproducedWhenAnotherIsBest) {
  Result result({2, 4, 8, 16});
  result.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 0.8, 0.85, 0.9).ratio(16, 4, 0.6, 0.65, 0.7);
  EXPECT_EQ(verdict_of(kBest, result), "not reproduced");
}

TEST(ArgminClaim, InconclusiveWhenItCanNotBeTold) {
  Result rival({2, 4, 8});
  rival.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 0.8, 1.05, 1.3);
  EXPECT_EQ(verdict_of(kBest, rival), "inconclusive");
  Result best({2, 4, 8});
  best.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 0.8, 0.95, 1.3);
  EXPECT_EQ(verdict_of(kBest, best), "inconclusive");
  EXPECT_EQ(verdict_of(kBest, Result({2, 4}).no_interval(2, 4, 1.5)), "inconclusive");
}

TEST(ArgminClaim, CellsThatWereNotMeasured) {
  EXPECT_EQ(verdict_of(kBest, Result({2, 8}).ratio(2, 8, 1.1, 1.2, 1.3)), "not testable here");
  EXPECT_EQ(verdict_of(kBest, Result({4})), "not testable here");
  // The paper's own cell crashed: no comparison has it.
  EXPECT_EQ(verdict_of(kBest, Result({2, 4, 8}).ratio(2, 8, 1.1, 1.2, 1.3)), "not testable here");
  // One rival crashed: it might have been the best.
  EXPECT_EQ(verdict_of(kBest, Result({2, 4, 8}).ratio(2, 4, 1.1, 1.2, 1.3)), "inconclusive");
}

TEST(ShapeClaim, EveryRow) {
  const auto with = [](double falls_low, double falls_high, double flat_low, double flat_high) {
    Result result({2, 4, 8});
    result.ratio(2, 4, falls_low, (falls_low + falls_high) / 2, falls_high);
    return result.ratio(8, 4, flat_low, (flat_low + flat_high) / 2, flat_high);
  };
  EXPECT_EQ(verdict_of(kShape, with(1.5, 1.9, 0.95, 1.05)), "reproduced");
  EXPECT_EQ(verdict_of(kShape, with(1.2, 1.9, 0.95, 1.05)), "direction only");
  EXPECT_EQ(verdict_of(kShape, with(1.1, 1.4, 0.95, 1.05)), "direction only");
  EXPECT_EQ(verdict_of(kShape, with(0.8, 0.9, 0.95, 1.05)), "not reproduced");
  EXPECT_EQ(verdict_of(kShape, with(1.6, 1.9, 1.2, 1.3)), "not reproduced");
  EXPECT_EQ(verdict_of(kShape, with(1.6, 1.9, 1.0, 1.2)), "inconclusive");
  EXPECT_EQ(verdict_of(kShape, with(0.9, 1.6, 0.95, 1.05)), "inconclusive");
}

TEST(ShapeClaim, DownwardInequalities) {
  const std::string claim =
      "[[claim]]\nid = 'Y'\nkind = 'trend'\ntext = 't'\nstatements = [{ text = 's', "
      "numerator = { arity = 2 }, denominator = { arity = 4 }, at_most = 0.8 }]\n";
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 0.6, 0.7, 0.8)), "reproduced");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 0.7, 0.8, 0.9)), "direction only");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 0.7, 0.9, 1.1)), "inconclusive");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 1.1, 1.2, 1.3)), "not reproduced");
}

TEST(ShapeClaim, MissingCells) {
  EXPECT_EQ(verdict_of(kShape, Result({2})), "not testable here");
  EXPECT_EQ(verdict_of(kShape, Result({2, 4}).ratio(2, 4, 1.6, 1.7, 1.8)), "inconclusive");
  Result result({2, 4, 8});
  result.no_interval(2, 4, 1.7).no_interval(8, 4, 1);
  EXPECT_EQ(verdict_of(kShape, result), "inconclusive");
}

TEST(AbsoluteClaim, ShownBesideThePapersFigure) {
  const std::string claim =
      "[[claim]]\nid = 'Y5'\nkind = 'absolute'\ntext = 't'\n"
      "cells = [{ where = { arity = 2 }, paper = 3e9 }, { where = { arity = 4 } }]\n";
  Result result({2, 4});
  result.cell(2)["wall_ns"] = {{"median", 5e6}, {"ci95_low", 4e6}, {"ci95_high", 6e6}};
  const Json verdict = judged(claim, result);
  EXPECT_EQ(verdict.at("verdict"), "shown");
  EXPECT_EQ(verdict.at("text"), "t");
  const Json& rows = verdict.at("parts").at(0).at("measured");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("value"), 5e6);
  EXPECT_EQ(rows[0].at("ci95_high"), 6e6);
  EXPECT_EQ(rows[0].at("paper"), 3e9);
  EXPECT_TRUE(rows[0].at("denominator").is_null());
  EXPECT_TRUE(rows[1].at("value").is_null());
}

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

/// A phase log of columns updated_count and host_ns, `phases` for each query: (updated, time).
using Phases = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
Json phase_log(const std::vector<Phases>& queries) {
  Json log = {{"columns", {"updated_count", "host_ns"}}, {"queries", Json::array()}};
  for (const Phases& phases : queries) {
    Json updated = {{"sum", 0}, {"largest", nullptr}, {"late_largest", nullptr}};
    Json times = {{"sum", 0}, {"largest", nullptr}, {"late_largest", nullptr}};
    updated["phases_by_decade"] = Json::object();
    times["sum_by_decade"] = Json::object();
    const auto raise = [](Json& to, std::uint64_t value) {
      to = to.is_null() ? value : std::max(to.get<std::uint64_t>(), value);
    };
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const auto [count, time] = phases[i];
      const std::string decade = count <= 10 ? "10" : count <= 1000 ? "1000" : "100000";
      for (auto [column, value] : {std::pair(&updated, count), std::pair(&times, time)}) {
        (*column)["sum"] = (*column)["sum"].get<std::uint64_t>() + value;
        raise((*column)["largest"], value);
        if (i >= phases.size() / 2) raise((*column)["late_largest"], value);
      }
      Json& phases_in = updated["phases_by_decade"];
      phases_in[decade] = phases_in.value(decade, 0) + 1;
      Json& sum_in = times["sum_by_decade"];
      sum_in[decade] = sum_in.value(decade, std::uint64_t{0}) + time;
    }
    log["queries"].push_back({{"query", log["queries"].size()},
                              {"phase_count", phases.size()},
                              {"columns", {{"updated_count", updated}, {"host_ns", times}}}});
  }
  return log;
}

/// Queries 1, 2, ...: the i-th takes i times as long.
std::vector<Phases> growing(std::size_t count, std::uint64_t time) {
  std::vector<Phases> queries;
  for (std::uint64_t i = 1; i <= count; ++i) {
    queries.push_back({{5, i * time}, {50'000, 10 * i * time}, {500, i * time}, {1, i * time}});
  }
  return queries;
}

std::string bounds_claim(const std::string& metric, const std::string& bounds) {
  return "[[claim]]\nid = 'S2'\nkind = 'shape'\ntext = 't'\nstatements = [{ text = 's', metric = "
         "'" +
         metric + "', numerator = { arity = 2 }, " + bounds + " }]\n";
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
  EXPECT_NE(verdict.at("reason").get<std::string>().find("s = 5200 [1300, 9100] ns"),
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

TEST(PhaseLogClaim, StatementsMayMixMetrics) {
  Result result({2, 4});
  result.cell(2)["phase_log"] = phase_log(growing(6, 100));
  result.cell(4)["phase_log"] = phase_log(growing(6, 200));
  result.ratio(2, 4, 0.4, 0.5, 0.6);
  const std::string claim =
      "[[claim]]\nid = 'S4'\nkind = 'shape'\ntext = 't'\nstatements = [\n"
      "{ text = 'whole', numerator = { arity = 2 }, denominator = { arity = 4 }, at_most = 0.8 },\n"
      "{ text = 'large', metric = 'phase_log.host_ns.sum_above_1000', numerator = { arity = 2 }, "
      "denominator = { arity = 4 }, at_most = 0.8 },\n"
      "{ text = 'peak', metric = 'phase_log.updated_count.largest', "
      "numerator = { arity = [2, 4] }, at_least = 1000 }]\n";
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
      "not measured: no phase log: the variant keeps none, or no phase pass was made (--smoke)");
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

/// The ratio of arities 2 and 4 on graph g over that on graph h.
std::string over_claim(const std::string& bounds) {
  const auto cell = [](const char* graph, int arity) {
    return std::string("{ graph = '") + graph + "', arity = " + std::to_string(arity) + " }";
  };
  return "[[claim]]\nid = 'O1'\nkind = 'trend'\ntext = 't'\nstatements = [{ text = 's', numerator "
         "= " +
         cell("g", 2) + ", denominator = " + cell("g", 4) +
         ", over = { numerator = " + cell("h", 2) + ", denominator = " + cell("h", 4) + " }, " +
         bounds + " }]\n";
}

TEST(TrendClaim, OneRatioOverAnother) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 5.4, 6, 6.6).ratio(2, 4, 1.8, 2, 2.2, "h");
  const Json verdict = judged(over_claim("at_least = 1"), result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  const Json& row = verdict.at("parts").at(0).at("measured").at(0);
  EXPECT_EQ(row.at("value"), 3);
  EXPECT_NEAR(row.at("ci95_low").get<double>(), 5.4 / 2.2, 1e-12);
  EXPECT_NEAR(row.at("ci95_high").get<double>(), 6.6 / 1.8, 1e-12);
  EXPECT_EQ(verdict_of(over_claim("at_least = 2.7"), result), "direction only");
  EXPECT_EQ(verdict_of(over_claim("at_most = 0.9"), result), "not reproduced");
  EXPECT_EQ(verdict_of(over_claim("at_least = 1"), Result({2, 4}).ratio(2, 4, 5.4, 6, 6.6)),
            "not testable here");
}

TEST(Judge, SaysWhyTheCellsWereNotMeasured) {
  Result result({2, 4});
  const auto unmet = [](const std::string& cell, const std::string& reason) {
    return Json{{"cell", cell}, {"code", "unmet-need"}, {"reason", reason}};
  };
  result.json["not_measured"] = {unmet("g2", "needs cuda: no device"),
                                 unmet("g4", "needs cuda: no device"), unmet("g9", "other")};
  for (const std::string& claim :
       {kSlower, bounds_claim("phase_log.phase_count", "at_least = 1")}) {
    const Json verdict = judged(claim, result);
    EXPECT_EQ(verdict.at("verdict"), "not testable here");
    EXPECT_EQ(verdict.at("headline"), "not testable here: needs cuda: no device");
    EXPECT_TRUE(verdict.at("reason").get<std::string>().ends_with("; needs cuda: no device"))
        << verdict.at("reason");
  }
}

TEST(Judge, PartsOfOneIdTakeTheWeakest) {
  Result result({2, 4, 8});
  result.ratio(2, 4, 1.25, 1.3, 1.35).ratio(8, 4, 1.1, 1.2, 1.3);
  const std::string again =
      "[[claim]]\nid = 'Y1'\nkind = 'ratio'\ntext = 'eight is faster'\n"
      "numerator = { arity = 8 }\ndenominator = { arity = 4 }\npaper = { low = 0.5, high = 0.8 }\n";
  const std::string shown =
      "[[claim]]\nid = 'Y1'\nkind = 'absolute'\ntext = 't'\ncells = [{ where = { arity = 2 } }]\n";
  const Json verdict = judged(shown + kSlower + again, result);
  EXPECT_EQ(verdict.at("verdict"), "not reproduced");
  ASSERT_EQ(verdict.at("parts").size(), 3U);
  EXPECT_EQ(verdict.at("parts").at(0).at("verdict"), "shown");
  EXPECT_EQ(verdict.at("parts").at(1).at("verdict"), "reproduced");
  EXPECT_EQ(verdict.at("text"), "two is slower; eight is faster");
  EXPECT_EQ(verdict.at("claim"), "p/Y1");
  EXPECT_EQ(verdict_of(shown + kSlower, result), "reproduced");
}

TEST(Judge, DifferentIdsAreDifferentVerdicts) {
  const Json verdicts = judge(experiment(kSlower + kOrder), Result({2}).json);
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].at("claim"), "p/Y1");
  EXPECT_EQ(verdicts[1].at("claim"), "p/Y2");
  EXPECT_TRUE(judge(experiment(""), Result({2}).json).empty());
}

TEST(Judge, HeadlineNamesTheStandIn) {
  Result result({2, 4});
  result.ratio(2, 4, 1.25, 1.3, 1.35);
  EXPECT_EQ(judged(kSlower, result).at("headline"), "reproduced");
  result.json["experiment"]["stand_in"] = "NY instead of USA";
  const Json verdict = judged(kSlower, result);
  EXPECT_EQ(verdict.at("headline"), "reproduced on a stand-in: NY instead of USA");
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  Result unclear({2, 4});
  unclear.ratio(2, 4, 0.9, 1.1, 1.3);
  unclear.json["experiment"]["stand_in"] = "NY instead of USA";
  EXPECT_EQ(judged(kSlower, unclear).at("headline"), "inconclusive");
}

TEST(Weakest, Order) {
  const std::vector<std::string> strongest_first = {"shown",          "reproduced",
                                                    "direction only", "not testable here",
                                                    "inconclusive",   "not reproduced"};
  for (std::size_t i = 0; i < strongest_first.size(); ++i) {
    for (std::size_t j = i; j < strongest_first.size(); ++j) {
      EXPECT_EQ(weakest(strongest_first[i], strongest_first[j]), strongest_first[j]);
      EXPECT_EQ(weakest(strongest_first[j], strongest_first[i]), strongest_first[j]);
    }
  }
}

TEST(NeededPairs, WhatTheClaimsCompare) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  const Json cells = Result({2, 4, 8}).json.at("cells");
  const auto needed = [&](const std::string& claims) {
    return needed_pairs(experiment(claims).claims, cells);
  };
  EXPECT_EQ(needed(kSlower), (Pairs{{"g2", "g4"}}));
  EXPECT_EQ(needed(kOrder), (Pairs{{"g4", "g2"}, {"g8", "g4"}}));
  EXPECT_EQ(needed(kBest), (Pairs{{"g2", "g4"}, {"g8", "g4"}}));
  EXPECT_EQ(needed(kShape), (Pairs{{"g2", "g4"}, {"g8", "g4"}}));
  EXPECT_EQ(needed(bounds_claim("phase_log.phase_count", "at_least = 1")), Pairs{});
  EXPECT_EQ(needed(""), Pairs{});
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

TEST(Verdict, SaysWhichShardLacksItsCells) {
  Result result({8});
  result.json["experiment"]["shard"] = {{"index", 2}, {"count", 4}};
  const std::string absent = "were not measured in shard 2/4";
  for (const std::string& claim : {kSlower, kOrder, kBest, kShape}) {
    const Json verdict = judged(claim, result);
    EXPECT_EQ(verdict.at("verdict"), "not testable here") << claim;
    EXPECT_NE(verdict.at("reason").get<std::string>().find(absent), std::string::npos) << verdict;
    result.json["experiment"]["shard"] = nullptr;
    EXPECT_EQ(judged(claim, result).at("reason").get<std::string>().find(absent),
              std::string::npos);
    result.json["experiment"]["shard"] = {{"index", 2}, {"count", 4}};
  }
}

TEST(Verdict, ABestValueWithoutAllItsRivalsIsInconclusive) {
  Result result({2, 4, 8});
  result.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 1.1, 1.2, 1.3);
  result.json["experiment"]["axes"] = {{"arity", {2, 4, 8, 16}}};
  EXPECT_EQ(verdict_of(kBest, result), "reproduced");
  result.json["experiment"]["shard"] = {{"index", 2}, {"count", 4}};
  const Json verdict = judged(kBest, result);
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_NE(verdict.at("reason").get<std::string>().find("arity = 16 were not measured in shard"),
            std::string::npos)
      << verdict;
  result.json["experiment"]["axes"] = {{"arity", {2, 4, 8}}};
  EXPECT_EQ(verdict_of(kBest, result), "reproduced");
}

}  // namespace
}  // namespace bellmark::verdict
