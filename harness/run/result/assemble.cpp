#include "harness/run/result/assemble.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/topology.hpp"
#include "harness/measure/core_clock.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/protocol/query_rule_json.hpp"
#include "harness/run/protocol/reasons.hpp"
#include "harness/run/result/libraries.hpp"
#include "harness/run/worker/gpu_watch.hpp"
#include "harness/verdict/diagnosis.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::run {
namespace {

/// One timed block of one cell. Blocks with the same process were sampled alternately.
struct Block {
  std::size_t index;
  std::string process;  ///< key of the task that measured it
  measure::StepTimes step_ns;
  std::vector<double> pass_cpu_ns;
  std::string stop_reason;
  std::vector<double> process_pass_ns;  ///< of several at once: the median of each
  std::vector<double> rank_pass_ns;     ///< of ranks: the median of each
};

/// One thread that a variant made.
struct ThreadRecord {
  std::string resolved;
  std::set<std::string> observed;
};

/// Everything that the journal says of one cell.
struct CellRecord {
  std::vector<Block> blocks;
  std::vector<double> open_ns;  ///< a timed replicate each, as the next
  std::vector<double> prepare_ns;
  std::vector<double> resident_bytes;
  std::set<std::string> observed;
  std::map<std::size_t, ThreadRecord> threads;  ///< that the variant made, by index
  std::size_t pu_count = 0;                     ///< of its placement
  Json seats;                                   ///< of its ranks; null where there are none
  /// Of each timed replicate, by rank and the GPU's place among the rank's.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Json>> rank_gpus;
  Json accounted = Json::object();
  Json phases;
  Json phase_log;
  Json instrumented_ratio;
  Json counters = Json::array();
  std::vector<double> core_mhz;
  std::vector<Json> gpu;  ///< a timed replicate each; null where none was needed
  Json energy;
  Json gpu_kernels;
  Json gpu_copies;
  Json gpu_kernels_reason;
  std::uint64_t certificate_count = 0;
  std::uint64_t gpu_certificate_count = 0;
  std::uint64_t digest_count = 0;
  Json answers = Json::object();
  std::string fault;
  bool failed = false;  ///< so that `blocks` are no measurement of it
};

/// A cell that crashed, hung or answered wrongly: its blocks before are evidence and stay, and
/// nothing is there that could be shown as its time, or judged.
void forget_measurements(CellRecord& record) {
  CellRecord kept;
  kept.failed = true;
  kept.blocks = std::move(record.blocks);
  kept.observed = std::move(record.observed);
  kept.threads = std::move(record.threads);
  kept.pu_count = record.pu_count;
  kept.seats = std::move(record.seats);
  kept.certificate_count = record.certificate_count;
  kept.gpu_certificate_count = record.gpu_certificate_count;
  kept.digest_count = record.digest_count;
  kept.fault = std::move(record.fault);
  record = std::move(kept);
}

std::vector<double> pass_sums(const Block& block) {
  std::vector<double> sums;
  for (const auto& pass : block.step_ns) {
    sums.push_back(std::accumulate(pass.begin(), pass.end(), 0.0));
  }
  return sums;
}

void take(CellRecord& record, const Json& replicate, const Json& cell) {
  const Json& validation = cell.at("validation");
  record.certificate_count += validation.at("certificate_count").get<std::uint64_t>();
  record.gpu_certificate_count += validation.value("gpu_certificate_count", std::uint64_t{0});
  record.digest_count += validation.at("digest_count").get<std::uint64_t>();
  if (!validation.at("detail").is_null()) record.fault = validation.at("detail");
  const Json seats = replicate.value("ranks", Json());
  const Json& observed = replicate.at("observed");
  for (const Json& seat : seats.is_null() ? Json::array() : seats) {
    record.observed.insert("rank " + seat.at("rank").dump() + ": " +
                           seat.at("observed").get<std::string>());
  }
  for (const Json& text : observed.is_array() ? observed : Json::array({observed})) {
    if (seats.is_null()) record.observed.insert(text.get<std::string>());
  }
  record.seats = seats;
  record.pu_count = replicate.at("pu_count").get<std::size_t>();
  for (const Json& thread : cell.at("threads")) {
    ThreadRecord& own = record.threads[thread.at("index").get<std::size_t>()];
    own.resolved = thread.at("resolved");
    own.observed.insert(thread.at("observed").get<std::string>());
  }
  record.answers.update(cell.value("answers", Json::object()));
  if (!cell.at("accounted").empty()) record.accounted = cell.at("accounted");
  if (cell.at("status") == "wrong") return;
  const auto& kind = replicate.at("kind").get_ref<const std::string&>();
  if (kind == "timed") {
    record.blocks.push_back({replicate.at("block").get<std::size_t>(),
                             replicate.at("task").get<std::string>(),
                             cell.at("step_ns").get<measure::StepTimes>(),
                             cell.at("pass_cpu_ns").get<std::vector<double>>(),
                             cell.at("stop_reason").get<std::string>(),
                             cell.value("process_pass_ns", std::vector<double>{}),
                             cell.value("rank_pass_ns", std::vector<double>{})});
    // Absent in a journal from before they were taken.
    if (cell.contains("prepare_ns")) {
      record.open_ns.push_back(replicate.at("open_ns").get<double>());
      record.prepare_ns.push_back(cell.at("prepare_ns").get<double>());
    }
    if (const Json mhz = replicate.value("core_mhz", Json()); !mhz.is_null()) {
      record.core_mhz.push_back(mhz.get<double>());
    }
    record.gpu.push_back(replicate.value("gpu", Json()));
    for (std::size_t rank = 0; rank < seats.size(); ++rank) {
      const Json& gpus = seats[rank].at("gpus");
      for (std::size_t i = 0; i < gpus.size(); ++i) record.rank_gpus[{rank, i}].push_back(gpus[i]);
    }
  } else if (kind == "phases") {
    record.phases = cell.at("phases");
    record.phase_log = cell.at("phase_log");
    record.instrumented_ratio = cell.at("instrumented_ratio");
  } else if (kind == "kernels") {
    record.gpu_kernels = cell.at("gpu_kernels");
    record.gpu_copies = cell.at("gpu_copies");
    record.gpu_kernels_reason = cell.at("gpu_kernels_reason");
  } else if (kind == "counters") {
    for (const Json& counter : cell.at("counters")) record.counters.push_back(counter);
  } else if (kind == "energy") {
    record.energy = cell.at("energy");
  } else if (kind == "memory") {
    record.resident_bytes.push_back(cell.at("resident_bytes").get<double>());
  }
}

/// Puts what all blocks say of each rank's GPUs in its seat; a cell that needs none has none,
/// though one that was measured beside it may.
void seat_gpus(CellRecord& record, bool needs_cuda) {
  for (std::size_t rank = 0; rank < record.seats.size(); ++rank) {
    Json& gpus = record.seats[rank]["gpus"];
    if (!needs_cuda) gpus = Json::array();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      const auto timed = record.rank_gpus.find({rank, i});
      gpus[i] = summarise_gpu(timed == record.rank_gpus.end() ? std::vector<Json>{gpus[i]}
                                                              : timed->second);
    }
  }
}

