#include "harness/run/worker/passes.hpp"

#include <malloc.h>

#include <algorithm>
#include <numeric>

#include "algorithms/contract/logged_work.hpp"
#include "algorithms/contract/search_work.hpp"
#include "harness/machine/lost_time.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/rapl.hpp"
#include "harness/measure/core_clock.hpp"
#include "harness/measure/phase_recorder.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/protocol/optional_json.hpp"
#include "harness/run/protocol/reasons.hpp"
#include "harness/run/worker/agree.hpp"
#include "harness/run/worker/phase_log.hpp"
#include "harness/sinks/cupti_activity.hpp"
#include "harness/sinks/nvtx.hpp"
#include "harness/sinks/sink.hpp"
#include "harness/sinks/software_events.hpp"
#include "harness/sinks/uncounted.hpp"

namespace bellmark::run {
namespace {

/// Does the same work as while sampling, untimed, until the last of the processes has its samples.
/// So the load on shared parts lasts as long as any process measures.
void keep_working(WorkerCell& cell, const Peers& peers) {
  for (std::size_t step = 0; !cell.wrong() && !peers.over();
       step = (step + 1) % cell.step_count()) {
    cell.run(step);
    cell.check(step);
  }
}

/// The part of the time in which a hypervisor gave the PUs to others while they had work.
class StealWatch {
 public:
  StealWatch(std::vector<unsigned> pus, measure::Clock& clock)
      : pus_(std::move(pus)),
        clock_(clock),
        begin_ns_(clock.now_ns()),
        stolen_ns_(machine::stolen_ns(pus_)) {}

  /// The part since its construction; nothing where it is unknown.
  std::optional<double> ratio() const {
    const std::optional<std::int64_t> now = machine::stolen_ns(pus_);
    const std::int64_t passed_ns = clock_.now_ns() - begin_ns_;
    if (!now || !stolen_ns_ || pus_.empty() || passed_ns <= 0) return std::nullopt;
    // One tick may have begun before.
    const std::int64_t stolen = std::max<std::int64_t>(0, *now - *stolen_ns_ - machine::kTickNs);
    return static_cast<double>(stolen) / static_cast<double>(passed_ns) /
           static_cast<double>(pus_.size());
  }

