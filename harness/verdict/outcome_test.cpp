// The table of outcomes against a naive form of its lines, over every interval on a grid that has
// all edges. Holm's correction and sign tests against their definitions.
#include "harness/verdict/outcome.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace bellmark::verdict {
namespace {

using measure::Interval;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Range range(double low, double high, double rival = 1) {
  return {.low = low, .high = high, .rival = rival};
}
Range exact(Range range) {
  range.is_exact = true;
  return range;
}

/// Ranges in all positions that the page tells apart, over rivals, with and without tolerance, with
/// and without a side.
std::vector<Range> all_ranges() {
  const std::vector<std::pair<double, double>> over_rival = {
      {0.5, 0.8},  // below
      {1.2, 1.5},  // above
      {0.7, 0.7},
      {1.3, 1.3},  // single figures
      {0.98, 0.98},
      {1, 1},
      {1.02, 1.02},  // single figures within the tie zone
      {0.98, 1.02},
      {1, 1.02},  // within the tie zone
      {0.9, 1.1},
      {0.98, 1.2},  // around the rival
      {1, 1.5},
      {0.5, 1},  // up to the rival
      {1.01, 1.3},
      {0.7, 0.99},  // from within the tie zone
      {1.04, 1.04},
      {1.05, 1.05},  // as near to the rival as the tolerance
      {0, 0.8},
      {1.3, kInfinity},  // open ends
      {0, 1},
      {1, kInfinity},
      {0, 1.2},
      {0, 1 / kTieZone},
      {kTieZone, kInfinity},      // which is faster
      {1 / kTieZone, kInfinity},  // the best, or tied with it
      {100, 250},
      {0.001, 0.01}};
  std::vector<Range> ranges;
  for (const double rival : {1.0, 2.0, 0.25, 31.6}) {
    for (const auto& [low, high] : over_rival) {
      for (const bool is_exact : {false, true}) {
        for (const bool has_side : {false, true}) {
          ranges.push_back({low * rival, high * rival, rival, is_exact, has_side});
        }
      }
    }
  }
  return ranges;
}

std::string text_of(const Range& range) {
  return std::to_string(range.low) + ".." + std::to_string(range.high) + " against " +
         std::to_string(range.rival) + (range.is_exact ? ", exact" : "") +
         (range.has_side ? "" : ", without a side");
}

double log_over(double value, double rival) { return std::log(value / rival); }

/// Every edge of the table's lines, points between them, and points beyond.
std::vector<double> grid_of(const Range& range) {
  const Range wide = widened(range);
  std::vector<double> edges;
  for (const double edge :
       {wide.low, wide.high, range.rival, range.rival / kTieZone, range.rival * kTieZone}) {
    if (edge > 0 && std::isfinite(edge)) edges.push_back(edge);
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<double> grid = {edges.front() / 3, edges.front() / 1.001};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    grid.push_back(edges[i]);
    if (i + 1 < edges.size()) grid.push_back(std::sqrt(edges[i] * edges[i + 1]));
  }
  grid.push_back(edges.back() * 1.001);
  grid.push_back(edges.back() * 3);
  return grid;
}

/// The side as the page defines it, on logarithms.
Side naive_side(const Range& range) {
  const double low = log_over(range.low, range.rival);
  const double high = log_over(range.high, range.rival);
  const double tie = std::log(kTieZone) + 1e-12;
  const bool is_around = low < 0 && high > 0;
  const bool is_tie = low >= -tie && high <= tie;
  if (!range.has_side || is_around || is_tie) return Side::none;
  return high <= 0 ? Side::below : Side::above;
}

/// The table's lines 3 to 7 in the page's words. `fits[i]` is true if line i fits.
struct NaiveTable {
  std::map<int, bool> fits;
  Size size = Size::fits;

