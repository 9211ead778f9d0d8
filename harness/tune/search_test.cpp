// The search on known curves, with a bench that measures nothing.
#include "harness/tune/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"

namespace bellmark::tune {
namespace {

Key threshold(std::int64_t value = 100, std::int64_t least = 1, std::int64_t largest = 1'000'000) {
  return at_run_time(integer_key("threshold", value, least, largest, ""), true);
}

Key order() { return at_run_time(word_key("order", "first", {"first", "last", "any"}, ""), true); }

const auto every_candidate = [](const Settings&) { return true; };

/// Times by a formula; blocks differ by a tenth of a per cent.
class FakeBench final : public Bench {
 public:
  FakeBench(Settings start, std::function<double(const Settings&)> seconds)
      : start_(std::move(start)), seconds_(std::move(seconds)) {}

  bool affords(std::size_t cell_count, std::size_t query_count) override {
    return spent + estimate * cell_count * query_count <= budget;
  }

  std::vector<Reading> measure(const std::vector<Settings>& candidates,
                               std::size_t query_count) override {
    spent += (candidates.size() + 1) * query_count;
    estimate = 1;
    rounds.push_back(candidates);
    query_counts.push_back(query_count);
    std::vector<Reading> readings;
    for (const Settings& candidate : candidates) {
      Reading reading;
      if (const auto fault = faults.find(candidate.text()); fault != faults.end()) {
        reading.fault = fault->second;
      } else {
        if (const auto doubt = doubts.find(candidate.text()); doubt != doubts.end()) {
          reading.doubt = doubt->second;
        }
        for (std::size_t block = 0; block < block_count; ++block) {
          const double noise = 0.001 * (static_cast<double>(block) - 2.5);
          reading.block_log_ratios.push_back(std::log(seconds_(candidate) / seconds_(start_)) +
                                             noise);
        }
      }
      readings.push_back(reading);
    }
    return readings;
  }

  bool measured(const std::string& candidate) const {
    return std::ranges::any_of(rounds, [&](const auto& round) {
      return std::ranges::find(round, candidate, &Settings::text) != round.end();
    });
  }

  std::size_t budget = 1'000'000;
  std::size_t estimate = 1;  ///< of a run's time, as a multiple, before the first one
  std::size_t block_count = 6;
  std::map<std::string, std::string> faults;
  std::map<std::string, std::string> doubts;
  std::size_t spent = 0;
  std::vector<std::vector<Settings>> rounds;
  std::vector<std::size_t> query_counts;

