#include "harness/verdict/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/enum_names.hpp"

namespace bellmark::verdict {
namespace {

constexpr EnumNames<Outcome, 5> kOutcomeNames = {{{{Outcome::reproduced, "reproduced"},
                                                   {Outcome::direction_only, "direction only"},
                                                   {Outcome::not_reproduced, "not reproduced"},
                                                   {Outcome::inconclusive, "inconclusive"},
                                                   {Outcome::not_testable, "not testable here"}}}};

/// The factor by which an end of the range moves. Without a rival there is no effect to take a
/// share of.
double tolerance(double end, const Range& range) {
  if (!range.has_side) return kTieZone;
  const double effect = std::abs(std::log(end / range.rival));
  return std::exp(std::max(std::log(kTieZone), kToleranceShare * effect));
}

bool is_inside(const measure::Interval& interval, const Range& widened, Side side) {
  // If the range was cut off at the rival, a value at the rival is not inside.
  const bool above_low = side == Side::above && widened.low <= widened.rival
                             ? interval.low > widened.low
                             : interval.low >= widened.low;
  const bool below_high = side == Side::below && widened.high >= widened.rival
                              ? interval.high < widened.high
                              : interval.high <= widened.high;
  return above_low && below_high;
}

/// The p of a sign test with `count` of `n` values beyond an edge: P(B >= count), both sides.
double sign_test_p(std::size_t count, std::size_t n) {
  double term = std::pow(0.5, static_cast<double>(n));  // P(B = n)
  double sum = 0;
  for (std::size_t k = n; k + 1 > count; --k) {
    sum += term;
    term *= static_cast<double>(k) / static_cast<double>(n - k + 1);
    if (k == 0) break;
  }
  return std::min(1.0, 2 * sum);
}

}  // namespace

Side side_of(const Range& range) {
  if (!range.has_side) return Side::none;
  const bool within_tie =
      range.low >= range.rival / kTieZone && range.high <= range.rival * kTieZone;
  if (within_tie) return Side::none;
  if (range.high <= range.rival) return Side::below;
  if (range.low >= range.rival) return Side::above;
  return Side::none;
}

Range widened(const Range& range) {
  Range wide = range;
  const Side side = side_of(range);
  if (!range.is_exact) {
    if (range.low > 0) wide.low = range.low / tolerance(range.low, range);
    if (range.high > 0 && std::isfinite(range.high))
      wide.high = range.high * tolerance(range.high, range);
  }
  if (side == Side::below) wide.high = std::min(wide.high, range.rival);
  if (side == Side::above) wide.low = std::max(wide.low, range.rival);
  return wide;
}

std::string to_string(Outcome outcome) { return kOutcomeNames.name_of(outcome); }

std::string to_string(Size size) {
  switch (size) {
    case Size::fits:
      return {};
    case Size::weaker:
      return "weaker";
    case Size::stronger:
      return "stronger";
    case Size::open:
      return "size open";
  }
  return {};
}

Judged judge_row(double value, const measure::Interval& interval, const Range& range,
                 double resolution) {
  const Side side = side_of(range);
  const Range wide = widened(range);
  const bool too_small = side != Side::none && std::abs(std::log(value / range.rival)) < resolution;
  const bool below_tie = interval.high < range.rival / kTieZone;
  const bool above_tie = interval.low > range.rival * kTieZone;
  Judged judged;
  if (is_inside(interval, wide, side)) {
    judged.outcome = Outcome::reproduced;
  } else if (side == Side::none) {
    const bool outside = interval.high < wide.low || interval.low > wide.high;
    judged.outcome = outside ? Outcome::not_reproduced : Outcome::inconclusive;
  } else if (side == Side::below ? below_tie : above_tie) {
    judged.outcome = Outcome::direction_only;
    const bool less = interval.high < wide.low;
    const bool more = interval.low > wide.high;
    judged.size = less   ? (side == Side::below ? Size::stronger : Size::weaker)
                  : more ? (side == Side::below ? Size::weaker : Size::stronger)
                         : Size::open;
  } else if (side == Side::below ? above_tie : below_tie) {
    judged.outcome = Outcome::not_reproduced;
  }
  if (too_small && judged.outcome != Outcome::inconclusive) {
    return {Outcome::inconclusive, Size::fits, true};
  }
  return judged;
}

double contradiction_p(std::span<const double> values, const Range& range) {
  const auto beyond = [&](double low, double high) {
    const auto below = std::ranges::count_if(values, [&](double value) { return value < low; });
    const auto above = std::ranges::count_if(values, [&](double value) { return value > high; });
    return static_cast<std::size_t>(std::max(below, above));
  };
  constexpr double kNone = -1;
  constexpr double kEvery = std::numeric_limits<double>::infinity();
  std::size_t count = 0;
  switch (side_of(range)) {
    case Side::below:
      count = beyond(kNone, range.rival * kTieZone);
      break;
    case Side::above:
      count = beyond(range.rival / kTieZone, kEvery);
      break;
    case Side::none: {
      const Range wide = widened(range);
      count = beyond(wide.low, wide.high);
      break;
    }
  }
  if (count == 0) return 1;
  return sign_test_p(count, values.size());
}

std::vector<bool> holm(std::span<const double> p_values, double level) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<bool> rejected(p_values.size(), false);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    if (p_values[order[rank]] > level / static_cast<double>(order.size() - rank)) break;
    rejected[order[rank]] = true;
  }
  return rejected;
}

double least_p(std::size_t count) {
  return count == 0 ? 1 : std::min(1.0, 2 * std::pow(0.5, static_cast<double>(count)));
}

std::size_t blocks_for(std::size_t row_count) {
  std::size_t blocks = measure::kBlocksForInterval;
  while (least_p(blocks) > kLevel / static_cast<double>(std::max<std::size_t>(1, row_count))) {
    blocks += 2;
  }
  return blocks;
}

std::optional<double> blocks_to_decide(double value, double log_deviation, const Range& range) {
  // The median's standard error is 1.253 s / sqrt(n) of a normal sample; 1.96 of them reach the
  // edge.
  constexpr double kFactor = 1.96 * 1.2533;
  const Range wide = widened(range);
  std::vector<double> edges = {wide.low, wide.high};
  if (side_of(range) != Side::none) {
    edges.push_back(range.rival / kTieZone);
    edges.push_back(range.rival * kTieZone);
  }
  double distance = std::numeric_limits<double>::infinity();
  for (const double edge : edges) {
    if (edge <= 0 || !std::isfinite(edge)) continue;
    distance = std::min(distance, std::abs(std::log(value / edge)));
  }
  if (!std::isfinite(distance) || distance == 0 || !(log_deviation > 0)) return std::nullopt;
  const double needed = std::pow(kFactor * log_deviation / distance, 2);
  return std::max(static_cast<double>(measure::kBlocksForInterval), std::ceil(needed));
}

}  // namespace bellmark::verdict
