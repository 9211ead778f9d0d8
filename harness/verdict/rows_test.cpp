// Rows that depend on more than two cells: one ratio over another, crossings, slopes.
#include "harness/verdict/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "harness/verdict/test_result.hpp"

namespace bellmark::verdict {
namespace {

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

/// Both ratios drift together by a tenth; their quotient stays.
TEST(Over, IsTakenInEachBlock) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 5.4, 6, 6.6).ratio(2, 4, 1.8, 2, 2.2, "h");
  const std::string more = over_claim("at_least = 1, reason = 'r'");
  const Json verdict = judged(more, result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  const Json& row = only_row(verdict);
  for (const char* key : {"value", "ci95_low", "ci95_high"}) {
    EXPECT_NEAR(row.at(key).get<double>(), 3, 1e-12) << key;
  }
  EXPECT_EQ(verdict_of(over_claim("at_least = 3.2, reason = 'r'"), result), "direction only");
  EXPECT_EQ(verdict_of(over_claim("at_most = 0.9, reason = 'r'"), result), "not reproduced");
  EXPECT_EQ(verdict_of(over_claim("paper = 3"), result), "reproduced");
  EXPECT_EQ(verdict_of(more, Result({2, 4}).ratio(2, 4, 5.4, 6, 6.6)), "not testable here");
}

/// A ratio that lacks a block is held over the other's same blocks, not over its next ones.
TEST(Over, BlocksArePairedByTheirIndex) {
  const auto drifting = [](double ratio, std::size_t first) {
    Json comparison = {
        {"ratio", ratio}, {"ci95_low", ratio}, {"ci95_high", ratio}, {"reason", nullptr}};
    for (std::size_t block = first; block < 8; ++block) {
      comparison["block_ratios"].push_back(ratio * (1 + static_cast<double>(block)));
      comparison["blocks"].push_back(block);
    }
    return comparison;
  };
  Result result({2, 4}, {"g", "h"});
  for (const auto& [graph, ratio, first] :
       {std::tuple("g", 6.0, std::size_t{0}), std::tuple("h", 2.0, std::size_t{1})}) {
    Json comparison = {{"a", Result::id(2, graph)}, {"b", Result::id(4, graph)}};
    comparison.update(drifting(ratio, first));
    result.json["comparisons"].push_back(comparison);
  }
  const Json row = only_row(judged(over_claim("paper = 3"), result));
  for (const char* key : {"value", "ci95_low", "ci95_high"}) {
    EXPECT_NEAR(row.at(key).get<double>(), 3, 1e-12) << key;
  }
}

TEST(Over, OlderResultsHaveTheOuterBounds) {
  Result result({2, 4}, {"g", "h"});
  result.old_ratio(2, 4, 5.4, 6, 6.6).old_ratio(2, 4, 1.8, 2, 2.2, "h");
  const Json& verdict = judged(over_claim("at_least = 2.7, reason = 'r'"), result);
  EXPECT_EQ(verdict.at("verdict"), "direction only");
  EXPECT_EQ(only_row(verdict).at("value"), 3);
  EXPECT_NEAR(only_row(verdict).at("ci95_low").get<double>(), 5.4 / 2.2, 1e-12);
  EXPECT_NEAR(only_row(verdict).at("ci95_high").get<double>(), 6.6 / 1.8, 1e-12);
}

/// The mean over graphs of the ratio of arities 2 and 4.
std::string mean_claim(const std::string& count, const std::string& paper) {
  return "[[claim]]\nid = 'M1'\nkind = 'shape'\ntext = 't'\nstatements = [{ text = 's', numerator "
         "= { arity = 2 }, denominator = { arity = 4 }, mean = { over = 'graph', count = " +
         count + " }, paper = " + paper + " }]\n";
}

TEST(Mean, IsOneRowTakenInEachBlock) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 2.9, 3, 3.1).ratio(2, 4, 0.95, 1, 1.05, "h");
  const Json verdict = judged(mean_claim("2", "2"), result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  const Json& row = only_row(verdict);
  EXPECT_NEAR(row.at("value").get<double>(), 2, 1e-12);
  EXPECT_NEAR(row.at("ci95_low").get<double>(), 1.925, 1e-12);
  EXPECT_NEAR(row.at("ci95_high").get<double>(), 2.075, 1e-12);
  EXPECT_EQ(verdict_of(mean_claim("2", "1.5"), result), "direction only") << "stronger";
  EXPECT_EQ(verdict_of(mean_claim("2", "0.5"), result), "not reproduced");
}