 private:
  Settings start_;
  std::function<double(const Settings&)> seconds_;
};

const Tried* find(const Finding& finding, const std::string& candidate) {
  const auto found = std::ranges::find_if(
      finding.tried, [&](const Tried& tried) { return tried.candidate.text() == candidate; });
  return found == finding.tried.end() ? nullptr : &*found;
}

/// Least at `at`, a per cent for each per cent away from it (on a logarithmic scale).
std::function<double(const Settings&)> valley(double at) {
  return [at](const Settings& settings) {
    return 1 + std::abs(std::log(static_cast<double>(settings.integer("threshold")) / at));
  };
}

TEST(Values, OfAShortRangeAreAllIntegers) {
  const Key key = threshold(4, 1, 6);
  EXPECT_EQ(values_near(key, "4", false), (std::vector<std::string>{"1", "2", "3", "5", "6"}));
}

TEST(Values, ClimbALadderAroundTheCurrentOne) {
  EXPECT_EQ(values_near(threshold(4, 2, 32), "4", false),
            (std::vector<std::string>{"2", "8", "16", "32"}));
  EXPECT_EQ(values_near(threshold(1024, 0, 1'000'000'000), "1024", false),
            (std::vector<std::string>{"0", "1", "4", "16", "64", "256", "4096", "16384", "65536",
                                      "262144", "1048576", "4194304"}));
  EXPECT_EQ(values_near(threshold(1024, 0, 1'000'000'000), "1024", true),
            (std::vector<std::string>{"512", "724", "1448", "2048"}));
  EXPECT_EQ(values_near(threshold(0, 0, 100), "0", false),
            (std::vector<std::string>{"1", "4", "16", "64", "100"}));
  EXPECT_EQ(values_near(threshold(1, 1, 1000), "1", true), (std::vector<std::string>{"2"}));
  EXPECT_EQ(values_near(threshold(-8, -100, 0), "-8", true),
            (std::vector<std::string>{"-16", "-11", "-6", "-4"}));
}

TEST(Values, StayWithinTheRangeHoweverLarge) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Key key = threshold(kMost - 1, std::numeric_limits<std::int64_t>::min(), kMost);
  for (const std::string& value : values_near(key, key.default_value, false)) {
    EXPECT_EQ(key.refuse(value), "") << value;
  }
}

TEST(Values, OfWordsAreTheOtherChoicesWithoutAuto) {
  const Key key = word_key("queue", "auto", {"auto", "heap", "scan"}, "");
  EXPECT_EQ(values_near(key, "heap", false), (std::vector<std::string>{"scan"}));
  EXPECT_EQ(values_near(key, "auto", true), (std::vector<std::string>{"heap", "scan"}));
}

TEST(Values, OfManyIntegersThatWereBuiltClimbALadderToo) {
  Key key = integer_key("arity", 4, 2, 40, "");
  for (int value = 2; value <= 32; ++value) key.choices.push_back(std::to_string(value));
  EXPECT_EQ(values_near(key, "4", false), (std::vector<std::string>{"2", "8", "16", "32"}));
  EXPECT_EQ(values_near(key, "8", true), (std::vector<std::string>{"4", "6", "11", "16"}));
  std::erase_if(key.choices,
                [](const std::string& value) { return value == "8" || value == "16"; });
  EXPECT_EQ(values_near(key, "4", false), (std::vector<std::string>{"2", "7", "15", "32"}));
  key.choices.resize(12);
  EXPECT_EQ(values_near(key, "4", false).size(), 11U);
}

TEST(QueryCounts, GrowFourfoldUpToTheMost) {
  EXPECT_EQ(round_query_counts(16), (std::vector<std::size_t>{2, 8, 16}));
  EXPECT_EQ(round_query_counts(2), (std::vector<std::size_t>{2}));
  EXPECT_EQ(round_query_counts(1), (std::vector<std::size_t>{1}));
}

TEST(Search, FindsTheLeastOfAKnownCurve) {
  const Settings start = {{"threshold", "100"}};
  for (const double at : {3.0, 30.0, 101.0, 900.0, 50'000.0}) {
    FakeBench bench(start, valley(at));
    const Finding finding =
        search({threshold()}, start, round_query_counts(16), every_candidate, bench);
    // The second sweep's rungs are a factor of sqrt(2) apart.
    const double found = static_cast<double>(finding.best.integer("threshold"));
    EXPECT_LT(std::abs(std::log(found / at)), std::log(1.5)) << at << " " << found;
    EXPECT_FALSE(finding.exhausted);
    EXPECT_EQ(finding.round_count, bench.rounds.size());
  }
}

TEST(Search, GivesSurvivorsMoreQueriesAndFewerOfThem) {
  const Settings start = {{"threshold", "100"}};
  FakeBench bench(start, valley(1600));
  search({threshold()}, start, round_query_counts(16), every_candidate, bench);
  ASSERT_GE(bench.rounds.size(), 3U);
  EXPECT_EQ(bench.query_counts[0], 2U);
  EXPECT_EQ(bench.query_counts[1], 8U);
  EXPECT_EQ(bench.query_counts[2], 16U);
  EXPECT_LE(bench.rounds[1].size(), (bench.rounds[0].size() + 1) / 2);
}

TEST(Search, KeepsTheDefaultWhenNothingIsBetter) {
  const Settings start = {{"threshold", "100"}, {"order", "first"}};
  FakeBench best_already(start, [&](const Settings& s) {
    return valley(100)(s) + (s.get("order") == "first" ? 0 : 1);
  });
  EXPECT_EQ(
      search({threshold(), order()}, start, round_query_counts(8), every_candidate, best_already)
          .best,
      start);
  // Half a block's noise is no gain: the interval contains 1.
  FakeBench all_the_same(start, [&](const Settings& s) { return s == start ? 1.0 : 0.9995; });
  const Finding finding =
      search({threshold(), order()}, start, round_query_counts(8), every_candidate, all_the_same);
  EXPECT_EQ(finding.best, start);
  EXPECT_FALSE(finding.tried.empty());
}

TEST(Search, SearchesOneKeyBesideTheBestOfTheOthers) {
  const Settings start = {{"threshold", "100"}, {"order", "first"}};
  // `last` is of use only with the right threshold, and the threshold only near 1600.
  FakeBench bench(start, [](const Settings& s) {
    return valley(1600)(s) - (s.get("order") == "last" ? 0.3 : 0);
  });
  const Finding finding =
      search({threshold(), order()}, start, round_query_counts(8), every_candidate, bench);
  EXPECT_EQ(finding.best.text(), "threshold=1600,order=last");
}

TEST(Search, RespectsItsBudget) {
  const Settings start = {{"threshold", "100"}};
  for (const std::size_t budget : {0U, 3U, 9U, 30U, 100U}) {
    FakeBench bench(start, valley(900));
    bench.budget = budget;
    const Finding finding =
        search({threshold()}, start, round_query_counts(16), every_candidate, bench);
    EXPECT_LE(bench.spent, budget);
    EXPECT_TRUE(finding.exhausted) << budget;
    if (budget < 4) {
      EXPECT_EQ(finding.best, start);
    }
    if (budget == 100) {
      EXPECT_NE(finding.best, start);
    }
  }
}

TEST(Search, ThinsAFieldThatIsTooLargeAndSaysSo) {
  const Settings start = {{"threshold", "100"}};
  FakeBench bench(start, valley(900));
  bench.budget = 12;
  const Finding finding =
      search({threshold()}, start, std::vector<std::size_t>{2}, every_candidate, bench);
  EXPECT_LE(bench.rounds.at(0).size(), 5U);
  EXPECT_GT(finding.skipped_count, 0U);
  // Counted once each, and not at all if a later round had time for it.
  FakeBench short_range({{"threshold", "4"}}, [](const Settings&) { return 1.0; });
  short_range.budget = 10;
  const Finding again = search({threshold(4, 1, 6)}, {{"threshold", "4"}},
                               std::vector<std::size_t>{2}, every_candidate, short_range);
  EXPECT_EQ(again.tried.size() + again.skipped_count, 5U);
}

TEST(Search, LeavesNothingOutWhileTimeIsLeft) {
  const Settings start = {{"threshold", "100"}};
  FakeBench bench(start, [](const Settings&) { return 1.0; });
  bench.estimate = 8;
  bench.budget = 60;
  const Finding finding =
      search({threshold()}, start, std::vector<std::size_t>{2}, every_candidate, bench);
  EXPECT_LE(bench.rounds.at(0).size(), 3U);
  EXPECT_EQ(finding.skipped_count, 0U);
  for (const std::string& value : values_near(threshold(), "100", false)) {
    EXPECT_TRUE(bench.measured("threshold=" + value)) << value;
  }
}

TEST(Search, ARoundThatWasCutShortDecidesNothing) {
  const Settings start = {{"threshold", "100"}};
  FakeBench bench(start, valley(900));
  bench.block_count = 3;
  const Finding finding =
      search({threshold()}, start, round_query_counts(16), every_candidate, bench);
  EXPECT_EQ(finding.best, start);
  EXPECT_TRUE(finding.exhausted);
  EXPECT_EQ(finding.round_count, 1U);
  for (const Tried& tried : finding.tried) {
    EXPECT_EQ(tried.fate, Fate::unfinished);
    EXPECT_FALSE(tried.ratio);
  }
}

TEST(Search, DropsACandidateThatFailsAndGoesOn) {
  const Settings start = {{"threshold", "100"}};
  FakeBench bench(start, valley(1600));
  bench.faults["threshold=1600"] = "wrong-answer: query 1";
  const Finding finding =
      search({threshold()}, start, round_query_counts(16), every_candidate, bench);
  const Tried* failed = find(finding, "threshold=1600");
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->fate, Fate::failed);
  EXPECT_EQ(failed->fault, "wrong-answer: query 1");
  EXPECT_FALSE(failed->ratio);
  EXPECT_NE(finding.best, start);
  EXPECT_NE(finding.best.text(), "threshold=1600");
  const auto tries = std::ranges::count_if(bench.rounds, [](const auto& round) {
    return std::ranges::find(round, "threshold=1600", &Settings::text) != round.end();
  });
  EXPECT_EQ(tries, 1);
}

TEST(Search, ConcludesNothingFromTimesThatAreDoubted) {
  const Settings start = {{"order", "first"}};
  FakeBench bench(start, [](const Settings& s) {
    return s.get("order") == "any" ? 2.0 : s.get("order") == "last" ? 0.5 : 1.0;
  });
  bench.doubts = {{"order=last", "disturbed: other programs"},
                  {"order=any", "disturbed: other programs"}};
  const Finding finding = search({order()}, start, round_query_counts(2), every_candidate, bench);
  EXPECT_EQ(finding.best, start);
  for (const char* candidate : {"order=last", "order=any"}) {
    const Tried* tried = find(finding, candidate);
    ASSERT_NE(tried, nullptr);
    EXPECT_EQ(tried->doubt, "disturbed: other programs");
    EXPECT_NE(tried->fate, Fate::worse);
  }
  // The undoubted candidate beside it is judged.
  bench.doubts.erase("order=last");
  EXPECT_EQ(
      search({order()}, start, round_query_counts(2), every_candidate, bench).best.get("order"),
      "last");
}

TEST(Search, KeepsTheDefaultWhenEveryCandidateFails) {
  const Settings start = {{"order", "first"}};
  FakeBench bench(start, [](const Settings&) { return 1.0; });
  bench.faults = {{"order=last", "crash: signal 11"}, {"order=any", "timeout: 10 s"}};
  const Finding finding = search({order()}, start, round_query_counts(16), every_candidate, bench);
  EXPECT_EQ(finding.best, start);
  EXPECT_FALSE(finding.exhausted);
  EXPECT_EQ(finding.round_count, 1U);
}

TEST(Search, LeavesOutWhatWasNotBuilt) {
  const Settings start = {{"order", "first"}};
  FakeBench bench(start, [](const Settings& s) { return s.get("order") == "any" ? 0.5 : 1.0; });
  const Finding finding = search(
      {order()}, start, round_query_counts(4),
      [](const Settings& s) { return s.get("order") != "any"; }, bench);
  EXPECT_EQ(finding.best, start);
  EXPECT_FALSE(bench.measured("order=any"));
  EXPECT_TRUE(bench.measured("order=last"));
}

/// Two thresholds that only help together. Neither alone leads from the start to the best place.
double only_together(const Settings& settings) {
  const bool low = settings.integer("threshold") <= 7;
  const bool high = settings.integer("other") >= 1600;
  return low && high ? 0.5 : low || high ? 2.0 : 1.0;
}

TEST(Search, AGridFindsWhatNoKeyAloneLeadsTo) {
  std::vector<Key> keys = {threshold(), threshold()};
  keys[1].name = "other";
  Settings start;
  start.set("threshold", "100");
  start.set("other", "100");
  const std::vector<std::size_t> counts = {2, 8};
  FakeBench ladder(start, only_together);
  EXPECT_EQ(search(keys, start, counts, every_candidate, ladder).best, start);
  FakeBench grid(start, only_together);
  const Finding finding = search(keys, start, counts, every_candidate, grid, Strategy::grid);
  EXPECT_LE(finding.best.integer("threshold"), 7);
  EXPECT_GE(finding.best.integer("other"), 1600);
  // All combinations of 11 and 12 values but the start, and none twice.
  EXPECT_EQ(grid.rounds.front().size(), (values_near(keys[0], "100", false).size() + 1) *
                                                (values_near(keys[1], "100", false).size() + 1) -
                                            1);
}

TEST(Search, AGridThatIsTooDearIsThinnedEvenly) {
  std::vector<Key> keys = {threshold(), order()};
  Settings start;
  start.set("threshold", "100");
  start.set("order", "first");
  const std::vector<std::size_t> counts = {2};
  FakeBench bench(start, valley(6));
  bench.budget = 40;
  const Finding finding = search(keys, start, counts, every_candidate, bench, Strategy::grid);
  EXPECT_GT(finding.skipped_count, 0U);
  std::set<std::string> orders;
  for (const Settings& candidate : bench.rounds.front()) orders.insert(candidate.get("order"));
  EXPECT_EQ(orders.size(), 3U);
}

TEST(Strategy, HasNames) {
  EXPECT_EQ(strategy_of(to_string(Strategy::grid)), Strategy::grid);
  EXPECT_THROW(strategy_of("gird"), InputError);
}

}  // namespace
}  // namespace bellmark::tune