std::vector<CellRecord> collect(const plan::Plan& plan, const std::vector<Json>& replicates) {
  std::vector<CellRecord> records(plan.cells.size());
  for (const Json& replicate : replicates) {
    if (!replicate.contains("cells")) continue;
    for (const Json& cell : replicate.at("cells")) {
      const auto found =
          std::ranges::find(plan.cells, cell.at("id").get<std::string>(), &plan::Cell::id);
      if (found == plan.cells.end()) continue;
      take(records[static_cast<std::size_t>(found - plan.cells.begin())], replicate, cell);
    }
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::ranges::sort(records[i].blocks, {}, &Block::index);
    seat_gpus(records[i], plan.cells[i].needs_cuda);
  }
  return records;
}

Json statistic(std::span<const double> block_values) {
  if (block_values.empty()) return nullptr;
  const auto interval = measure::median_interval(block_values);
  return {{"median", measure::median(block_values)},
          {"ci95_low", interval ? Json(interval->low) : Json()},
          {"ci95_high", interval ? Json(interval->high) : Json()},
          {"reason", interval ? Json() : Json("fewer than 6 blocks: no 95 % interval")}};
}

/// Traversed edges per second, as Graph500 counts them: of each query by its own edges and time
/// (the median over passes), then the harmonic mean and the median over queries, block by block.
/// Null where answers don't say how many edges a query traverses. A query that traverses none is
/// left out.
Json teps_json(const CellRecord& record) {
  constexpr double kSecond = 1e9;
  std::map<std::size_t, double> edges;
  for (const auto& [query, facts] : record.answers.items()) {
    const double count = facts.value("traversed_edge_count", 0.0);
    if (count > 0) edges[std::stoull(query)] = count;
  }
  std::vector<double> harmonic_means;
  std::vector<double> medians;
  for (const Block& block : record.blocks) {
    std::vector<double> rates;
    double seconds_an_edge = 0;
    for (const auto& [query, count] : edges) {
      std::vector<double> times;
      for (const auto& pass : block.step_ns) {
        if (query < pass.size()) times.push_back(pass[query]);
      }
      if (times.empty()) continue;
      rates.push_back(count * kSecond / measure::median(times));
      seconds_an_edge += 1 / rates.back();
    }
    if (rates.empty()) continue;
    harmonic_means.push_back(static_cast<double>(rates.size()) / seconds_an_edge);
    medians.push_back(measure::median(rates));
  }
  if (medians.empty()) return nullptr;
  return {{"harmonic_mean", statistic(harmonic_means)},
          {"median", statistic(medians)},
          {"block_harmonic_means", harmonic_means},
          {"block_medians", medians}};
}

