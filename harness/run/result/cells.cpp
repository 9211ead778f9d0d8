#include "harness/run/result/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "base/text.hpp"
#include "harness/measure/core_clock.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/protocol/optional_json.hpp"
#include "harness/run/protocol/reasons.hpp"
#include "harness/run/protocol/work_facts.hpp"
#include "harness/run/result/gpu_summary.hpp"
#include "harness/verdict/working_set.hpp"

namespace bellmark::run {
namespace {

Json statistic(std::span<const double> block_values) {
  if (block_values.empty()) return nullptr;
  const auto interval = measure::median_interval(block_values);
  return {{"median", measure::median(block_values)},
          {"ci95_low", interval ? Json(interval->low) : Json()},
          {"ci95_high", interval ? Json(interval->high) : Json()},
          {"reason", interval ? Json() : Json("fewer than 6 blocks: no 95 % interval")}};
}

/// Traversed edges per second, as Graph500 counts them. Each query has its own edges and its own
/// time (the median over passes). The harmonic mean and the median over queries follow, block by
/// block. Null when answers don't say how many edges a query traverses. Queries that traverse no
/// edge are left out.
Json teps_json(const CellRecord& record) {
  constexpr double kSecond = 1e9;
  std::map<std::size_t, double> edges;
  for (const auto& [query, facts] : record.answers) {
    const double count = facts.value("traversed_edge_count", 0.0);
    if (count > 0) edges[query] = count;
  }
  std::vector<double> harmonic_means;
  std::vector<double> medians;
  for (const Block& block : record.blocks) {
    std::vector<double> rates;
    double seconds_an_edge = 0;
    for (const auto& [query, count] : edges) {
      std::vector<double> times;
      for (const auto& pass : block.samples.step_ns) {
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

/// Work done in a second, where the answers say how much a query does (Work). Each rate is the sum
/// over queries, by the sum of their times (each the median over passes), block by block. An object
/// without members when the answers say nothing.
Json rates_json(const CellRecord& record, bool is_batch) {
  constexpr double kSecond = 1e9;
  constexpr std::pair<const char*, const char*> kRates[] = {
      {kWorkBytes, "bytes_per_second"},
      {kWorkOperations, "operations_per_second"},
      {kWorkItems, "items_per_second"}};
  Json rates = Json::object();
  for (const auto& [fact, rate] : kRates) {
    std::vector<double> of_blocks;
    for (const Block& block : record.blocks) {
      double count = 0;
      double ns = 0;
      for (const auto& [query, facts] : record.answers) {
        if (!facts.contains(fact)) continue;
        count += facts.at(fact).get<double>();
        if (is_batch) continue;
        std::vector<double> times;
        for (const auto& pass : block.samples.step_ns) times.push_back(pass.at(query));
        ns += measure::median(times);
      }
      if (is_batch) ns = measure::median(block.pass_ns());
      if (count > 0 && ns > 0) of_blocks.push_back(count * kSecond / ns);
    }
    if (of_blocks.empty()) continue;
    rates[rate] = statistic(of_blocks);
    rates[rate]["block_values"] = of_blocks;
  }
  return rates;
}

/// The number of runs in a row that share one time; of all blocks and queries the largest.
std::uint64_t iteration_count(const CellRecord& record) {
  std::uint64_t most = 1;
  for (const Block& block : record.blocks) most = std::max(most, block.samples.most_iterations);
  return most;
}

/// Why a cell has no list of kernels; null when it has one.
Json kernels_reason(const plan::Plan& plan, const plan::Cell& cell, const CellRecord& record) {
  if (record.kernels && record.kernels->kernels) return nullptr;
  if (record.kernels && record.kernels->reason) return *record.kernels->reason;
  if (!cell.needs_cuda) return kNoGpuVariant;
  if (!cell.launcher.empty()) return kNoInstruments;
  return plan.options.form == "smoke" ? "the smoke form only times"
                                      : "no replicate of the kernels pass finished";
}

Json work_of(const std::optional<PhasesReading>& reading) {
  Json work = Json::object();
  if (!reading) return work;
  for (const PhaseSummary& phase : reading->phases) {
    for (const auto& [name, value] : phase.notes) work[name] = value;
  }
  return work;
}

/// The counts of the run that counts, each with its ratio to the size of the graph. Null where no
/// such run was made.
Json work_counts_of(const std::optional<PhasesReading>& reading, const Json& facts) {
  if (!reading || reading->work_counts.is_null()) return {};
  Json counts = reading->work_counts;
  const auto add_ratio = [&](const char* name, const Json& size) {
    Json& count = counts.at(name);
    const bool known = count.at("value").is_number() && size.is_number() && size.get<double>() > 0;
    count["ratio"] = known ? Json(count.at("value").get<double>() / size.get<double>()) : Json();
  };
  const Json vertices = facts.value("vertex_count", Json());
  for (const char* name : {"settled_count", "scanned_count", "relaxation_count", "lowered_count"}) {
    add_ratio(name, vertices);
  }
  for (const char* name : {"looked_at_arc_count", "atomic_count"}) {
    add_ratio(name, facts.value("arc_count", Json()));
  }
  add_ratio("failed_atomic_count", counts.at("atomic_count").at("value"));
  add_ratio("round_count", Json());
  return counts;
}

Json memory_json(const plan::Plan& plan, const plan::Cell& cell, const CellRecord& record) {
  Json accounted_bytes;
  if (!record.accounted.empty()) {
    std::uint64_t sum = 0;
    for (const auto& [what, bytes] : record.accounted) sum += bytes;
    accounted_bytes = sum;
  }
  Json reason;
  if (record.resident_bytes.empty()) {
    reason = cell.process_count > 1   ? "several processes at once are only timed"
             : plan.experiment.memory ? "no replicate of the memory pass finished"
                                      : "the experiment doesn't ask for it (run.memory)";
  }
  return {{"accounted_bytes", accounted_bytes},
          {"accounted", object_of(record.accounted)},
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

Json validation_json(const CellRecord& record, const std::string& unchecked) {
  const Validation& checks = record.validation;
  const bool certified = !checks.detail && checks.certificate_count > 0;
  return {{"status", checks.detail                                  ? "wrong"
                     : !unchecked.empty() && !record.blocks.empty() ? unchecked
                     : certified                                    ? "certified"
                                                                    : "not validated"},
          {"certificate_count", checks.certificate_count},
          {"gpu_certificate_count", checks.gpu_certificate_count},
          {"digest_count", checks.digest_count},
          {"detail", or_null(checks.detail)}};
}

Json answers_json(const CellRecord& record) {
  Json answers = Json::array();
  for (const auto& [query, facts] : record.answers) {
    Json answer = {{"query", query}};
    answer.update(facts);
    answers.push_back(answer);
  }
  return answers;
}

/// The figures are medians over blocks; the times and passes of all blocks add up. In a list a
/// block that could not be read is null.
Json energy_json(const std::vector<EnergyReading>& blocks) {
  std::vector<double> spans;
  std::size_t passes = 0;
  EnergyReading last;
  for (const EnergyReading& block : blocks) {
    if (block.span_s) spans.push_back(*block.span_s);
    passes += block.pass_count.value_or(0);
    if (block.reason) last.reason = block.reason;
    if (block.cpu_reason) last.cpu_reason = block.cpu_reason;
  }
  const auto values_of = [&](std::optional<double> EnergyReading::*figure) {
    std::vector<double> values;
    for (const EnergyReading& block : blocks) {
      if (block.*figure) values.push_back(*(block.*figure));
    }
    return values;
  };
  const auto median_of = [&](std::optional<double> EnergyReading::*figure) {
    const std::vector<double> values = values_of(figure);
    return values.empty() ? Json() : Json(measure::median(values));
  };
  const auto list_of = [&](std::optional<double> EnergyReading::*figure) {
    Json list = Json::array();
    if (values_of(figure).empty()) return list;
    for (const EnergyReading& block : blocks) list.push_back(or_null(block.*figure));
    return list;
  };
  return {{"gpu_energy_j", median_of(&EnergyReading::gpu_energy_j)},
          {"gpu_block_energy_j", list_of(&EnergyReading::gpu_energy_j)},
          {"gpu_power_w", median_of(&EnergyReading::gpu_power_w)},
          {"span_s", spans.empty() ? Json() : Json(std::reduce(spans.begin(), spans.end()))},
          {"pass_count", passes == 0 ? Json() : Json(passes)},
          {"reason", or_null(last.reason)},
          {"cpu_energy_j", median_of(&EnergyReading::cpu_energy_j)},
          {"cpu_block_energy_j", list_of(&EnergyReading::cpu_energy_j)},
          {"cpu_power_w", median_of(&EnergyReading::cpu_power_w)},
          {"cpu_reason", or_null(last.cpu_reason)}};
}

Json energy_json(const plan::Plan& plan, const plan::Cell& cell, const CellRecord& record) {
  if (!record.energy.empty()) return energy_json(record.energy);
  return {{"gpu_energy_j", nullptr},
          {"gpu_power_w", nullptr},
          {"span_s", nullptr},
          {"pass_count", nullptr},
          {"reason", !cell.launcher.empty()         ? kNoInstruments
                     : plan.options.form == "smoke" ? "the smoke form has no energy pass"
                                                    : "no replicate of the energy pass finished"}};
}

/// The times of a query in processes or ranks that ran at once: medians over the blocks of the
/// least, the middle and the largest time. Null where one process ran.
Json spread_json(const CellRecord& record, std::vector<double> TimedSamples::*pass_ns,
                 double query_count) {
  Json block_ns = Json::array();
  std::vector<double> least;
  std::vector<double> middle;
  std::vector<double> largest;
  for (const Block& block : record.blocks) {
    std::vector<double> times = block.samples.*pass_ns;
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

/// The readings of each rank's GPUs over all blocks.
Json places_json(const CellRecord& record) {
  Json places = Json::array();
  for (const RankPlace& place : record.places.value()) {
    Json& json = places.emplace_back(place);
    for (std::size_t i = 0; i < place.gpus.size(); ++i) {
      const auto timed = record.rank_gpus.find({place.rank, i});
      json["gpus"][i] = timed == record.rank_gpus.end()
                            ? summarise_gpu({place.gpus[i]})
                            : summarise_gpu({timed->second.begin(), timed->second.end()});
    }
  }
  return places;
}

/// The places of all ranks, and how far apart their times were. Null where one process ran.
Json ranks_json(const CellRecord& record, double query_count) {
  if (!record.places) return nullptr;
  Json ranks = {{"places", places_json(record)}, {"shared_places", shared_places(record)}};
  Json spread = spread_json(record, &TimedSamples::rank_pass_ns, query_count);
  for (const char* key : {"least_ns", "median_ns", "largest_ns", "block_ns"}) {
    ranks[key] = spread.is_null() ? Json() : spread.at(key);
  }
  return ranks;
}

/// The doubles that one process reads in a cycle. Null for problems whose queries read no known
/// number of doubles, and where the clock isn't known.
Json doubles_per_cycle(const Json& facts, const std::vector<double>& query_ns,
                       const CellRecord& record) {
  if (!facts.contains("query_double_count") || query_ns.empty() || record.core_mhz.empty()) {
    return nullptr;
  }
  constexpr double kMhzPerGhz = 1000;
  const double cycles = measure::median(query_ns) * measure::median(record.core_mhz) / kMhzPerGhz;
  return facts.at("query_double_count").get<double>() / cycles;
}

/// CPU time over wall time of all samples. A value below 1 means that the variant waited, or that
/// another program had its core. Null without samples, and of a program that says its own times:
/// its CPU time is that of the whole process.
Json cpu_share(const CellRecord& record, bool says_its_times) {
  if (says_its_times) return nullptr;
  double cpu = 0;
  double wall = 0;
  for (const Block& block : record.blocks) {
    const std::vector<double> sums = block.pass_ns();
    wall = std::accumulate(sums.begin(), sums.end(), wall);
    cpu = std::accumulate(block.samples.pass_cpu_ns.begin(), block.samples.pass_cpu_ns.end(), cpu);
  }
  return wall > 0 ? Json(cpu / wall) : Json();
}

/// Disturbances of the samples' cores and GPU, and the reason not to judge the times. Null without
/// samples.
Json disturbance_json(const plan::Cell& cell, const CellRecord& record) {
  if (record.blocks.empty()) return nullptr;
  const Disturbance disturbance = disturbance_of(record);
  const std::string reason = disturbed_by(disturbance);
  return {{"queued_ratio", or_null(disturbance.queued_ratio)},
          {"steal_ratio", or_null(disturbance.steal_ratio)},
          {"clock_ratio", or_null(disturbance.clock_ratio)},
          {"repeated_block_count", record.repeated_block_count},
          {"throttled_block_count", cell.needs_cuda ? Json(record.throttled_block_count) : Json()},
          {"disturbed", !reason.empty()},
          {"reason", reason.empty() ? Json() : Json(reason)}};
}

/// The pages of the cell's processes: medians of the blocks.
Json pages_json(const plan::Cell& cell, const CellRecord& record) {
  if (record.pages.empty()) return nullptr;
  const auto median_of = [&](std::uint64_t machine::PageUse::*bytes) {
    std::vector<double> values;
    for (const machine::PageUse& use : record.pages) {
      values.push_back(static_cast<double>(use.*bytes));
    }
    return static_cast<std::uint64_t>(measure::median(values));
  };
  std::map<unsigned, std::vector<double>> of_nodes;
  for (const machine::PageUse& use : record.pages) {
    for (const auto& [node, bytes] : use.node_bytes) {
      of_nodes[node].push_back(static_cast<double>(bytes));
    }
  }
  Json nodes = Json::array();
  for (const auto& [node, bytes] : of_nodes) {
    nodes.push_back(
        {{"node", node}, {"bytes", static_cast<std::uint64_t>(measure::median(bytes))}});
  }
  return {{"requested", machine::to_string(cell.pages)},
          {"memory_requested", cell.memory},
          {"anonymous_bytes", median_of(&machine::PageUse::anonymous_bytes)},
          {"huge_bytes", median_of(&machine::PageUse::huge_bytes)},
          {"reserved_bytes", median_of(&machine::PageUse::reserved_bytes)},
          {"nodes", nodes},
          {"nodes_reason", nodes.empty() ? Json("/proc/self/numa_maps tells of no node") : Json()}};
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

/// The result's view of a cell's timed samples, block by block.
struct SampleSummary {
  std::vector<double> medians_ns;  ///< of a query
  Json samples_ns = Json::array();
  std::size_t sample_count = 0;
  std::size_t outlier_count = 0;
  Json stop_reasons = Json::object();  ///< how often each was the reason
};

SampleSummary summarise_samples(const CellRecord& record, double query_count) {
  SampleSummary summary;
  for (const Block& block : record.blocks) {
    const std::vector<double> sums = block.pass_ns();
    summary.medians_ns.push_back(measure::median(sums) / query_count);
    summary.samples_ns.push_back(sums);
    summary.sample_count += sums.size();
    summary.outlier_count += measure::count_outliers(sums);
    const std::string& reason = block.samples.stop_reason;
    summary.stop_reasons[reason] = summary.stop_reasons.value(reason, 0) + 1;
  }
  return summary;
}

Json blocks_json(const CellRecord& record) {
  Json blocks = Json::array();
  for (const Block& block : record.blocks) {
    blocks.push_back(block_json(block, block.samples.step_ns));
  }
  return blocks;
}

/// The first block's log, and each query's sums of columns in the later blocks.
Json phase_log_of(const CellRecord& record) {
  if (!record.phases) return nullptr;
  Json log = record.phases->phase_log;
  if (log.is_null()) return log;
  Json later = Json::array();
  for (const auto& [index, other] : record.later_phase_logs) {
    if (!other.is_null()) later.push_back({{"index", index}, {"queries", other.at("queries")}});
  }
  if (later.empty()) return log;
  if (record.phases_block > 0) log["first_block"] = record.phases_block;
  log["later_blocks"] = std::move(later);
  return log;
}

}  // namespace

Json block_json(const Block& block, const measure::StepTimes& step_ns) {
  Json passes = Json::array();
  for (const auto& pass : step_ns) {
    Json& times = passes.emplace_back(Json::array());
    for (const double time : pass) {
      // A run's share of many runs in a row is known in fractions of a nanosecond.
      block.samples.most_iterations > 1 ? times.push_back(time)
                                        : times.push_back(std::llround(time));
    }
  }
  return {{"index", block.index}, {"process", block.process}, {"query_ns", std::move(passes)}};
}

std::set<std::string> shared_places(const CellRecord& record) {
  if (!record.places) return {};
  return shared_places(*record.places, record.threads.size() + 1);
}

Json cell_json(const plan::Plan& plan, const Probe& probe, std::size_t index,
               const CellRecord& record, const machine::Topology& topology) {
  const plan::Cell& cell = plan.cells[index];
  const auto workload = std::ranges::find(probe.workloads, cell.graph, &WorkloadFacts::graph);
  const double query_count = static_cast<double>(workload->query_count);
  const SampleSummary summary = summarise_samples(record, query_count);
  const Selection selection = Registry::global().select(cell.variant).front();
  const Description& description = selection.family->description();
  const bool says_its_times = description.times_itself && !record.bound_ns.empty();
  Json json = {
      {"id", cell.id},
      {"label", cell.label},
      {"variant", probe.resolved[index]},
      {"requested_variant", cell.variant},
      {"problem", plan.experiment.problem},
      {"parameters", parameters_json(probe.resolved[index])},
      {"axes", cell.axes},
      {"graph", cell.graph},
      {"stand_in_class", cell.stand_in_class ? Json(to_string(*cell.stand_in_class)) : Json()},
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
      {"processes", spread_json(record, &TimedSamples::process_pass_ns, query_count)},
      {"rank_count", cell.rank_count},
      {"launcher", launcher_json(cell.launcher)},
      {"ranks", ranks_json(record, query_count)},
      {"core_clock", core_clock_json(cell, record)},
      {"cpu_share_ratio", cpu_share(record, says_its_times)},
      {"disturbance", disturbance_json(cell, record)},
      {"pages", pages_json(cell, record)},
      {"doubles_per_cycle", doubles_per_cycle(workload->facts, summary.medians_ns, record)},
      {"block_count", record.blocks.size()},
      {"sample_count", summary.sample_count},
      {"wall_ns", record.failed ? Json() : statistic(summary.medians_ns)},
      {"teps", cell.batch || record.failed ? Json() : teps_json(record)},
      {"rates", record.failed ? Json::object() : rates_json(record, cell.batch)},
      {"iteration_count", iteration_count(record)},
      {"block_medians_ns", summary.medians_ns},
      {"samples_ns", summary.samples_ns},
      {"blocks", blocks_json(record)},
      {"outlier_count", summary.outlier_count},
      {"covers", Json::array({"initialise", "run"})},
      {"timed_by", says_its_times ? "program" : "Bellmark"},
      {"untimed", selection.untimed()},
      {"stop_reasons", summary.stop_reasons},
      {"phases", record.phases ? Json(record.phases->phases) : Json()},
      {"phase_log", phase_log_of(record)},
      {"instrumented_ratio", record.phases ? or_null(record.phases->instrumented_ratio) : Json()},
      {"counters", record.counters},
      {"profiles", record.profiles},
      {"gpu_kernels", record.kernels ? or_null(record.kernels->kernels) : Json()},
      {"gpu_copies", record.kernels ? or_null(record.kernels->copies) : Json()},
      {"gpu_split", record.kernels ? or_null(record.kernels->split) : Json()},
      {"gpu_kernels_reason", kernels_reason(plan, cell, record)},
      {"construction", construction_json(record)},
      {"memory", memory_json(plan, cell, record)},
      {"gpu", cell.needs_cuda ? summarise_gpu(record.gpu) : Json()},
      {"energy",
       cell.needs_cuda || plan.experiment.energy ? energy_json(plan, cell, record) : Json()},
      {"work", work_of(record.phases)},
      {"work_counts", work_counts_of(record.phases, workload->facts)},
      {"validation", validation_json(record, description.unchecked)},
      {"answers", answers_json(record)}};
  if (cell.build) {
    const plan::Build& build = plan.options.builds.at(*cell.build);
    json["build"] = {{"name", build.name},
                     {"git_sha", build.facts.value("git_sha", Json())},
                     {"git_dirty", build.facts.value("git_dirty", Json())}};
  }
  if (says_its_times) json["bound_ns"] = measure::median(record.bound_ns);
  json["working_set"] = verdict::working_set(json, topology);
  return json;
}

}  // namespace bellmark::run
