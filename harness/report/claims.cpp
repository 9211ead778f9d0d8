#include "harness/report/claims.hpp"

#include <algorithm>
#include <set>

#include "base/alike.hpp"
#include "base/text.hpp"
#include "harness/plan/metric.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::report {
namespace {

/// Has times, but of too few blocks for an interval of any.
bool ended_early(const Json& result) {
  bool timed = false;
  for (const Json& cell : result.at("cells")) {
    const Json& time = cell.at("wall_ns");
    if (time.is_null()) continue;
    if (!time.at("ci95_low").is_null()) return false;
    timed = true;
  }
  return timed;
}

/// Experiment and claim: what a longer run decides for one that ended early.
using Decision = std::pair<std::string, std::string>;

Decision decision_of(const Json& result, const Json& verdict) {
  return {result.at("experiment").at("id"), verdict.at("claim")};
}

/// What runs that did not end early judge.
std::set<Decision> decided_by(const std::vector<Json>& results) {
  std::set<Decision> decided;
  for (const Json& result : results) {
    if (ended_early(result)) continue;
    for (const Json& verdict : result.at("verdicts")) {
      if (verdict.at("verdict") != verdict::kShown) decided.insert(decision_of(result, verdict));
    }
  }
  return decided;
}

/// Runs of one experiment say the same, and once is enough.
void add_once(std::string& known, const std::string& more) {
  if (known.empty()) {
    known = more;
  } else if (known.find(more) == std::string::npos) {
    known += "; " + more;
  }
}

/// Numbers say what was measured, but not in why it was not judged.
void add_reason(ClaimRow& row, const std::string& reason) {
  if (reason.starts_with("not judged: ")) {
    row.doubts.push_back(reason);
  } else {
    add_once(row.reason, reason);
  }
}

void take(ClaimRow& row, const Json& verdict) {
  row.verdict = verdict.at("verdict");
  row.headline = verdict.at("headline");
  row.stand_in = verdict.value("stand_in", Json());
}

void take_words(ClaimRow& row, const Json& verdict) {
  row.text = verdict.at("text");
  row.reason.clear();
  row.doubts.clear();
  add_reason(row, verdict.at("reason"));
}

/// Adds one more verdict on the row's claim.
void merge(ClaimRow& row, const Json& verdict) {
  const auto word = verdict.at("verdict").get<std::string>();
  // What is only shown says nothing beside what was judged.
  if (word == verdict::kShown && row.verdict != verdict::kShown) return;
  if (word != verdict::kShown && row.verdict == verdict::kShown) {
    take(row, verdict);
    take_words(row, verdict);
    return;
  }
  if (verdict::weakest(row.verdict, word) != row.verdict) take(row, verdict);
  add_once(row.text, verdict.at("text"));
  add_reason(row, verdict.at("reason"));
}

Json claim_json(const ClaimRow& row) {
  Json judged = Json::array();
  for (const auto& [index, verdict] : row.judged) {
    judged.push_back({{"result", index}});
    judged.back().update(*verdict);
  }
  return {{"claim", row.claim},       {"verdict", row.verdict}, {"headline", row.headline},
          {"stand_in", row.stand_in}, {"text", row.text},       {"reason", row.reason},
          {"judged", judged}};
}

/// Unit and title of the metrics that every cell may have, and of those of the result's figures.
Json metrics_of(const Json& result) {
  std::set<std::string> names = {"wall_ns", "teps.harmonic_mean", "teps.median",
                                 "memory.resident_bytes", "memory.accounted_bytes"};
  const Json figure = result.at("experiment").value("figure", Json());
  for (const Json& spec : figure.is_object() ? Json::array({figure}) : figure) {
    if (spec.contains("metric")) names.insert(spec.at("metric").get<std::string>());
  }
  Json metrics = Json::object();
  for (const std::string& name : names) {
    const plan::Metric metric = plan::parse_metric(name, "a figure of the result");
    metrics[name] = {{"unit", metric.unit()}, {"title", metric.title()}};
  }
  return metrics;
}

}  // namespace

std::vector<ClaimRow> merge_claims(const std::vector<Json>& results) {
  const std::set<Decision> decided = decided_by(results);
  std::vector<ClaimRow> rows;
  for (std::size_t index = 0; index < results.size(); ++index) {
    const Json& result = results[index];
    const bool early = ended_early(result);
    for (const Json& verdict : result.at("verdicts")) {
      if (early && decided.contains(decision_of(result, verdict))) continue;
      const auto claim = verdict.at("claim").get<std::string>();
      auto row = std::ranges::find(rows, claim, &ClaimRow::claim);
      if (row == rows.end()) {
        row = rows.insert(row, ClaimRow{});
        row->claim = claim;
        take(*row, verdict);
        take_words(*row, verdict);
      } else {
        merge(*row, verdict);
      }
      row->judged.emplace_back(index, &verdict);
    }
  }
  for (ClaimRow& row : rows) {
    for (const std::string& doubt : once_each(row.doubts)) add_once(row.reason, doubt);
  }
  std::ranges::stable_sort(rows, natural_less, &ClaimRow::claim);
  return rows;
}

Json claims_document(const std::vector<std::string>& files, const std::vector<Json>& results,
                     Results detail) {
  Json named = Json::array();
  for (std::size_t index = 0; index < results.size(); ++index) {
    const Json& experiment = results[index].at("experiment");
    named.push_back({{"file", files.at(index)},
                     {"experiment", experiment.at("id")},
                     {"form", experiment.at("form")}});
    if (detail == Results::named) continue;
    Json& result = named.back()["result"] = results[index];
    result["metrics"] = metrics_of(result);
  }
  Json claims = Json::array();
  for (const ClaimRow& row : merge_claims(results)) claims.push_back(claim_json(row));
  return {{"schema", {{"name", "bellmark-verdicts"}, {"version", "1.0.0"}}},
          {"results", named},
          {"claims", claims}};
}

}  // namespace bellmark::report