  NaiveTable(const Interval& interval, const Range& range) {
    const Side side = naive_side(range);
    const Range wide = widened(range);
    const double tie_low = range.rival / kTieZone;
    const double tie_high = range.rival * kTieZone;
    const bool touches_rival =
        side != Side::none && ((interval.low == range.rival && wide.low == range.rival) ||
                               (interval.high == range.rival && wide.high == range.rival));
    const bool below = interval.high < tie_low;
    const bool above = interval.low > tie_high;
    fits[3] = interval.low >= wide.low && interval.high <= wide.high && !touches_rival;
    fits[4] = (side == Side::below && below) || (side == Side::above && above);
    fits[5] = (side == Side::below && above) || (side == Side::above && below);
    fits[6] = side == Side::none && (interval.high < wide.low || interval.low > wide.high);
    fits[7] = true;
    if (fits[4] && !fits[3]) size = size_of(interval, wide);
  }

  int first() const {
    return std::ranges::find_if(fits, [](const auto& line) { return line.second; })->first;
  }

 private:
  /// By distances from the rival: the nearest and farthest point of each.
  static Size size_of(const Interval& interval, const Range& wide) {
    const auto distance = [&](double x) { return std::abs(log_over(x, wide.rival)); };
    const auto of_interval = std::minmax({distance(interval.low), distance(interval.high)});
    const auto of_range = std::minmax({distance(wide.low), distance(wide.high)});
    if (of_interval.second < of_range.first) return Size::weaker;
    if (of_interval.first > of_range.second) return Size::stronger;
    return Size::open;
  }
};

Outcome outcome_of_line(int line) {
  const std::map<int, Outcome> outcomes = {{3, Outcome::reproduced},
                                           {4, Outcome::direction_only},
                                           {5, Outcome::not_reproduced},
                                           {6, Outcome::not_reproduced},
                                           {7, Outcome::inconclusive}};
  return outcomes.at(line);
}

/// The outcome of a row by the page: the first line that fits, unless the value is nearer to the
/// rival than the resolution.
Judged naive(double value, const Interval& interval, const Range& range, double resolution) {
  const NaiveTable table(interval, range);
  const int line = table.first();
  const bool is_near = std::abs(log_over(value, range.rival)) < resolution;
  if (naive_side(range) != Side::none && is_near && line >= 3 && line <= 5) {
    return {Outcome::inconclusive, Size::fits, true};
  }
  return {outcome_of_line(line), line == 4 ? table.size : Size::fits, false};
}

/// The outcomes that occurred: line by line, and how the size missed.
using Seen = std::map<std::string, int>;

/// Every interval and value on the grid of one range.
void hold_against_table(const Range& range, double resolution, Seen& seen) {
  const std::vector<double> grid = grid_of(range);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (std::size_t j = i; j < grid.size(); ++j) {
      const Interval interval{grid[i], grid[j]};
      for (std::size_t k = i; k <= j; ++k) {
        const Judged judged = judge_row(grid[k], interval, range, resolution);
        const Judged expected = naive(grid[k], interval, range, resolution);
        ASSERT_TRUE(judged.outcome == expected.outcome && judged.size == expected.size &&
                    judged.is_below_resolution == expected.is_below_resolution)
            << grid[k] << " [" << interval.low << ", " << interval.high << "] of " << text_of(range)
            << ", resolution " << resolution << ": " << to_string(judged.outcome) << " "
            << to_string(judged.size) << ", not " << to_string(expected.outcome) << " "
            << to_string(expected.size);
        const std::string why = judged.is_below_resolution ? ", below the resolution" : "";
        ++seen[to_string(judged.outcome) + ": " + to_string(judged.size) + why];
      }
    }
  }
}

TEST(Table, EveryIntervalTakesTheFirstLineThatFits) {
  Seen seen;
  for (const Range& range : all_ranges()) {
    for (const double resolution : {0.0, std::log(kTieZone), std::log(1.25)}) {
      ASSERT_NO_FATAL_FAILURE(hold_against_table(range, resolution, seen));
    }
  }
  for (const char* outcome : {"reproduced: ", "direction only: weaker", "direction only: stronger",
                              "direction only: size open", "not reproduced: ", "inconclusive: ",
                              "inconclusive: , below the resolution"}) {
    EXPECT_GT(seen[outcome], 0) << outcome;
  }
  EXPECT_EQ(seen.size(), 7U);
}

