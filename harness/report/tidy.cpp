#include "harness/report/tidy.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "harness/report/format.hpp"
#include "harness/report/machine.hpp"

namespace bellmark::report {
namespace {

/// A column, and the place of its value.
struct Column {
  const char* name;
  const char* pointer;
};

constexpr Column kOfResult[] = {
    {"problem", "/experiment/problem"},     {"paper", "/experiment/paper/key"},
    {"pages", "/experiment/pages"},         {"started_utc", "/provenance/started_utc"},
    {"version", "/provenance/version"},     {"git_sha", "/provenance/git_sha"},
    {"git_dirty", "/provenance/git_dirty"}, {"compiler", "/provenance/compiler"},
    {"flags", "/provenance/flags"},         {"build_type", "/provenance/build_type"},
    {"nvcc", "/provenance/nvcc"},           {"seed", "/provenance/seed"},
};

constexpr Column kName[] = {
    {"cell", "/id"},
    {"label", "/label"},
    {"variant", "/variant"},
    {"graph", "/graph"},
    {"placement", "/placement/resolved"},
};

constexpr Column kSize[] = {
    {"placement_requested", "/placement/requested"},
    {"process_count", "/process_count"},
    {"rank_count", "/rank_count"},
    {"query_count", "/query_count"},
    {"batch", "/batch"},
    {"block_count", "/block_count"},
    {"sample_count", "/sample_count"},
    {"outlier_count", "/outlier_count"},
};

/// Null for a cell that was not measured.
constexpr Column kTime[] = {
    {"wall_ns_median", "/wall_ns/median"},
    {"wall_ns_ci95_low", "/wall_ns/ci95_low"},
    {"wall_ns_ci95_high", "/wall_ns/ci95_high"},
    {"wall_ns_reason", "/wall_ns/reason"},
    {"teps_harmonic_mean", "/teps/harmonic_mean/median"},
    {"teps_harmonic_mean_ci95_low", "/teps/harmonic_mean/ci95_low"},
    {"teps_harmonic_mean_ci95_high", "/teps/harmonic_mean/ci95_high"},
    {"teps_median", "/teps/median/median"},
    {"bytes_per_second", "/rates/bytes_per_second/median"},
    {"operations_per_second", "/rates/operations_per_second/median"},
    {"items_per_second", "/rates/items_per_second/median"},
    {"iteration_count", "/iteration_count"},
};

constexpr Column kRatio[] = {
    {"baseline_ratio", "/ratio"},
    {"baseline_ratio_ci95_low", "/ci95_low"},
    {"baseline_ratio_ci95_high", "/ci95_high"},
    {"outcome", "/outcome"},
};

constexpr Column kRest[] = {
    {"accounted_bytes", "/memory/accounted_bytes"},
    {"resident_bytes", "/memory/resident_bytes"},
    {"memory_reason", "/memory/reason"},
    {"last_level_cache_bytes", "/working_set/last_level_cache_bytes"},
    {"working_set_ratio", "/working_set/ratio"},
    {"stand_in_class", "/stand_in_class"},
    {"open_ns", "/construction/open_ns"},
    {"prepare_ns", "/construction/prepare_ns"},
    {"extract_ns", "/extraction/extract_ns"},
    {"instrumented_ratio", "/instrumented_ratio"},
    {"core_clock_mhz", "/core_clock/estimated_mhz"},
    {"cpu_share_ratio", "/cpu_share_ratio"},
    {"queued_ratio", "/disturbance/queued_ratio"},
    {"steal_ratio", "/disturbance/steal_ratio"},
    {"clock_ratio", "/disturbance/clock_ratio"},
    {"disturbed", "/disturbance/reason"},
    {"gpu", "/gpu/name"},
    {"gpu_clock_sm_mhz_low", "/gpu/clock_sm_mhz_low"},
    {"gpu_clock_sm_mhz_high", "/gpu/clock_sm_mhz_high"},
    {"gpu_temperature_c_high", "/gpu/temperature_c_high"},
    {"gpu_energy_j", "/energy/gpu_energy_j"},
    {"gpu_power_w", "/energy/gpu_power_w"},
    {"cpu_energy_j", "/energy/cpu_energy_j"},
    {"cpu_power_w", "/energy/cpu_power_w"},
    {"validation", "/validation/status"},
    {"certificate_count", "/validation/certificate_count"},
};

constexpr Column kComparison[] = {
    {"ratio", "/ratio"},     {"ratio_ci95_low", "/ci95_low"}, {"ratio_ci95_high", "/ci95_high"},
    {"outcome", "/outcome"}, {"reason", "/reason"},
};

constexpr Column kClaim[] = {
    {"claim", "/claim"},
    {"text", "/text"},
    {"verdict", "/verdict"},
    {"headline", "/headline"},
    {"reason", "/reason"},
    {"what_would_decide", "/what_would_decide"},
    {"stand_in", "/stand_in"},
    {"stand_in_class", "/stand_in_class"},
    {"row_count", "/coverage/row_count"},
    {"planned_row_count", "/coverage/planned_row_count"},
    {"query_count", "/coverage/query_count"},
    {"paper_query_count", "/coverage/paper_query_count"},
};

using Use = std::function<void(const Json&)>;

const Json& inside(const Json& json, const char* pointer) {
  static const Json none;
  const Json::json_pointer at(pointer);
  return json.contains(at) ? json.at(at) : none;
}

void add(Json& row, const Json& json, std::span<const Column> columns) {
  for (const Column& column : columns) row[column.name] = inside(json, column.pointer);
}

/// One text of several; null without any.
Json joined(const std::vector<std::string>& parts) {
  return parts.empty() ? Json() : Json(join(parts, "; "));
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Json texts_joined(const Json& list) {
  std::vector<std::string> parts;
  for (const Json& value : list) parts.push_back(plain_text(value));
  return joined(parts);
}

/// The parts of a key's value that fit into a column: a scalar, or a list of scalars as one text. A
/// value with parts of its own does not fit.
void add_facts(Json& row, const std::string& prefix, const Json& facts) {
  for (const auto& [key, value] : facts.items()) {
    if (value.is_object()) continue;
    if (!value.is_array()) {
      row[prefix + key] = value;
    } else if (std::ranges::none_of(value, [](const Json& part) { return part.is_structured(); })) {
      row[prefix + key] = texts_joined(value);
    }
  }
}

void add_gpus(Json& row, const Json& gpus) {
  if (!gpus.is_array()) return;
  row["machine.gpu_count"] = gpus.size();
  if (gpus.empty()) return;
  std::vector<std::string> names;
  for (const Json& gpu : gpus) names.push_back(plain_text(gpu.at("name")));
  row["machine.gpu_names"] = joined(names);
  row["machine.gpu_driver_version"] = gpus.front().at("driver_version");
  row["machine.gpu_memory_total_bytes"] = gpus.front().at("memory_total_bytes");
}

/// The columns `machine.`, from the environment and the topology.
Json machine_facts(const Json& result) {
  Json row = Json::object();
  const Json& environment = result.at("environment");
  const Json& summary = result.at("topology").at("summary");
  add_facts(row, "machine.", environment);
  add_facts(row, "machine.", summary);
  for (const Json& cache : summary.value("caches", Json::array())) {
    row["machine.cache_l" + cache.at("level").dump() + "_" + plain_text(cache.at("type")) +
        "_bytes"] = cache.at("size_bytes");
  }
  add_gpus(row, inside(environment, "/gpus"));
  std::vector<std::string> absent;
  for (const Json& entry : environment.value("not_available", Json::array())) {
    absent.push_back(plain_text(entry.at("key")) + ": " + plain_text(entry.at("reason")));
  }
  row.erase("machine.gpus");
  row.erase("machine.not_available");
  row["machine.not_available_reason"] = joined(absent);
  return row;
}

/// The columns `counted.`. Older results have none.
void add_work_counts(Json& row, const Json& counts) {
  if (!counts.is_object()) return;
  for (const auto& [name, count] : counts.items()) {
    const std::string column = "counted." + name;
    row[column] = count.at("value");
    row[column + "_reason"] = count.at("reason");
    if (name != "round_count") row[column + "_ratio"] = count.at("ratio");
  }
}

void add_phases(Json& row, const std::string& prefix, const Json& phases) {
  for (const Json& phase : phases) {
    const std::string name = prefix + plain_text(phase.at("name"));
    row[name + ".wall_ns"] = phase.at("wall_ns");
    row[name + ".share_ratio"] = phase.at("share_ratio");
    row[name + ".count"] = phase.at("count");
    add_facts(row, name + ".", phase.at("notes"));
    add_phases(row, name + "/", phase.at("children"));
  }
}

void add_counters(Json& row, const Json& counters) {
  for (const Json& counter : counters) {
    std::string name = plain_text(counter.at("name"));
    const std::string unit = "_" + plain_text(counter.at("unit"));
    if (!name.ends_with(unit)) name += unit;
    row["counter." + plain_text(counter.at("group")) + "." + name] = counter.at("value");
  }
}

/// Why counters have no value: each reason once, with the names of its counters.
Json counters_reason(const Json& counters) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Json& counter : counters) {
    if (!counter.at("value").is_null()) continue;
    const std::string reason = plain_text(counter.at("reason"));
    auto known = std::ranges::find(reasons, reason, [](const auto& each) { return each.first; });
    if (known == reasons.end()) known = reasons.insert(known, {reason, {}});
    known->second.push_back(plain_text(counter.at("name")));
  }
  std::vector<std::string> parts;
  parts.reserve(reasons.size());
  for (const auto& [reason, names] : reasons) parts.push_back(join(names, ", ") + ": " + reason);
  return joined(parts);
}

/// The columns of a cell that vary with its variant and experiment.
void add_own_columns(Json& row, const Json& result, const Json& cell) {
  add_facts(row, "axis.", cell.at("axes"));
  add_facts(row, "parameter.", cell.value("parameters", Json::object()));
  const Json& workloads = result.at("workloads");
  const auto workload = cell.at("workload").get<std::size_t>();
  add_facts(row, "workload.", workloads.at(workload).at("facts"));
  const Json& phases = inside(cell, "/phases");
  if (!phases.is_null()) add_phases(row, "phase.", phases);
  add_counters(row, cell.value("counters", Json::array()));
  for (const auto& [part, bytes] : inside(cell, "/memory/accounted").items()) {
    row["memory." + part + "_bytes"] = bytes;
  }
  add_facts(row, "work.", cell.value("work", Json::object()));
  add_work_counts(row, inside(cell, "/work_counts"));
}

/// Why a cell has no time: the code and the reason of its failure, null if it has a time.
void add_failure(Json& row, const Json* failure, bool is_measured) {
  row["not_measured_code"] = failure == nullptr ? Json() : failure->at("code");
  row["not_measured_reason"] = failure != nullptr ? failure->at("reason")
                               : is_measured      ? Json()
                                                  : Json("the run ended before");
}

Json cell_row(Json row, const Json& result, const Json& cell) {
  static const Json nothing = Json::object();
  const bool timed = is_measured(result, cell);
  const Json* const comparison = against_baseline(result, cell);
  add(row, cell, kName);
  add(row, cell, kSize);
  if (row.at("rank_count").is_null()) row["rank_count"] = 1;
  add(row, timed ? cell : nothing, kTime);
  row["baseline"] = baseline_of(result, cell);
  add(row, comparison == nullptr ? nothing : *comparison, kRatio);
  add(row, cell, kRest);
  row["untimed"] = inside(cell, "/untimed");
  row["doubts"] = texts_joined(cell.value("doubts", Json::array()));
  row["counters_reason"] = counters_reason(cell.value("counters", Json::array()));
  add_failure(row, failure_of(result, cell.at("id")), timed);
  add_own_columns(row, result, cell);
  return row;
}

/// The row of a cell that has only an entry in `not_measured`.
Json absent_row(const Json& head, const Json& entry) {
  static const Json nothing = Json::object();
  Json row = head;
  add(row, nothing, kName);
  row["cell"] = entry.at("cell");
  row["variant"] = entry.at("variant");
  add(row, nothing, kSize);
  add(row, nothing, kTime);
  row["baseline"] = nullptr;
  add(row, nothing, kRatio);
  add(row, nothing, kRest);
  for (const char* name : {"untimed", "doubts", "counters_reason"}) row[name] = nullptr;
  add_failure(row, &entry, false);
  add_facts(row, "axis.", entry.at("axes"));
  return row;
}

void cell_rows(const Json& result, Json head, const Use& use) {
  add(head, result, kOfResult);
  const Json machine = machine_facts(result);
  const auto complete = [&](Json row) {
    row.update(machine);
    use(row);
  };
  const Json& cells = result.at("cells");
  for (const Json& cell : cells) complete(cell_row(head, result, cell));
  for (const Json& entry : result.at("not_measured")) {
    const bool has_row = std::ranges::any_of(
        cells, [&](const Json& cell) { return cell.at("id") == entry.at("cell"); });
    if (!has_row) complete(absent_row(head, entry));
  }
}

/// The times of one cell. A result without the times of queries has the sums of its passes.
class Samples {
 public:
  Samples(Json head, const Json& cell, const Use& use) : row_(std::move(head)), use_(use) {
    add(row_, cell, kName);
    row_["disturbed"] = inside(cell, "/disturbance/reason");
    for (const char* name :
         {"block_index", "process", "sample_index", "query_index", "query_count", "wall_ns"}) {
      row_[name] = nullptr;
    }
    add_facts(row_, "axis.", cell.at("axes"));
    row_["query_count"] = cell.at("query_count");
  }

