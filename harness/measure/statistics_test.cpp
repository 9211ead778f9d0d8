// Medians, exact intervals and outcomes against direct computations.
#include "harness/measure/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace bellmark::measure {
namespace {

/// 1, 2, ..., n in a shuffled order.
std::vector<double> shuffled_ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  std::ranges::shuffle(values, std::mt19937(7));
  return values;
}

/// P(B < k) for B binomial(n, 1/2), by Pascal's triangle: another way than the code under test.
double below(std::size_t n, std::size_t k) {
  std::vector<double> row = {1};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> next(row.size() + 1, 0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      next[j] += row[j] / 2;
      next[j + 1] += row[j] / 2;
    }
    row = next;
  }
  return std::accumulate(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
}

TEST(Median, OddEvenAndOne) {
  EXPECT_EQ(median(std::vector<double>{5}), 5);
  EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(shuffled_ranks(101)), 51);
}

TEST(MedianInterval, NoneBelowSixValues) {
  for (std::size_t n = 0; n <= 5; ++n) EXPECT_FALSE(median_interval(shuffled_ranks(n))) << n;
}

TEST(MedianInterval, SixValuesGiveLeastAndLargest) {
  const auto interval = median_interval(std::vector<double>{3, 1, 6, 2, 5, 4});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1);
  EXPECT_EQ(interval->high, 6);
}

TEST(MedianInterval, TabulatedOrderStatistics) {
  // Columns of a sign-test table: n, k with the interval from the k-th smallest to k-th largest.
  const std::vector<std::pair<std::size_t, double>> table = {
      {6, 1}, {8, 1}, {9, 2}, {11, 2}, {12, 3}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {50, 18}};
  for (const auto& [n, k] : table) {
    const auto interval = median_interval(shuffled_ranks(n));
    ASSERT_TRUE(interval) << n;
    EXPECT_EQ(interval->low, k) << n;
    EXPECT_EQ(interval->high, static_cast<double>(n) + 1 - k) << n;
  }
}

TEST(MedianInterval, NarrowestThatCoversAtLeast95Percent) {
  for (std::size_t n = kBlocksForInterval; n <= 200; ++n) {
    const auto interval = median_interval(shuffled_ranks(n));
    ASSERT_TRUE(interval) << n;
    const auto k = static_cast<std::size_t>(interval->low);
    EXPECT_EQ(interval->high, static_cast<double>(n + 1 - k)) << n;
    EXPECT_LE(2 * below(n, k), 0.05) << n;
    EXPECT_TRUE(2 * below(n, k + 1) > 0.05 || k == n / 2) << n;
  }
}

TEST(Outliers, CountsWhatIsFarFromTheMedian) {
  EXPECT_EQ(count_outliers(std::vector<double>{}), 0U);
  EXPECT_EQ(count_outliers(std::vector<double>{1, 1000}), 0U);
  EXPECT_EQ(count_outliers(std::vector<double>{10, 11, 9, 10, 12, 8, 100}), 1U);
  EXPECT_EQ(count_outliers(std::vector<double>{10, 11, 9, 10, 12, 8, 100, -80}), 2U);
  EXPECT_EQ(count_outliers(shuffled_ranks(50)), 0U);
}

TEST(Outliers, LimitIsThreeScaledDeviations) {
  // The median is 0 and the median deviation 1, so the limit is 3 * 1.4826 = 4.4478.
  EXPECT_EQ(count_outliers(std::vector<double>{0, 1, -1, 1, -1, 4.44}), 0U);
  EXPECT_EQ(count_outliers(std::vector<double>{-1, 1, -1, 1, 0, -4.46, 4.46}), 2U);
}

TEST(Judge, OutcomesAndTheirEdges) {
  EXPECT_EQ(judge(std::nullopt), Outcome::unclear);
  EXPECT_EQ(judge(Interval{0.5, 0.9}), Outcome::faster);
  EXPECT_EQ(judge(Interval{0.99, 0.999}), Outcome::faster);
  EXPECT_EQ(judge(Interval{1.1, 1.2}), Outcome::slower);
  EXPECT_EQ(judge(Interval{1.001, 1.01}), Outcome::slower);
  EXPECT_EQ(judge(Interval{1, 1}), Outcome::same);
  EXPECT_EQ(judge(Interval{1, 1.02}), Outcome::same);
  EXPECT_EQ(judge(Interval{0.98, 1}), Outcome::same);
  EXPECT_EQ(judge(Interval{1 - kSameWithin, 1 + kSameWithin}), Outcome::same);
  EXPECT_EQ(judge(Interval{1 - kSameWithin, 1.0301}), Outcome::unclear);
  // Here a difference counts from 10 % on.
  EXPECT_EQ(judge(std::nullopt, 1.1), Outcome::unclear);
  EXPECT_EQ(judge(Interval{1.11, 1.2}, 1.1), Outcome::slower);
  EXPECT_EQ(judge(Interval{1.09, 1.2}, 1.1), Outcome::unclear);
  EXPECT_EQ(judge(Interval{1.01, 1.09}, 1.1), Outcome::same);
  EXPECT_EQ(judge(Interval{0.8, 0.9}, 1.1), Outcome::faster);
  EXPECT_EQ(judge(Interval{0.8, 0.92}, 1.1), Outcome::unclear);
  EXPECT_EQ(judge(Interval{1.001, 1.01}, std::nullopt), Outcome::slower);
  EXPECT_EQ(judge(Interval{0.9699, 1 + kSameWithin}), Outcome::unclear);
  EXPECT_EQ(judge(Interval{0.5, 2}), Outcome::unclear);
}