/// Lines that decide differently never fit together, unless a range's own values lie beyond the tie
/// zone on its side.
TEST(Table, NoIntervalBothFitsAndContradicts) {
  for (const Range& range : all_ranges()) {
    const std::vector<double> grid = grid_of(range);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      for (std::size_t j = i; j < grid.size(); ++j) {
        const auto fits = NaiveTable({grid[i], grid[j]}, range).fits;
        const auto together = [&](int a, int b) { return fits.at(a) && fits.at(b); };
        ASSERT_FALSE(together(3, 5) || together(3, 6) || together(4, 5) || together(4, 6) ||
                     together(5, 6))
            << grid[i] << ".." << grid[j] << " of " << text_of(range);
      }
    }
  }
}

/// The outcome and size of an interval around its middle.
std::string said(double low, double high, const Range& range, double resolution = 0) {
  const Judged judged = judge_row(std::sqrt(low * high), {low, high}, range, resolution);
  const std::string size = to_string(judged.size);
  return to_string(judged.outcome) + (size.empty() ? "" : ": " + size);
}

TEST(Table, RowsThatAPersonWouldWriteDown) {
  const Range slower = range(1.2, 1.5);
  EXPECT_EQ(said(1.25, 1.35, slower), "reproduced");
  EXPECT_EQ(said(1.17, 1.55, slower), "reproduced") << "the tolerance is 3 % and 4 %";
  EXPECT_EQ(said(1.04, 1.1, slower), "direction only: weaker");
  EXPECT_EQ(said(1.6, 1.9, slower), "direction only: stronger");
  EXPECT_EQ(said(1.1, 1.9, slower), "direction only: size open");
  EXPECT_EQ(said(0.8, 0.9, slower), "not reproduced");
  EXPECT_EQ(said(0.8, 1.2, slower), "inconclusive");
  EXPECT_EQ(said(1.01, 1.2, slower), "inconclusive") << "within the tie zone";
  const Range faster = range(0.5, 0.8);
  EXPECT_EQ(said(0.85, 0.95, faster), "direction only: weaker");
  EXPECT_EQ(said(0.3, 0.4, faster), "direction only: stronger");
  EXPECT_EQ(said(1.1, 1.2, faster), "not reproduced");
  const Range same = range(0.95, 1.05);
  EXPECT_EQ(said(0.93, 1.07, same), "reproduced");
  EXPECT_EQ(said(1.1, 1.2, same), "not reproduced");
  EXPECT_EQ(said(1.0, 1.2, same), "inconclusive");
  // Growth that the paper calls linear, and the growth of a square root.
  const Range linear = range(16, 16, 4);
  EXPECT_EQ(said(14, 18, linear), "reproduced") << "the tolerance is a tenth of log 4";
  EXPECT_EQ(said(6, 8, linear), "direction only: weaker");
  EXPECT_EQ(said(2, 3, linear), "not reproduced");
}

TEST(Table, TheResolutionDecidesOnlyWhereTheRangeHasASide) {
  const double resolution = std::log(1.1);
  EXPECT_EQ(said(1.05, 1.08, range(1.06, 1.06)), "reproduced");
  EXPECT_EQ(said(1.05, 1.08, range(1.06, 1.06), resolution), "inconclusive");
  EXPECT_EQ(said(1.05, 1.08, range(1.5, 1.5), resolution), "inconclusive");
  EXPECT_EQ(said(0.93, 0.96, range(1.5, 1.5), resolution), "inconclusive");
  EXPECT_EQ(said(1.05, 1.08, range(0.9, 1.1), resolution), "reproduced");
  EXPECT_EQ(said(1.05, 1.08, exact(range(0.99, 1.01)), resolution), "not reproduced");
  EXPECT_EQ(said(1.11, 1.13, range(1.12, 1.12), resolution), "reproduced");
}