/// Why a cell has no list of kernels; null when it has one.
Json kernels_reason(const plan::Plan& plan, const plan::Cell& cell, const CellRecord& record) {
  if (!record.gpu_kernels.is_null()) return nullptr;
  if (!record.gpu_kernels_reason.is_null()) return record.gpu_kernels_reason;
  if (!cell.needs_cuda) return kNoGpuVariant;
  if (!cell.launcher.empty()) return kNoInstruments;
  return plan.options.form == "smoke" ? "the smoke form only times"
                                      : "no replicate of the kernels pass finished";
}

Json work_of(const Json& phases) {
  Json work = Json::object();
  for (const Json& phase : phases.is_null() ? Json::array() : phases) {
    for (const auto& [name, value] : phase.at("notes").items()) work[name] = value;
  }
  return work;
}

Json memory_json(const plan::Plan& plan, const plan::Cell& cell, const CellRecord& record) {
  Json accounted_bytes;
  for (const auto& [what, bytes] : record.accounted.items()) {
    accounted_bytes =
        (accounted_bytes.is_null() ? std::uint64_t{0} : accounted_bytes.get<std::uint64_t>()) +
        bytes.get<std::uint64_t>();
  }
  Json reason;
  if (record.resident_bytes.empty()) {
    reason = cell.process_count > 1   ? "several processes at once are only timed"
             : plan.experiment.memory ? "no replicate of the memory pass finished"
                                      : "the experiment doesn't ask for it (run.memory)";
  }
  return {{"accounted_bytes", accounted_bytes},
          {"accounted", record.accounted},
          {"resident_bytes",
           record.resident_bytes.empty() ? Json() : Json(measure::median(record.resident_bytes))},
          {"resident_block_bytes", record.resident_bytes},
          {"reason", reason}};
}

Json construction_json(const CellRecord& record) {
  if (record.prepare_ns.empty()) return nullptr;
  return {{"open_ns", measure::median(record.open_ns)},
          {"prepare_ns", measure::median(record.prepare_ns)},
          {"prepare_block_ns", record.prepare_ns}};
}

Json threads_json(const CellRecord& record) {
  Json threads = Json::array();
  for (const auto& [index, thread] : record.threads) {
    threads.push_back(
        {{"index", index}, {"resolved", thread.resolved}, {"observed", thread.observed}});
  }
  return threads;
}

Json validation_json(const CellRecord& record) {
  const bool certified = record.fault.empty() && record.certificate_count > 0;
  return {{"status", !record.fault.empty() ? "wrong"
                     : certified           ? "certified"
                                           : "not validated"},
          {"certificate_count", record.certificate_count},
          {"gpu_certificate_count", record.gpu_certificate_count},
          {"digest_count", record.digest_count},
          {"detail", record.fault.empty() ? Json() : Json(record.fault)}};
}

Json answers_json(const CellRecord& record) {
  Json answers = Json::array();
  for (const auto& [query, facts] : record.answers.items()) {
    Json answer = {{"query", std::stoull(query)}};
    answer.update(facts);
    answers.push_back(answer);
  }
  return answers;
}

Json energy_json(const plan::Plan& plan, const plan::Cell& cell, const CellRecord& record) {
  if (!record.energy.is_null()) return record.energy;
  return {{"gpu_energy_j", nullptr},
          {"gpu_power_w", nullptr},
          {"span_s", nullptr},
          {"pass_count", nullptr},
          {"reason", !cell.launcher.empty()         ? kNoInstruments
                     : plan.options.form == "smoke" ? "the smoke form has no energy pass"
                                                    : "no replicate of the energy pass finished"}};
}

