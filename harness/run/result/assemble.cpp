#include "harness/run/result/assemble.hpp"

#include <algorithm>
#include <utility>

#include "harness/machine/topology.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/protocol/query_rule_json.hpp"
#include "harness/run/result/cells.hpp"
#include "harness/run/result/collect.hpp"
#include "harness/run/result/comparisons.hpp"
#include "harness/run/result/doubts.hpp"
#include "harness/run/result/google_benchmark.hpp"
#include "harness/run/result/provenance.hpp"
#include "harness/run/result/resolution.hpp"
#include "harness/run/result/warnings.hpp"
#include "harness/verdict/decidable.hpp"
#include "harness/verdict/diagnosis.hpp"
#include "harness/verdict/rules_version.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::run {
namespace {

Json experiment_json(const plan::Plan& plan, const std::vector<std::string>& cuts) {
  const plan::Experiment& experiment = plan.experiment;
  const auto& shard = plan.options.shard;
  Json axes = Json::object();
  for (const auto& [name, values] : experiment.axes) axes[name] = values;
  Json paper;
  if (!experiment.paper_key.empty()) {
    paper = {{"key", experiment.paper_key},
             {"item", experiment.paper_item},
             {"citation", experiment.citation},
             {"machine", experiment.paper_machine}};
  }
  return {{"id", experiment.id},
          {"title", experiment.title},
          {"paper", paper},
          {"form", plan.options.form},
          {"problem", experiment.problem},
          {"axes", axes},
          {"figure", experiment.figure},
          {"placement", experiment.placement},
          {"pages", machine::to_string(experiment.pages)},
          {"launcher", experiment.launcher.empty() ? Json() : Json(experiment.launcher)},
          {"stand_in", experiment.stand_in.empty() ? Json() : Json(experiment.stand_in)},
          {"baseline", plan.baseline_of(plan.cells.front()).id},
          {"block_count", plan.block_count},
          {"block_s", plan.estimated_s / static_cast<double>(plan.block_count)},
          {"first_fresh_block", plan.fresh_cells.empty() ? Json() : Json(plan.block_count)},
          {"look_count", plan.options.until_decided ? Json(std::size(verdict::kLooks)) : Json()},
          {"budget_s", plan.options.budget_s ? Json(*plan.options.budget_s) : Json()},
          {"shard", shard ? Json{{"index", shard->index}, {"count", shard->count}} : Json()},
          {"cuts", cuts}};
}

/// Groups whose process ended while their cells were sampled together, and whether one of the cells
/// also failed alone.
Json isolated_json(const plan::Plan& plan, const Supervised& supervised) {
  Json groups = Json::array();
  for (const Isolated& isolated : supervised.isolated) {
    const std::vector<std::size_t>& indices = plan.groups.at(isolated.group).cells;
    Json cells = Json::array();
    for (const std::size_t cell : indices) cells.push_back(plan.cells[cell].id);
    const bool recurred = std::ranges::any_of(supervised.not_measured, [&](const auto& failed) {
      return (failed.code == "crash" || failed.code == "timeout") &&
             std::ranges::count(indices, failed.cell) > 0;
    });
    groups.push_back({{"cells", cells}, {"reason", isolated.reason}, {"recurred", recurred}});
  }
  return groups;
}

Json workloads_json(const plan::Plan& plan, const Probe& probe) {
  Json workloads = Json::array();
  for (const WorkloadFacts& facts : probe.workloads) {
    const bool known = !facts.query_digest.empty();
    workloads.push_back({{"problem", plan.experiment.problem},
                         {"graph", facts.graph},
                         {"facts", facts.facts},
                         {"queries",
                          {{"kind", plan.experiment.queries.kind},
                           {"count", known ? Json(facts.query_count) : Json()},
                           {"seed", plan.experiment.queries.seed},
                           {"digest", known ? Json(facts.query_digest) : Json()},
                           {"first", facts.first_queries}}}});
  }
  return workloads;
}

void write_indented(const Json& value, std::size_t depth, std::string& text) {
  constexpr std::size_t kDeepest = 5;
  if (!value.is_structured() || value.empty() || depth >= kDeepest) {
    text += json_text(value);
    return;
  }
  const std::string indent(depth + 1, ' ');
  text += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, inner] : value.items()) {
    text.append(first ? "\n" : ",\n").append(indent);
    if (value.is_object()) text.append(json_text(Json(key))).append(": ");
    write_indented(inner, depth + 1, text);
    first = false;
  }
  text.append("\n").append(depth, ' ');
  text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string result_text(const Json& result) {
  std::string text;
  write_indented(result, 0, text);
  return text + "\n";
}

