#include "harness/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/alike.hpp"
#include "base/text.hpp"
#include "harness/plan/metric.hpp"
#include "harness/verdict/judging.hpp"
#include "harness/verdict/measured.hpp"
#include "harness/verdict/selection.hpp"

namespace bellmark::verdict {
namespace {

using plan::Claim;
using plan::ClaimKind;

const std::string kReproduced = to_string(Outcome::reproduced);
const std::string kDirectionOnly = to_string(Outcome::direction_only);
const std::string kNotReproduced = to_string(Outcome::not_reproduced);
const std::string kNotTestable = to_string(Outcome::not_testable);
const std::string kInconclusive = to_string(Outcome::inconclusive);

Json nullable(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

/// A bound without an end is null.
Json bound(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// The part of every row's JSON, even of a row that is only shown.
Json measured_json(const Row& row) {
  const Measured& measured = row.measured;
  const Pair& pair = row.pair;
  Json json = {
      {"text", row.text},
      {"numerator", id_of(*pair.numerator)},
      {"denominator", pair.denominator == nullptr ? Json() : Json(id_of(*pair.denominator))},
      {"value", nullable(measured.value)},
      {"ci95_low", measured.interval ? Json(measured.interval->low) : Json()},
      {"ci95_high", measured.interval ? Json(measured.interval->high) : Json()},
      {"paper", nullable(row.paper.value)},
      {"paper_low", nullable(row.paper.low)},
      {"paper_high", nullable(row.paper.high)}};
  if (!measured.doubt.empty()) json["doubt"] = measured.doubt;
  if (row.has_own_metric) json["metric"] = row.metric;
  return json;
}

Json row_json(const JudgedRow& judged) {
  Json json = measured_json(judged.row);
  const Range wide = widened(judged.row.range);
  json["range_low"] = bound(wide.low);
  json["range_high"] = bound(wide.high);
  json["rival"] = judged.row.range.rival;
  json["outcome"] = to_string(judged.outcome);
  json["size"] = judged.size == Size::fits ? Json() : Json(to_string(judged.size));
  json["reason"] = judged.reason;
  json["p"] = nullable(judged.p);
  json["blocks_to_decide"] = nullable(judged.blocks_to_decide);
  return json;
}

/// The weakest outcome of rows.
std::string weakest_of(const std::vector<JudgedRow>& rows) {
  std::string total = kShown;
  for (const JudgedRow& row : rows) total = weakest(total, to_string(row.outcome));
  return total;
}

std::vector<const JudgedRow*> rows_with(const std::vector<JudgedRow>& rows,
                                        const std::string& outcome) {
  std::vector<const JudgedRow*> found;
  for (const JudgedRow& row : rows) {
    if (to_string(row.outcome) == outcome) found.push_back(&row);
  }
  return found;
}

/// Why a part has its outcome: the reasons of the rows with this outcome, with their names if there
/// are several.
std::string reason_of(const Part& part, const std::string& outcome) {
  if (outcome == kReproduced && part.rows.size() > 1) {
    return "all " + std::to_string(part.rows.size()) + " rows fit";
  }
  std::vector<std::string> reasons;
  for (const JudgedRow* row : rows_with(part.rows, outcome)) {
    const bool is_named = part.rows.size() > 1 && row->cause.empty();
    reasons.push_back((is_named ? row->row.text + " = " : "") + row->reason);
  }
  return join(once_each(reasons), "; ");
}

/// True if the metric's interval is over queries: counts of phases are the same in every block.
bool is_over_queries(const plan::Metric& metric) {
  return metric.source == plan::Metric::Source::phase_log && !metric.subject.ends_with("_ns");
}

/// The approximate number of blocks, or queries, that would decide the open rows, and their time.
std::string what_would_decide(const std::vector<Part>& parts, const Json& result) {
  constexpr double kMost = 1000;
  double blocks = 0;
  bool of_queries = false;
  for (const Part& part : parts) {
    for (const JudgedRow& row : part.rows) {
      if (row.outcome != Outcome::inconclusive || !row.blocks_to_decide) continue;
      of_queries = of_queries || is_over_queries(plan::parse_metric(row.row.metric));
      blocks = std::max(blocks, *row.blocks_to_decide);
    }
  }
  if (blocks == 0) return {};
  const std::string unit = of_queries ? " queries" : " blocks";
  if (blocks > kMost) return "more than 1000" + unit + " would decide it: it lies on an edge";
  std::string text = "about " + std::to_string(static_cast<int>(blocks)) + unit;
  const double block_s = result.at("experiment").value("block_s", 0.0);
  if (!of_queries && block_s > 0) {
    const double minutes = std::ceil(blocks * block_s / 60);
    text += " (" + std::to_string(static_cast<int>(minutes)) + " min)";
  }
  return text + " would decide it";
}

/// Why the cells of an untestable claim were not measured, each reason once: `needs cuda: ...`.
std::string unmet_reasons(const Json& parts, const Json& result) {
  std::vector<std::string> cells;
  for (const Json& part : parts) {
    for (const Json& row : part.at("measured")) {
      for (const char* side : {"numerator", "denominator"}) {
        if (!row.at(side).is_null()) cells.push_back(row.at(side).get<std::string>());
      }
    }
  }
  std::vector<std::string> reasons;
  for (const Json& entry : result.value("not_measured", Json::array())) {
    if (std::ranges::find(cells, entry.at("cell").get<std::string>()) == cells.end()) continue;
    reasons.push_back(entry.at("reason").get<std::string>());
  }
  return join(once_each(reasons), "; ");
}

/// In a few words why a claim is untestable, or not judged.
std::string causes_of(const std::vector<Part>& parts, const std::string& outcome) {
  std::vector<std::string> causes;
  for (const Part& part : parts) {
    for (const JudgedRow* row : rows_with(part.rows, outcome)) {
      if (!row->cause.empty()) causes.push_back(row->cause);
    }
  }
  return join(once_each(causes), "; ");
}

int weakness(const std::string& verdict) {
  const std::vector<std::string> order = {
      kShown, kCheck, kReproduced, kDirectionOnly, kNotTestable, kInconclusive, kNotReproduced};
  return static_cast<int>(std::ranges::find(order, verdict) - order.begin());
}

/// The numbers of deciding rows and of all rows, and those of queries here and in the paper.
Json coverage_of(const std::vector<Part>& parts, const plan::Experiment& experiment) {
  std::size_t judged = 0;
  std::size_t planned = 0;
  Json queries;
  for (const Part& part : parts) {
    planned += part.rows.size();
    for (const JudgedRow& row : part.rows) {
      judged += row.outcome == Outcome::not_testable ? 0 : 1;
      for (const Json* cell : cells_of(row.row)) {
        if (!cell->contains("query_count")) continue;
        const auto count = cell->at("query_count").get<std::size_t>();
        if (queries.is_null() || count < queries.get<std::size_t>()) queries = count;
      }
    }
  }
  return {{"row_count", judged},
          {"planned_row_count", planned},
          {"query_count", queries},
          {"paper_query_count",
           experiment.paper_query_count ? Json(*experiment.paper_query_count) : Json()}};
}

std::optional<plan::StandInClass> farthest_class(const std::vector<Part>& parts) {
  std::optional<plan::StandInClass> farthest;
  for (const Part& part : parts) {
    for (const JudgedRow& row : part.rows) {
      if (!row.stand_in_class) continue;
      if (!farthest || *row.stand_in_class > *farthest) farthest = row.stand_in_class;
    }
  }
  return farthest;
}

/// A claim on the purpose of the stand-in checks the stand-in, except on the paper's data.
bool is_check(const Part& part) {
  return part.claim->checks_stand_in &&
         farthest_class({part}) != std::optional(plan::StandInClass::same_data);
}

Json shown_part_json(const Claim& claim, const Json& result) {
  Json rows = Json::array();
  for (const Row& row : shown_rows_of(claim, result)) rows.push_back(measured_json(row));
  return {{"text", claim.text},     {"kind", to_string(claim.kind)},
          {"verdict", kShown},      {"reason", "shown beside the paper's figures, never judged"},
          {"metric", claim.metric}, {"measured", rows}};
}

Json part_json(const Part& part) {
  const Claim& claim = *part.claim;
  Json rows = Json::array();
  for (const JudgedRow& row : part.rows) {
    if (row.row.pair.numerator != nullptr) rows.push_back(row_json(row));
  }
  const std::string outcome = weakest_of(part.rows);
  std::string reason = reason_of(part, outcome);
  if (is_check(part)) reason = outcome + " by the stand-in: " + reason;
  Json json = {{"text", claim.text},
               {"kind", to_string(claim.kind)},
               {"verdict", is_check(part) ? kCheck : outcome},
               {"reason", reason},
               {"metric", claim.metric},
               {"measured", rows}};
  if (claim.about != plan::About::unsaid) json["about"] = to_string(claim.about);
  if (!claim.sentence.empty()) json["sentence"] = claim.sentence;
  return json;
}

/// The size that all rows with a direction only share: "weaker", or "".
std::string common_size(const std::vector<Part>& parts) {
  std::vector<std::string> sizes;
  for (const Part& part : parts) {
    for (const JudgedRow* row : rows_with(part.rows, kDirectionOnly)) {
      sizes.push_back(to_string(row->size));
    }
  }
  const bool alike = !sizes.empty() && std::ranges::count(sizes, sizes.front()) ==
                                           static_cast<std::ptrdiff_t>(sizes.size());
  return alike ? sizes.front() : "";
}

/// True if a verdict depends on the measured values.
bool is_judged(const std::string& verdict) {
  return verdict == kReproduced || verdict == kDirectionOnly || verdict == kNotReproduced;
}

/// True if a row was held against a resolution that the result didn't measure.
bool assumes_resolution(const std::vector<Part>& parts) {
  return std::ranges::any_of(parts, [](const Part& part) {
    return std::ranges::any_of(part.rows, &JudgedRow::assumes_resolution);
  });
}

/// Reasons of the parts that decided. The other reasons are in `parts`.
std::vector<std::string> deciding_reasons(const Json& parts, const std::string& total) {
  const auto is_said = [](const Json& part) { return part.at("verdict") != kShown; };
  const bool several = std::ranges::count_if(parts, is_said) > 1;
  std::vector<std::string> reasons;
  for (const Json& part : parts) {
    if (part.at("verdict") != total) continue;
    const auto reason = part.at("reason").get<std::string>();
    reasons.push_back(several ? part.at("text").get<std::string>() + ": " + reason : reason);
  }
  return reasons;
}

Json verdict_json(const std::string& id, const plan::Experiment& experiment, const Json& result) {
  std::vector<Part> judged;
  for (const Claim& claim : experiment.claims) {
    if (claim.id != id || claim.kind == ClaimKind::absolute) continue;
    judged.push_back(judge_rows(claim, result));
  }
  correct(judged, level_of(result));
  Json parts = Json::array();
  std::vector<std::string> texts;
  std::vector<std::string> shown_texts;
  std::string total = kShown;
  auto next = judged.begin();
  for (const Claim& claim : experiment.claims) {
    if (claim.id != id) continue;
    const bool is_shown = claim.kind == ClaimKind::absolute;
    parts.push_back(is_shown ? shown_part_json(claim, result) : part_json(*next++));
    (is_shown ? shown_texts : texts).push_back(claim.text);
    total = weakest(total, parts.back().at("verdict").get<std::string>());
  }
  std::vector<std::string> reasons = deciding_reasons(parts, total);
  std::string headline = total;
  if (total == kNotTestable) {
    const std::string unmet = unmet_reasons(parts, result);
    const std::string cause = unmet.empty() ? causes_of(judged, total) : unmet;
    if (!cause.empty()) headline += ": " + cause;
    if (!unmet.empty()) reasons.push_back(unmet);
  }
  if (total == kDirectionOnly && !common_size(judged).empty()) {
    headline += ": " + common_size(judged);
  }
  if (assumes_resolution(judged)) {
    reasons.emplace_back("resolution of 3 % assumed: the baseline was not measured twice");
  }
  const std::string decide = total == kInconclusive ? what_would_decide(judged, result) : "";
  if (!decide.empty()) reasons.push_back(decide);
  const auto& about = result.at("experiment");
  const Json stand_in = is_judged(total) ? about.at("stand_in") : Json();
  if (!stand_in.is_null()) headline += " on a stand-in: " + stand_in.get<std::string>();
  const auto stand_in_class = farthest_class(judged);
  return {{"claim", experiment.paper_key.empty() ? id : experiment.paper_key + "/" + id},
          {"experiment", experiment.id},
          {"text", join(texts.empty() ? shown_texts : texts, "; ")},
          {"verdict", total},
          {"stand_in", stand_in},
          {"stand_in_class", stand_in_class ? Json(to_string(*stand_in_class)) : Json()},
          {"coverage", coverage_of(judged, experiment)},
          {"form", about.value("form", Json())},
          {"headline", headline},
          {"reason", join(reasons, "; ")},
          {"what_would_decide", decide.empty() ? Json() : Json(decide)},
          {"parts", parts}};
}

}  // namespace

std::string weakest(const std::string& a, const std::string& b) {
  return weakness(a) >= weakness(b) ? a : b;
}

std::vector<std::pair<std::string, std::string>> needed_pairs(const std::vector<Claim>& claims,
                                                              const Json& cells) {
  std::vector<std::pair<std::string, std::string>> needed;
  const auto add = [&](const std::vector<Pair>& pairs) {
    for (const Pair& pair : pairs)
      needed.emplace_back(id_of(*pair.numerator), id_of(*pair.denominator));
  };
  for (const Claim& claim : claims) {
    if (claim.kind == ClaimKind::ratio || claim.kind == ClaimKind::crossing) {
      add(pairs_of(cells, claim.numerator, claim.denominator, claim.where));
    }
    for (std::size_t i = 0; i + 1 < claim.order.size(); ++i) {
      add(pairs_of(cells, claim.order[i + 1], claim.order[i], claim.where));
    }
    for (const plan::Statement& statement : claim.statements) {
      if (statement.denominator.empty()) continue;
      add(pairs_of(cells, statement.numerator, statement.denominator, claim.where));
      if (statement.over_numerator.empty()) continue;
      add(pairs_of(cells, statement.over_numerator, statement.over_denominator, claim.where));
    }
    for (const plan::ShownCell& shown : claim.cells) {
      if (!shown.denominator.empty()) add(compared(cells, shown, claim));
    }
    if (claim.kind != ClaimKind::argmin) continue;
    for (const auto& group : along(cells, claim)) {
      const Json* paper = paper_cell(group, claim);
      for (const Json* rival : group) {
        if (paper != nullptr && rival != paper) add({{rival, paper}});
      }
    }
  }
  return needed;
}

bool wants_blocks(const Json& verdicts) {
  const auto is_open = [](const Json& part, const Json& row) {
    const Json needed = row.value("blocks_to_decide", Json());
    if (needed.is_null()) return false;
    const auto name = row.value("metric", part.at("metric").get<std::string>());
    return !is_over_queries(plan::parse_metric(name));
  };
  return std::ranges::any_of(verdicts, [&](const Json& verdict) {
    return verdict.at("verdict") == kInconclusive &&
           std::ranges::any_of(verdict.at("parts"), [&](const Json& part) {
             return std::ranges::any_of(part.at("measured"),
                                        [&](const Json& row) { return is_open(part, row); });
           });
  });
}

std::vector<std::string> cells_to_confirm(const plan::Experiment& experiment, const Json& result) {
  std::vector<std::string> ids;
  for (const Claim& claim : experiment.claims) {
    if (claim.kind != ClaimKind::argmin) continue;
    std::map<std::size_t, const Row*> fastest;  // by group
    const std::vector<Row> rows = rows_of(claim, result);
    for (const Row& row : rows) {
      if (!row.place || !row.measured.value || *row.measured.value >= 1) continue;
      const Row*& best = fastest[row.group];
      if (best == nullptr || *row.measured.value < *best->measured.value) best = &row;
    }
    for (const auto& [group, row] : fastest) {
      ids.push_back(id_of(*row->pair.numerator));
      ids.push_back(id_of(*row->pair.denominator));
    }
  }
  return ids;
}

Json judge(const plan::Experiment& experiment, const Json& result) {
  std::vector<std::string> ids;
  for (const Claim& claim : experiment.claims) {
    if (std::ranges::find(ids, claim.id) == ids.end()) ids.push_back(claim.id);
  }
  Json verdicts = Json::array();
  for (const std::string& id : ids) verdicts.push_back(verdict_json(id, experiment, result));
  add_units(verdicts);
  return verdicts;
}

}  // namespace bellmark::verdict