/// The times of a query in processes or ranks that ran at once: medians over the blocks of the
/// least, the middle and the largest. Null where one process ran.
Json spread_json(const CellRecord& record, std::vector<double> Block::*pass_ns,
                 double query_count) {
  Json block_ns = Json::array();
  std::vector<double> least;
  std::vector<double> middle;
  std::vector<double> largest;
  for (const Block& block : record.blocks) {
    std::vector<double> times = block.*pass_ns;
    if (times.empty()) return nullptr;
    for (double& time : times) time /= query_count;
    block_ns.push_back(times);
    least.push_back(*std::ranges::min_element(times));
    middle.push_back(measure::median(times));
    largest.push_back(*std::ranges::max_element(times));
  }
  if (least.empty()) return nullptr;
  return {{"least_ns", measure::median(least)},
          {"median_ns", measure::median(middle)},
          {"largest_ns", measure::median(largest)},
          {"block_ns", block_ns}};
}

/// Where ranks of one host run on the same PUs with more threads than these can run, or on one GPU:
/// a text for each such place.
std::set<std::string> shared_places(const CellRecord& record) {
  std::set<std::string> shared;
  std::map<std::string, std::size_t> ranks_at;
  for (const Json& seat : record.seats.is_null() ? Json::array() : record.seats) {
    const std::string host = seat.at("host").get<std::string>();
    const std::string observed = seat.at("observed").get<std::string>();
    const std::string pus = observed.substr(0, observed.find(", last")) + " of " + host;
    const std::size_t ranks = ++ranks_at[pus];
    const std::size_t threads = ranks * (record.threads.size() + 1);
    if (ranks > 1 && threads > seat.at("pu_count").get<std::size_t>()) shared.insert(pus);
    for (const Json& gpu : seat.at("gpus")) {
      if (gpu.at("pci_bus_id").is_null()) continue;
      const std::string text = "GPU " + gpu.at("pci_bus_id").get<std::string>() + " of " + host;
      if (++ranks_at[text] > 1) shared.insert(text);
    }
  }
  return shared;
}

/// Where each rank ran, and how far they were apart. Null where one process ran.
Json ranks_json(const CellRecord& record, double query_count) {
  if (record.seats.is_null()) return nullptr;
  Json ranks = {{"places", record.seats}, {"shared_places", shared_places(record)}};
  Json spread = spread_json(record, &Block::rank_pass_ns, query_count);
  for (const char* key : {"least_ns", "median_ns", "largest_ns", "block_ns"}) {
    ranks[key] = spread.is_null() ? Json() : spread.at(key);
  }
  return ranks;
}

/// What one process reads in a cycle, of a problem whose queries read so many doubles; null of
/// others, and where the clock isn't known.
Json doubles_per_cycle(const Json& facts, const std::vector<double>& query_ns,
                       const CellRecord& record) {
  if (!facts.contains("query_double_count") || query_ns.empty() || record.core_mhz.empty()) {
    return nullptr;
  }
  constexpr double kMhzPerGhz = 1000;
  const double cycles = measure::median(query_ns) * measure::median(record.core_mhz) / kMhzPerGhz;
  return facts.at("query_double_count").get<double>() / cycles;
}

/// CPU time over wall time of all samples: below 1 the variant waited, or another program had its
/// core. Null without samples.
Json cpu_share(const CellRecord& record) {
  double cpu = 0;
  double wall = 0;
  for (const Block& block : record.blocks) {
    const std::vector<double> sums = pass_sums(block);
    wall = std::accumulate(sums.begin(), sums.end(), wall);
    cpu = std::accumulate(block.pass_cpu_ns.begin(), block.pass_cpu_ns.end(), cpu);
  }
  return wall > 0 ? Json(cpu / wall) : Json();
}

Json core_clock_json(const plan::Cell& cell, const CellRecord& record) {
  const bool known = !record.core_mhz.empty();
  Json reason;
  if (!known) reason = record.blocks.empty() ? "the cell was not timed" : measure::kNoCoreClock;
  return {{"requested", cell.frequency},
          {"estimated_mhz", known ? Json(measure::median(record.core_mhz)) : Json()},
          {"reason", reason}};
}

Json launcher_json(const std::vector<std::string>& words) {
  return words.empty() ? Json() : Json(join(words, " "));
}

