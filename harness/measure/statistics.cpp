#include "harness/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bellmark::measure {
namespace {

/// The largest k >= 1 for which 2 P(B < k) <= level with B ~ binomial(n, 1/2); 0 if there is none.
std::size_t order_statistic(std::size_t n, double level) {
  double term = std::pow(0.5, static_cast<double>(n));  // P(B = 0)
  double below = 0;
  std::size_t k = 0;
  while (k < n / 2) {
    below += term;
    if (2 * below > level) break;
    ++k;
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
  }
  return k;
}

StepTimes pass_sums(const StepTimes& times) {
  StepTimes sums;
  for (const auto& pass : times) {
    sums.push_back({std::accumulate(pass.begin(), pass.end(), 0.0)});
  }
  return sums;
}

double median_log(const StepTimes& times, std::size_t step) {
  std::vector<double> logs;
  for (const auto& pass : times) logs.push_back(std::log(pass[step]));
  return median(logs);
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
}

std::optional<Interval> median_interval(std::span<const double> values, double level) {
  const std::size_t k = order_statistic(values.size(), level);
  if (k == 0) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return Interval{sorted[k - 1], sorted[sorted.size() - k]};
}

double log_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double mean = 0;
  for (const double value : values) mean += std::log(value) / static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += std::pow(std::log(value) - mean, 2);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

std::size_t count_outliers(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double center = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - center));
  // 1.4826 scales the median absolute deviation to a standard deviation of a normal sample.
  const double limit = 3 * 1.4826 * median(deviations);
  return static_cast<std::size_t>(
      std::ranges::count_if(deviations, [&](double deviation) { return deviation > limit; }));
}

std::string to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::same:
      return "SAME";
    case Outcome::faster:
      return "FASTER";
    case Outcome::slower:
      return "SLOWER";
    case Outcome::unclear:
      return "UNCLEAR";
  }
  return "UNCLEAR";
}

Outcome judge(std::optional<Interval> ratio_interval) {
  if (!ratio_interval) return Outcome::unclear;
  if (ratio_interval->high < 1) return Outcome::faster;
  if (ratio_interval->low > 1) return Outcome::slower;
  const bool tight =
      ratio_interval->low >= 1 - kSameWithin && ratio_interval->high <= 1 + kSameWithin;
  return tight ? Outcome::same : Outcome::unclear;
}

Outcome judge(std::optional<Interval> ratio_interval, std::optional<double> least) {
  if (!least) return judge(ratio_interval);
  if (!ratio_interval) return Outcome::unclear;
  const auto [low, high] = *ratio_interval;
  if (high * *least < 1) return Outcome::faster;
  if (low > *least) return Outcome::slower;
  return low * *least >= 1 && high <= *least ? Outcome::same : Outcome::unclear;
}

Ratio ratio_over_blocks(std::span<const double> block_log_ratios) {
  Ratio ratio{std::exp(median(block_log_ratios)), std::nullopt};
  if (const auto interval = median_interval(block_log_ratios)) {
    ratio.interval = Interval{std::exp(interval->low), std::exp(interval->high)};
  }
  return ratio;
}

double block_log_ratio(const StepTimes& a, const StepTimes& b, bool paired) {
  if (a.front().size() != b.front().size()) {
    return block_log_ratio(pass_sums(a), pass_sums(b), paired);
  }
  const std::size_t steps = a.front().size();
  double sum = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    if (!paired) {
      sum += median_log(a, step) - median_log(b, step);
      continue;
    }
    std::vector<double> log_ratios;
    for (std::size_t pass = 0; pass < std::min(a.size(), b.size()); ++pass) {
      log_ratios.push_back(std::log(a[pass][step] / b[pass][step]));
    }
    sum += median(log_ratios);
  }
  return sum / static_cast<double>(steps);
}

}  // namespace bellmark::measure
