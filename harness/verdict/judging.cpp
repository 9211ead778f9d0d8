#include "harness/verdict/judging.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "harness/plan/metric.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/working_set.hpp"

namespace bellmark::verdict {
namespace {

using plan::Claim;
using plan::ClaimKind;
using plan::StandInClass;

std::string number(double value) {
  char text[32];
  // Ratios and shares have three digits behind the point, counts and times need none.
  std::snprintf(text, sizeof text, std::abs(value) < 1000 ? "%.3f" : "%.0f", value);
  return text;
}

/// In a few digits: 0.031, 1.9e-06.
std::string few_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

std::string shown(const Row& row) {
  const Measured& measured = row.measured;
  if (!measured.value) return "not measured";
  std::string unit;
  if (row.pair.denominator == nullptr) unit = plan::parse_metric(row.metric).unit();
  const std::string after = unit.empty() ? "" : " " + unit;
  if (!measured.interval) return number(*measured.value) + after + " (no interval)";
  return number(*measured.value) + " [" + number(measured.interval->low) + ", " +
         number(measured.interval->high) + "]" + after;
}

std::string bounds_text(const Range& range) {
  if (range.low == range.high) return number(range.low);
  if (!std::isfinite(range.high)) return number(range.low) + " or more";
  if (range.low <= 0) return number(range.high) + " or less";
  return number(range.low) + ".." + number(range.high);
}

/// `, with its tolerance 0.894..1.119` for a value that fits no otherwise.
std::string tolerance_text(const Row& row) {
  const Range& range = row.range;
  const bool is_within = *row.measured.value >= range.low && *row.measured.value <= range.high;
  return is_within ? "" : ", with its tolerance " + bounds_text(widened(range));
}

/// The range that the value is compared with.
std::string range_text(const Row& row) {
  const Range& range = row.range;
  std::string text = (range.is_exact ? "" : "the paper's ") + bounds_text(range);
  if (!row.bounds_reason.empty()) text += " (" + row.bounds_reason + ")";
  if (range.rival != 1) text += ", against " + number(range.rival);
  return text;
}

std::optional<StandInClass> farthest_class(const Row& row) {
  std::optional<StandInClass> farthest;
  for (const Json* cell : cells_of(row)) {
    const Json name = cell->value("stand_in_class", Json());
    if (!name.is_string()) continue;
    const auto known = plan::stand_in_class_of(name.get<std::string>());
    if (known && (!farthest || *known > *farthest)) farthest = known;
  }
  return farthest;
}

/// `0.03 of the last-level cache` if a cell's working set fits into it; "" otherwise.
std::string fits_cache(const Row& row, const Json& result) {
  for (const Json* cell : cells_of(row)) {
    const Json ratio = working_set_of(result, *cell).at("ratio");
    if (ratio.is_number() && ratio.get<double>() < 1) {
      return few_digits(ratio.get<double>()) + " of the last-level cache";
    }
  }
  return {};
}

void settle(JudgedRow& judged, Outcome outcome, std::string reason, std::string cause = "") {
  judged.outcome = outcome;
  judged.reason = std::move(reason);
  judged.cause = std::move(cause);
}

/// The number of blocks, or queries, that would decide the value. A value with too few of its own
/// takes the baseline's spread.
std::optional<double> blocks_for_row(const Row& row, const Resolution& resolution) {
  const Measured& measured = row.measured;
  const bool has_enough = measured.values.size() >= measure::kBlocksForInterval;
  const double baselines = measured.is_time ? resolution.log_deviation.value_or(0) : 0;
  const double deviation = has_enough ? measure::log_deviation(measured.values) : baselines;
  return blocks_to_decide(*measured.value, deviation, row.range);
}

/// Rules that decide before the value does. False when none does.
bool settle_before(JudgedRow& judged, const Claim& claim, const Json& result,
                   const Resolution& resolution) {
  const Measured& measured = judged.row.measured;
  const std::string& missing = measured.missing;
  if (!measured.value) {
    settle(judged, Outcome::not_testable, "not measured: " + missing, missing);
    return true;
  }
  if (judged.stand_in_class == StandInClass::smaller_cannot) {
    settle(judged, Outcome::not_testable, shown(judged.row) + ", on data that can't show it",
           "the stand-in can't show the effect");
    return true;
  }
  const bool about_memory = claim.about == plan::About::memory && measured.is_time;
  if (const std::string fits = about_memory ? fits_cache(judged.row, result) : ""; !fits.empty()) {
    settle(judged, Outcome::not_testable, shown(judged.row) + ", but a cell takes " + fits,
           "fits the cache");
    return true;
  }
  if (!measured.interval) {
    settle(judged, Outcome::inconclusive, shown(judged.row) + ": " + missing, missing);
    judged.blocks_to_decide = blocks_for_row(judged.row, resolution);
    return true;
  }
  const std::string doubt =
      measured.doubt.empty() && measured.is_time ? resolution.disturbed : measured.doubt;
  if (doubt.empty()) return false;
  settle(judged, Outcome::inconclusive, kNotJudged + doubt, kNotJudged + doubt);
  return true;
}

/// Why a value is undecided, and how many blocks would decide it.
void explain_undecided(JudgedRow& judged, bool is_below_resolution, const Resolution& resolution) {
  const Row& row = judged.row;
  std::string reason = shown(row) + " doesn't decide: " + range_text(row);
  if (is_below_resolution) {
    reason = shown(row) + " is nearer to " + number(row.range.rival) + " than the resolution of " +
             few_digits(100 * std::expm1(resolution.log_half_width)) + " %";
  }
  const bool is_tie =
      std::abs(std::log(*row.measured.value / row.range.rival)) < std::log(kTieZone);
  if (is_below_resolution && is_tie) {
    reason += ", and no number of blocks decides a tie";
  } else {
    judged.blocks_to_decide = blocks_for_row(row, resolution);
  }
  settle(judged, Outcome::inconclusive, std::move(reason));
}

JudgedRow judge_one(Row row, const Claim& claim, const Json& result) {
  JudgedRow judged;
  judged.row = std::move(row);
  const Measured& measured = judged.row.measured;
  if (const double level = level_of(result); level < kLevel && !measured.values.empty()) {
    Measured& own = judged.row.measured;
    own.interval = measure::median_interval(own.values, level);
    if (!own.interval && own.missing.empty()) own.missing = "too few values for several looks";
  }
  judged.stand_in_class = farthest_class(judged.row);
  const Resolution resolution = resolution_of(result, cells_of(judged.row));
  if (settle_before(judged, claim, result, resolution)) return judged;
  judged.assumes_resolution =
      measured.is_time && side_of(judged.row.range) != Side::none && !resolution.is_measured;
  const bool is_exact = measured.interval->low == measured.interval->high;
  const Judged found = judge_row(*measured.value, *measured.interval, judged.row.range,
                                 measured.is_time ? resolution.log_half_width : 0);
  const bool contradicts = found.outcome == Outcome::not_reproduced;
  if (!measured.values.empty()) {
    judged.p = contradiction_p(measured.values, judged.row.range);
  } else {
    // Older results keep no values by block, so only the interval's own level is known.
    judged.p = !contradicts ? 1 : is_exact ? 0 : 0.05;
  }
  judged.size = found.size;
  switch (found.outcome) {
    case Outcome::reproduced:
      settle(judged, found.outcome,
             shown(judged.row) + " fits " + range_text(judged.row) + tolerance_text(judged.row));
      break;
    case Outcome::direction_only:
      settle(judged, found.outcome,
             shown(judged.row) + " is on the paper's side, " + to_string(found.size) + ": " +
                 range_text(judged.row));
      break;
    case Outcome::not_reproduced:
      settle(judged, found.outcome, shown(judged.row) + " contradicts " + range_text(judged.row));
      break;
    case Outcome::inconclusive:
    case Outcome::not_testable:
      explain_undecided(judged, found.is_below_resolution, resolution);
  }
  return judged;
}

/// Contradictions that chance explains, with this number of rows, decide nothing.
void apply_holm(const std::vector<JudgedRow*>& rows, double level) {
  std::vector<double> p_values;
  p_values.reserve(rows.size());
  for (const JudgedRow* row : rows) p_values.push_back(*row->p);
  const std::vector<bool> rejected = holm(p_values, level);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    JudgedRow& row = *rows[i];
    if (row.outcome != Outcome::not_reproduced || rejected[i]) continue;
    settle(row, Outcome::inconclusive,
           row.reason + " alone (p = " + few_digits(p_values[i]) + "), and not as one of " +
               std::to_string(rows.size()) + " rows");
    row.blocks_to_decide = static_cast<double>(blocks_for(rows.size()));
  }
}

/// The values of the axis in a group's rows, and the paper's, in order.
std::vector<double> places_of(const std::vector<JudgedRow*>& rows, double papers) {
  std::set<double> places = {papers};
  for (const JudgedRow* row : rows) places.insert(*row->row.place);
  return {places.begin(), places.end()};
}

/// True if the contradicting rows say that the paper missed by one step of its axis.
bool misses_by_one_step(const std::vector<JudgedRow*>& rows, const Claim& claim) {
  constexpr std::size_t kFewestPlaces = 5;
  const double papers = *claim.paper.value;
  const std::vector<double> places = places_of(rows, papers);
  if (places.size() < kFewestPlaces) return false;
  const auto index_of = [&](double place) { return std::ranges::find(places, place); };
  std::vector<const JudgedRow*> against;
  for (const JudgedRow* row : rows) {
    if (row->outcome == Outcome::not_reproduced) against.push_back(row);
  }
  if (claim.kind == ClaimKind::argmin) {
    const auto fastest = std::ranges::min_element(rows, {}, [](const JudgedRow* row) {
      return row->row.measured.value.value_or(std::numeric_limits<double>::infinity());
    });
    return std::abs(index_of(*(*fastest)->row.place) - index_of(papers)) == 1;
  }
  // A crossing one step later or earlier: the one row before the paper's value, or the row at it.
  if (against.size() != 1) return false;
  const auto step = index_of(*against.front()->row.place) - index_of(papers);
  return step == 0 || step == -1;
}

void forgive_one_step(Part& part) {
  const ClaimKind kind = part.claim->kind;
  if (kind != ClaimKind::argmin && kind != ClaimKind::crossing) return;
  std::set<std::size_t> groups;
  for (const JudgedRow& row : part.rows) {
    if (row.outcome == Outcome::not_reproduced) groups.insert(row.row.group);
  }
  for (const std::size_t group : groups) {
    std::vector<JudgedRow*> rows;
    for (JudgedRow& row : part.rows) {
      if (row.row.group == group && row.row.place) rows.push_back(&row);
    }
    if (!misses_by_one_step(rows, *part.claim)) continue;
    for (JudgedRow* row : rows) {
      if (row->outcome != Outcome::not_reproduced) continue;
      settle(*row, Outcome::direction_only, row->reason + ", one step from the paper's value");
    }
  }
}

}  // namespace