TEST(Range, SideIsWhereAllOfItLies) {
  EXPECT_EQ(side_of(range(0.5, 0.8)), Side::below);
  EXPECT_EQ(side_of(range(0.5, 1)), Side::below);
  EXPECT_EQ(side_of(range(0, 0.8)), Side::below);
  EXPECT_EQ(side_of(range(1.2, 1.5)), Side::above);
  EXPECT_EQ(side_of(range(1, 1.5)), Side::above);
  EXPECT_EQ(side_of(range(1.2, kInfinity)), Side::above);
  EXPECT_EQ(side_of(range(1.2, 1.5, 2)), Side::below);
  EXPECT_EQ(side_of(range(0.9, 1.2)), Side::none);
  EXPECT_EQ(side_of(range(0.98, 1.02)), Side::none);
  EXPECT_EQ(side_of(range(1.01, 1.02)), Side::none);
  EXPECT_EQ(side_of(range(1 / kTieZone, kTieZone)), Side::none);
  EXPECT_EQ(side_of(range(1.01, 1.04)), Side::above);
  EXPECT_EQ(side_of(range(1.9, 1.95, 2)), Side::below) << "beyond 2 / 1.03";
  EXPECT_EQ(side_of({.low = 1.2, .has_side = false}), Side::none);
  for (const Range& each : all_ranges())
    EXPECT_EQ(side_of(each), naive_side(each)) << text_of(each);
}

/// On logarithms: a tenth of the effect and log 1.03 at least, not past the rival. A cell's own
/// value has no effect.
TEST(Range, ToleranceOfEachEnd) {
  for (const Range& each : all_ranges()) {
    const Range wide = widened(each);
    const auto moved = [&](double end, double outwards) {
      const double effect = log_over(end, each.rival);
      const double share = each.has_side ? 0.1 * std::abs(effect) : 0;
      const double by = std::max(share, std::log(1.03));
      return each.is_exact ? effect : effect + outwards * by;
    };
    const Side side = naive_side(each);
    if (each.low > 0) {
      const double low = moved(each.low, -1);
      EXPECT_NEAR(log_over(wide.low, each.rival), side == Side::above ? std::max(low, 0.0) : low,
                  1e-12)
          << text_of(each);
    } else {
      EXPECT_EQ(wide.low, 0);
    }
    if (std::isfinite(each.high)) {
      const double high = moved(each.high, 1);
      EXPECT_NEAR(log_over(wide.high, each.rival), side == Side::below ? std::min(high, 0.0) : high,
                  1e-12)
          << text_of(each);
    } else {
      EXPECT_EQ(wide.high, kInfinity);
    }
  }
}

/// A paper's share of phases may be 0: it has no effect to take a tenth of.
TEST(Range, AFigureOfZeroHasNoTolerance) {
  const Range none = {.low = 0, .high = 0, .has_side = false};
  EXPECT_EQ(widened(none).high, 0);
  EXPECT_EQ(judge_row(0, {0, 0}, none, 0).outcome, Outcome::reproduced);
  EXPECT_EQ(judge_row(0.1, {0.1, 0.1}, none, 0).outcome, Outcome::not_reproduced);
}

/// P(this number of values beyond the edge, or more) on both sides, by trying all signs.
double p_by_enumeration(std::size_t beyond, std::size_t count) {
  std::size_t extreme = 0;
  for (std::size_t pattern = 0; pattern < std::size_t{1} << count; ++pattern) {
    std::size_t ones = 0;
    for (std::size_t bit = 0; bit < count; ++bit) ones += pattern >> bit & 1;
    extreme += ones >= beyond ? 1 : 0;
  }
  return std::min(1.0, 2.0 * static_cast<double>(extreme) / std::pow(2.0, count));
}

