// The other deciders of a row: the run's resolution, caches, classes of stand-ins, Holm's
// correction. Also the coverage of verdicts, and the blocks that would decide them.
#include "harness/verdict/judging.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/verdict/test_result.hpp"

namespace bellmark::verdict {
namespace {

Result two(double low, double value, double high) {
  return Result({2, 4}).ratio(2, 4, low, value, high);
}

TEST(Resolution, AValueThatIsNearerToTheRivalDecidesNothing) {
  const auto with = [](double low, double value, double high) {
    return two(low, value, high).resolution("core:0", 1 / 1.2, 1.2);
  };
  EXPECT_EQ(verdict_of(kSlower, two(1.17, 1.18, 1.19)), "reproduced");
  EXPECT_TRUE(says(judged(kSlower, two(1.17, 1.18, 1.19)),
                   "1.200..1.500, with its tolerance 1.165..1.562"));
  EXPECT_FALSE(says(judged(kSlower, two(1.25, 1.3, 1.35)), "with its tolerance"));
  const Json verdict = judged(kSlower, with(1.17, 1.18, 1.19));
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_TRUE(says(verdict,
                   "1.180 [1.170, 1.190] is nearer to 1.000 than the resolution of "
                   "20 %"))
      << verdict.at("reason");
  EXPECT_FALSE(says(verdict, "was not measured twice"));
  EXPECT_TRUE(says(judged(kSlower, two(1.25, 1.3, 1.35)), "was not measured twice"));
  EXPECT_EQ(verdict_of(kSlower, with(1.05, 1.06, 1.07)), "inconclusive") << "not weaker";
  EXPECT_EQ(verdict_of(kSlower, with(0.85, 0.9, 0.95)), "inconclusive") << "no contradiction";
  EXPECT_EQ(verdict_of(kSlower, with(1.25, 1.3, 1.35)), "reproduced");
  EXPECT_EQ(verdict_of(kSlower, with(0.6, 0.7, 0.75)), "not reproduced");
}

TEST(WantsBlocks, OfOpenRowsThatBlocksCanDecide) {
  const auto wants = [](const std::string& claim, const Result& result) {
    return wants_blocks(judge(experiment(claim), result.json));
  };
  EXPECT_TRUE(wants(kSlower, two(0.9, 1.1, 1.6)));
  EXPECT_FALSE(wants(kSlower, two(1.25, 1.3, 1.35))) << "it is decided";
  EXPECT_FALSE(wants(ratio_claim("{ value = 1.04 }"), two(1.01, 1.02, 1.03))) << "a tie";
  // Counts of phases are the same in every block, however their queries differ.
  Result counted({2});
  counted.cell(2)["phase_log"] = phase_log(growing(6, 100));
  const auto bounds = [](const std::string& metric, const std::string& least) {
    return bounds_claim("phase_log." + metric, "at_least = " + least);
  };
  EXPECT_TRUE(wants(bounds("host_ns.sum", "2000"), counted));
  EXPECT_FALSE(wants(bounds("updated_count.sum", "1"), counted));
}

TEST(Resolution, IsTheTieZoneAtLeast) {
  const std::string claim = ratio_claim("{ value = 1.04 }");
  const auto near = [] { return two(1.01, 1.02, 1.03); };
  for (const Result& result : {near(), near().resolution("core:0", 0.999, 1.001)}) {
    const Json verdict = judged(claim, result);
    EXPECT_EQ(verdict.at("verdict"), "inconclusive");
    EXPECT_TRUE(says(verdict, "the resolution of 3 %")) << verdict.at("reason");
    EXPECT_TRUE(says(verdict, "no number of blocks decides a tie")) << verdict.at("reason");
    EXPECT_TRUE(verdict.at("what_would_decide").is_null());
    const bool is_measured = result.json.contains("resolution");
    EXPECT_EQ(says(verdict, "resolution of 3 % assumed: the baseline was not measured twice"),
              !is_measured);
  }
  EXPECT_EQ(verdict_of(claim, two(1.031, 1.04, 1.05)), "reproduced");
}

TEST(Resolution, IsOfTimesAlone) {
  Result result({2, 4});
  result.resolution("core:0", 1 / 1.5, 1.5, "disturbed: the baseline took twice its own time");
  result.cell(2)["memory"]["accounted_bytes"] = 1300;
  result.cell(4)["memory"]["accounted_bytes"] = 1000;
  const std::string claim = kSlower + "metric = 'memory.accounted_bytes'\n";
  EXPECT_EQ(verdict_of(claim, result), "reproduced");
  result.json.erase("resolution");
  EXPECT_EQ(judged(claim, result).at("reason"),
            "1.300 [1.300, 1.300] fits the paper's 1.200..1.500");
}

TEST(Resolution, ADisturbedRunJudgesNoTimes) {
  const std::string disturbed = "disturbed: the baseline took 1.100 of its own time";
  const Result result = two(1.25, 1.3, 1.35).resolution("core:0", 1.05, 1.15, disturbed);
  const Json verdict = judged(kSlower, result);
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_EQ(verdict.at("reason"), "not judged: " + disturbed);
}

/// A placement's own pair counts; of a placement without one, the run's coarsest.
TEST(Resolution, IsThatOfTheCellsPlacements) {
  Result result = two(1.25, 1.3, 1.35);
  const auto place = [&](const char* placement) {
    for (const int arity : {2, 4}) result.cell(arity)["axes"]["placement"] = placement;
  };
  result.resolution("core:0", 1 / 1.1, 1.1).resolution("core:1", 1 / 1.4, 1.4);
  place("core:0");
  EXPECT_EQ(verdict_of(kSlower, result), "reproduced");
  place("core:1");
  EXPECT_EQ(verdict_of(kSlower, result), "inconclusive");
  place("pair:shared-l2");
  EXPECT_EQ(verdict_of(kSlower, result), "inconclusive");
  // Two cells at different placements: the coarser one.
  result.cell(2)["axes"]["placement"] = "core:0";
  result.cell(4)["axes"]["placement"] = "core:1";
  const Resolution both = resolution_of(result.json, {&result.cell(2), &result.cell(4)});
  EXPECT_NEAR(both.log_half_width, std::log(1.4), 1e-12);
  const Resolution one = resolution_of(result.json, {&result.cell(2)});
  EXPECT_NEAR(one.log_half_width, std::log(1.1), 1e-12);
  EXPECT_TRUE(one.is_measured);
  EXPECT_GT(*both.log_deviation, *one.log_deviation);
}

TEST(AboutMemory, WhatFitsTheCacheTestsNothingWhicheverWayItPoints) {
  const std::string claim = kSlower + "about = 'memory'\n";
  const auto with = [](double value, const Json& first, const Json& second) {
    Result result = two(value - 0.02, value, value + 0.02);
    result.cell(2)["working_set"] = {{"ratio", first}};
    result.cell(4)["working_set"] = {{"ratio", second}};
    return result;
  };
  EXPECT_EQ(verdict_of(claim, with(1.3, 1, 5)), "reproduced");
  EXPECT_EQ(verdict_of(claim, with(1.3, nullptr, 5)), "reproduced") << "not known";
  for (const double value : {1.3, 1.1, 0.8, 1.0}) {
    for (const Result& result : {with(value, 0.25, 5), with(value, 5, 0.25)}) {
      const Json verdict = judged(claim, result);
      EXPECT_EQ(verdict.at("verdict"), "not testable here");
      EXPECT_EQ(verdict.at("headline"), "not testable here: fits the cache");
      EXPECT_TRUE(says(verdict, "but a cell takes 0.25 of the last-level cache"));
      EXPECT_EQ(only_row(verdict).at("value"), value) << "shown all the same";
    }
  }
  EXPECT_EQ(verdict_of(kSlower, with(1.3, 0.25, 5)), "reproduced") << "about nothing";
  EXPECT_EQ(verdict_of(kSlower + "about = 'work'\n", with(1.3, 0.25, 5)), "reproduced");
  Result bytes = with(1.3, 0.25, 0.25);
  bytes.cell(2)["memory"]["accounted_bytes"] = 1300;
  bytes.cell(4)["memory"]["accounted_bytes"] = 1000;
  EXPECT_EQ(verdict_of(claim + "metric = 'memory.accounted_bytes'\n", bytes), "reproduced");
}

TEST(AboutMemory, ThePartSaysWhatItIsAboutAndThePapersSentence) {
  const std::string claim = kSlower + "about = 'order'\nsentence = 'Two is slower.'\n";
  const Json said = judged(claim, two(1.25, 1.3, 1.35)).at("parts").at(0);
  EXPECT_EQ(said.at("about"), "order");
  EXPECT_EQ(said.at("sentence"), "Two is slower.");
  const Json unsaid = judged(kSlower, two(1.25, 1.3, 1.35)).at("parts").at(0);
  EXPECT_FALSE(unsaid.contains("about"));
  EXPECT_FALSE(unsaid.contains("sentence"));
}

Result of_classes(const Json& first, const Json& second) {
  Result result = two(1.25, 1.3, 1.35);
  result.cell(2)["stand_in_class"] = first;
  result.cell(4)["stand_in_class"] = second;
  return result;
}

TEST(StandInClass, AnotherProgramShowsADirectionAtBest) {
  const Json other = "other program";
  const auto with = [&](double low, double value, double high) {
    Result result = two(low, value, high);
    result.cell(2)["stand_in_class"] = "same data";
    result.cell(4)["stand_in_class"] = other;
    return result;
  };
  const Json same = judged(kSlower, with(1.25, 1.3, 1.35));
  EXPECT_EQ(same.at("verdict"), "direction only");
  EXPECT_EQ(same.at("stand_in_class"), other);
  EXPECT_EQ(only_row(same).at("size"), "size open");
  const Json against = judged(kSlower, with(0.7, 0.75, 0.8));
  EXPECT_EQ(against.at("verdict"), "inconclusive");
  EXPECT_TRUE(only_row(against).at("reason").get<std::string>().find("another program") !=
              std::string::npos);
  EXPECT_EQ(verdict_of(kSlower, two(0.7, 0.75, 0.8)), "not reproduced");
}

TEST(StandInClass, ARowHasTheFarthestOfItsCells) {
  const std::string same = "same data";
  const std::string generated = "same size, generated";
  const std::string shows = "smaller, effect can show";
  const std::string cannot = "smaller, effect can't";
  EXPECT_EQ(judged(kSlower, of_classes(same, generated)).at("stand_in_class"), generated);
  EXPECT_EQ(judged(kSlower, of_classes(shows, generated)).at("stand_in_class"), shows);
  EXPECT_EQ(judged(kSlower, of_classes(same, nullptr)).at("stand_in_class"), same);
  EXPECT_TRUE(judged(kSlower, two(1.25, 1.3, 1.35)).at("stand_in_class").is_null());
  for (const std::string& near : {same, generated, shows}) {
    EXPECT_EQ(verdict_of(kSlower, of_classes(near, near)), "reproduced") << near;
    const Json verdict = judged(kSlower, of_classes(near, cannot));
    EXPECT_EQ(verdict.at("verdict"), "not testable here") << near;
    EXPECT_EQ(verdict.at("headline"), "not testable here: the stand-in can't show the effect");
    EXPECT_EQ(verdict.at("stand_in_class"), cannot);
    EXPECT_EQ(only_row(verdict).at("value"), 1.3);
  }
}

TEST(StandInCheck, IsNoVerdictOnThePaperButOnItsData) {
  const std::string claim = kSlower + "checks = 'stand-in'\n";
  const std::string same = "same data";
  EXPECT_EQ(verdict_of(claim, of_classes(same, same)), "reproduced");
  for (const Json& other : {Json("same size, generated"), Json("smaller, effect can show")}) {
    const Json verdict = judged(claim, of_classes(same, other));
    EXPECT_EQ(verdict.at("verdict"), "check of the stand-in") << other;
    EXPECT_EQ(verdict.at("headline"), "check of the stand-in");
    EXPECT_TRUE(says(verdict, "reproduced by the stand-in: 1.300 [1.250, 1.350] fits"));
    EXPECT_EQ(only_row(verdict).at("outcome"), "reproduced");
  }
  EXPECT_EQ(verdict_of(claim, two(1.25, 1.3, 1.35)), "check of the stand-in") << "not known";
  // A failed check is a check too, and says so.
  Result fails = two(0.7, 0.75, 0.8);
  EXPECT_TRUE(says(judged(claim, fails), "not reproduced by the stand-in"));
  EXPECT_EQ(verdict_of(claim, fails), "check of the stand-in");
}

TEST(StandInCheck, YieldsToAPartThatIsJudged) {
  const std::string check = kFaster + "checks = 'stand-in'\n";
  EXPECT_EQ(verdict_of(check + kSlower, two(1.25, 1.3, 1.35)), "reproduced");
  EXPECT_EQ(verdict_of(check + kSlower, two(1.04, 1.06, 1.08)), "direction only");
  EXPECT_EQ(judged(check + kSlower, two(1.04, 1.06, 1.08)).at("headline"),
            "direction only: weaker");
}

/// Y1 once more, on arities 8 and 4.
const std::string kAgain =
    "[[claim]]\nid = 'Y1'\nkind = 'ratio'\ntext = 'eight is slower'\n"
    "numerator = { arity = 8 }\ndenominator = { arity = 4 }\npaper = { low = 1.2, high = 1.5 }\n";

TEST(Holm, AContradictionAloneMayBeChanceAsOneOfSeveral) {
  // Six blocks: p = 0.031, which one row may have, and no one of two.
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).blocks(2, 4, 0.9, 6)), "not reproduced");
  const auto with = [](std::size_t count, double other) {
    return Result({2, 4, 8}).blocks(2, 4, 0.9, count).blocks(8, 4, other, count);
  };
  const Json verdict = judged(kSlower + kAgain, with(6, 1.3));
  EXPECT_EQ(verdict.at("verdict"), "inconclusive");
  EXPECT_TRUE(says(verdict, "alone (p = 0.031), and not as one of 2 rows")) << verdict;
  EXPECT_EQ(verdict.at("what_would_decide"), "about 8 blocks would decide it");
  EXPECT_EQ(verdict.at("parts").at(1).at("verdict"), "reproduced");
  EXPECT_EQ(only_row(verdict).at("outcome"), "inconclusive");
  EXPECT_EQ(verdict_of(kSlower + kAgain, with(8, 1.3)), "not reproduced");
  EXPECT_EQ(verdict_of(kSlower + kAgain, with(6, 0.9)), "inconclusive") << "both by six";
  EXPECT_EQ(verdict_of(kSlower + kAgain, with(8, 0.9)), "not reproduced");
}