 private:
  std::vector<unsigned> pus_;
  measure::Clock& clock_;
  std::int64_t begin_ns_;
  std::optional<std::int64_t> stolen_ns_;
};

/// The part of the samples' time in which one of the cell's threads was ready to run and had no
/// core. Of several threads or ranks the largest. Collective among ranks.
std::optional<double> queued_ratio(WorkerCell& cell, const measure::Samples& samples,
                                   const Request& request) {
  std::optional<std::int64_t> queued = cell.queue_watch().longest_ns();
  if (request.ranks) {
    const auto own = static_cast<std::uint64_t>(std::max<std::int64_t>(0, queued.value_or(0)));
    queued = static_cast<std::int64_t>(world().all_reduce(own, Reduction::largest));
  }
  // The times that a program reports are a part of its runs.
  auto wall_ns = static_cast<double>(cell.queue_watch().runs_ns());
  double sampled_ns = 0;
  for (const auto& pass : samples.step_ns) {
    sampled_ns = std::accumulate(pass.begin(), pass.end(), sampled_ns);
  }
  wall_ns = std::max(wall_ns, sampled_ns);
  if (!queued || wall_ns <= 0) return std::nullopt;
  return static_cast<double>(*queued) / wall_ns;
}

SamplingProgress progress_of(std::span<const measure::Samples> samples,
                             const std::vector<WorkerCell*>& cells) {
  SamplingProgress progress;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::vector<double> sums;
    for (const auto& pass : samples[i].step_ns) {
      sums.push_back(std::accumulate(pass.begin(), pass.end(), 0.0));
    }
    if (!sums.empty()) progress.pass_ns.emplace_back(cells[i]->id(), measure::median(sums));
  }
  return progress;
}

PhaseSummary summary_of(const measure::PhaseNode& node, double total_ns, double query_count) {
  PhaseSummary phase;
  phase.name = node.name;
  phase.count = node.count;
  phase.wall_ns = static_cast<double>(node.wall_ns) / query_count;
  phase.share_ratio = total_ns > 0 ? static_cast<double>(node.wall_ns) / total_ns : 0;
  for (const auto& [name, value] : node.notes) {
    phase.notes.emplace_back(name, static_cast<double>(value) / query_count);
  }
  for (const auto& child : node.children) {
    phase.children.push_back(summary_of(*child, total_ns, query_count));
  }
  return phase;
}

/// Runs a query once more, untimed, in the variant's form that counts its work. A variant that
/// counted nothing in the first query is not asked again.
void count_query(WorkerCell& cell, std::size_t step, SearchWork& work) {
  if (step > 0 && work.empty()) return;
  RunContext counted;
  counted.set_work(&work);
  cell.make_ready(step);
  cell.run(step, counted);
  cell.check(step);
}

/// Replaces each rank's counts by their sum over all ranks. Collective: all have the same counts.
SearchWork sum_over_ranks(const SearchWork& own) {
  SearchWork sum;
  for (const WorkCount what : all_work_counts()) {
    sum.lacks(what, own.reason(what));
    if (const auto value = own.value(what)) {
      sum.add(what, world().all_reduce(*value, Reduction::sum));
    }
  }
  return sum;
}

Json work_counts_json(const SearchWork& work, double query_count) {
  Json counts = Json::object();
  for (const WorkCount what : all_work_counts()) {
    Json& count = counts[std::string(name_of(what))];
    const std::optional<std::uint64_t> sum = work.value(what);
    count["value"] = sum ? Json(static_cast<double>(*sum) / query_count) : Json();
    count["reason"] = sum ? Json() : Json(work.reason(what));
  }
  return counts;
}

/// One pass over the queries, with `begin` and `end` around every run of a query. `end` returns
/// false to repeat the query.
template <class Begin, class End>
void run_instrumented(WorkerCell& cell, Begin&& begin, End&& end) {
  RunContext instrumented;
  instrumented.set_instrumented(true);
  const bool plain_first = cell.logs_phases();
  for (std::size_t step = 0; step < cell.step_count() && !cell.wrong(); ++step) {
    if (plain_first) cell.run(step);
    do {
      cell.make_ready(step);
      begin();
      cell.run(step, instrumented);
    } while (!end());
    cell.check(step);
  }
}

/// For another program: the kernel's counts of it, all its threads together.
std::unique_ptr<sinks::CounterSink> open_sink(const std::string& name, WorkerCell& cell) {
  if (!cell.is_program()) {
    const std::span<const pid_t> threads = cell.thread_ids();
    return sinks::open_group(name, {threads.begin(), threads.end()});
  }
  using sinks::SoftwareEvents;
  const sinks::Group group = sinks::load_group(name);
  auto events = std::make_unique<SoftwareEvents>(group, SoftwareEvents::Of::programs);
  if (!events->unavailable()) return events;
  return std::make_unique<sinks::Uncounted>(sinks::open_group(name)->name(), group, kOwnProcess);
}

/// Replaces each reading by the sum over all ranks. Returns each rank's counts, by reading; none
/// where a rank counted nothing. Collective.
std::vector<std::vector<std::int64_t>> add_up_ranks(std::vector<sinks::Reading>& total) {
  Json own = Json::array();
  for (const sinks::Reading& reading : total) {
    own.push_back({{"value", or_null(reading.value)}, {"reason", reading.reason}});
  }
  std::vector<std::vector<std::int64_t>> by_rank(total.size());
  const std::vector<std::string> texts = texts_of_all(world(), json_text(own));
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    const Json of_rank = Json::parse(texts[rank]);
    for (std::size_t i = 0; i < total.size(); ++i) {
      const Json& value = of_rank.at(i).at("value");
      if (!value.is_null()) {
        by_rank[i].push_back(value.get<std::int64_t>());
      } else if (total[i].reason.empty()) {
        total[i].reason =
            "rank " + std::to_string(rank) + ": " + of_rank.at(i).at("reason").get<std::string>();
      }
    }
  }
  for (std::size_t i = 0; i < total.size(); ++i) {
    total[i].by_thread.clear();  // of this rank alone
    total[i].value.reset();
    if (by_rank[i].size() == texts.size()) {
      total[i].value = std::accumulate(by_rank[i].begin(), by_rank[i].end(), std::int64_t{0});
    } else {
      by_rank[i].clear();
    }
  }
  return by_rank;
}