TEST(ContradictionP, IsTheSignTestsByEnumeration) {
  for (std::size_t count = 1; count <= 12; ++count) {
    for (std::size_t beyond = 0; beyond <= count; ++beyond) {
      std::vector<double> values(count, 1.3);
      std::fill_n(values.begin(), beyond, 0.9);
      const double p = p_by_enumeration(beyond, count);
      EXPECT_NEAR(contradiction_p(values, range(1.2, 1.5)), p, 1e-12) << beyond << "/" << count;
      for (double& value : values) value = 1 / value;
      EXPECT_NEAR(contradiction_p(values, range(0.6, 0.8)), p, 1e-12) << beyond << "/" << count;
    }
  }
}

TEST(ContradictionP, CountsWhatLiesBeyondTheNearerEdge) {
  const double all = p_by_enumeration(6, 6);
  const auto six = [](double value) { return std::vector<double>(6, value); };
  // The other side begins beyond the tie zone, not at the range.
  EXPECT_EQ(contradiction_p(six(1.1), range(1.2, 1.5)), 1);
  EXPECT_EQ(contradiction_p(six(1 / kTieZone), range(1.2, 1.5)), 1) << "an edge is not beyond";
  EXPECT_NEAR(contradiction_p(six(0.97), range(1.2, 1.5)), all, 1e-12);
  EXPECT_NEAR(contradiction_p(six(1.9), range(2.5, 3, 2)), all, 1e-12) << "the rival is 2";
  // A range without a side can be left on both.
  const Range same = exact(range(0.9, 1.1));
  EXPECT_NEAR(contradiction_p(six(0.89), same), all, 1e-12);
  EXPECT_NEAR(contradiction_p(six(1.11), same), all, 1e-12);
  EXPECT_EQ(contradiction_p(six(1.1), same), 1);
  EXPECT_NEAR(contradiction_p(std::vector<double>{0.5, 0.5, 0.5, 0.5, 0.5, 2}, same),
              p_by_enumeration(5, 6), 1e-12);
  EXPECT_EQ(contradiction_p(six(1.12), range(0.9, 1.1)), 1) << "within the tolerance";
  EXPECT_EQ(contradiction_p({}, same), 1);
}

/// Holm's correction is the closed test of Bonferroni's. A hypothesis is rejected when every set of
/// hypotheses that holds it has one with p at most 5 % over the set's size.
std::vector<bool> holm_by_definition(const std::vector<double>& p_values) {
  std::vector<bool> rejected(p_values.size(), true);
  for (std::size_t set = 1; set < std::size_t{1} << p_values.size(); ++set) {
    std::size_t size = 0;
    double least = 1;
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      ++size;
      least = std::min(least, p_values[i]);
    }
    if (least <= 0.05 / static_cast<double>(size)) continue;
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      if ((set >> i & 1) != 0) rejected[i] = false;
    }
  }
  return rejected;
}

TEST(Holm, IsTheClosedTestByDefinition) {
  const std::vector<double> levels = {0,        0.0020, 0.05 / 4, 0.0126, 0.05 / 3, 0.0167,
                                      0.05 / 2, 0.0251, 0.05,     0.0501, 1};
  for (std::size_t count = 0; count <= 4; ++count) {
    std::vector<std::size_t> at(count, 0);
    for (bool is_done = false; !is_done;) {
      std::vector<double> p_values;
      for (const std::size_t i : at) p_values.push_back(levels[i]);
      ASSERT_EQ(holm(p_values), holm_by_definition(p_values)) << testing::PrintToString(p_values);
      is_done = true;
      for (std::size_t& digit : at) {
        digit = (digit + 1) % levels.size();
        if (digit != 0) {
          is_done = false;
          break;
        }
      }
    }
  }
}