Json parameters_json(const std::string& variant) {
  Json parameters = Json::object();
  const std::size_t colon = variant.find(':');
  if (colon == std::string::npos) return parameters;
  const Settings settings = Settings::parse(variant.substr(colon + 1));
  for (const auto& [key, value] : settings.entries()) parameters[key] = value;
  return parameters;
}

Json cell_json(const plan::Plan& plan, const Probe& probe, std::size_t index,
               const CellRecord& record) {
  const plan::Cell& cell = plan.cells[index];
  const auto workload = std::ranges::find(probe.workloads, cell.graph, &WorkloadFacts::graph);
  const double query_count = static_cast<double>(workload->query_count);
  std::vector<double> medians;
  Json samples = Json::array();
  std::size_t sample_count = 0;
  std::size_t outliers = 0;
  Json stops = Json::object();
  for (const Block& block : record.blocks) {
    const std::vector<double> sums = pass_sums(block);
    medians.push_back(measure::median(sums) / query_count);
    samples.push_back(sums);
    sample_count += sums.size();
    outliers += measure::count_outliers(sums);
    stops[block.stop_reason] = stops.value(block.stop_reason, 0) + 1;
  }
  return {{"id", cell.id},
          {"label", cell.label},
          {"variant", probe.resolved[index]},
          {"requested_variant", cell.variant},
          {"problem", plan.experiment.problem},
          {"parameters", parameters_json(probe.resolved[index])},
          {"axes", cell.axes},
          {"graph", cell.graph},
          {"workload", workload - probe.workloads.begin()},
          {"query_count", workload->query_count},
          {"batch", cell.batch},
          {"baseline", plan.baseline_of(cell).id},
          {"placement",
           {{"requested", cell.axes.at("placement")},
            {"resolved", cell.placement},
            {"observed", record.observed},
            {"pu_count", record.pu_count},
            {"threads", threads_json(record)}}},
          {"process_count", cell.process_count},
          {"processes", spread_json(record, &Block::process_pass_ns, query_count)},
          {"rank_count", cell.rank_count},
          {"launcher", launcher_json(cell.launcher)},
          {"ranks", ranks_json(record, query_count)},
          {"core_clock", core_clock_json(cell, record)},
          {"cpu_share_ratio", cpu_share(record)},
          {"doubles_per_cycle", doubles_per_cycle(workload->facts, medians, record)},
          {"block_count", record.blocks.size()},
          {"sample_count", sample_count},
          {"wall_ns", record.failed ? Json() : statistic(medians)},
          {"teps", cell.batch || record.failed ? Json() : teps_json(record)},
          {"block_medians_ns", medians},
          {"samples_ns", samples},
          {"outlier_count", outliers},
          {"covers", Json::array({"initialise", "run"})},
          {"stop_reasons", stops},
          {"phases", record.phases},
          {"phase_log", record.phase_log},
          {"instrumented_ratio", record.instrumented_ratio},
          {"counters", record.counters},
          {"gpu_kernels", record.gpu_kernels},
          {"gpu_copies", record.gpu_copies},
          {"gpu_kernels_reason", kernels_reason(plan, cell, record)},
          {"construction", construction_json(record)},
          {"memory", memory_json(plan, cell, record)},
          {"gpu", cell.needs_cuda ? summarise_gpu(record.gpu) : Json()},
          {"energy", cell.needs_cuda ? energy_json(plan, cell, record) : Json()},
          {"work", work_of(record.phases)},
          {"validation", validation_json(record)},
          {"answers", answers_json(record)}};
}

Json comparison_json(const plan::Plan& plan, const std::vector<CellRecord>& records, std::size_t a,
                     std::size_t b) {
  std::vector<double> logs;
  std::vector<double> ratios;
  for (const Block& block : records[a].blocks) {
    const auto other = std::ranges::find(records[b].blocks, block.index, &Block::index);
    if (other == records[b].blocks.end()) continue;
    logs.push_back(
        measure::block_log_ratio(block.step_ns, other->step_ns, block.process == other->process));
    ratios.push_back(std::exp(logs.back()));
  }
  if (logs.empty()) return nullptr;
  const measure::Ratio ratio = measure::ratio_over_blocks(logs);
  std::set<std::string> shared = shared_places(records[a]);
  shared.merge(shared_places(records[b]));
  Json reason;
  if (!ratio.interval) {
    reason = "fewer than 6 blocks: no 95 % interval";
  } else if (!shared.empty()) {
    reason = "ranks share " + *shared.begin() + ": they wait for each other";
  }
  const measure::Outcome outcome =
      reason.is_null() ? measure::judge(ratio.interval) : measure::Outcome::unclear;
  return {{"a", plan.cells[a].id},
          {"b", plan.cells[b].id},
          {"ratio", ratio.value},
          {"ci95_low", ratio.interval ? Json(ratio.interval->low) : Json()},
          {"ci95_high", ratio.interval ? Json(ratio.interval->high) : Json()},
          {"block_ratios", ratios},
          {"outcome", to_string(outcome)},
          {"reason", reason}};
}

