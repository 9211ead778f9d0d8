#include "harness/verdict/rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/text.hpp"

namespace bellmark::verdict {
namespace {

using plan::axis_text;
using plan::Claim;
using plan::ClaimKind;
using plan::PaperValue;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Why a result lacks the cells of a claim.
std::string absence_of_cells(const Json& result) {
  const Json shard = result.at("experiment").value("shard", Json());
  if (shard.is_null()) return "were not measured";
  return "were not measured in shard " + shard.at("index").dump() + "/" + shard.at("count").dump();
}

Row absent(const std::string& text, const std::string& what, const Json& result) {
  Row row;
  row.text = text;
  row.measured.missing = what + " " + absence_of_cells(result);
  return row;
}

std::string label(const Json& cell) { return cell.at("label").get<std::string>(); }

std::string pair_text(const Pair& pair) {
  if (pair.denominator == nullptr) return "(" + label(*pair.numerator) + ")";
  std::string text = "(";
  text.append(label(*pair.numerator)).append(") / (").append(label(*pair.denominator));
  return text + ")";
}

Range range_of(const PaperValue& paper, double rival) {
  Range range;
  range.low = paper.low.value_or(paper.value.value_or(0));
  range.high = paper.high.value_or(paper.value.value_or(kInfinity));
  range.rival = rival;
  return range;
}

/// Faster by more than a tie, by any size.
Range faster() { return {.high = 1 / kTieZone, .is_exact = true}; }
Range slower() { return {.low = kTieZone, .is_exact = true}; }

/// A row that compares two cells, or judges one alone.
Row row_of(const Pair& pair, const std::string& metric, const Json& result, const Range& range) {
  Row row;
  row.text = pair_text(pair);
  row.pair = pair;
  row.metric = metric;
  row.measured = pair.denominator == nullptr
                     ? measure_cell(result, *pair.numerator, metric)
                     : measure_ratio(result, *pair.numerator, *pair.denominator, metric);
  row.range = range;
  row.range.has_side = pair.denominator != nullptr;
  return row;
}

std::vector<Row> ratio_rows(const Claim& claim, const Json& result) {
  std::vector<Row> rows;
  for (const Pair& pair :
       pairs_of(result.at("cells"), claim.numerator, claim.denominator, claim.where)) {
    rows.push_back(row_of(pair, claim.metric, result, range_of(claim.paper, claim.rival)));
    rows.back().paper = claim.paper;
  }
  if (rows.empty()) rows.push_back(absent(claim.text, "the cells that it compares", result));
  return rows;
}

std::vector<Row> order_rows(const Claim& claim, const Json& result) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i + 1 < claim.order.size(); ++i) {
    const auto pairs =
        pairs_of(result.at("cells"), claim.order[i + 1], claim.order[i], claim.where);
    if (pairs.empty()) rows.push_back(absent(claim.order[i + 1].text(), "its cells", result));
    for (const Pair& pair : pairs) rows.push_back(row_of(pair, claim.metric, result, faster()));
  }
  return rows;
}

Range range_of(const plan::Statement& statement) {
  if (!statement.at_least && !statement.at_most) {
    return range_of(statement.paper, statement.rival);
  }
  Range range;
  range.low = statement.at_least.value_or(0);
  range.high = statement.at_most.value_or(kInfinity);
  range.rival = statement.rival;
  range.is_exact = true;
  return range;
}

/// Takes a statement's bounds over into a row.
void state(Row& row, const plan::Statement& statement) {
  row.has_own_metric = !statement.metric.empty();
  row.paper = statement.paper;
  row.bounds_reason = statement.reason;
  if (!statement.at_least && !statement.at_most) return;
  row.paper.low = statement.at_least;
  row.paper.high = statement.at_most;
}

