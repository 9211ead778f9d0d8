#include "harness/plan/claim_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/enum_names.hpp"
#include "base/text.hpp"
#include "harness/plan/experiment_keys.hpp"
#include "harness/plan/metric.hpp"

namespace bellmark::plan {
namespace {

constexpr EnumNames<ClaimKind, 6> kKindNames = {{{{ClaimKind::order, "order"},
                                                  {ClaimKind::ratio, "ratio"},
                                                  {ClaimKind::trend, "trend"},
                                                  {ClaimKind::shape, "shape"},
                                                  {ClaimKind::argmin, "argmin"},
                                                  {ClaimKind::absolute, "absolute"}}}};

Statement read_statement(const Table& row, const std::vector<std::string>& axes) {
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
  statement.at_least = row.optional<double>("at_least");
  statement.at_most = row.optional<double>("at_most");
  statement.paper = row.optional<double>("paper");
  if (statement.numerator.empty()) throw row.missing("numerator");
  if (!statement.at_least && !statement.at_most) throw row.missing("at_least' or 'at_most");
  if (statement.at_least && statement.at_most && *statement.at_least > *statement.at_most) {
    throw InputError(row.where_key("at_least"), "at_least is above at_most: nothing could hold",
                     "swap them");
  }
  return statement;
}

PaperValue read_paper_value(const Table& paper) {
  paper.only(kPaperValueKeys);
  PaperValue value;
  value.value = paper.optional<double>("value");
  value.low = paper.optional<double>("low");
  value.high = paper.optional<double>("high");
  value.quoted = paper.optional<std::string>("quoted").value_or("");
  for (const char* key : {"unit", "read_from", "machine"}) paper.optional<std::string>(key);
  return value;
}

/// Throws InputError when a kind lacks what it is judged by.
void check_claim(const Claim& claim, const Table& table) {
  if (claim.kind == ClaimKind::order && claim.order.size() < 2) throw table.missing("order");
  if (claim.kind == ClaimKind::ratio) {
    if (claim.numerator.empty()) throw table.missing("numerator");
    if (claim.denominator.empty()) throw table.missing("denominator");
    if (!claim.paper.low || !claim.paper.high) throw table.missing("paper.low' and 'paper.high");
    if (*claim.paper.low > *claim.paper.high) {
      throw InputError(table.where_key("paper"), "the paper's low is above high", "swap them");
    }
    if (*claim.paper.low <= 1 && *claim.paper.high >= 1) {
      throw InputError(table.where_key("paper"), "the paper's range contains 1: no side to be on",
                       "state the range on one side of 1, or use kind = \"shape\"");
    }
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

Claim read_claim(const Table& table, const std::vector<std::string>& axes) {
  table.only(kClaimKeys);
  Claim claim;
  claim.id = table.required<std::string>("id");
  const auto kind = table.required<std::string>("kind");
  claim.text = table.required<std::string>("text");
  if (const auto known = kKindNames.value_of(kind)) {
    claim.kind = *known;
  } else {
    throw InputError(table.where_key("kind"), "'" + kind + "' is no kind of claim",
                     suggestion(kind, kKindNames.all()));
  }
  if (const auto metric = table.optional<std::string>("metric")) {
    claim.metric = parse_metric(*metric, table.where_key("metric")).name;
  }
  claim.along = table.optional<std::string>("along").value_or("");
  if (!claim.along.empty() && std::ranges::find(axes, claim.along) == axes.end()) {
    throw InputError(table.where_key("along"),
                     "'" + claim.along + "' is no axis of this experiment",
                     suggestion(claim.along, axes));
  }
  for (const Table& selector : table.tables("order"))
    claim.order.push_back(selector.selector(axes));
  claim.numerator = table.selector("numerator", axes);
  claim.denominator = table.selector("denominator", axes);
  claim.where = table.selector("where", axes);
  for (const Table& row : table.tables("statements")) {
    claim.statements.push_back(read_statement(row, axes));
  }
  for (const Table& row : table.tables("cells")) {
    row.only(kShownCellKeys);
    ShownCell cell;
    cell.where = row.selector("where", axes);
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
  check_claim(claim, table);
  return claim;
}

}  // namespace bellmark::plan