double level_of(const Json& result) {
  const Json looks = result.at("experiment").value("look_count", Json());
  return looks.is_null() ? kLevel : kLevel / looks.get<double>();
}

Resolution resolution_of(const Json& result, const std::vector<const Json*>& cells) {
  Resolution resolution;
  resolution.log_half_width = std::log(kTieZone);
  const Json all = result.value("resolution", Json::array());
  const auto is_known = [&](const Json* cell) {
    const Json placement = cell->value("axes", Json::object()).value("placement", Json());
    return std::ranges::any_of(
        all, [&](const Json& twice) { return twice.at("placement") == placement; });
  };
  for (const Json* cell : cells) {
    const Json placement = cell->value("axes", Json::object()).value("placement", Json());
    for (const Json& twice : all) {
      // A placement without a pair, such as processes at once, takes the run's coarsest.
      if (is_known(cell) && twice.at("placement") != placement) continue;
      if (!twice.at("disturbed").is_null()) {
        resolution.disturbed = twice.at("disturbed").get<std::string>();
      }
      const auto ratios = twice.at("block_ratios").get<std::vector<double>>();
      resolution.log_deviation =
          std::max(resolution.log_deviation.value_or(0), measure::log_deviation(ratios));
      if (twice.at("ci95_low").is_null()) continue;
      resolution.is_measured = true;
      const double width = std::log(twice.at("ci95_high").get<double>()) -
                           std::log(twice.at("ci95_low").get<double>());
      resolution.log_half_width = std::max(resolution.log_half_width, width / 2);
    }
  }
  return resolution;
}