TEST(Holm, OneClaimsRowsAreNotAnothers) {
  std::string other = kAgain;
  other.replace(other.find("Y1"), 2, "Y9");
  const Result result = Result({2, 4, 8}).blocks(2, 4, 0.9, 6).blocks(8, 4, 1.3, 6);
  const Json verdicts = judge(experiment(kSlower + other), result.json);
  EXPECT_EQ(verdicts.at(0).at("verdict"), "not reproduced");
  EXPECT_EQ(verdicts.at(1).at("verdict"), "reproduced");
}

TEST(Holm, RowsWithoutAValueAreNotCounted) {
  EXPECT_EQ(verdict_of(kSlower + kAgain, Result({2, 4, 8}).blocks(2, 4, 0.9, 6)), "not reproduced");
}

TEST(Holm, WhatIsExactContradictsForSure) {
  Result result({2, 4, 8});
  for (const auto& [arity, bytes] : {std::pair(2, 900), std::pair(4, 1000), std::pair(8, 1300)}) {
    result.cell(arity)["memory"]["accounted_bytes"] = bytes;
  }
  std::string claims;
  for (const std::string& claim : {kSlower, kAgain}) {
    claims += claim + "metric = 'memory.accounted_bytes'\n";
  }
  const Json verdict = judged(claims, result);
  EXPECT_EQ(verdict.at("verdict"), "not reproduced");
  EXPECT_EQ(only_row(verdict).at("p"), 0);
  EXPECT_EQ(verdict.at("parts").at(1).at("measured").at(0).at("p"), 1);
}

