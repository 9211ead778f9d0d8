#include "harness/plan/claim_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/enum_names.hpp"
#include "base/text.hpp"
#include "harness/plan/experiment_keys.hpp"
#include "harness/plan/metric.hpp"

namespace bellmark::plan {
namespace {

constexpr EnumNames<ClaimKind, 8> kKindNames = {{{{ClaimKind::order, "order"},
                                                  {ClaimKind::ratio, "ratio"},
                                                  {ClaimKind::trend, "trend"},
                                                  {ClaimKind::shape, "shape"},
                                                  {ClaimKind::slope, "slope"},
                                                  {ClaimKind::crossing, "crossing"},
                                                  {ClaimKind::argmin, "argmin"},
                                                  {ClaimKind::absolute, "absolute"}}}};

constexpr EnumNames<About, 4> kAboutNames = {{{{About::unsaid, ""},
                                               {About::memory, "memory"},
                                               {About::work, "work"},
                                               {About::order, "order"}}}};

PaperValue read_paper_value(const Table& paper) {
  paper.only(kPaperValueKeys);
  PaperValue value;
  value.value = paper.optional<double>("value");
  value.low = paper.optional<double>("low");
  value.high = paper.optional<double>("high");
  value.quoted = paper.optional<std::string>("quoted").value_or("");
  for (const char* key : {"unit", "read_from", "machine"}) paper.optional<std::string>(key);
  if (value.low && value.high && *value.low > *value.high) {
    throw InputError(paper.where_key("low"), "the paper's low is above high", "swap them");
  }
  return value;
}

/// The ratio that the sentence denies: `fallback` unless the table names one.
double read_rival(const Table& table, double fallback, bool positive) {
  const double rival = table.optional<double>("rival").value_or(fallback);
  if (positive && rival <= 0) {
    throw InputError(table.where_key("rival"), "a rival must be above 0",
                     "name the ratio that the sentence denies");
  }
  return rival;
}

/// A figure, or a table with a figure or a range.
PaperValue read_statement_paper(const Table& row) {
  if (row.is_table("paper")) return read_paper_value(*row.table("paper"));
  PaperValue value;
  value.value = row.optional<double>("paper");
  return value;
}

/// The bounds of a statement: the paper's figures, or its own with their reason.
void check_bounds(const Statement& statement, const Table& row) {
  const bool has_bounds = statement.at_least || statement.at_most;
  if (!has_bounds && !statement.paper.is_given()) throw row.missing("paper");
  if (has_bounds && statement.reason.empty()) {
    throw InputError(row.where_key(statement.at_least ? "at_least" : "at_most"),
                     "a statement's own bounds need a reason",
                     "add reason = \"...\", from the paper; or give its figure, paper = ...");
  }
  if (statement.at_least && statement.at_most && *statement.at_least > *statement.at_most) {
    throw InputError(row.where_key("at_least"), "at_least is above at_most: nothing could hold",
                     "swap them");
  }
}

/// The axis that a key names. Throws InputError.
std::string read_axis(const Table& table, const std::string& key,
                      const std::vector<std::string>& axes) {
  auto axis = table.optional<std::string>(key).value_or("");
  if (axis.empty() || std::ranges::find(axes, axis) != axes.end()) return axis;
  throw InputError(table.where_key(key), "'" + axis + "' is not an axis of this experiment",
                   suggestion(axis, axes));
}

void read_mean(Statement& statement, const Table& row, const std::vector<std::string>& axes) {
  const auto mean = row.table("mean");
  if (!mean) return;
  mean->only(kMeanKeys);
  statement.mean_over = read_axis(*mean, "over", axes);
  if (statement.mean_over.empty()) throw mean->missing("over");
  const auto count = mean->required<std::int64_t>("count");
  if (count < 2) {
    throw InputError(mean->where_key("count"), "a mean needs two or more ratios",
                     "state the number of ratios in the paper's mean");
  }
  statement.mean_count = static_cast<std::size_t>(count);
  if (statement.denominator.empty()) throw row.missing("denominator");
  if (!statement.over_numerator.empty()) {
    throw InputError(row.where_key("mean"), "a statement has 'mean' or 'over', not both",
                     "leave one out");
  }
}

Statement read_statement(const Table& row, const std::vector<std::string>& axes, Rules rules) {
  row.only(kStatementKeys);
  Statement statement;
  statement.text = row.required<std::string>("text");
  if (const auto metric = row.optional<std::string>("metric")) {
    statement.metric = parse_metric(*metric, row.where_key("metric")).name;
  }
  statement.numerator = row.selector("numerator", axes);
  statement.denominator = row.selector("denominator", axes);
  if (const auto over = row.table("over")) {
    over->only(kOverKeys);
    statement.over_numerator = over->selector("numerator", axes);
    statement.over_denominator = over->selector("denominator", axes);
    if (statement.denominator.empty()) throw row.missing("denominator");
    if (statement.over_numerator.empty()) throw over->missing("numerator");
    if (statement.over_denominator.empty()) throw over->missing("denominator");
  }
  if (statement.numerator.empty()) throw row.missing("numerator");
  read_mean(statement, row, axes);
  statement.at_least = row.optional<double>("at_least");
  statement.at_most = row.optional<double>("at_most");
  const bool is_older = rules == Rules::older;
  statement.reason = row.optional<std::string>("reason").value_or(is_older ? "older bounds" : "");
  statement.paper = read_statement_paper(row);
  statement.rival = read_rival(row, 1, true);
  check_bounds(statement, row);
  return statement;
}

/// Throws InputError when a claim of its kind lacks a key that it is judged by.
void check_claim(const Claim& claim, const Table& table) {
  if (claim.kind == ClaimKind::order && claim.order.size() < 2) throw table.missing("order");
  if (claim.kind == ClaimKind::ratio) {
    if (claim.numerator.empty()) throw table.missing("numerator");
    if (claim.denominator.empty()) throw table.missing("denominator");
    if (!claim.paper.is_given()) throw table.missing("paper.value' or 'paper.low");
  }
  if (claim.kind == ClaimKind::slope || claim.kind == ClaimKind::crossing) {
    if (claim.along.empty()) throw table.missing("along");
  }
  if (claim.kind == ClaimKind::slope && !claim.paper.is_given()) {
    throw table.missing("paper.value' or 'paper.low");
  }
  if (claim.kind == ClaimKind::crossing) {
    if (claim.numerator.empty()) throw table.missing("numerator");
    if (claim.denominator.empty()) throw table.missing("denominator");
    if (!claim.paper.value) throw table.missing("paper.value");
  }
  if (claim.kind == ClaimKind::argmin) {
    if (claim.along.empty()) throw table.missing("along");
    if (!claim.paper.value) throw table.missing("paper.value");
  }
  if ((claim.kind == ClaimKind::shape || claim.kind == ClaimKind::trend) &&
      claim.statements.empty()) {
    throw table.missing("statements");
  }
  if (claim.kind == ClaimKind::absolute && claim.cells.empty()) throw table.missing("cells");
}

}  // namespace

std::string to_string(ClaimKind kind) { return kKindNames.name_of(kind); }

std::string to_string(About about) { return kAboutNames.name_of(about); }

Claim read_claim(const Table& table, const std::vector<std::string>& axes, Rules rules) {
  table.only(kClaimKeys);
  Claim claim;
  claim.id = table.required<std::string>("id");
  const auto kind = table.required<std::string>("kind");
  claim.text = table.required<std::string>("text");
  if (const auto known = kKindNames.value_of(kind)) {
    claim.kind = *known;
  } else {
    throw InputError(table.where_key("kind"), "'" + kind + "' is not a kind of claim",
                     suggestion(kind, kKindNames.all()));
  }
  if (const auto metric = table.optional<std::string>("metric")) {
    claim.metric = parse_metric(*metric, table.where_key("metric")).name;
  }
  claim.along = read_axis(table, "along", axes);
  for (const Table& selector : table.tables("order"))
    claim.order.push_back(selector.selector(axes));
  claim.numerator = table.selector("numerator", axes);
  claim.denominator = table.selector("denominator", axes);
  claim.where = table.selector("where", axes);
  for (const Table& row : table.tables("statements")) {
    claim.statements.push_back(read_statement(row, axes, rules));
  }
  for (const Table& row : table.tables("cells")) {
    row.only(kShownCellKeys);
    ShownCell cell;
    cell.where = row.selector("where", axes);
    cell.denominator = row.selector("denominator", axes);
    cell.paper = row.optional<double>("paper");
    cell.text = row.optional<std::string>("text").value_or(cell.where.text());
    claim.cells.push_back(std::move(cell));
  }
  if (const auto checks = table.optional<std::string>("checks")) {
    constexpr std::string_view kStandIn = "stand-in";
    if (*checks != kStandIn) {
      throw InputError(table.where_key("checks"), "'" + *checks + "' can't be checked",
                       "write checks = \"stand-in\", or leave it out");
    }
    claim.checks_stand_in = true;
  }
  if (const auto paper = table.table("paper")) claim.paper = read_paper_value(*paper);
  const bool is_slope = claim.kind == ClaimKind::slope;
  claim.rival = read_rival(table, is_slope ? 0 : 1, !is_slope);
  claim.sentence = table.optional<std::string>("sentence").value_or("");
  if (const auto about = table.optional<std::string>("about")) {
    const auto known = kAboutNames.value_of(*about);
    if (!known || *known == About::unsaid) {
      throw InputError(table.where_key("about"), "'" + *about + "' is not a subject of claims",
                       "name memory, work or order");
    }
    claim.about = *known;
  }
  check_claim(claim, table);
  return claim;
}

}  // namespace bellmark::plan
