// Medians, exact order-statistic intervals and outcomes: every number that a verdict rests on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bellmark::measure {

/// Two values whose ratio's interval contains 1 are called the same only when the interval also
/// lies within this distance of 1; a wider interval says nothing.
inline constexpr double kSameWithin = 0.03;

/// The fewest blocks with an exact 95 % order-statistic interval: 1 - 2 (1/2)^6 = 96.9 %.
inline constexpr std::size_t kBlocksForInterval = 6;

struct Interval {
  double low;
  double high;
};

/// Middle value, or the mean of the two middle ones. `values` must not be empty. O(n).
double median(std::span<const double> values);

/// Exact distribution-free interval for the median with at least 95 % coverage (the sign test,
/// inverted): the k-th smallest and largest values, k the largest for which 2 P(B < k) <= 5 %,
/// B binomial(n, 1/2). Nothing below 6 values. Another `level` takes the place of 5 %.
std::optional<Interval> median_interval(std::span<const double> values, double level = 0.05);

/// The standard deviation of the values' logarithms; 0 of fewer than two. Values are above 0.
double log_deviation(const std::vector<double>& values);

/// Values further than 3 scaled median absolute deviations from the median. They are flagged,
/// never dropped.
std::size_t count_outliers(std::span<const double> values);

/// What a ratio of times a/b says of a. `unclear`: no interval, or one that contains 1 and is
/// wider than kSameWithin.
enum class Outcome { same, faster, slower, unclear };
std::string to_string(Outcome outcome);
Outcome judge(std::optional<Interval> ratio_interval);

/// The same where a difference counts from a factor `least` on, as 1.03: faster and slower are
/// intervals that lie beyond it as a whole, same is one that lies within it either way.
Outcome judge(std::optional<Interval> ratio_interval, std::optional<double> least);

/// A ratio of times over blocks: median and sign-test interval, computed on logarithms.
struct Ratio {
  double value;
  std::optional<Interval> interval;
};
Ratio ratio_over_blocks(std::span<const double> block_log_ratios);

/// Times of one cell in one block: [pass][step], nanoseconds. A step is one query, or the whole
/// batch of a batch variant.
using StepTimes = std::vector<std::vector<double>>;

/// Log of the ratio a/b in one block: the mean over steps of the median over passes. When both were
/// sampled alternately in one process (`paired`) the median is over pass-by-pass ratios, which
/// cancels drift; otherwise each side has its own median. Steps are paired, never pooled, so that
/// variation over queries doesn't widen the interval. When the step counts differ (one side is
/// batched) whole passes are compared.
double block_log_ratio(const StepTimes& a, const StepTimes& b, bool paired);

}  // namespace bellmark::measure
