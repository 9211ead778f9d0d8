// Each rule of verdict.hpp on results made by hand.
#include "harness/verdict/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/verdict/test_result.hpp"

namespace bellmark::verdict {
namespace {

TEST(RatioClaim, ReproducedWhenTheIntervalLiesInThePapersRange) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.25, 1.3, 1.35)), "reproduced");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.17, 1.3, 1.55)), "reproduced");
  EXPECT_EQ(verdict_of(kFaster, Result({2, 4}).ratio(2, 4, 0.48, 0.7, 0.82)), "reproduced");
  const Json verdict = judged(kSlower, Result({2, 4}).ratio(2, 4, 1.25, 1.3, 1.35));
  EXPECT_EQ(verdict.at("parts").at(0).at("reason"),
            "1.300 [1.250, 1.350] fits the paper's 1.200..1.500");
  EXPECT_EQ(verdict.at("headline"), "reproduced");
}

TEST(RatioClaim, ASingleFigureHasATolerance) {
  const std::string claim = ratio_claim("{ value = 1.3 }");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 1.27, 1.3, 1.33)), "reproduced");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 1.25, 1.3, 1.35)), "direction only");
}

TEST(RatioClaim, DirectionOnlySaysHowTheSizeMisses) {
  const auto headline = [](const std::string& claim, double low, double value, double high) {
    const Json verdict = judged(claim, Result({2, 4}).ratio(2, 4, low, value, high));
    EXPECT_EQ(verdict.at("verdict"), "direction only");
    const Json& row = verdict.at("parts").at(0).at("measured").at(0);
    return verdict.at("headline").get<std::string>() + ", " + row.at("size").get<std::string>();
  };
  EXPECT_EQ(headline(kSlower, 1.04, 1.1, 1.16), "direction only: weaker, weaker");
  EXPECT_EQ(headline(kSlower, 1.57, 1.7, 1.9), "direction only: stronger, stronger");
  EXPECT_EQ(headline(kSlower, 1.1, 1.3, 1.7), "direction only: size open, size open");
  EXPECT_EQ(headline(kFaster, 0.83, 0.9, 0.96), "direction only: weaker, weaker");
  EXPECT_EQ(headline(kFaster, 0.3, 0.4, 0.46), "direction only: stronger, stronger");
}

TEST(RatioClaim, SizesThatDifferAreNotInTheHeadline) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 1.04, 1.1, 1.16, "g").ratio(2, 4, 1.6, 1.7, 1.8, "h");
  EXPECT_EQ(judged(kSlower, result).at("headline"), "direction only");
}

TEST(RatioClaim, NotReproducedOnTheOtherSide) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 0.8, 0.9, 0.96)), "not reproduced");
  EXPECT_EQ(verdict_of(kFaster, Result({2, 4}).ratio(2, 4, 1.04, 1.1, 1.2)), "not reproduced");
}

TEST(RatioClaim, InconclusiveWhereTheIntervalReachesTheTieZoneOrIsMissing) {
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 0.99, 1.3, 1.6)), "inconclusive");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 1.02, 1.1, 1.3)), "inconclusive");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).ratio(2, 4, 0.8, 0.9, 0.98)), "inconclusive");
  const Json verdict = judged(kSlower, Result({2, 4}).no_interval(2, 4, 1.3));
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_NE(verdict.at("reason").get<std::string>().find("fewer than 6 blocks"), std::string::npos);
}

/// The sentence denies another value than 1.
TEST(RatioClaim, SidesAreThoseOfTheRival) {
  const std::string claim = ratio_claim("{ value = 4 }") + "rival = 2\n";
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 3.9, 4, 4.1)), "reproduced");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 2.4, 2.5, 2.6)), "direction only");
  const Json verdict = judged(claim, Result({2, 4}).ratio(2, 4, 1.4, 1.5, 1.6));
  EXPECT_EQ(verdict.at("verdict"), "not reproduced");
  EXPECT_EQ(verdict.at("parts").at(0).at("reason"),
            "1.500 [1.400, 1.600] contradicts the paper's 4.000, against 2.000");
  EXPECT_EQ(verdict.at("parts").at(0).at("measured").at(0).at("rival"), 2);
}

TEST(RatioClaim, RowsSayTheRangeWithItsTolerance) {
  const Json verdict = judged(kSlower, Result({2, 4}).ratio(2, 4, 1.25, 1.3, 1.35));
  const Json& row = verdict.at("parts").at(0).at("measured").at(0);
  EXPECT_NEAR(row.at("range_low").get<double>(), 1.2 / 1.03, 1e-12);
  EXPECT_NEAR(row.at("range_high").get<double>(), std::pow(1.5, 1.1), 1e-12);
  EXPECT_EQ(row.at("paper_low"), 1.2);
  EXPECT_EQ(row.at("paper_high"), 1.5);
  EXPECT_EQ(row.at("rival"), 1);
  EXPECT_EQ(row.at("outcome"), "reproduced");
  EXPECT_TRUE(row.at("size").is_null());
  EXPECT_EQ(row.at("p"), 1);
  EXPECT_TRUE(row.at("blocks_to_decide").is_null());
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
  // Pairs across graphs don't belong to this claim.
  EXPECT_EQ(judged(kSlower, result).at("parts").at(0).at("measured").size(), 2U);
}