/// Results without the ratio of each block show only that the interval contradicts.
TEST(Holm, OlderResultsContradictAtTheIntervalsOwnLevel) {
  const Result alone = Result({2, 4}).old_ratio(2, 4, 0.8, 0.9, 0.95);
  const Json verdict = judged(kSlower, alone);
  EXPECT_EQ(verdict.at("verdict"), "not reproduced");
  EXPECT_EQ(only_row(verdict).at("p"), 0.05);
  Result two_rows({2, 4, 8});
  two_rows.old_ratio(2, 4, 0.8, 0.9, 0.95).old_ratio(8, 4, 1.25, 1.3, 1.35);
  EXPECT_EQ(verdict_of(kSlower + kAgain, two_rows), "inconclusive");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).old_ratio(2, 4, 1.25, 1.3, 1.35)), "reproduced");
  EXPECT_EQ(verdict_of(kSlower, Result({2, 4}).old_ratio(2, 4, 1.04, 1.06, 1.08)),
            "direction only");
}

/// The number of blocks for a claim's one row, as the verdict states it.
std::string decides(const Result& result, const std::string& claim = kSlower) {
  const Json text = judged(claim, result).at("what_would_decide");
  return text.is_null() ? "" : text.get<std::string>();
}

TEST(WhatWouldDecide, IsSaidOfWhatIsOpen) {
  EXPECT_EQ(decides(two(1.25, 1.3, 1.35)), "");
  EXPECT_EQ(decides(two(0.8, 0.9, 0.95)), "");
  // Of ten logarithms: two at log 0.9, two at log 1.3, six at log 1.1.
  Result open = two(0.9, 1.1, 1.3);
  const double low = std::log(0.9);
  const double middle = std::log(1.1);
  const double high = std::log(1.3);
  const double mean = (2 * low + 6 * middle + 2 * high) / 10;
  const double spread = std::sqrt((2 * std::pow(low - mean, 2) + 6 * std::pow(middle - mean, 2) +
                                   2 * std::pow(high - mean, 2)) /
                                  9);
  const double to_range = std::log(1.2 / 1.03 / 1.1);
  const double blocks = std::ceil(std::pow(1.96 * 1.2533 * spread / to_range, 2));
  const std::string count = std::to_string(static_cast<int>(blocks));
  EXPECT_EQ(decides(open), "about " + count + " blocks would decide it");
  EXPECT_TRUE(says(judged(kSlower, open), "; about " + count + " blocks would decide it"));
  EXPECT_EQ(only_row(judged(kSlower, open)).at("blocks_to_decide"), blocks);
  open.json["experiment"]["block_s"] = 30;
  const std::string minutes = std::to_string(static_cast<int>(std::ceil(blocks / 2)));
  EXPECT_EQ(decides(open), "about " + count + " blocks (" + minutes + " min) would decide it");
  EXPECT_EQ(decides(two(0.9, 1.031, 1.3)),
            "more than 1000 blocks would decide it: it lies on an edge");
}

