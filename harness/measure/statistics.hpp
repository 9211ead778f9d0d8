// Medians, exact order-statistic intervals and outcomes: the numbers behind every verdict.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bellmark::measure {

/// The largest distance from 1 of an interval that means the same time. Two values are the same
/// only when their ratio's interval contains 1 and lies within this distance. A wider interval says
/// nothing.
inline constexpr double kSameWithin = 0.03;

/// The fewest blocks with an exact 95 % order-statistic interval: 1 - 2 (1/2)^6 = 96.9 %.
inline constexpr std::size_t kBlocksForInterval = 6;

struct Interval {
  double low;
  double high;
};

/// The middle value, or the mean of the two middle values. `values` must not be empty. O(n).
double median(std::span<const double> values);

/// Exact distribution-free interval for the median with at least 95 % coverage (the sign test,
/// inverted). It has the k-th smallest and largest values, where k is the largest with 2 P(B < k)
/// <= 5 %, B binomial(n, 1/2). Nothing below 6 values. Another `level` replaces 5 %.
std::optional<Interval> median_interval(std::span<const double> values, double level = 0.05);

/// The standard deviation of the values' logarithms; 0 of fewer than two. Values are above 0.
double log_deviation(const std::vector<double>& values);

/// The number of values further than 3 scaled median absolute deviations from the median. They are
/// flagged, never dropped.
std::size_t count_outliers(std::span<const double> values);

/// The meaning of a ratio of times a/b for a. `unclear`: no interval, or an interval that contains
/// 1 and is wider than kSameWithin.
enum class Outcome { same, faster, slower, unclear };
std::string to_string(Outcome outcome);
Outcome judge(std::optional<Interval> ratio_interval);

/// The outcome where a difference counts from a factor `least` on, such as 1.03. Faster and slower
/// intervals lie beyond it as a whole. Same intervals lie within it either way.
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

/// Log of the ratio a/b in one block: the mean over steps of the median over passes. If both were
/// sampled alternately in one process (`paired`), the median is over pass-by-pass ratios, which
/// cancels drift. Otherwise each side has its own median. Steps are paired, never pooled, so that
/// variation over queries doesn't widen the interval. When the step counts differ (one side is
/// batched), whole passes are compared.
double block_log_ratio(const StepTimes& a, const StepTimes& b, bool paired);

}  // namespace bellmark::measure