  void each_of(const Json& cell) {
    if (cell.contains("blocks")) {
      queries(cell.at("blocks"), cell.value("batch", false));
    } else {
      sums(cell.at("samples_ns"));
    }
  }

 private:
  void queries(const Json& blocks, bool is_batch) {
    if (!is_batch) row_["query_count"] = 1;
    for (const Json& block : blocks) {
      row_["block_index"] = block.at("index");
      row_["process"] = block.at("process");
      for (std::size_t sample = 0; const Json& pass : block.at("query_ns")) {
        row_["sample_index"] = sample++;
        for (std::size_t query = 0; const Json& time : pass) {
          if (!is_batch) row_["query_index"] = query++;
          row_["wall_ns"] = time;
          use_(row_);
        }
      }
    }
  }

  void sums(const Json& samples) {
    for (std::size_t block = 0; const Json& passes : samples) {
      row_["block_index"] = block++;
      for (std::size_t sample = 0; const Json& sum : passes) {
        row_["sample_index"] = sample++;
        row_["wall_ns"] = sum;
        use_(row_);
      }
    }
  }

  Json row_;
  const Use& use_;
};

void comparison_rows(const Json& result, const Json& head, const Use& use) {
  for (const Json& comparison : result.at("comparisons")) {
    Json row = head;
    for (const char* side : {"a", "b"}) {
      const Json& id = comparison.at(side);
      const Json& cells = result.at("cells");
      const auto cell =
          std::ranges::find_if(cells, [&](const Json& each) { return each.at("id") == id; });
      row[side] = id;
      for (const char* key : {"label", "variant", "graph"}) {
        row[std::string(side) + "_" + key] = cell == cells.end() ? Json() : cell->at(key);
      }
    }
    add(row, comparison, kComparison);
    row["block_count"] = comparison.at("block_ratios").size();
    use(row);
  }
}

}  // namespace

void for_each_row(const Json& result, const std::string& file, Rows rows, const Use& use) {
  const Json head = {{"result", file},
                     {"experiment", result.at("experiment").at("id")},
                     {"form", result.at("experiment").at("form")},
                     {"machine", machine_name(result)}};
  switch (rows) {
    case Rows::cells:
      cell_rows(result, head, use);
      return;
    case Rows::samples:
      for (const Json& cell : result.at("cells")) {
        if (is_measured(result, cell)) Samples(head, cell, use).each_of(cell);
      }
      return;
    case Rows::comparisons:
      comparison_rows(result, head, use);
      return;
    case Rows::claims:
      for (const Json& verdict : result.at("verdicts")) {
        Json row = head;
        add(row, verdict, kClaim);
        use(row);
      }
      return;
  }
}

}  // namespace bellmark::report