TEST(WhatWouldDecide, TheBaselinesSpreadStandsInForTooFewBlocks) {
  Result few = Result({2, 4}).no_interval(2, 4, 1.1);
  EXPECT_EQ(decides(few), "");
  few.resolution("core:0", 0.95, 1.05);
  EXPECT_TRUE(decides(few).starts_with("about ")) << decides(few);
  // Its own blocks count if they are enough, and a time's spread does not hold for memory.
  Result calm = two(1.02, 1.06, 1.2).resolution("core:0", 0.5, 2);
  Result wild = two(1.02, 1.06, 1.2).resolution("core:0", 0.99, 1.01);
  EXPECT_EQ(decides(calm), decides(wild));
  few.cell(2)["memory"]["resident_block_bytes"] = std::vector<double>(5, 1100);
  few.cell(4)["memory"]["resident_block_bytes"] = std::vector<double>(5, 1000);
  EXPECT_EQ(decides(few, kSlower + "metric = 'memory.resident_bytes'\n"), "");
}

/// Counts of phases are the same in every block: more queries would decide them.
TEST(WhatWouldDecide, CountsQueriesOfPhaseLogs) {
  Result result({2});
  std::vector<Phases> queries;
  for (std::size_t i = 2; i < 8; ++i) queries.emplace_back(i, std::pair(i, 100));
  result.cell(2)["phase_log"] = phase_log(queries);
  EXPECT_TRUE(decides(result, bounds_claim("phase_log.phase_count", "at_least = 3"))
                  .ends_with(" queries would decide it"));
  EXPECT_TRUE(decides(result, bounds_claim("phase_log.host_ns.sum", "at_least = 300"))
                  .ends_with(" blocks would decide it"));
}