TEST(Mean, OfFewerRatiosThanThePapersSaysNothing) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 2.9, 3, 3.1);
  EXPECT_EQ(verdict_of(mean_claim("2", "2"), result), "not testable here") << "h has none";
  result.ratio(2, 4, 0.95, 1, 1.05, "h");
  const Json row = only_row(judged(mean_claim("3", "2"), result));
  EXPECT_EQ(row.at("reason"), "not measured: the mean is of 3 ratios, and this result has 2");
}

TEST(Mean, OfOlderResultsHasNoInterval) {
  Result result({2, 4}, {"g", "h"});
  result.old_ratio(2, 4, 2.9, 3, 3.1).old_ratio(2, 4, 0.95, 1, 1.05, "h");
  const Json& verdict = judged(mean_claim("2", "2"), result);
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_EQ(only_row(verdict).at("value"), 2);
}

/// The other ratio's cells count like the first one's: doubts, caches, classes, threads.
TEST(Over, RestsOnAllFourCells) {
  Result result({2, 4}, {"g", "h"});
  result.ratio(2, 4, 5.4, 6, 6.6).ratio(2, 4, 1.8, 2, 2.2, "h");
  for (Json& cell : result.json["cells"]) cell["working_set"] = {{"ratio", 3}};
  const std::string memory = over_claim("at_least = 1, reason = 'r'") + "about = 'memory'\n";
  EXPECT_EQ(verdict_of(memory, result), "reproduced");
  const auto with = [&](const char* key, const Json& value) {
    Result other = result;
    other.json["cells"].back()[key] = value;
    return judged(memory, other);
  };
  EXPECT_EQ(with("working_set", {{"ratio", 0.5}}).at("headline"),
            "not testable here: fits the cache");
  EXPECT_EQ(with("stand_in_class", "smaller, effect can't").at("verdict"), "not testable here");
  EXPECT_EQ(with("stand_in_class", "smaller, effect can show").at("stand_in_class"),
            "smaller, effect can show");
  EXPECT_EQ(with("doubts", {"one query is asked"}).at("verdict"), "inconclusive");
  EXPECT_EQ(with("query_count", 7).at("coverage").at("query_count"), 7);
}

/// A rival that was chosen as the fastest of many is judged by the blocks measured afterwards.
TEST(Argmin, TheFastestIsConfirmedOnFreshBlocks) {
  Result result({2, 4, 8});
  result.ratio(2, 4, 1.1, 1.2, 1.3);
  const auto with = [&](std::size_t fresh_count, double fresh) {
    Result whole = result;
    std::vector<double> ratios(6, 0.8);
    ratios.insert(ratios.end(), fresh_count, fresh);
    std::vector<std::size_t> blocks(ratios.size());
    std::iota(blocks.begin(), blocks.end(), std::size_t{0});
    whole.json["comparisons"].push_back({{"a", "g8"},
                                         {"b", "g4"},
                                         {"ratio", 0.8},
                                         {"ci95_low", 0.8},
                                         {"ci95_high", 0.8},
                                         {"reason", nullptr},
                                         {"block_ratios", ratios},
                                         {"blocks", blocks}});
    whole.json["experiment"]["first_fresh_block"] = 6;
    return whole;
  };
  EXPECT_EQ(verdict_of(kBest, with(0, 1)), "inconclusive") << "p = 0.031 as one of two";
  const Json fine = judged(kBest, with(8, 1.01));
  EXPECT_EQ(fine.at("verdict"), "reproduced");
  const Json& row = fine.at("parts").at(0).at("measured").at(1);
  EXPECT_NEAR(row.at("value").get<double>(), 1.01, 1e-12);
  EXPECT_EQ(row.at("text"), "(arity=8) / (arity=4), on fresh blocks");
  EXPECT_EQ(verdict_of(kBest, with(8, 0.85)), "not reproduced");
  const Json few = judged(kBest, with(3, 0.85));
  EXPECT_EQ(few.at("verdict"), "inconclusive");
  EXPECT_TRUE(says(few, "fewer than 6 fresh blocks")) << few.at("reason");
}

