#include "harness/run/result/doubts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "base/text.hpp"
#include "harness/machine/memory.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/report/format.hpp"

namespace bellmark::run {
namespace {

/// Later visits are suspect if they gain more than this many times the baseline's gain.
constexpr double kSuspectGain = 2;
/// The least share of the query's time that counts. A smaller share changes no ratio noticeably.
constexpr double kExtractShare = 0.1;

constexpr const char* kOneQuery =
    "one query is asked: a variant that kept its answer would look as fast";

constexpr const char* kSeveralVariants =
    "its processes took several variants: what `auto` goes by changed during the run";

/// The beginning of a doubt about a disturbed cell.
constexpr const char* kDisturbed = "disturbed: ";

/// The gain of each query's later visit over its first, as a logarithm.
std::vector<double> log_gains(const VisitsReading& visits) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < visits.first_ns.size(); ++i) {
    logs.push_back(std::log(visits.first_ns[i] / visits.later_ns[i]));
  }
  return logs;
}

/// The gains of one cell over those of another, query by query. Nothing when one of them has no
/// gains.
std::optional<measure::Ratio> gain_over(const CellRecord& record, const CellRecord& other) {
  if (!record.visits || !other.visits) return std::nullopt;
  std::vector<double> logs = log_gains(*record.visits);
  const std::vector<double> others = log_gains(*other.visits);
  logs.resize(std::min(logs.size(), others.size()));
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] -= others[i];
  if (logs.empty()) return std::nullopt;
  return measure::ratio_over_blocks(logs);
}

bool is_suspect(const std::optional<measure::Ratio>& gain) {
  return gain && gain->interval && gain->interval->low > kSuspectGain;
}

/// The gain by which a cell is judged: over its baseline's gain. The baseline's own gain is the
/// least over any cell that is compared with it. `baselines` has each cell's.
std::optional<measure::Ratio> gain_of(const std::vector<CellRecord>& records,
                                      const std::vector<std::size_t>& baselines,
                                      std::size_t index) {
  if (baselines[index] != index) return gain_over(records[index], records[baselines[index]]);
  std::optional<measure::Ratio> least;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i == index || baselines[i] != index) continue;
    const auto gain = gain_over(records[index], records[i]);
    if (gain && (!least || gain->value < least->value)) least = gain;
  }
  return least;
}

Json ratio_json(const measure::Ratio& ratio) {
  return {{"ratio", ratio.value},
          {"ci95_low", ratio.interval ? Json(ratio.interval->low) : Json()},
          {"ci95_high", ratio.interval ? Json(ratio.interval->high) : Json()}};
}

Json visits_json(const CellRecord& record, const std::optional<measure::Ratio>& gain) {
  if (!record.visits) return nullptr;
  Json visits = *record.visits;
  visits["gain"] = ratio_json(measure::ratio_over_blocks(log_gains(*record.visits)));
  visits["gain_against_baseline"] = gain ? ratio_json(*gain) : Json();
  return visits;
}

Json extraction_json(const CellRecord& record) {
  if (record.extractions.empty()) return nullptr;
  std::vector<double> taken;
  std::vector<double> allowed;
  for (const Extraction& extraction : record.extractions) {
    taken.push_back(extraction.extract_ns);
    allowed.push_back(extraction.allowed_ns);
  }
  return {{"extract_ns", measure::median(taken)},
          {"allowed_ns", measure::median(allowed)},
          {"answer_bytes", record.extractions.front().answer_bytes}};
}

bool leaves_work_to_extract(const CellRecord& record, const Json& cell) {
  if (record.extractions.empty() || cell.at("wall_ns").is_null()) return false;
  const double share = kExtractShare * cell.at("wall_ns").at("median").get<double>();
  return std::ranges::all_of(record.extractions, [&](const Extraction& extraction) {
    return extraction.extract_ns > extraction.allowed_ns && extraction.extract_ns > share;
  });
}

std::string extraction_text(const Json& cell) {
  const Json& extraction = cell.at("extraction");
  return "extract() takes " + report::duration_text(extraction.at("extract_ns").get<double>()) +
         ", and an answer of " +
         machine::human_bytes(extraction.at("answer_bytes").get<std::uint64_t>()) + " explains " +
         report::duration_text(extraction.at("allowed_ns").get<double>()) +
         ": it may do what run() leaves undone, outside the time";
}

std::string gain_text(const measure::Ratio& gain) {
  char text[96];
  std::snprintf(text, sizeof text, "a query seen before gains %.1f [%.1f, %.1f] times as much",
                gain.value, gain.interval->low, gain.interval->high);
  return std::string(text) + " as the baseline's: the variant may remember answers";
}

