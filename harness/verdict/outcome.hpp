// The table of outcomes: the outcome of one measured row against the paper's range
// (docs/explain/how-claims-are-judged.md). Pure functions of numbers.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/statistics.hpp"

namespace bellmark::verdict {

/// The beginning of the reason of a row that a doubt left unjudged. The doubt follows.
inline const std::string kNotJudged = "not judged: ";

/// Ratios within this factor of the rival are ties, and no range is narrower on either side.
inline constexpr double kTieZone = 1.03;

/// A range moves outwards by this share of its effect.
inline constexpr double kToleranceShare = 0.1;

/// The paper's statement on a value, and the value that its sentence denies.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double rival = 1;
  bool is_exact = false;  ///< bounds of the claim's own, which have no tolerance
  bool has_side = true;   ///< false for one cell's own value, which has no rival either
};

enum class Side { below, above, none };
Side side_of(const Range& range);

/// The range with its tolerance, cut off at the rival on a side.
Range widened(const Range& range);

enum class Outcome { reproduced, direction_only, not_reproduced, inconclusive, not_testable };
std::string to_string(Outcome outcome);

/// How a value on the paper's side misses its range.
enum class Size { fits, weaker, stronger, open };
/// "" for `fits`.
std::string to_string(Size size);

struct Judged {
  Outcome outcome = Outcome::inconclusive;
  Size size = Size::fits;
  bool is_below_resolution = false;  ///< why it is inconclusive
};

/// Lines 3 to 7 of the table. `resolution` is a logarithm; 0 for exact values. O(1).
Judged judge_row(double value, const measure::Interval& interval, const Range& range,
                 double resolution);

/// The two-sided sign test's p of the values against the edge beyond which they contradict the
/// range (lines 5 and 6). It is 1 if none contradicts. O(values).
double contradiction_p(std::span<const double> values, const Range& range);

/// The level of rows, unless a run looks more than once.
inline constexpr double kLevel = 0.05;

/// Holm's step-down correction: the rejected hypotheses, by index. O(n log n).
std::vector<bool> holm(std::span<const double> p_values, double level = kLevel);

/// The least two-sided p that a sign test of `count` values can give.
double least_p(std::size_t count);

/// The number of blocks that can decide `row_count` rows after Holm's correction: 6, 8 or 10, and
/// more for more rows.
std::size_t blocks_for(std::size_t row_count);

/// The approximate number of blocks that would decide an undecided value: (2.46 s / d)^2, with s
/// the standard deviation of the logarithms and d the distance to the nearest edge of the table.
/// Six at least, and nothing where s is unknown or d is 0.
std::optional<double> blocks_to_decide(double value, double log_deviation, const Range& range);

}  // namespace bellmark::verdict