Part judge_rows(const Claim& claim, const Json& result) {
  Part part{&claim, {}};
  for (Row& row : rows_of(claim, result)) {
    part.rows.push_back(judge_one(std::move(row), claim, result));
  }
  return part;
}

/// Another program than the paper's may show a direction, never a size, and denies nothing.
void cap_other_program(JudgedRow& row) {
  if (row.stand_in_class != StandInClass::other_program) return;
  const bool is_on_the_papers_side =
      row.outcome == Outcome::reproduced || row.outcome == Outcome::direction_only;
  if (is_on_the_papers_side && side_of(row.row.range) != Side::none) {
    row.size = Size::open;
    settle(row, Outcome::direction_only,
           shown(row.row) + " is on the paper's side, of another program than the paper's");
  } else if (is_on_the_papers_side || row.outcome == Outcome::not_reproduced) {
    row.size = Size::fits;
    settle(row, Outcome::inconclusive,
           shown(row.row) +
               ", of another program than the paper's, decides nothing: " + range_text(row.row));
  }
}

void correct(std::vector<Part>& parts, double level) {
  std::vector<JudgedRow*> rows;
  for (Part& part : parts) {
    for (JudgedRow& row : part.rows) {
      if (row.p) rows.push_back(&row);
    }
  }
  apply_holm(rows, level);
  for (Part& part : parts) {
    forgive_one_step(part);
    for (JudgedRow& row : part.rows) cap_other_program(row);
  }
}

}  // namespace bellmark::verdict