Json comparisons_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                      const Json& cells) {
  const auto index_of = [&](const std::string& id) {
    return static_cast<std::size_t>(std::ranges::find(plan.cells, id, &plan::Cell::id) -
                                    plan.cells.begin());
  };
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const auto add = [&](std::size_t a, std::size_t b) {
    const std::pair pair(a, b);
    if (a != b && std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
  };
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    add(i, index_of(plan.baseline_of(plan.cells[i]).id));
  }
  for (const auto& [a, b] : verdict::needed_pairs(plan.experiment.claims, cells)) {
    add(index_of(a), index_of(b));
  }
  if (plan.experiment.diagnose) {
    for (const auto& [a, b] : verdict::diagnosis_pairs(cells)) add(index_of(a), index_of(b));
  }
  Json comparisons = Json::array();
  for (const auto& [a, b] : pairs) {
    if (records[a].failed || records[b].failed) continue;
    Json comparison = comparison_json(plan, records, a, b);
    if (!comparison.is_null()) comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

/// Google Benchmark's entries: one an iteration, then aggregates; times are those of one query.
Json benchmarks_json(const plan::Plan& plan, const Probe& probe,
                     const std::vector<CellRecord>& records) {
  Json benchmarks = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    if (records[i].failed) continue;
    const plan::Cell& cell = plan.cells[i];
    const std::string name = probe.resolved[i] + "/" + cell.graph + "/" + cell.placement;
    const auto workload = std::ranges::find(probe.workloads, cell.graph, &WorkloadFacts::graph);
    const double query_count = static_cast<double>(workload->query_count);
    std::vector<double> wall;
    std::vector<double> cpu;
    for (const Block& block : records[i].blocks) {
      for (const double sum : pass_sums(block)) wall.push_back(sum / query_count);
      for (const double sum : block.pass_cpu_ns) cpu.push_back(sum / query_count);
    }
    const auto entry = [&](const std::string& type) {
      return Json{{"name", name},
                  {"family_index", i},
                  {"per_family_instance_index", 0},
                  {"run_name", name},
                  {"run_type", type},
                  {"repetitions", wall.size()},
                  {"threads", records[i].threads.size() + 1}};
    };
    for (std::size_t sample = 0; sample < wall.size(); ++sample) {
      Json row = entry("iteration");
      row["repetition_index"] = sample;
      row["iterations"] = workload->query_count;
      row["real_time"] = wall[sample];
      row["cpu_time"] = cpu[sample];
      row["time_unit"] = "ns";
      benchmarks.push_back(row);
    }
    if (wall.empty()) continue;
    const auto mean = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) /
             static_cast<double>(values.size());
    };
    const auto deviation = [&](const std::vector<double>& values) {
      double sum = 0;
      for (const double value : values) sum += std::pow(value - mean(values), 2);
      return values.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
    };
    const auto aggregate = [&](const char* kind, double real, double processor) {
      Json row = entry("aggregate");
      row["name"] = name + "_" + kind;
      row["aggregate_name"] = kind;
      row["aggregate_unit"] = "time";
      row["iterations"] = wall.size();
      row["real_time"] = real;
      row["cpu_time"] = processor;
      row["time_unit"] = "ns";
      benchmarks.push_back(row);
    };
    aggregate("mean", mean(wall), mean(cpu));
    aggregate("median", measure::median(wall), measure::median(cpu));
    aggregate("stddev", deviation(wall), deviation(cpu));
  }
  return benchmarks;
}