template <class AnyReading>
CounterReading counter_of(const std::string& group, const AnyReading& reading,
                          const std::string& unit) {
  CounterReading counter{group, reading.name, unit, {}, {}};
  if (reading.value) {
    counter.value = *reading.value;
  } else {
    counter.reason = reading.reason;
  }
  return counter;
}

LeastLargest least_largest(const sinks::Extent& extent) { return {extent.least, extent.largest}; }

/// A time that lacks some launches would look too short, so there is none.
template <class Total, class Record>
void take_gpu_time(const Total& total, Record& record) {
  if (total.untimed_count == 0) {
    record.gpu_ns = total.gpu_ns;
  } else {
    record.reason = "CUPTI could not time " + std::to_string(total.untimed_count) + " of them";
  }
}

std::vector<GpuKernel> kernels_of(const sinks::ActivityTotals& totals) {
  std::vector<GpuKernel> kernels;
  for (const sinks::KernelTotal& total : totals.kernels()) {
    GpuKernel& kernel = kernels.emplace_back();
    kernel.name = total.name;
    kernel.launch_count = total.launch_count;
    take_gpu_time(total, kernel);
    kernel.registers_per_thread_count = total.registers_per_thread;
    kernel.static_shared_bytes = total.static_shared_bytes;
    kernel.dynamic_shared_bytes = least_largest(total.dynamic_shared_bytes);
    kernel.grid_block_count = least_largest(total.grid_blocks);
    kernel.block_thread_count = least_largest(total.block_threads);
  }
  return kernels;
}

std::vector<GpuCopy> copies_of(const sinks::ActivityTotals& totals) {
  std::vector<GpuCopy> copies;
  for (const sinks::CopyTotal& total : totals.copies()) {
    GpuCopy& copy = copies.emplace_back();
    copy.kind = total.kind;
    copy.count = total.count;
    copy.bytes = total.bytes;
    take_gpu_time(total, copy);
  }
  return copies;
}

std::optional<GpuSplit> split_of(const sinks::ActivityTotals& totals) {
  const std::optional<sinks::TimeSplit> split = totals.split();
  if (!split) return std::nullopt;
  return GpuSplit{split->launch_ns, split->kernel_ns, split->copy_ns, split->gap_ns,
                  split->synchronise_ns};
}

}  // namespace