TEST(OrderClaim, EveryRow) {
  const auto with = [](double first, double second) {
    Result result({2, 4, 8});
    result.ratio(4, 2, first - 0.02, first, first + 0.02);
    return result.ratio(8, 4, second - 0.02, second, second + 0.02);
  };
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 0.9)), "reproduced");
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 1.0)), "inconclusive") << "a tie";
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 0.96)), "inconclusive") << "half in the tie zone";
  EXPECT_EQ(verdict_of(kOrder, with(1.0, 1.0)), "inconclusive");
  EXPECT_EQ(verdict_of(kOrder, with(0.8, 1.2)), "not reproduced");
  EXPECT_EQ(verdict_of(kOrder, with(1.0, 1.2)), "not reproduced");
}

TEST(OrderClaim, MissingCells) {
  EXPECT_EQ(verdict_of(kOrder, Result({2, 4}).ratio(4, 2, 0.7, 0.8, 0.9)), "not testable here");
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

/// Two and sixteen are slower than the paper's four. Eight and thirty-two are parameters.
Result best_of(const std::vector<int>& arities, double eight, double thirty_two) {
  Result result(arities);
  const auto add = [&](int arity, double value) {
    if (std::ranges::find(arities, arity) == arities.end()) return;
    result.ratio(arity, 4, value - 0.02, value, value + 0.02);
  };
  add(2, 1.2);
  add(8, eight);
  add(16, 1.1);
  add(32, thirty_two);
  return result;
}

TEST(ArgminClaim, DirectionOnlyWhenANeighbourIsBestOfFiveOrMore) {
  const std::vector<int> five = {2, 4, 8, 16, 32};
  EXPECT_EQ(verdict_of(kBest, best_of(five, 1.1, 1.2)), "reproduced");
  const Json verdict = judged(kBest, best_of(five, 0.85, 1.2));
  EXPECT_EQ(verdict.at("verdict"), "direction only");
  EXPECT_EQ(verdict.at("headline"), "direction only");
  EXPECT_TRUE(
      verdict.at("reason").get<std::string>().ends_with(", one step from the paper's value"))
      << verdict.at("reason");
  EXPECT_EQ(verdict_of(kBest, best_of(five, 0.85, 0.9)), "direction only") << "eight is the best";
  EXPECT_EQ(verdict_of(kBest, best_of({2, 4, 8, 16}, 0.85, 1.2)), "not reproduced") << "of four";
}

TEST(ArgminClaim, NotReproducedWhenAnotherIsBest) {
  const std::vector<int> five = {2, 4, 8, 16, 32};
  EXPECT_EQ(verdict_of(kBest, best_of(five, 1.1, 0.7)), "not reproduced");
  EXPECT_EQ(verdict_of(kBest, best_of(five, 0.85, 0.7)), "not reproduced");
  // Another value is the fastest, but not for sure.
  Result unsure = best_of({2, 4, 8, 16}, 0.85, 1.2);
  unsure.json["cells"].push_back(unsure.cell(16));
  unsure.json["cells"].back()["id"] = "g64";
  unsure.json["cells"].back()["axes"]["arity"] = 64;
  unsure.between("g64", "g4", 0.5, 0.7, 1.1);
  EXPECT_EQ(verdict_of(kBest, unsure), "not reproduced");
}

TEST(ArgminClaim, AWordOnTheAxisIsNoStep) {
  Result result = best_of({2, 4, 8, 16, 32}, 1.1, 1.2);
  result.cell(32)["axes"]["arity"] = "auto";
  EXPECT_EQ(verdict_of(kBest, result), "reproduced");
  Result faster = best_of({2, 4, 8, 16, 32}, 1.1, 0.7);
  faster.cell(32)["axes"]["arity"] = "auto";
  EXPECT_EQ(verdict_of(kBest, faster), "not reproduced");
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
  EXPECT_EQ(verdict_of(kBest, Result({2, 4, 8}).ratio(2, 4, 1.1, 1.2, 1.3)), "not testable here");
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
      "numerator = { arity = 2 }, denominator = { arity = 4 }, at_most = 0.8, reason = 'r' }]\n";
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 0.6, 0.7, 0.8)), "reproduced");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 0.7, 0.8, 0.9)), "direction only");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 0.7, 0.9, 1.1)), "inconclusive");
  EXPECT_EQ(verdict_of(claim, Result({2, 4}).ratio(2, 4, 1.1, 1.2, 1.3)), "not reproduced");
}