TEST(Holm, KnownCases) {
  EXPECT_EQ(holm(std::vector<double>{0.05}), (std::vector<bool>{true}));
  EXPECT_EQ(holm(std::vector<double>{0.03, 0.03}), (std::vector<bool>{false, false}));
  EXPECT_EQ(holm(std::vector<double>{0.03, 0.02}), (std::vector<bool>{true, true}));
  EXPECT_EQ(holm(std::vector<double>{0.04, 1, 0.01}), (std::vector<bool>{false, false, true}));
}

TEST(Blocks, ThatDecideSoManyRows) {
  EXPECT_EQ(least_p(0), 1);
  EXPECT_EQ(least_p(1), 1);
  EXPECT_EQ(least_p(6), 2.0 / 64);
  EXPECT_EQ(least_p(10), 2.0 / 1024);
  for (std::size_t count = 1; count <= 12; ++count) {
    EXPECT_NEAR(least_p(count), p_by_enumeration(count, count), 1e-12);
  }
  EXPECT_EQ(blocks_for(0), 6U);
  EXPECT_EQ(blocks_for(1), 6U);
  for (std::size_t rows = 2; rows <= 6; ++rows) EXPECT_EQ(blocks_for(rows), 8U) << rows;
  for (std::size_t rows = 7; rows <= 25; ++rows) EXPECT_EQ(blocks_for(rows), 10U) << rows;
  EXPECT_EQ(blocks_for(26), 12U);
  // Rows that contradict by every block are rejected together.
  for (const std::size_t rows : {1, 2, 6, 7, 25, 26}) {
    const std::vector<double> p_values(rows, least_p(blocks_for(rows)));
    EXPECT_EQ(holm(p_values), std::vector<bool>(rows, true)) << rows;
  }
}

TEST(BlocksToDecide, GrowWithTheSquareOfTheSpreadOverTheDistance) {
  const Range slower = range(1.2, 1.5);
  const auto needed = [&](double value, double deviation) {
    return blocks_to_decide(value, deviation, slower);
  };
  // From 1.06 the nearest edge is the tie zone's, from 1.15 the widened range's.
  const double from_tie = std::log(1.06 / 1.03);
  EXPECT_NEAR(*needed(1.06, 0.1), std::pow(2.46 * 0.1 / from_tie, 2), 1);
  const double from_range = std::log(1.2 / 1.03 / 1.15);
  EXPECT_NEAR(*needed(1.15, 0.05), std::pow(2.46 * 0.05 / from_range, 2), 1);
  EXPECT_EQ(*needed(1.06, 0.1), std::ceil(*needed(1.06, 0.1)));
  EXPECT_EQ(needed(1.06, 0.001), 6);
  EXPECT_EQ(needed(kTieZone, 0.1), std::nullopt) << "on an edge";
  EXPECT_EQ(needed(1.06, 0), std::nullopt);
  EXPECT_EQ(needed(1.06, std::nan("")), std::nullopt) << "of values with a 0";
  EXPECT_EQ(needed(0, 0.1), std::nullopt);
}

TEST(BlocksToDecide, OnlyEdgesOfTheTableCount) {
  // Without a side the tie zone has no edge: from 1.031 to 1.1 x 1.03 it is 9 %.
  const Range same = exact(range(0.5, 1.2));
  EXPECT_NEAR(*blocks_to_decide(1.031, 0.2, same), std::pow(2.46 * 0.2 / std::log(1.2 / 1.031), 2),
              1);
  EXPECT_EQ(blocks_to_decide(1.3, 0.1, {.low = 0, .has_side = false}), std::nullopt);
}

TEST(Names, OfOutcomesAndSizes) {
  EXPECT_EQ(to_string(Outcome::direction_only), "direction only");
  EXPECT_EQ(to_string(Outcome::not_testable), "not testable here");
  EXPECT_EQ(to_string(Size::fits), "");
  EXPECT_EQ(to_string(Size::open), "size open");
}

}  // namespace
}  // namespace bellmark::verdict