Json context_json(const Json& environment, const Json& topology, const RunFolder& folder) {
  Json caches = Json::array();
  for (const Json& cache : topology.at("caches")) {
    std::string type = cache.at("type").get<std::string>();
    type[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[0])));
    caches.push_back({{"type", type},
                      {"level", cache.at("level")},
                      {"size", cache.at("size_bytes")},
                      {"num_sharing", cache.at("shared_by_core_count")}});
  }
  const auto known = [&](const char* key, const Json& fallback) {
    return environment.contains(key) && !environment[key].is_null() ? environment[key] : fallback;
  };
  const std::string governor = known("cpu_governor", "").get<std::string>();
  return {{"date", folder.started_utc},
          {"host_name", known("host_name", "unknown")},
          {"executable", folder.argv.empty() ? "bellmark" : folder.argv.front()},
          {"num_cpus", topology.at("pu_count")},
          {"mhz_per_cpu", known("cpu_mhz", 0)},
          {"cpu_scaling_enabled", !governor.empty() && governor != "performance"},
          {"caches", caches},
          {"load_avg", known("load_average", Json::array())},
          {"library_build_type", BELLMARK_BUILD_TYPE == std::string("Debug") ? "debug" : "release"},
          {"json_schema_version", 1}};
}

std::optional<std::string> output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) return std::nullopt;
  std::string text;
  std::array<char, 256> bytes;
  while (fgets(bytes.data(), bytes.size(), pipe.get()) != nullptr) text += bytes.data();
  return std::string(trim(text));
}

/// The commit that this program was built from, and whether files differed from it; null when
/// unknown. A bundle carries a file that says so; elsewhere the source tree is asked.
std::pair<Json, Json> revision() {
  constexpr std::size_t kShaSize = 40;
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::ifstream bundled(program.parent_path().parent_path() / "REVISION");
  std::string sha;
  std::string state;
  if (bundled >> sha >> state && sha.size() == kShaSize) return {sha, state != "clean"};
  const std::string git = "git -C '" BELLMARK_SOURCE_DIR "' ";
  const auto head = output_of(git + "rev-parse HEAD 2>/dev/null");
  if (!head || head->size() != kShaSize) return {Json(), Json()};
  const auto changes = output_of(git + "status --porcelain --untracked-files=no 2>/dev/null");
  return {*head, changes ? Json(!changes->empty()) : Json()};
}

Json provenance_json(const plan::Plan& plan, const RunFolder& folder) {
  const auto [git_sha, git_dirty] = revision();
  return {{"version", BELLMARK_VERSION},
          {"git_sha", git_sha},
          {"git_dirty", git_dirty},
          {"compiler", BELLMARK_COMPILER},
          {"flags", BELLMARK_FLAGS},
          {"build_type", BELLMARK_BUILD_TYPE},
          {"libraries", library_versions()},
          {"argv", folder.argv},
          {"spec_digest", Digest().add(plan.experiment.text).hex()},
          {"spec", plan.experiment.text},
          {"seed", plan.experiment.queries.seed},
          {"started_utc", folder.started_utc},
          {"finished_utc", utc_now()}};
}

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
          {"launcher", experiment.launcher.empty() ? Json() : Json(experiment.launcher)},
          {"stand_in", experiment.stand_in.empty() ? Json() : Json(experiment.stand_in)},
          {"baseline", plan.baseline_of(plan.cells.front()).id},
          {"block_count", plan.block_count},
          {"budget_s", plan.options.budget_s ? Json(*plan.options.budget_s) : Json()},
          {"shard", shard ? Json{{"index", shard->index}, {"count", shard->count}} : Json()},
          {"cuts", cuts}};
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

/// Every reason why a GPU's clocks were held back around timed samples.
std::set<std::string> throttles_of(const Json& cells) {
  std::set<std::string> reasons;
  const auto take_reasons = [&](const Json& gpu) {
    if (gpu.is_null()) return;
    for (const Json& word : gpu.at("throttle_reasons")) {
      if (machine::is_throttled(word.get<std::string>())) reasons.insert(word);
    }
  };
  for (const Json& cell : cells) {
    take_reasons(cell.at("gpu"));
    if (cell.at("ranks").is_null()) continue;
    for (const Json& seat : cell.at("ranks").at("places")) {
      for (const Json& gpu : seat.at("gpus")) take_reasons(gpu);
    }
  }
  return reasons;
}

/// Cells whose threads share PUs: the most threads there are, by placement and its PUs.
std::map<std::pair<std::string, std::size_t>, std::size_t> crowded(
    const plan::Plan& plan, const std::vector<CellRecord>& records) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> most;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t thread_count = records[i].threads.size() + 1;
    const std::size_t pu_count = records[i].pu_count;
    if (pu_count == 0 || thread_count <= pu_count) continue;
    std::size_t& count = most[{plan.cells[i].placement, pu_count}];
    count = std::max(count, thread_count);
  }
  return most;
}

