#include "harness/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "base/alike.hpp"
#include "base/text.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/plan/metric.hpp"
#include "harness/verdict/doubt.hpp"
#include "harness/verdict/measured.hpp"
#include "harness/verdict/selection.hpp"

namespace bellmark::verdict {
namespace {

using measure::Interval;
using plan::axis_text;
using plan::Claim;
using plan::ClaimKind;

const std::string kReproduced = "reproduced";
const std::string kDirectionOnly = "direction only";
const std::string kInconclusive = "inconclusive";
const std::string kNotTestable = "not testable here";
const std::string kNotReproduced = "not reproduced";

/// Why a result lacks cells that a claim is about.
std::string absence_of_cells(const Json& result) {
  const Json shard = result.at("experiment").value("shard", Json());
  if (shard.is_null()) return "were not measured";
  return "were not measured in shard " + shard.at("index").dump() + "/" + shard.at("count").dump();
}

/// The same behind what was missed; "" in a result that is no shard's.
std::string outside_shard(const Json& result) {
  const bool whole = result.at("experiment").value("shard", Json()).is_null();
  return whole ? "" : ": its cells " + absence_of_cells(result);
}

/// Values of an axis that the experiment has and none of these cells; "" in a result that is no
/// shard's.
std::string values_outside_shard(const Json& result, const std::string& axis,
                                 const std::vector<const Json*>& cells) {
  const Json& experiment = result.at("experiment");
  if (experiment.value("shard", Json()).is_null()) return {};
  std::vector<std::string> values;
  for (const Json& value : experiment.at("axes").at(axis)) {
    const bool measured = std::ranges::any_of(
        cells, [&](const Json* cell) { return cell->at("axes").at(axis) == value; });
    if (!measured) values.push_back(axis_text(value));
  }
  return join(values, ", ");
}

/// One ratio over another. The bounds of both intervals together: wide, and safe.
Measured quotient(const Measured& a, const Measured& b) {
  if (!a.value) return a;
  if (!b.value) return b;
  Measured result{*a.value / *b.value, std::nullopt, a.interval ? b.missing : a.missing,
                  a.doubt.empty() ? b.doubt : a.doubt};
  if (a.interval && b.interval) {
    result.interval =
        Interval{a.interval->low / b.interval->high, a.interval->high / b.interval->low};
  }
  return result;
}

Measured measure_statement(const plan::Statement& statement, const Claim& claim, const Pair& pair,
                           const Json& result) {
  const std::string& metric = statement.metric.empty() ? claim.metric : statement.metric;
  if (pair.denominator == nullptr) return measure_cell(result, *pair.numerator, metric);
  Measured first = measure_ratio(result, *pair.numerator, *pair.denominator, metric);
  if (statement.over_numerator.empty()) return first;
  const Pair other = other_ratio(result.at("cells"), statement, claim, pair);
  if (other.numerator == nullptr) {
    return {std::nullopt, std::nullopt,
            "the ratio that it is held over has no such cells" + outside_shard(result)};
  }
  return quotient(first, measure_ratio(result, *other.numerator, *other.denominator, metric));
}

Json nullable(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json row(const std::string& text, const Pair& pair, const Measured& measured,
         const plan::PaperValue& paper = {}) {
  Json row = {
      {"text", text},
      {"numerator", id_of(*pair.numerator)},
      {"denominator", pair.denominator == nullptr ? Json() : Json(id_of(*pair.denominator))},
      {"value", nullable(measured.value)},
      {"ci95_low", measured.interval ? Json(measured.interval->low) : Json()},
      {"ci95_high", measured.interval ? Json(measured.interval->high) : Json()},
      {"paper", nullable(paper.value)},
      {"paper_low", nullable(paper.low)},
      {"paper_high", nullable(paper.high)}};
  if (!measured.doubt.empty()) row["doubt"] = measured.doubt;
  return row;
}

std::string label(const Json& cell) { return cell.at("label").get<std::string>(); }

std::string pair_text(const Pair& pair) {
  if (pair.denominator == nullptr) return "(" + label(*pair.numerator) + ")";
  std::string text = "(";
  text.append(label(*pair.numerator)).append(") / (").append(label(*pair.denominator));
  return text + ")";
}

std::string number(double value) {
  char text[32];
  // Ratios and shares have three digits behind the point, counts and times need none.
  std::snprintf(text, sizeof text, std::abs(value) < 1000 ? "%.3f" : "%.0f", value);
  return text;
}

std::string shown(const Measured& measured, const std::string& unit = "") {
  if (!measured.value) return "not measured";
  const std::string after = unit.empty() ? "" : " " + unit;
  if (!measured.interval) return number(*measured.value) + after + " (no interval)";
  return number(*measured.value) + " [" + number(measured.interval->low) + ", " +
         number(measured.interval->high) + "]" + after;
}

/// One part of a claim being judged: its rows, verdict and reason.
struct Part {
  std::string verdict;
  std::string reason;
  Json rows = Json::array();

  void settle(std::string new_verdict, std::string new_reason) {
    verdict = std::move(new_verdict);
    reason = std::move(new_reason);
  }
};

Part judge_ratio(const Claim& claim, const Json& result) {
  Part part;
  const auto pairs = pairs_of(result.at("cells"), claim.numerator, claim.denominator, claim.where);
  if (pairs.empty()) {
    part.settle(kNotTestable, "the cells that it compares " + absence_of_cells(result));
    return part;
  }
  const bool below = *claim.paper.high < 1;
  std::vector<std::string> reasons;
  for (const Pair& pair : pairs) {
    const Measured measured =
        measure_ratio(result, *pair.numerator, *pair.denominator, claim.metric);
    part.rows.push_back(row(pair_text(pair), pair, measured, claim.paper));
    const std::string range =
        "paper " + number(*claim.paper.low) + ".." + number(*claim.paper.high);
    std::string verdict = kInconclusive;
    std::string why = shown(measured) + " contains 1";
    if (!measured.interval) {
      verdict = measured.value ? kInconclusive : kNotTestable;
      why = shown(measured) + ": " + measured.missing;
    } else if (below ? measured.interval->high < 1 : measured.interval->low > 1) {
      const bool meets = measured.interval->low <= *claim.paper.high &&
                         measured.interval->high >= *claim.paper.low;
      verdict = meets ? kReproduced : kDirectionOnly;
      why = shown(measured) + (meets ? " meets " : " is on the paper's side, but outside ") + range;
    } else if (below ? measured.interval->low > 1 : measured.interval->high < 1) {
      verdict = kNotReproduced;
      why = shown(measured) + " is on the other side of 1; " + range;
    }
    part.verdict = part.verdict.empty() ? verdict : weakest(part.verdict, verdict);
    reasons.push_back(why);
  }
  part.reason = join(reasons, "; ");
  return part;
}

Part judge_order(const Claim& claim, const Json& result) {
  Part part;
  std::size_t agree = 0;
  std::size_t straddle = 0;
  std::vector<std::string> against;
  std::vector<std::string> missing;
  bool measured_any = false;
  for (std::size_t i = 0; i + 1 < claim.order.size(); ++i) {
    const auto pairs =
        pairs_of(result.at("cells"), claim.order[i + 1], claim.order[i], claim.where);
    if (pairs.empty()) missing.push_back(claim.order[i + 1].text() + outside_shard(result));
    for (const Pair& pair : pairs) {
      const Measured measured =
          measure_ratio(result, *pair.numerator, *pair.denominator, claim.metric);
      part.rows.push_back(row(pair_text(pair), pair, measured));
      measured_any = measured_any || measured.value.has_value();
      if (!measured.interval) {
        missing.push_back(pair_text(pair) + ": " + measured.missing);
      } else if (measured.interval->high < 1) {
        ++agree;
      } else if (measured.interval->low > 1) {
        against.push_back(pair_text(pair) + " = " + shown(measured));
      } else {
        ++straddle;
      }
    }
  }
  const std::string counts =
      std::to_string(agree) + " agree, " + std::to_string(straddle) + " straddle 1";
  if (!against.empty()) {
    part.settle(kNotReproduced, "contradicted: " + join(against, "; "));
  } else if (!missing.empty()) {
    part.settle(measured_any ? kInconclusive : kNotTestable,
                "not measured well enough: " + join(missing, "; "));
  } else if (straddle == 0) {
    part.settle(kReproduced, "every adjacent pair's interval agrees");
  } else if (agree > 0) {
    part.settle(kDirectionOnly, "of the adjacent pairs " + counts + ", none contradicts");
  } else {
    part.settle(kInconclusive, "of the adjacent pairs " + counts);
  }
  return part;
}

/// Settles an argmin whose best cell is the paper's; `unclear` may yet be faster.
void settle_paper(Part& part, const std::string& paper, const std::vector<std::string>& unclear) {
  if (unclear.empty()) {
    part.settle(kReproduced, paper + " is the best, or SAME as the best");
  } else {
    part.settle(kInconclusive,
                paper + " has the least median, but can't be told from " + join(unclear, ", "));
  }
}

/// Settles an argmin whose best cell, as `found` says, is not the paper's.
void settle_rival(Part& part, const std::string& found, measure::Outcome outcome,
                  bool is_neighbour) {
  if (outcome == measure::Outcome::same) {
    part.settle(kReproduced, found + ": SAME");
  } else if (outcome == measure::Outcome::unclear) {
    part.settle(kInconclusive, found);
  } else if (is_neighbour) {
    part.settle(kDirectionOnly, found + ": its neighbour among the values measured");
  } else {
    part.settle(kNotReproduced, found);
  }
}

Part judge_argmin_group(const Claim& claim, const Json& result,
                        const std::vector<const Json*>& group) {
  Part part;
  const auto name = [&](const Json& cell) {
    return claim.along + " = " + axis_text(cell.at("axes").at(claim.along));
  };
  const Json* const paper = paper_cell(group, claim);
  if (paper == nullptr || group.size() < 2) {
    part.settle(kNotTestable, "the paper's value or its rivals " + absence_of_cells(result));
    return part;
  }
  if (const std::string values = values_outside_shard(result, claim.along, group);
      !values.empty()) {
    part.settle(kInconclusive, claim.along + " = " + values + " " + absence_of_cells(result));
    return part;
  }
  // The best is the cell whose ratio to the paper's is least; all ratios have the same denominator.
  const Json* best = paper;
  double best_ratio = 1;
  std::vector<std::string> unclear;
  std::vector<std::string> missing;
  std::map<const Json*, Measured> against_paper;
  for (const Json* rival : group) {
    if (rival == paper) continue;
    const Pair pair{rival, paper};
    const Measured measured = measure_ratio(result, *rival, *paper, claim.metric);
    against_paper[rival] = measured;
    part.rows.push_back(row(pair_text(pair), pair, measured));
    if (!measured.value) {
      missing.push_back(name(*rival));
      continue;
    }
    if (*measured.value < best_ratio) {
      best = rival;
      best_ratio = *measured.value;
    }
    // A rival that may yet be faster: its interval begins below 1 and it isn't SAME.
    const auto outcome = measure::judge(measured.interval);
    if (outcome == measure::Outcome::unclear) unclear.push_back(name(*rival));
  }
  if (missing.size() + 1 == group.size()) {
    part.settle(kNotTestable, "the paper's value or its rivals were not measured");
    return part;
  }
  if (!missing.empty()) {
    part.settle(kInconclusive, "one that was not measured may be the best: " + join(missing, ", "));
    return part;
  }
  if (best == paper) {
    settle_paper(part, name(*paper), unclear);
    return part;
  }
  const auto position = [&](const Json* cell) {
    return std::ranges::find(group, cell) - group.begin();
  };
  const Measured& measured = against_paper[best];
  settle_rival(part, "best is " + name(*best) + ", " + shown(measured) + " of " + name(*paper),
               measure::judge(measured.interval), std::abs(position(best) - position(paper)) == 1);
  return part;
}

Part judge_argmin(const Claim& claim, const Json& result) {
  Part total;
  std::vector<std::string> reasons;
  for (const auto& group : along(result.at("cells"), claim)) {
    const Part part = judge_argmin_group(claim, result, group);
    total.verdict = total.verdict.empty() ? part.verdict : weakest(total.verdict, part.verdict);
    reasons.push_back(part.reason);
    total.rows.insert(total.rows.end(), part.rows.begin(), part.rows.end());
  }
  total.reason = join(reasons, "; ");
  if (total.verdict.empty()) {
    total.settle(kNotTestable, "no cell has axis " + claim.along + outside_shard(result));
  }
  return total;
}

/// How one inequality stands: `size` and `direction` each hold, fail, or are unclear.
enum class Holds { yes, no, unclear };

struct Inequality {
  Holds size = Holds::unclear;
  Holds direction = Holds::unclear;
};

Inequality test(const plan::Statement& statement, const std::optional<Interval>& interval) {
  Inequality result;
  if (!interval) return result;
  const double least = statement.at_least.value_or(0);
  const double most = statement.at_most.value_or(HUGE_VAL);
  if (interval->low >= least && interval->high <= most) result.size = Holds::yes;
  if (interval->high < least || interval->low > most) result.size = Holds::no;
  // A metric by itself has no side of 1 to be on, and "flat" has no direction: it is all size.
  result.direction = result.size;
  if (statement.denominator.empty()) return result;
  if (least >= 1) {
    result.direction = interval->low > 1    ? Holds::yes
                       : interval->high < 1 ? Holds::no
                                            : Holds::unclear;
  } else if (most <= 1) {
    result.direction = interval->high < 1  ? Holds::yes
                       : interval->low > 1 ? Holds::no
                                           : Holds::unclear;
  }
  return result;
}

Part judge_shape(const Claim& claim, const Json& result) {
  Part part;
  std::size_t sizes = 0;
  std::size_t directions = 0;
  std::size_t total = 0;
  std::vector<std::string> against;
  std::vector<std::string> short_of;
  std::vector<std::string> missing;
  std::string unmeasured;
  bool measured_any = false;
  for (const plan::Statement& statement : claim.statements) {
    const auto pairs = compared(result.at("cells"), statement, claim);
    if (pairs.empty()) missing.push_back(statement.text + outside_shard(result));
    const std::string& metric = statement.metric.empty() ? claim.metric : statement.metric;
    for (const Pair& pair : pairs) {
      const bool single = pair.denominator == nullptr;
      const Measured measured = measure_statement(statement, claim, pair, result);
      // A single cell needs no name beside the statement's.
      const std::string subject =
          single && pairs.size() == 1 ? statement.text : statement.text + ": " + pair_text(pair);
      part.rows.push_back(row(subject, pair, measured,
                              {statement.paper, statement.at_least, statement.at_most, ""}));
      if (!statement.metric.empty()) part.rows.back()["metric"] = metric;
      measured_any = measured_any || measured.value.has_value();
      if (!measured.value && unmeasured.empty()) unmeasured = measured.missing;
      const Inequality holds = test(statement, measured.interval);
      const std::string unit = single ? plan::parse_metric(metric).unit() : "";
      const std::string text = subject + " = " + shown(measured, unit) +
                               (measured.interval ? "" : ": " + measured.missing);
      ++total;
      if (holds.direction == Holds::no) against.push_back(text);
      if (holds.size != Holds::yes && holds.direction != Holds::no) short_of.push_back(text);
      sizes += holds.size == Holds::yes ? 1 : 0;
      directions += holds.direction == Holds::yes ? 1 : 0;
    }
  }
  if (!against.empty()) {
    part.settle(kNotReproduced, "contradicted: " + join(against, "; "));
  } else if (!measured_any) {
    part.settle(kNotTestable, unmeasured.empty()
                                  ? "the cells that it compares " + absence_of_cells(result)
                                  : "not measured: " + unmeasured);
  } else if (!missing.empty()) {
    part.settle(kInconclusive, "not measured: " + join(missing, "; "));
  } else if (sizes == total) {
    part.settle(kReproduced, "every inequality holds by interval");
  } else if (directions == total) {
    part.settle(kDirectionOnly, "the directions hold, the sizes don't: " + join(short_of, "; "));
  } else {
    part.settle(kInconclusive, "not decided: " + join(short_of, "; "));
  }
  return part;
}

Part show_absolute(const Claim& claim, const Json& result) {
  Part part;
  part.settle(kShown, "shown beside the paper's figures, never judged");
  for (const plan::ShownCell& shown_cell : claim.cells) {
    for (const Json* cell : select(result.at("cells"), shown_cell.where, claim.where)) {
      part.rows.push_back(row(shown_cell.text, {cell, nullptr},
                              measure_cell(result, *cell, claim.metric),
                              {shown_cell.paper, std::nullopt, std::nullopt, ""}));
    }
  }
  return part;
}

Part judge_by_kind(const Claim& claim, const Json& result) {
  switch (claim.kind) {
    case ClaimKind::ratio:
      return judge_ratio(claim, result);
    case ClaimKind::order:
      return judge_order(claim, result);
    case ClaimKind::argmin:
      return judge_argmin(claim, result);
    case ClaimKind::absolute:
      return show_absolute(claim, result);
    case ClaimKind::trend:
    case ClaimKind::shape:
      break;
  }
  return judge_shape(claim, result);
}

/// Whether a verdict says what the measured values are.
bool is_judged(const std::string& verdict) {
  return verdict == kReproduced || verdict == kDirectionOnly || verdict == kNotReproduced;
}

Part judge_claim(const Claim& claim, const Json& result) {
  Part part = judge_by_kind(claim, result);
  if (const std::string doubts = doubts_of_rows(part.rows);
      is_judged(part.verdict) && !doubts.empty()) {
    part.settle(kInconclusive, "not judged: " + doubts);
  }
  return part;
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

int weakness(const std::string& verdict) {
  const std::vector<std::string> order = {kShown,       kReproduced,   kDirectionOnly,
                                          kNotTestable, kInconclusive, kNotReproduced};
  return static_cast<int>(std::ranges::find(order, verdict) - order.begin());
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
    if (claim.kind == ClaimKind::ratio) {
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

Json judge(const plan::Experiment& experiment, const Json& result) {
  std::vector<std::string> ids;
  for (const Claim& claim : experiment.claims) {
    if (std::ranges::find(ids, claim.id) == ids.end()) ids.push_back(claim.id);
  }
  const Json& about = result.at("experiment");
  Json verdicts = Json::array();
  for (const std::string& id : ids) {
    Json parts = Json::array();
    std::vector<std::string> texts;
    std::vector<std::string> shown_texts;
    std::string total = kShown;
    for (const Claim& claim : experiment.claims) {
      if (claim.id != id) continue;
      const Part part = judge_claim(claim, result);
      total = weakest(total, part.verdict);
      (part.verdict == kShown ? shown_texts : texts).push_back(claim.text);
      parts.push_back({{"text", claim.text},
                       {"kind", to_string(claim.kind)},
                       {"verdict", part.verdict},
                       {"reason", part.reason},
                       {"metric", claim.metric},
                       {"measured", part.rows}});
    }
    // The parts that decided; the others are there to read in `parts`.
    std::vector<std::string> reasons;
    for (const Json& part : parts) {
      if (part.at("verdict") != total) continue;
      const auto reason = part.at("reason").get<std::string>();
      reasons.push_back(texts.size() < 2 ? reason
                                         : part.at("text").get<std::string>() + ": " + reason);
    }
    std::string headline = total;
    if (const std::string unmet = unmet_reasons(parts, result);
        total == kNotTestable && !unmet.empty()) {
      headline += ": " + unmet;
      reasons.push_back(unmet);
    }
    const Json stand_in = is_judged(total) ? about.at("stand_in") : Json();
    const std::string claim_name =
        experiment.paper_key.empty() ? id : experiment.paper_key + "/" + id;
    verdicts.push_back(
        {{"claim", claim_name},
         {"experiment", experiment.id},
         {"text", join(texts.empty() ? shown_texts : texts, "; ")},
         {"verdict", total},
         {"stand_in", stand_in},
         {"headline",
          stand_in.is_null() ? headline : total + " on a stand-in: " + stand_in.get<std::string>()},
         {"reason", join(reasons, "; ")},
         {"parts", parts}});
  }
  add_units(verdicts);
  return verdicts;
}

}  // namespace bellmark::verdict