TEST(Argmin, TheFastestAndThePapersValueAreConfirmed) {
  Result result({2, 4, 8, 16});
  result.ratio(2, 4, 0.8, 0.9, 1).ratio(8, 4, 0.7, 0.8, 0.9).ratio(16, 4, 1.1, 1.2, 1.3);
  using Ids = std::vector<std::string>;
  EXPECT_EQ(cells_to_confirm(experiment(kBest), result.json), (Ids{"g8", "g4"}));
  EXPECT_EQ(cells_to_confirm(experiment(kOrder), result.json), Ids{});
  Result best({2, 4});
  EXPECT_EQ(cells_to_confirm(experiment(kBest), best.ratio(2, 4, 1.1, 1.2, 1.3).json), Ids{});
}

/// Graph g against graph h: g is faster below arity 8, slower from it on.
const std::string kCrossing =
    "[[claim]]\nid = 'X'\nkind = 'crossing'\ntext = 'crosses at eight'\nalong = 'arity'\n"
    "numerator = { graph = 'g' }\ndenominator = { graph = 'h' }\npaper = { value = 8 }\n";

/// The ratio of g to h at each arity; nothing where it was not measured.
Result crossing(const std::vector<std::pair<int, std::optional<double>>>& ratios) {
  std::vector<int> arities;
  arities.reserve(ratios.size());
  for (const auto& [arity, ratio] : ratios) arities.push_back(arity);
  Result result(arities, {"g", "h"});
  for (const auto& [arity, ratio] : ratios) {
    if (!ratio) continue;
    result.between(Result::id(arity, "g"), Result::id(arity, "h"), *ratio - 0.02, *ratio,
                   *ratio + 0.02);
  }
  return result;
}

TEST(Crossing, IsReproducedWhereEveryValueIsOnItsSide) {
  const Json verdict =
      judged(kCrossing, crossing({{2, 0.5}, {4, 0.8}, {8, 1.2}, {16, 1.5}, {32, 2}}));
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  EXPECT_TRUE(says(verdict, "all 5 rows fit"));
  EXPECT_EQ(verdict.at("parts").at(0).at("kind"), "crossing");
}

TEST(Crossing, OneStepOffIsDirectionOnlyOfFiveValues) {
  const auto late = crossing({{2, 0.5}, {4, 0.7}, {8, 0.9}, {16, 1.5}, {32, 2}});
  const auto early = crossing({{2, 0.5}, {4, 1.1}, {8, 1.2}, {16, 1.5}, {32, 2}});
  for (const Result& result : {late, early}) {
    const Json verdict = judged(kCrossing, result);
    EXPECT_EQ(verdict.at("verdict"), "direction only");
    EXPECT_TRUE(says(verdict, "one step from the paper's value")) << verdict.at("reason");
  }
  EXPECT_EQ(verdict_of(kCrossing, crossing({{2, 0.5}, {4, 0.7}, {8, 0.9}, {16, 1.5}})),
            "not reproduced")
      << "of four values";
}

TEST(Crossing, FurtherOffIsNotReproduced) {
  for (const auto& ratios : std::vector<std::vector<std::pair<int, std::optional<double>>>>{
           {{2, 0.5}, {4, 0.7}, {8, 0.8}, {16, 0.9}, {32, 2}},     // two steps late
           {{2, 1.1}, {4, 1.2}, {8, 1.3}, {16, 1.4}, {32, 2}},     // two steps early
           {{2, 1.1}, {4, 0.7}, {8, 1.3}, {16, 1.4}, {32, 2}},     // below, far away
           {{2, 0.5}, {4, 0.7}, {8, 1.3}, {16, 1.4}, {32, 0.8}},   // it crosses again
           {{2, 0.5}, {4, 1.1}, {8, 0.9}, {16, 1.4}, {32, 2}}}) {  // to and fro
    EXPECT_EQ(verdict_of(kCrossing, crossing(ratios)), "not reproduced");
  }
}

TEST(Crossing, WhatIsMissingOrTooNearDecidesNothing) {
  EXPECT_EQ(verdict_of(kCrossing, crossing({{2, 0.5}, {4, 0.98}, {8, 1.2}, {16, 1.5}})),
            "inconclusive");
  EXPECT_EQ(verdict_of(kCrossing, crossing({{2, 0.5}, {4, 0.8}, {8, std::nullopt}, {16, 1.5}})),
            "not testable here");
  EXPECT_EQ(verdict_of(kCrossing, Result({2, 8})), "not testable here") << "one graph alone";
  // A word on the axis is on neither side.
  Result word = crossing({{2, 0.5}, {4, 0.8}, {8, 1.2}, {16, 0.5}});
  for (Json& cell : word.json["cells"]) {
    if (cell["axes"]["arity"] == 16) cell["axes"]["arity"] = "auto";
  }
  EXPECT_EQ(verdict_of(kCrossing, word), "reproduced");
}