Json warnings_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                   const Json& environment, const Json& cells) {
  Json warnings = Json::array();
  const auto warn = [&](const std::string& text, const std::string& action) {
    warnings.push_back({{"text", text}, {"action", action}});
  };
  if (environment.value("is_virtualised", Json(false)) == Json(true)) {
    warn("the machine is virtual: other guests may take its time",
         "trust ratios measured in one run, not absolute times");
  }
  const Json& load = environment.at("load_average");
  const auto cpus = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (!load.is_null() && load.at(0).get<double>() > cpus) {
    warn("the load average is " + load.at(0).dump(), "stop other programs and run again");
  }
  constexpr double kOwnCores = 0.95;
  const auto disturbed = [](const Json& cell) {
    const Json& share = cell.at("cpu_share_ratio");
    return cell.at("process_count") > 1 && !share.is_null() && share.get<double>() < kOwnCores;
  };
  if (std::ranges::any_of(cells, disturbed)) {
    warn("processes at once shared their cores with other programs (cpu_share_ratio below 0.95)",
         "don't trust their ratios; stop other programs and run again");
  }
  if (const auto throttles = throttles_of(cells); !throttles.empty()) {
    warn("the GPU's clocks were held back: " + join({throttles.begin(), throttles.end()}, ", "),
         "let it cool down or raise its power limit, and run again");
  }
  for (const auto& [place, thread_count] : crowded(plan, records)) {
    const auto& [placement, pu_count] = place;
    warn("up to " + std::to_string(thread_count) + " threads share the " +
             std::to_string(pu_count) + (pu_count == 1 ? " PU" : " PUs") + " of placement '" +
             placement + "': they wait for each other",
         "name more places (`bellmark topology` lists them) or use fewer threads");
  }
  std::set<std::string> places;
  for (const CellRecord& record : records) places.merge(shared_places(record));
  if (!places.empty()) {
    warn("ranks share " + join({places.begin(), places.end()}, ", ") + ": they wait for each other",
         "trust what they count, not their times; start fewer ranks or name more places");
  }
  if (BELLMARK_BUILD_TYPE != std::string("Release")) {
    warn("this is no Release build", "configure with -DCMAKE_BUILD_TYPE=Release");
  }
  if (plan.block_count < measure::kBlocksForInterval) {
    warn("fewer than 6 blocks: no intervals of times, and no verdicts on them",
         plan.options.form == "smoke" ? "run without --smoke"
                                      : "raise run.block_count if times matter here");
  }
  return warnings;
}

void write_indented(const Json& value, std::size_t depth, std::string& text) {
  constexpr std::size_t kDeepest = 5;
  if (!value.is_structured() || value.empty() || depth >= kDeepest) {
    text += value.dump();
    return;
  }
  const std::string indent(depth + 1, ' ');
  text += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, inner] : value.items()) {
    text.append(first ? "\n" : ",\n").append(indent);
    if (value.is_object()) text.append(Json(key).dump()).append(": ");
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
              const RunFolder& folder, const std::vector<Json>& replicates) {
  std::vector<CellRecord> records = collect(plan, replicates);
  for (const NotMeasured& cell : supervised.not_measured) forget_measurements(records[cell.cell]);
  const machine::Topology topology = machine::Topology::this_machine();
  const Json environment = machine::environment();
  const Json topology_summary = topology.summary();
  std::vector<std::string> cuts = plan.cuts;
  cuts.insert(cuts.end(), supervised.cuts.begin(), supervised.cuts.end());

  Json cells = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    cells.push_back(cell_json(plan, probe, i, records[i]));
  }
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
                 {"context", context_json(environment, topology_summary, folder)},
                 {"benchmarks", benchmarks_json(plan, probe, records)},
                 {"experiment", experiment_json(plan, cuts)},
                 {"provenance", provenance_json(plan, folder)},
                 {"environment", environment},
                 {"topology", {{"summary", topology_summary}, {"hwloc_xml", topology.xml()}}},
                 {"workloads", workloads_json(plan, probe)},
                 {"cells", cells},
                 {"comparisons", comparisons_json(plan, records, cells)},
                 {"verdicts", Json::array()},
                 {"not_measured", not_measured},
                 {"warnings", warnings_json(plan, records, environment, cells)}};
  result["verdicts"] = verdict::judge(plan.experiment, result);
  result["diagnosis"] = plan.experiment.diagnose ? verdict::diagnose(result) : Json();
  return result;
}

}  // namespace bellmark::run