TEST(Judge, Words) {
  EXPECT_EQ(to_string(Outcome::same), "SAME");
  EXPECT_EQ(to_string(Outcome::faster), "FASTER");
  EXPECT_EQ(to_string(Outcome::slower), "SLOWER");
  EXPECT_EQ(to_string(Outcome::unclear), "UNCLEAR");
}

TEST(RatioOverBlocks, MedianAndIntervalOfTheRatios) {
  std::vector<double> logs;
  for (const double ratio : {1.5, 1.1, 1.3, 1.2, 1.4, 1.6}) logs.push_back(std::log(ratio));
  const Ratio ratio = ratio_over_blocks(logs);
  EXPECT_NEAR(ratio.value, std::sqrt(1.3 * 1.4), 1e-12);
  ASSERT_TRUE(ratio.interval);
  EXPECT_NEAR(ratio.interval->low, 1.1, 1e-12);
  EXPECT_NEAR(ratio.interval->high, 1.6, 1e-12);
}

TEST(RatioOverBlocks, NoIntervalBelowSixBlocks) {
  const Ratio ratio = ratio_over_blocks(std::vector<double>(5, std::log(2.0)));
  EXPECT_NEAR(ratio.value, 2, 1e-12);
  EXPECT_FALSE(ratio.interval);
}

TEST(RatioOverBlocks, SwappingTheSidesInvertsIt) {
  std::vector<double> logs = {0.1, -0.2, 0.3, 0.05, 0.02, -0.1, 0.4};
  const Ratio forward = ratio_over_blocks(logs);
  for (double& value : logs) value = -value;
  const Ratio backward = ratio_over_blocks(logs);
  EXPECT_NEAR(forward.value * backward.value, 1, 1e-12);
  EXPECT_NEAR(forward.interval->low * backward.interval->high, 1, 1e-12);
}

TEST(BlockLogRatio, PairedTakesRatiosPassByPass) {
  // The machine slows down threefold from pass to pass; a is always twice b.
  const StepTimes a = {{2, 20}, {6, 60}, {18, 180}};
  const StepTimes b = {{1, 10}, {3, 30}, {9, 90}};
  EXPECT_NEAR(block_log_ratio(a, b, true), std::log(2.0), 1e-12);
  EXPECT_NEAR(block_log_ratio(b, a, true), -std::log(2.0), 1e-12);
}

TEST(BlockLogRatio, PairedAndUnpairedDifferUnderDrift) {
  const StepTimes a = {{1}, {2}, {30}};
  const StepTimes b = {{10}, {4}, {3}};
  // Pass by pass: 0.1, 0.5, 10. Medians: 2 and 4.
  EXPECT_NEAR(block_log_ratio(a, b, true), std::log(0.5), 1e-12);
  const StepTimes c = {{8}, {4}, {60}};
  // Pass by pass: 0.8, 1, 20. Medians: 8 and 4.
  EXPECT_NEAR(block_log_ratio(c, b, true), std::log(1.0), 1e-12);
  EXPECT_NEAR(block_log_ratio(c, b, false), std::log(2.0), 1e-12);
}

TEST(BlockLogRatio, StepsWeighAlikeWhateverTheirLength) {
  // One query twice as slow; the other, a thousand times longer, twice as fast.
  const StepTimes a = {{2, 5000}};
  const StepTimes b = {{1, 10000}};
  EXPECT_NEAR(block_log_ratio(a, b, true), 0, 1e-12);
  EXPECT_NEAR(block_log_ratio(a, b, false), 0, 1e-12);
}

TEST(BlockLogRatio, UnequalPassCounts) {
  const StepTimes a = {{2}, {4}, {1000}};
  const StepTimes b = {{1}, {2}};
  EXPECT_NEAR(block_log_ratio(a, b, true), std::log(2.0), 1e-12);  // the passes both have
  EXPECT_NEAR(block_log_ratio(a, b, false), std::log(4 / std::sqrt(2.0)), 1e-12);
}

TEST(BlockLogRatio, DifferentStepCountsCompareWholePasses) {
  const StepTimes batch = {{30}, {60}};
  const StepTimes single = {{4, 5, 6}, {10, 10, 10}};
  EXPECT_NEAR(block_log_ratio(batch, single, true), std::log(2.0), 1e-12);
  EXPECT_NEAR(block_log_ratio(single, batch, true), -std::log(2.0), 1e-12);
}

}  // namespace
}  // namespace bellmark::measure