/// Growth along arity: 2, 4 and 8, so that linear is 4 and a square root's is 2.
const std::string kLinear =
    "[[claim]]\nid = 'L'\nkind = 'slope'\ntext = 'grows linearly'\nalong = 'arity'\n"
    "paper = { value = 1 }\n";
const std::string kNotRoot = kLinear + "rival = 0.5\n";

/// Times at each arity that grow by an exponent; blocks drift by a fifth, all cells alike.
Result growth(double exponent, std::size_t block_count = 6) {
  Result result({2, 4, 8});
  for (const int arity : {2, 4, 8}) {
    std::vector<double> blocks;
    for (std::size_t block = 0; block < block_count; ++block) {
      const double drift = 1 + 0.04 * static_cast<double>(block);
      blocks.push_back(1000 * drift * std::pow(arity, exponent));
    }
    result.cell(arity)["wall_ns"] = {
        {"median", blocks.front()}, {"ci95_low", nullptr}, {"ci95_high", nullptr}};
    result.cell(arity)["block_medians_ns"] = blocks;
  }
  return result;
}

TEST(Slope, IsHeldAgainstThePapersExponentAndTheRivals) {
  const Json verdict = judged(kNotRoot, growth(1));
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  const Json& row = only_row(verdict);
  for (const char* key : {"value", "ci95_low", "ci95_high", "paper"}) {
    EXPECT_NEAR(row.at(key).get<double>(), 4, 1e-9) << key;
  }
  EXPECT_NEAR(row.at("rival").get<double>(), 2, 1e-12);
  EXPECT_EQ(row.at("numerator"), "g8");
  EXPECT_EQ(row.at("denominator"), "g2");
  EXPECT_EQ(row.at("text"), "growth from arity = 2 to 8 of (arity=8)");
  const Json weaker = judged(kNotRoot, growth(0.8));
  EXPECT_EQ(weaker.at("headline"), "direction only: weaker");
  EXPECT_EQ(judged(kNotRoot, growth(1.3)).at("headline"), "direction only: stronger");
  EXPECT_EQ(verdict_of(kNotRoot, growth(0.5)), "inconclusive");
  EXPECT_EQ(verdict_of(kNotRoot, growth(0.3)), "not reproduced");
  EXPECT_EQ(verdict_of(kLinear, growth(0.3)), "direction only") << "the rival is no growth";
  EXPECT_EQ(verdict_of(kLinear, growth(-0.3)), "not reproduced");
}

TEST(Slope, ThePapersExponentsMayBeARange) {
  std::string claim = kNotRoot;
  claim.replace(claim.find("{ value = 1 }"), 13, "{ low = 0.8, high = 1.2 }");
  EXPECT_EQ(verdict_of(claim, growth(0.85)), "reproduced");
  EXPECT_EQ(verdict_of(claim, growth(1.15)), "reproduced");
  EXPECT_EQ(judged(claim, growth(0.6)).at("headline"), "direction only: weaker");
}

/// Not only the ends count: log y = 0, 1, 1 over log x = 0, 1, 2 rises by half a step each.
TEST(Slope, IsAStraightLineThroughAllCells) {
  Result result = growth(0);
  for (const int arity : {4, 8}) {
    for (Json& time : result.cell(arity)["block_medians_ns"]) time = time.get<double>() * 2;
  }
  EXPECT_NEAR(only_row(judged(kNotRoot, result)).at("value").get<double>(), 2, 1e-9);
}

TEST(Slope, NeedsSixBlocksOfCellsThatWereMeasured) {
  const Json few = judged(kNotRoot, growth(1, 5));
  EXPECT_EQ(few.at("verdict"), "inconclusive");
  EXPECT_TRUE(says(few, "fewer than 6 blocks")) << few.at("reason");
  Result failed = growth(1);
  failed.cell(4)["wall_ns"] = nullptr;
  EXPECT_EQ(verdict_of(kNotRoot, failed), "not testable here") << "whatever blocks it had before";
  EXPECT_EQ(verdict_of(kNotRoot, Result({2})), "not testable here");
  EXPECT_EQ(verdict_of(kNotRoot, Result({2, 4, 8})), "not testable here");
  Result doubted = growth(1);
  doubted.cell(4)["doubts"] = {"one query is asked"};
  EXPECT_EQ(judged(kNotRoot, doubted).at("reason"), "not judged: one query is asked");
}