TEST(ShapeClaim, StatementsMayHaveThePapersFigures) {
  const auto claim = [](const std::string& paper) {
    return "[[claim]]\nid = 'Y'\nkind = 'trend'\ntext = 't'\nstatements = [{ text = 's', "
           "numerator = { arity = 2 }, denominator = { arity = 4 }, paper = " +
           paper + " }]\n";
  };
  const auto with = [](double low, double value, double high) {
    return Result({2, 4}).ratio(2, 4, low, value, high);
  };
  EXPECT_EQ(verdict_of(claim("1.3"), with(1.27, 1.3, 1.33)), "reproduced");
  EXPECT_EQ(verdict_of(claim("1.3"), with(1.1, 1.15, 1.2)), "direction only");
  EXPECT_EQ(verdict_of(claim("{ low = 1.2, high = 1.5 }"), with(1.2, 1.3, 1.5)), "reproduced");
  EXPECT_EQ(verdict_of(claim("1.3, rival = 1.2"), with(1.1, 1.13, 1.15)), "not reproduced");
  const Json verdict = judged(claim("1.3"), with(0.8, 0.85, 0.9));
  EXPECT_EQ(verdict.at("verdict"), "not reproduced");
  const Json& row = verdict.at("parts").at(0).at("measured").at(0);
  EXPECT_EQ(row.at("paper"), 1.3);
  EXPECT_TRUE(row.at("paper_low").is_null());
}

/// With bounds of its own, a statement shows the paper's figure and isn't judged by it.
TEST(ShapeClaim, BoundsOfItsOwnSayTheirReason) {
  const std::string claim =
      "[[claim]]\nid = 'Y'\nkind = 'shape'\ntext = 't'\nstatements = [{ text = 's', "
      "numerator = { arity = 2 }, denominator = { arity = 4 }, at_least = 1.05, paper = 3, "
      "reason = 'visibly slower' }]\n";
  const Json verdict = judged(claim, Result({2, 4}).ratio(2, 4, 1.05, 1.1, 1.2));
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  EXPECT_EQ(verdict.at("parts").at(0).at("reason"),
            "1.100 [1.050, 1.200] fits 1.050 or more (visibly slower)");
  const Json& row = verdict.at("parts").at(0).at("measured").at(0);
  EXPECT_EQ(row.at("paper"), 3);
  EXPECT_EQ(row.at("range_low"), 1.05) << "without a tolerance";
  EXPECT_TRUE(row.at("range_high").is_null());
}

TEST(ShapeClaim, MissingCells) {
  EXPECT_EQ(verdict_of(kShape, Result({2})), "not testable here");
  EXPECT_EQ(verdict_of(kShape, Result({2, 4}).ratio(2, 4, 1.6, 1.7, 1.8)), "not testable here");
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
  EXPECT_FALSE(rows[0].contains("outcome")) << "never judged";
}

TEST(AbsoluteClaim, AShownCellMayBeARatio) {
  const Json verdict = judged(
      "[[claim]]\nid = 'O3'\nkind = 'absolute'\ntext = 't'\n"
      "cells = [{ where = { arity = 2 }, denominator = { arity = 4 }, text = 'two over four' }]\n",
      Result({2, 4}).ratio(2, 4, 0.9, 0.95, 0.97));
  EXPECT_EQ(verdict.at("verdict"), "shown");
  const Json& row = only_row(verdict);
  EXPECT_EQ(row.at("text"), "two over four");
  EXPECT_EQ(row.at("value"), 0.95);
  EXPECT_EQ(row.at("denominator"), "g4");
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
  const std::vector<std::string> strongest_first = {
      "shown",        "check of the stand-in", "reproduced", "direction only", "not testable here",
      "inconclusive", "not reproduced"};
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

TEST(Verdict, ABestValueWithoutAllItsRivalsIsNotTestable) {
  Result result({2, 4, 8});
  result.ratio(2, 4, 1.1, 1.2, 1.3).ratio(8, 4, 1.1, 1.2, 1.3);
  result.json["experiment"]["axes"] = {{"arity", {2, 4, 8, 16}}};
  EXPECT_EQ(verdict_of(kBest, result), "reproduced");
  result.json["experiment"]["shard"] = {{"index", 2}, {"count", 4}};
  const Json verdict = judged(kBest, result);
  EXPECT_EQ(verdict.at("verdict"), "not testable here");
  EXPECT_NE(verdict.at("reason").get<std::string>().find("arity = 16 were not measured in shard"),
            std::string::npos)
      << verdict;
  result.json["experiment"]["axes"] = {{"arity", {2, 4, 8}}};
  EXPECT_EQ(verdict_of(kBest, result), "reproduced");
}

}  // namespace
}  // namespace bellmark::verdict