Surroundings measure_timed(const Cells& cells, const Request& request, const WorkerPlace& place,
                           measure::Clock& clock, const Emit& emit, const Peers& peers,
                           std::vector<CellReplicate>& replicates) {
  std::vector<WorkerCell*> right;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i]->wrong()) continue;
    right.push_back(cells[i].get());
    index.push_back(i);
  }
  const bool together = request.process_count > 1;
  if (together) {
    emit(Ready());
    peers.wait();
  }
  for (WorkerCell* cell : right) cell->choose_iterations(clock);
  for (WorkerCell* cell : right) cell->queue_watch().restart();
  const StealWatch steal(place.pus(), clock);
  const std::vector<measure::Subject*> subjects(right.begin(), right.end());
  const auto samples = measure::sample(
      subjects, request.stop_rule, request.seed, clock,
      [&](std::span<const measure::Samples> so_far) { emit(progress_of(so_far, right)); });
  // Read while the others still work: their load may lower the clock.
  Surroundings surroundings{measure::estimated_core_mhz(clock), steal.ratio(), machine::page_use()};
  std::vector<std::optional<double>> queued_ratios;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    queued_ratios.push_back(queued_ratio(*right[i], samples[i], request));
  }
  if (together) {
    emit(Sampled());
    for (WorkerCell* cell : right) keep_working(*cell, peers);
  }
  for (WorkerCell* cell : right) cell->certify_last();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CellReplicate& replicate = replicates[index[i]];
    replicate = right[i]->replicate();
    TimedSamples& timed = replicate.timed.emplace();
    timed.step_ns = samples[i].step_ns;
    timed.pass_cpu_ns = samples[i].pass_cpu_ns;
    timed.stop_reason = samples[i].stop_reason;
    timed.queued_ratio = queued_ratios[i];
    for (std::size_t step = 0; step < right[i]->step_count(); ++step) {
      timed.most_iterations = std::max(timed.most_iterations, right[i]->iterations(step));
    }
    if (!request.ranks) continue;
    timed.rank_pass_ns = world().all_gather(measure::median(samples[i].pass_own_ns));
  }
  return surroundings;
}

CellReplicate measure_phases(WorkerCell& cell, measure::Clock& clock, std::size_t query_count) {
  measure::PhaseRecorder recorder(clock, sinks::nvtx_ranges());
  RunContext recorded(&recorder);
  double plain_ns = 0;
  double recorded_ns = 0;
  std::vector<QueryLog> logs;
  SearchWork work;
  SearchWork logged;
  bool logged_all = true;  // a log that overflowed has no rows
  // The untimed pass ran before, so a variant that keeps a phase log has one.
  const bool keeps_log = cell.logs_phases();
  for (std::size_t step = 0; step < cell.step_count(); ++step) {
    QueryLog log{step, {}, {}};
    // Plain and recorded runs alternate, so that the machine's drift doesn't enter their ratio. If
    // a log is kept, the plain run is always first: a variant that decides by its own clock repeats
    // that run's decisions in the recorded one.
    const bool recorded_first = !keeps_log && step % 2 == 0;
    for (const bool with_phases : {recorded_first, !recorded_first}) {
      cell.approach(step);
      const std::int64_t begin = clock.now_ns();
      if (with_phases) {
        cell.run(step, recorded);
        recorder.resolve();
      } else {
        cell.run(step);
      }
      (with_phases ? recorded_ns : plain_ns) += static_cast<double>(clock.now_ns() - begin);
      if (keeps_log) (with_phases ? log.instrumented : log.plain) = cell.phase_log();
      if (!cell.check(step)) break;
    }
    if (cell.wrong()) break;
    if (keeps_log) {
      add_logged(log.instrumented, logged);
      logged_all = logged_all && log.instrumented.phase_count() > 0;
      logs.push_back(std::move(log));
    }
    count_query(cell, step, work);
    if (cell.wrong()) break;
  }
  CellReplicate replicate = cell.replicate();
  PhasesReading& reading = replicate.phases.emplace();
  for (const auto& child : recorder.root().children) {
    reading.phases.push_back(summary_of(*child, recorded_ns, static_cast<double>(query_count)));
  }
  reading.phase_log = phase_log_json(std::move(logs));
  if (world().size() > 1) work = sum_over_ranks(work);
  if (logged_all) complete(work, logged);
  reading.work_counts = work_counts_json(work, static_cast<double>(query_count));
  if (plain_ns > 0) reading.instrumented_ratio = recorded_ns / plain_ns;
  return replicate;
}