TEST(Slope, OfWhatIsExactHasNoInterval) {
  const std::string claim = kNotRoot + "metric = 'memory.accounted_bytes'\n";
  const auto bytes = [](double exponent) {
    Result result({2, 4, 8});
    for (const int arity : {2, 4, 8}) {
      result.cell(arity)["memory"]["accounted_bytes"] = 1e6 * std::pow(arity, exponent);
    }
    return result;
  };
  EXPECT_EQ(verdict_of(claim, bytes(1)), "reproduced");
  const Json against = judged(claim, bytes(0.3));
  EXPECT_EQ(against.at("verdict"), "not reproduced");
  EXPECT_EQ(only_row(against).at("p"), 0);
  Result empty = bytes(1);
  empty.cell(2)["memory"]["accounted_bytes"] = 0;
  EXPECT_EQ(verdict_of(claim, empty), "not testable here") << "0 has no logarithm";
}

TEST(Slope, OfPhaseLogsIsTakenQueryByQuery) {
  Result result({2, 4, 8});
  for (const int arity : {2, 4, 8}) {
    result.cell(arity)["phase_log"] = phase_log(growing(7, 100 * static_cast<unsigned>(arity)));
  }
  const Json verdict = judged(kNotRoot + "metric = 'phase_log.host_ns.sum'\n", result);
  EXPECT_EQ(verdict.at("verdict"), "reproduced");
  EXPECT_NEAR(only_row(verdict).at("ci95_high").get<double>(), 4, 1e-9);
}

TEST(Slope, ACellBetweenItsEndsCountsToo) {
  Result result = growth(1);
  for (const int arity : {2, 4, 8}) result.cell(arity)["stand_in_class"] = "same data";
  result.cell(4)["stand_in_class"] = "smaller, effect can't";
  EXPECT_EQ(verdict_of(kNotRoot, result), "not testable here");
}

TEST(Rows, EachCellOfARowIsNamedOnce) {
  const Result result = growth(1);
  const plan::Experiment slope = experiment(kNotRoot);
  const std::vector<Row> rows = rows_of(slope.claims.at(0), result.json);
  ASSERT_EQ(rows.size(), 1U);
  std::vector<std::string> ids;
  for (const Json* cell : cells_of(rows.at(0))) ids.push_back(id_of(*cell));
  std::ranges::sort(ids);
  EXPECT_EQ(ids, (std::vector<std::string>{"g2", "g4", "g8"}));
  EXPECT_TRUE(cells_of(Row()).empty());
}

TEST(StatedEffects, AreRatiosOfTimesWithASize) {
  const auto effects = [](const std::string& text) {
    return stated_effects(experiment(text).claims.at(0));
  };
  ASSERT_EQ(effects(over_claim("paper = 3")).size(), 1U);
  EXPECT_EQ(effects(over_claim("paper = 3"))[0].value, 3);
  EXPECT_NEAR(effects(over_claim("paper = { low = 2, high = 8 }"))[0].value, 4, 1e-12);
  EXPECT_EQ(effects(over_claim("at_least = 2, paper = 3, reason = 'r'"))[0].range.low, 2);
  EXPECT_TRUE(effects(over_claim("at_least = 2, reason = 'r'")).empty()) << "no figure";
  EXPECT_TRUE(effects(kOrder).empty()) << "no size";
  EXPECT_TRUE(effects(kBest).empty());
  EXPECT_TRUE(effects(over_claim("paper = 3, metric = 'memory.accounted_bytes'")).empty())
      << "exact: no block decides it";
}

/// Rows are counted before they are measured: blocks follow from them.
TEST(Rows, AreCountedWithoutAResult) {
  Result result({2, 4, 8}, {"g", "h"});
  const std::vector<std::pair<std::string, std::size_t>> counts = {{kSlower, 2},
                                                                   {kOrder, 4},
                                                                   {kBest, 4},
                                                                   {kShape, 4},
                                                                   {kLinear, 2},
                                                                   {kCrossing, 3},
                                                                   {over_claim("paper = 3"), 1},
                                                                   {mean_claim("2", "2"), 1}};
  // A mean over two graphs is one row.
  for (const auto& [text, count] : counts) {
    const plan::Experiment file = experiment(text);
    EXPECT_EQ(row_count(file.claims.at(0), result.json.at("cells")), count) << text;
    EXPECT_EQ(rows_of(file.claims.at(0), result.json).size(), count) << text;
  }
}

}  // namespace
}  // namespace bellmark::verdict
