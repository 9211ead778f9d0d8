#include "harness/report/claims.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/alike.hpp"
#include "base/text.hpp"
#include "harness/plan/metric.hpp"
#include "harness/plan/stand_in_class.hpp"
#include "harness/report/machine.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::report {
namespace {

/// True if times were measured, but in too few blocks for an interval of any.
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

/// Commit, compiler and flags: results of one build can be merged.
std::string build_of(const Json& result) {
  const Json provenance = result.value("provenance", Json::object());
  const auto word = [&](const char* key) {
    const Json value = provenance.value(key, Json());
    return value.is_string() ? value.get<std::string>() : std::string("unknown");
  };
  constexpr std::size_t kShortCommit = 8;
  return word("git_sha").substr(0, kShortCommit) +
         (provenance.value("git_dirty", Json(false)) == true ? " with changes" : "") + ", " +
         word("compiler") + " " + word("flags");
}

/// The distance of a verdict's data from the paper's: 0 is the paper's own, and unknown comes last.
std::size_t farness_of(const Json& verdict) {
  constexpr std::size_t kUnsaid = 4;
  const Json name = verdict.value("stand_in_class", Json());
  if (!name.is_string()) return kUnsaid;
  const auto known = plan::stand_in_class_of(name.get<std::string>());
  return known ? static_cast<std::size_t>(*known) : kUnsaid;
}

double largest_graph(const Json& result) {
  double largest = 0;
  for (const Json& workload : result.value("workloads", Json::array())) {
    largest = std::max(largest, workload.at("facts").value("arc_count", 0.0));
  }
  return largest;
}

/// True if doubts left some of each part unjudged: such a result is complete for no part.
bool is_doubted(const Json& verdict) {
  const Json parts = verdict.value("parts", Json::array());
  const auto is_left = [](const Json& part) {
    return part.at("reason").get<std::string>().find(verdict::kNotJudged) != std::string::npos;
  };
  return !parts.empty() && std::ranges::all_of(parts, is_left);
}

/// Of two results on one claim the lesser key decides.
auto faithfulness(const Json& result, const Json& verdict) {
  const Json begun = result.value("provenance", Json::object()).value("started_utc", Json(""));
  return std::tuple(verdict.at("verdict") == verdict::kShown, ended_early(result),
                    is_doubted(verdict),
                    result.at("experiment").value("form", Json("full")) != "full",
                    farness_of(verdict), -largest_graph(result), begun.get<std::string>());
}

/// The statements of one machine's results on a claim. Of each experiment one result decides.
struct Judgements {
  std::string claim;
  std::string machine;
  std::string build;
  std::vector<Judgement> judged;
};

/// The builds whose results decide, each with all results of the experiments that it decides.
std::vector<Judgements> choose(Judgements all, const std::vector<Json>& results) {
  const auto experiment_of = [&](const Judgement& judgement) {
    return results[judgement.result].at("experiment").at("id").get<std::string>();
  };
  std::map<std::string, Judgement*> deciding;
  for (Judgement& judgement : all.judged) {
    Judgement*& best = deciding[experiment_of(judgement)];
    if (best == nullptr || faithfulness(results[judgement.result], *judgement.verdict) <
                               faithfulness(results[best->result], *best->verdict)) {
      best = &judgement;
    }
  }
  for (auto& [experiment, judgement] : deciding) judgement->decides = true;
  std::vector<Judgements> builds;
  for (const Judgement& judgement : all.judged) {
    const std::string build = build_of(results[deciding[experiment_of(judgement)]->result]);
    auto own = std::ranges::find(builds, build, &Judgements::build);
    if (own == builds.end()) own = builds.insert(own, {all.claim, all.machine, build, {}});
    own->judged.push_back(judgement);
  }
  if (builds.size() == 1) builds.front().build.clear();
  return builds;
}

/// Runs of one experiment give the same text, and once is enough.
void add_once(std::string& known, const std::string& more) {
  if (known.empty()) {
    known = more;
  } else if (known.find(more) == std::string::npos) {
    known += "; " + more;
  }
}

/// Numbers belong to the measured values, but not to the reason why nothing was judged.
void add_reason(ClaimRow& row, const std::string& reason) {
  if (reason.starts_with(verdict::kNotJudged)) {
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
  // A verdict that is only shown adds nothing to a judged one.
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

/// The row of a claim on one machine, by one build.
ClaimRow row_of(Judgements judgements) {
  ClaimRow row;
  row.claim = judgements.claim;
  row.machine = judgements.machine;
  row.build = judgements.build;
  for (const Judgement& judgement : judgements.judged) {
    if (!judgement.decides) continue;
    if (row.verdict.empty()) {
      take(row, *judgement.verdict);
      take_words(row, *judgement.verdict);
    } else {
      merge(row, *judgement.verdict);
    }
  }
  for (const std::string& doubt : once_each(row.doubts)) add_once(row.reason, doubt);
  row.judged = std::move(judgements.judged);
  return row;
}

Json claim_json(const ClaimRow& row) {
  Json judged = Json::array();
  for (const Judgement& judgement : row.judged) {
    judged.push_back({{"result", judgement.result}, {"decides", judgement.decides}});
    judged.back().update(*judgement.verdict);
  }
  return {{"claim", row.claim},     {"machine", row.machine},   {"build", row.build},
          {"verdict", row.verdict}, {"headline", row.headline}, {"stand_in", row.stand_in},
          {"text", row.text},       {"reason", row.reason},     {"judged", judged}};
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
  std::set<std::string> machines;
  for (const Json& result : results) machines.insert(hardware_of(result));
  std::vector<Judgements> found;
  for (std::size_t index = 0; index < results.size(); ++index) {
    const std::string machine = machines.size() > 1 ? hardware_of(results[index]) : "";
    for (const Json& verdict : results[index].at("verdicts")) {
      const auto claim = verdict.at("claim").get<std::string>();
      auto own = std::ranges::find_if(found, [&](const Judgements& each) {
        return each.claim == claim && each.machine == machine;
      });
      if (own == found.end()) own = found.insert(own, {claim, machine, "", {}});
      own->judged.push_back({index, &verdict, false});
    }
  }
  std::vector<ClaimRow> rows;
  for (Judgements& judgements : found) {
    for (Judgements& build : choose(std::move(judgements), results)) {
      rows.push_back(row_of(std::move(build)));
    }
  }
  std::ranges::stable_sort(rows, natural_less, &ClaimRow::claim);
  return rows;
}

bool is_quick(const ClaimRow& row) {
  return std::ranges::any_of(row.judged, [](const Judgement& judgement) {
    return judgement.decides && judgement.verdict->value("form", Json()) == "quick";
  });
}

std::string headline_of(const ClaimRow& row) {
  return row.headline + (is_quick(row) ? " (quick form)" : "") +
         (row.machine.empty() ? "" : " [" + row.machine + "]") +
         (row.build.empty() ? "" : " [build " + row.build + "]");
}

std::string coverage_of(const ClaimRow& row) {
  std::size_t rows = 0;
  std::size_t planned = 0;
  std::size_t reruns = 0;
  Json queries;
  Json papers;
  for (const Judgement& judgement : row.judged) {
    reruns += judgement.decides ? 0 : 1;
    const Json coverage = judgement.verdict->value("coverage", Json());
    if (!judgement.decides || coverage.is_null()) continue;
    rows += coverage.at("row_count").get<std::size_t>();
    planned += coverage.at("planned_row_count").get<std::size_t>();
    const Json& asked = coverage.at("query_count");
    if (!asked.is_null() && (queries.is_null() || asked < queries)) queries = asked;
    if (!coverage.at("paper_query_count").is_null()) papers = coverage.at("paper_query_count");
  }
  std::vector<std::string> parts;
  if (rows < planned) {
    parts.push_back(std::to_string(rows) + " of " + std::to_string(planned) + " rows");
  }
  if (!queries.is_null() && !papers.is_null()) {
    parts.push_back(queries.dump() + " queries, the paper " + papers.dump());
  }
  if (reruns > 0) parts.push_back(std::to_string(reruns) + (reruns == 1 ? " rerun" : " reruns"));
  return join(parts, "; ");
}

Json claims_document(const std::vector<std::string>& files, const std::vector<Json>& results,
                     Results detail) {
  Json named = Json::array();
  for (std::size_t index = 0; index < results.size(); ++index) {
    const Json& experiment = results[index].at("experiment");
    named.push_back({{"file", files.at(index)},
                     {"experiment", experiment.at("id")},
                     {"form", experiment.at("form")},
                     {"machine", machine_name(results[index])},
                     {"rules", results[index].value("rules", Json())}});
    if (detail == Results::named) continue;
    Json& result = named.back()["result"] = results[index];
    result["metrics"] = metrics_of(result);
  }
  Json claims = Json::array();
  for (const ClaimRow& row : merge_claims(results)) claims.push_back(claim_json(row));
  return {{"schema", {{"name", "bellmark-verdicts"}, {"version", "1.2.0"}}},
          {"results", named},
          {"claims", claims}};
}

}  // namespace bellmark::report