/// The mean of ratios over an axis. A mean of fewer ratios than the paper's says nothing of the
/// paper's.
std::vector<Row> mean_rows(const plan::Statement& statement, const std::vector<Pair>& pairs,
                           const std::string& metric, const Json& result) {
  std::vector<Row> rows;
  for (const auto& group : pairs_over(pairs, statement.mean_over)) {
    Row row = row_of(group.front(), metric, result, range_of(statement));
    row.text = statement.text + ": the mean over " + statement.mean_over + " of " +
               std::to_string(group.size()) + " ratios such as " + row.text;
    std::vector<Measured> ratios;
    for (const Pair& pair : group) {
      ratios.push_back(measure_ratio(result, *pair.numerator, *pair.denominator, metric));
      if (&pair != &group.front()) {
        row.others.insert(row.others.end(), {pair.numerator, pair.denominator});
      }
    }
    row.measured = mean_of(ratios);
    if (group.size() != statement.mean_count) {
      row.measured = {};
      row.measured.missing = "the mean is of " + std::to_string(statement.mean_count) +
                             " ratios, and this result has " + std::to_string(group.size());
    }
    state(row, statement);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> statement_rows(const plan::Statement& statement, const Claim& claim,
                                const Json& result) {
  const Json& cells = result.at("cells");
  const std::string& metric = statement.metric.empty() ? claim.metric : statement.metric;
  const auto pairs = compared(cells, statement, claim);
  if (pairs.empty()) return {absent(statement.text, "its cells", result)};
  if (!statement.mean_over.empty()) return mean_rows(statement, pairs, metric, result);
  std::vector<Row> rows;
  for (const Pair& pair : pairs) {
    Row row = row_of(pair, metric, result, range_of(statement));
    // A single cell needs no name beside the statement's.
    const bool single = pair.denominator == nullptr && pairs.size() == 1;
    row.text = single ? statement.text : statement.text + ": " + row.text;
    state(row, statement);
    if (!statement.over_numerator.empty()) {
      const Pair other = other_ratio(cells, statement, claim, pair);
      if (other.numerator == nullptr) {
        row.measured = absent("", "the cells of the ratio that it is held over", result).measured;
      } else {
        row.others = {other.numerator, other.denominator};
        row.measured = quotient(
            row.measured, measure_ratio(result, *other.numerator, *other.denominator, metric));
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Nothing for a word, such as `auto`.
std::optional<double> place_of(const Json& cell, const Claim& claim) {
  const Json& value = cell.at("axes").at(claim.along);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Values of the axis that the experiment has and none of these cells; "" in a result without a
/// shard.
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

/// A rival that was chosen for being fast counts only by the blocks that were measured afterwards.
void keep_fresh(Row& row, const Json& result) {
  const Json first = result.at("experiment").value("first_fresh_block", Json());
  if (first.is_null() || row.measured.values.empty()) return;
  const auto is_pair = [&](const Json& comparison, const Json& a, const Json& b) {
    return comparison.at("a") == a.at("id") && comparison.at("b") == b.at("id");
  };
  for (const Json& comparison : result.at("comparisons")) {
    if (!is_pair(comparison, *row.pair.numerator, *row.pair.denominator) &&
        !is_pair(comparison, *row.pair.denominator, *row.pair.numerator)) {
      continue;
    }
    const auto blocks = comparison.value("blocks", std::vector<std::size_t>());
    if (blocks.size() != row.measured.values.size()) return;
    std::vector<double> fresh;
    std::vector<double> logs;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i] < first.get<std::size_t>()) continue;
      fresh.push_back(row.measured.values[i]);
      logs.push_back(std::log(fresh.back()));
    }
    if (fresh.empty()) return;
    const measure::Ratio ratio = measure::ratio_over_blocks(logs);
    row.measured.value = ratio.value;
    row.measured.interval = ratio.interval;
    if (!row.measured.interval) row.measured.missing = "fewer than 6 fresh blocks: no interval";
    row.measured.values = std::move(fresh);
    row.text += ", on fresh blocks";
    return;
  }
}

std::vector<Row> argmin_rows(const Claim& claim, const Json& result) {
  std::vector<Row> rows;
  const auto groups = along(result.at("cells"), claim);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& group = groups[i];
    const Json* const paper = paper_cell(group, claim);
    if (paper == nullptr || group.size() < 2) {
      rows.push_back(absent(claim.text, "the paper's value or its rivals", result));
      continue;
    }
    if (const auto values = values_outside_shard(result, claim.along, group); !values.empty()) {
      rows.push_back(absent(claim.text, claim.along + " = " + values, result));
    }
    for (const Json* rival : group) {
      if (rival == paper) continue;
      Row row =
          row_of({rival, paper}, claim.metric, result, {.low = 1 / kTieZone, .is_exact = true});
      row.range.has_side = false;
      keep_fresh(row, result);
      row.place = place_of(*rival, claim);
      row.group = i;
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) rows.push_back(absent(claim.text, "cells along " + claim.along, result));
  return rows;
}

std::vector<Row> crossing_rows(const Claim& claim, const Json& result) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> groups;
  for (const Pair& pair :
       pairs_of(result.at("cells"), claim.numerator, claim.denominator, claim.where)) {
    const std::optional<double> place = place_of(*pair.numerator, claim);
    if (!place) continue;
    const bool is_before = *place < *claim.paper.value;
    Row row = row_of(pair, claim.metric, result, is_before ? faster() : slower());
    row.place = place;
    row.group =
        groups.try_emplace(rest_of(*pair.numerator, claim.along), groups.size()).first->second;
    rows.push_back(std::move(row));
  }
  if (rows.empty()) rows.push_back(absent(claim.text, "the cells that it compares", result));
  return rows;
}

std::vector<Row> slope_rows(const Claim& claim, const Json& result) {
  std::vector<Row> rows;
  for (auto group : along(result.at("cells"), claim)) {
    std::erase_if(group, [&](const Json* cell) { return place_of(*cell, claim).value_or(0) <= 0; });
    if (group.size() < 2) continue;
    std::ranges::sort(group, {}, [&](const Json* cell) { return place_of(*cell, claim); });
    std::vector<double> places;
    places.reserve(group.size());
    for (const Json* cell : group) places.push_back(*place_of(*cell, claim));
    const double span = places.back() / places.front();
    if (span == 1) continue;
    Row row;
    row.text = "growth from " + claim.along + " = " +
               axis_text(group.front()->at("axes").at(claim.along)) + " to " +
               axis_text(group.back()->at("axes").at(claim.along)) + " of (" +
               label(*group.back()) + ")";
    row.pair = {group.back(), group.front()};
    row.others.assign(group.begin() + 1, group.end() - 1);
    row.metric = claim.metric;
    row.measured = measure_growth(result, group, places, claim.metric);
    const auto growth = [&](const std::optional<double>& exponent) {
      return exponent ? std::optional(std::pow(span, *exponent)) : std::nullopt;
    };
    row.paper = {growth(claim.paper.value), growth(claim.paper.low), growth(claim.paper.high),
                 claim.paper.quoted};
    row.range = range_of(row.paper, std::pow(span, claim.rival));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    rows.push_back(absent(claim.text, "two cells along " + claim.along, result));
  }
  return rows;
}

}  // namespace

std::vector<const Json*> cells_of(const Row& row) {
  std::vector<const Json*> cells = row.others;
  for (const Json* cell : {row.pair.denominator, row.pair.numerator}) {
    if (cell != nullptr) cells.insert(cells.begin(), cell);
  }
  return cells;
}

std::vector<Row> rows_of(const Claim& claim, const Json& result) {
  switch (claim.kind) {
    case ClaimKind::ratio:
      return ratio_rows(claim, result);
    case ClaimKind::order:
      return order_rows(claim, result);
    case ClaimKind::argmin:
      return argmin_rows(claim, result);
    case ClaimKind::crossing:
      return crossing_rows(claim, result);
    case ClaimKind::slope:
      return slope_rows(claim, result);
    case ClaimKind::trend:
    case ClaimKind::shape:
    case ClaimKind::absolute:
      break;
  }
  std::vector<Row> rows;
  for (const plan::Statement& statement : claim.statements) {
    for (Row& row : statement_rows(statement, claim, result)) rows.push_back(std::move(row));
  }
  return rows;
}

std::size_t row_count(const Claim& claim, const Json& cells) {
  std::size_t count = 0;
  switch (claim.kind) {
    case ClaimKind::ratio:
    case ClaimKind::crossing:
      return pairs_of(cells, claim.numerator, claim.denominator, claim.where).size();
    case ClaimKind::order:
      for (std::size_t i = 0; i + 1 < claim.order.size(); ++i) {
        count += pairs_of(cells, claim.order[i + 1], claim.order[i], claim.where).size();
      }
      return count;
    case ClaimKind::argmin:
      for (const auto& group : along(cells, claim)) count += group.size() - 1;
      return count;
    case ClaimKind::slope:
      return along(cells, claim).size();
    case ClaimKind::trend:
    case ClaimKind::shape:
    case ClaimKind::absolute:
      break;
  }
  for (const plan::Statement& statement : claim.statements) {
    const auto pairs = compared(cells, statement, claim);
    count +=
        statement.mean_over.empty() ? pairs.size() : pairs_over(pairs, statement.mean_over).size();
  }
  return count;
}

std::vector<StatedEffect> stated_effects(const Claim& claim) {
  std::vector<StatedEffect> effects;
  const auto add = [&](const PaperValue& paper, const Range& range, const std::string& metric) {
    if (!is_over_blocks(metric)) return;
    if (paper.value) {
      effects.push_back({*paper.value, range});
    } else if (paper.low && paper.high) {
      effects.push_back({std::sqrt(*paper.low * *paper.high), range});
    }
  };
  if (claim.kind == ClaimKind::ratio) {
    add(claim.paper, range_of(claim.paper, claim.rival), claim.metric);
  }
  for (const plan::Statement& statement : claim.statements) {
    if (statement.denominator.empty()) continue;
    add(statement.paper, range_of(statement),
        statement.metric.empty() ? claim.metric : statement.metric);
  }
  return effects;
}

bool needs_blocks(const Claim& claim) {
  if (claim.statements.empty()) return is_over_blocks(claim.metric);
  return std::ranges::any_of(claim.statements, [&](const plan::Statement& statement) {
    return is_over_blocks(statement.metric.empty() ? claim.metric : statement.metric);
  });
}

std::vector<Row> shown_rows_of(const Claim& claim, const Json& result) {
  std::vector<Row> rows;
  for (const plan::ShownCell& shown : claim.cells) {
    for (const Pair& pair : compared(result.at("cells"), shown, claim)) {
      Row row = row_of(pair, claim.metric, result, {});
      row.text = shown.text;
      row.paper.value = shown.paper;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace bellmark::verdict