Json assemble(const plan::Plan& plan, const Probe& probe, const Supervised& supervised,
              const RunFolder& folder, const std::vector<Json>& journal) {
  std::vector<JournalEntry> entries = entries_of(journal, plan);
  // A resumed run repeats a look from the same blocks: those of this look alone.
  std::erase_if(entries, [&](const JournalEntry& entry) {
    const auto* measured = std::get_if<Measured>(&entry.what);
    return measured != nullptr && measured->block >= plan.end_block();
  });
  std::vector<CellRecord> records = collect(plan, entries);
  for (const NotMeasured& cell : supervised.not_measured) forget_measurements(records[cell.cell]);
  // Of the machine that measured. A run may be ended on another.
  const Json& environment = probe.origin.at("environment");
  const Json& seen = probe.origin.at("topology");
  const auto topology = machine::Topology::from_xml(seen.at("hwloc_xml").get<std::string>());
  std::vector<std::string> cuts = plan.cuts;
  cuts.insert(cuts.end(), supervised.cuts.begin(), supervised.cuts.end());

  Json cells = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    cells.push_back(cell_json(plan, probe, i, records[i], topology));
  }
  add_doubts(plan, records, cells);
  Json not_measured = Json::array();
  for (const auto* list : {&probe.not_measured, &supervised.not_measured}) {
    for (const NotMeasured& cell : *list) {
      not_measured.push_back({{"cell", plan.cells[cell.cell].id},
                              {"variant", probe.resolved[cell.cell]},
                              {"axes", plan.cells[cell.cell].axes},
                              {"code", cell.code},
                              {"reason", cell.reason}});
    }
  }
  Json result = {{"schema", {{"name", "bellmark-result"}, {"version", "1.0.0"}}},
                 {"context", context_json(environment, seen.at("summary"), folder)},
                 {"benchmarks", benchmarks_json(plan, probe, records)},
                 {"experiment", experiment_json(plan, cuts)},
                 {"provenance", provenance_json(plan, folder, probe.origin.at("build"))},
                 {"environment", environment},
                 {"topology", seen},
                 {"workloads", workloads_json(plan, probe)},
                 {"cells", cells},
                 {"comparisons", comparisons_json(plan, records, cells)},
                 {"resolution", resolution_json(plan, records, entries)},
                 {"rules", verdict::rules_json()},
                 {"verdicts", Json::array()},
                 {"not_measured", not_measured},
                 {"isolated", isolated_json(plan, supervised)},
                 {"warnings", warnings_json(plan, records, environment, cells)}};
  if (!plan.experiment.programs.empty()) result["programs"] = plan.experiment.programs;
  for (const Json& group : result["isolated"]) {
    if (group.at("recurred") == true) continue;
    result["warnings"].push_back(
        {{"text", "cells crashed while they were sampled together, and none crashed alone: " +
                      group.at("reason").get<std::string>()},
         {"action", "look for memory that variants share, or a fault that comes and goes"}});
  }
  for (Json& warning : growth_warnings(cells)) result["warnings"].push_back(std::move(warning));
  for (Json& warning : doubt_warnings(cells)) result["warnings"].push_back(std::move(warning));
  result["verdicts"] = verdict::judge(plan.experiment, result);
  result["diagnosis"] = plan.experiment.diagnose ? verdict::diagnose(result) : Json();
  return result;
}

}  // namespace bellmark::run