CellReplicate measure_counters(WorkerCell& cell, const std::string& group) {
  const auto sink = open_sink(group, cell);
  const std::string shown = sink->is_measured() ? group : group + " (" + sink->name() + ")";
  std::vector<sinks::Reading> total;
  run_instrumented(
      cell, [&] { sink->start(); },
      [&] {
        const auto readings = sink->stop();
        if (!sink->is_complete()) return false;
        sinks::add_readings(total, readings);
        return true;
      });
  CellReplicate replicate = cell.replicate();
  auto& counters = replicate.counters.emplace();
  std::vector<std::vector<std::int64_t>> by_rank(total.size());
  if (world().size() > 1) by_rank = add_up_ranks(total);
  for (std::size_t i = 0; i < total.size(); ++i) {
    counters.push_back(counter_of(shown, total[i], total[i].unit));
    counters.back().by_thread = total[i].by_thread;
    counters.back().by_rank = by_rank[i];
  }
  for (const auto& reading : sinks::ratio_readings(sinks::load_group(group), total)) {
    counters.push_back(counter_of(shown, reading, "ratio"));
  }
  return replicate;
}

CellReplicate measure_kernels(WorkerCell& cell) {
  sinks::KernelActivity activity;
  std::string reason = kNoGpuVariant;
  if (cell.needs_cuda()) {
    run_instrumented(
        cell, [&] { activity.start(); },
        [&] {
          activity.stop();
          return true;
        });
    reason = activity.failure();
  }
  CellReplicate replicate = cell.replicate();
  KernelsReading& kernels = replicate.kernels.emplace();
  if (reason.empty()) {
    kernels.kernels = kernels_of(activity.totals());
    kernels.copies = copies_of(activity.totals());
    kernels.split = split_of(activity.totals());
  } else {
    kernels.reason = reason;
  }
  return replicate;
}

/// The certificates come afterwards, because they need memory of their own.
CellReplicate measure_memory(WorkerCell& cell, measure::Clock& clock) {
  // Freed memory of the reader would be reused, and the growth would look too small.
  malloc_trim(0);
  // Where the peak can't be reset, the resident memory at the end is the nearest figure.
  const auto read =
      machine::reset_peak_resident() ? machine::peak_resident_bytes : machine::resident_bytes;
  const std::uint64_t baseline = read();
  cell.prepare(clock);
  cell.watch_memory();
  std::optional<std::uint64_t> of_program;
  for (std::size_t step = 0; step < cell.step_count(); ++step) {
    cell.approach(step);
    cell.run(step);
    of_program = std::max(of_program, cell.program_peak_bytes());
  }
  const std::uint64_t peak = read();
  cell.check(cell.step_count() - 1);
  cell.certify_last();
  CellReplicate replicate = cell.replicate();
  if (cell.is_program()) {
    replicate.resident_bytes = of_program;
    return replicate;
  }
  const std::uint64_t grown = peak > baseline ? peak - baseline : 0;
  replicate.resident_bytes = world().all_reduce(grown, Reduction::largest);
  return replicate;
}

CellReplicate measure_energy(WorkerCell& cell, std::size_t query_count, measure::Clock& clock,
                             const GpuWatches& gpus) {
  bool ran = false;
  const auto pass = [&] {
    for (std::size_t step = 0; step < cell.step_count(); ++step) cell.run(step);
    ran = true;
  };
  machine::Rapl rapl;
  const auto cpu_energy_j = [&rapl]() -> machine::Told<double> {
    const std::optional<double> joules = rapl.energy_j();
    return {joules, rapl.reason()};
  };
  const EnergyReading energy = energy_of_pass(
      pass, query_count, clock, [&] { return gpus.energy_j(); }, cpu_energy_j);
  if (ran) cell.check(cell.step_count() - 1);
  cell.certify_last();
  CellReplicate replicate = cell.replicate();
  replicate.energy = energy;
  return replicate;
}

}  // namespace bellmark::run
