// Outcomes of a claim's rows: the table, resolution, caches, stand-ins, Holm's correction.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/stand_in_class.hpp"
#include "harness/verdict/rows.hpp"

namespace bellmark::verdict {

struct JudgedRow {
  Row row;
  Outcome outcome = Outcome::inconclusive;
  Size size = Size::fits;
  std::string reason;
  std::string cause;        ///< in a few words why it is not testable, or not judged; else ""
  std::optional<double> p;  ///< of contradicting the paper; nothing where it has no value
  std::optional<double> blocks_to_decide;
  std::optional<plan::StandInClass> stand_in_class;
  bool assumes_resolution = false;  ///< the result has no baseline measured twice
};

/// One part of a claim: `[[claim]]` of the file.
struct Part {
  const plan::Claim* claim = nullptr;
  std::vector<JudgedRow> rows;
};

/// The least distance from 1 that a ratio of times can show: the baseline measured twice gives it.
struct Resolution {
  double log_half_width = 0;            ///< log kTieZone at least
  std::optional<double> log_deviation;  ///< of its blocks
  bool is_measured = false;
  std::string disturbed;  ///< why no times are judged; else ""
};

/// The level at which a result's rows are judged: 0.05, over the looks of a run until decided.
double level_of(const Json& result);

/// The coarsest one of the cells' placements.
Resolution resolution_of(const Json& result, const std::vector<const Json*>& cells);

/// Judges each row by the table of outcomes.
Part judge_rows(const plan::Claim& claim, const Json& result);

/// Corrections over all rows of a claim: contradictions after Holm's correction, and values that
/// miss by one step.
void correct(std::vector<Part>& parts, double level);

}  // namespace bellmark::verdict