const char* action_of(const std::string& doubt) {
  if (doubt == kOneQuery) return "ask two or more (--queries 2)";
  if (doubt == kSeveralVariants) return "run again, with everything prepared beforehand";
  if (doubt.starts_with(kDisturbed)) return "stop other programs and run again";
  return doubt.starts_with("extract()") ? "do the work in run()"
                                        : "look at what run() keeps from query to query";
}

/// `a; b and 3 more`. A label has commas of its own.
std::string some_of(std::vector<std::string> labels) {
  constexpr std::size_t kShown = 3;
  if (labels.size() <= kShown) return join(labels, "; ");
  const std::size_t more = labels.size() - kShown;
  labels.resize(kShown);
  return join(labels, "; ") + " and " + std::to_string(more) + " more";
}

/// The label of a cell without varying settings is its variant.
std::string label_of(const Json& cell) {
  auto varying = cell.at("label").get<std::string>();
  return varying.empty() ? cell.at("variant").get<std::string>() : varying;
}

}  // namespace

void add_doubts(const plan::Plan& plan, const std::vector<CellRecord>& records, Json& cells) {
  const bool has_more = !Registry::global().asks_whole_input(plan.experiment.problem);
  std::vector<std::size_t> baselines;
  for (const plan::Cell& cell : plan.cells) {
    const auto found = std::ranges::find(plan.cells, plan.baseline_of(cell).id, &plan::Cell::id);
    baselines.push_back(static_cast<std::size_t>(found - plan.cells.begin()));
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CellRecord& record = records[i];
    Json& cell = cells.at(i);
    const auto gain = gain_of(records, baselines, i);
    Json doubts = Json::array();
    cell["extraction"] = extraction_json(record);
    cell["visits"] = visits_json(record, gain);
    if (!cell.at("wall_ns").is_null()) {
      if (const std::string reason = disturbed_by(disturbance_of(record)); !reason.empty()) {
        doubts.push_back(kDisturbed + reason);
      }
      if (has_more && cell.at("query_count") == 1) doubts.push_back(kOneQuery);
      if (record.variants.size() > 1) doubts.push_back(kSeveralVariants);
      if (leaves_work_to_extract(record, cell)) doubts.push_back(extraction_text(cell));
      if (is_suspect(gain)) doubts.push_back(gain_text(*gain));
    }
    cell["doubts"] = std::move(doubts);
  }
}

Json doubt_warnings(const Json& cells) {
  std::map<std::string, std::vector<std::string>> labels;
  for (const Json& cell : cells) {
    for (const Json& doubt : cell.value("doubts", Json::array())) {
      const auto text = doubt.get<std::string>();
      // The times of extract() differ from cell to cell: the warning names those of the first.
      const auto alike = std::ranges::find_if(labels, [&](const auto& known) {
        return text.starts_with(kDisturbed) && known.first.starts_with(kDisturbed);
      });
      labels[alike == labels.end() ? text : alike->first].push_back(label_of(cell));
    }
  }
  Json warnings = Json::array();
  for (const auto& [doubt, named] : labels) {
    warnings.push_back(
        {{"text", some_of(named) + ": " + doubt + "; not judged"}, {"action", action_of(doubt)}});
  }
  return warnings;
}

Json growth_warnings(const Json& cells) {
  // Growth below this is within the lag of the kernel's count.
  constexpr std::int64_t kLeastGrowth = std::int64_t{4} << 20;
  Json warnings = Json::array();
  const auto warn = [&](const Json& cell, const std::string& memory, const Json& grown) {
    if (grown.is_null() || grown.get<std::int64_t>() < kLeastGrowth) return;
    const std::uint64_t count = cell.at("visits").at("later_ns").size();
    warnings.push_back({{"text", label_of(cell) + ": " + memory + " grows by " +
                                     machine::human_bytes(grown.get<std::uint64_t>() / count) +
                                     " a query, on queries that it has answered before"},
                        {"action", "give back what a query allocates"}});
  };
  for (const Json& cell : cells) {
    const Json& visits = cell.at("visits");
    if (visits.is_null()) continue;
    const std::string whose = cell.at("rank_count") == 1 ? "" : " of a rank";
    warn(cell, "resident memory" + whose, visits.at("grown_bytes"));
    warn(cell, "used memory of the GPU" + whose, visits.at("grown_gpu_bytes"));
  }
  return warnings;
}

}  // namespace bellmark::run