TEST(Coverage, CountsRowsAndQueries) {
  Result result({2, 4, 8});
  result.ratio(2, 4, 1.25, 1.3, 1.35);
  const Json bare = judged(kSlower + kAgain, result).at("coverage");
  EXPECT_EQ(bare.at("row_count"), 1);
  EXPECT_EQ(bare.at("planned_row_count"), 2);
  EXPECT_TRUE(bare.at("query_count").is_null());
  EXPECT_TRUE(bare.at("paper_query_count").is_null());
  result.cell(2)["query_count"] = 64;
  result.cell(4)["query_count"] = 32;
  plan::Experiment asked = experiment(kSlower);
  asked.paper_query_count = 1000;
  const Json coverage = judge(asked, result.json).at(0).at("coverage");
  EXPECT_EQ(coverage.at("query_count"), 32) << "the least of its cells";
  EXPECT_EQ(coverage.at("paper_query_count"), 1000);
}

TEST(Coverage, TheFormOfTheRunIsSaid) {
  Result result = two(1.25, 1.3, 1.35);
  EXPECT_TRUE(judged(kSlower, result).at("form").is_null());
  result.json["experiment"]["form"] = "quick";
  EXPECT_EQ(judged(kSlower, result).at("form"), "quick");
}

}  // namespace
}  // namespace bellmark::verdict
