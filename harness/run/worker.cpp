#include "harness/run/worker.hpp"

#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <new>
#include <numeric>
#include <optional>

#include "algorithms/contract/registry.hpp"
#include "harness/machine/cuda.hpp"
#include "harness/machine/location.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/pin.hpp"
#include "harness/machine/thread_places.hpp"
#include "harness/measure/core_clock.hpp"
#include "harness/measure/phase_recorder.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/run/gpu_watch.hpp"
#include "harness/run/phase_log.hpp"
#include "harness/run/query_rule_json.hpp"
#include "harness/run/task.hpp"
#include "harness/sinks/cupti_activity.hpp"
#include "harness/sinks/nvtx.hpp"
#include "harness/sinks/sink.hpp"
#include "harness/sinks/uncounted.hpp"

namespace bellmark::run {
namespace {

/// The digests of every query's certified answers, as far as known. Where right answers don't
/// differ (distances are unique) the first decides all others to the same query.
using CertifiedDigests = std::vector<std::vector<std::uint64_t>>;

Json fact_json(const FactValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

/// When one pass takes longer than this, the untimed pass covers the first queries only.
constexpr double kLongPassSeconds = 2;
constexpr std::size_t kWarmupQueries = 16;

/// Where this process's thread is: on its own place of the placement, or, while nothing is
/// measured, on all of them, for threads that it makes then (to generate a graph, to prepare, to
/// certify an answer).
class Seat {
 public:
  Seat(const machine::Topology& topology, const machine::Placement& placement, std::size_t worker,
       std::size_t process_count, bool force)
      : topology_(topology), force_(force) {
    if (placement.workers.empty()) return;
    own_ = placement.workers.at(worker);
    all_ = own_;
    if (process_count > 1) return;  // the other places are other processes'
    all_.pus = machine::pus_of(placement);
    std::sort(all_.pus.begin(), all_.pus.end());
    all_.pus.erase(std::unique(all_.pus.begin(), all_.pus.end()), all_.pus.end());
  }
  /// Throws MachineError when the thread can't be bound.
  void take_own() { take(own_); }
  void take_all() { take(all_); }

 private:
  void take(const machine::Cpuset& places) {
    if (places.pus.empty() || places == taken_) return;
    machine::pin_this_thread(topology_, places, force_);
    taken_ = places;
  }

  const machine::Topology& topology_;
  bool force_;
  machine::Cpuset own_;
  machine::Cpuset all_;
  machine::Cpuset taken_;
};

/// One cell in this process: the bound variant and its validation.
class WorkerCell final : public measure::Subject {
 public:
  WorkerCell(std::string id, const Selection& selection, Workload& workload,
             CertifiedDigests& certified, Seat& seat, std::unique_ptr<machine::ThreadPlaces> places)
      : id_(std::move(id)),
        query_count_(workload.query_count()),
        many_answers_(workload.many_answers()),
        seat_(seat),
        places_(std::move(places)),
        certified_(certified) {
    context_.set_enter_thread([this](std::size_t index) { places_->enter(index); });
    Settings resolved;
    const Instance& instance = find_instance(selection, workload, resolved);
    name_ = selection.family->canonical(resolved);
    batch_ = instance.description.batch;
    needs_cuda_ = std::ranges::count(instance.description.needs, Need::cuda) > 0;
    variant_ = instance.bind(workload, resolved);
  }

  const std::string& id() const { return id_; }
  bool wrong() const { return fault_.has_value(); }
  bool needs_cuda() const { return needs_cuda_; }
  /// Asked after prepare(): the calling thread and those that the variant made.
  std::size_t thread_count() const { return places_->threads().size() + 1; }

  /// Asked after a run. Such a variant may decide by its clock, which instruments disturb: run()
  /// must come before an instrumented run of the same query, which then repeats the decisions.
  bool logs_phases() const { return !variant_->phase_log().columns.empty(); }

  std::size_t step_count() const override { return batch_ ? 1 : query_count_; }

  /// Rows may be made by threads of the variant's own making; those that search enter their places.
  void prepare(measure::Clock& clock) {
    seat_.take_all();
    const std::int64_t begin = clock.now_ns();
    variant_->prepare(context_);
    prepare_ns_ = clock.now_ns() - begin;
    seat_.take_own();
  }

  void run(std::size_t step) override { run(step, context_); }

  void run(std::size_t step, RunContext& context) {
    if (batch_) {
      variant_->run(0, query_count_, context);
    } else {
      variant_->run(step, 1, context);
    }
  }

  PhaseLog phase_log() const { return variant_->phase_log(); }

  bool check(std::size_t step) override {
    for_queries(step, [&](std::size_t query) {
      if (certified_[query].empty()) {
        certify(query);
        return;
      }
      const std::uint64_t digest = find_digest(query);
      ++digest_count_;
      if (!is_certified(query, digest)) {
        many_answers_ ? certify(query) : explain(query);
      } else {
        keep_facts(query);
      }
    });
    last_step_ = step;
    return !wrong();
  }

  /// The untimed pass: every answer through the whole certificate, or through its digest when an
  /// earlier process of this run certified that query with this `full` already done.
  void validate(measure::Clock& clock, bool full) {
    const std::int64_t begin = clock.now_ns();
    std::int64_t running = 0;
    for (std::size_t step = 0; step < step_count() && !wrong(); ++step) {
      const std::int64_t run_begin = clock.now_ns();
      run(step);
      running += clock.now_ns() - run_begin;
      if (full) {
        for_queries(step, [&](std::size_t query) { certify(query); });
        last_step_ = step;
      } else {
        check(step);
      }
      const bool is_long =
          static_cast<double>(running) * 1e-9 > kLongPassSeconds && step + 1 >= kWarmupQueries;
      if (is_long) break;
    }
    validate_ns_ = clock.now_ns() - begin;
  }

  /// The whole certificate on the last answer that this process computed.
  void certify_last() {
    if (wrong() || !last_step_) return;
    for_queries(*last_step_, [&](std::size_t query) {
      if (query + 1 == query_count_ || !batch_) certify(query);
    });
  }

  Json json() const {
    Json accounted = Json::object();
    for (const auto& [what, bytes] : context_.accounted()) accounted[what] = bytes;
    Json threads = Json::array();
    for (const auto& [index, thread] : places_->threads()) {
      threads.push_back(
          {{"index", index}, {"resolved", thread.resolved}, {"observed", thread.observed}});
    }
    return {{"id", id_},
            {"variant", name_},
            {"status", wrong() ? "wrong" : "ok"},
            {"validation",
             {{"certificate_count", certificate_count_},
              {"gpu_certificate_count", gpu_certificate_count_},
              {"digest_count", digest_count_},
              {"detail", fault_ ? Json(*fault_) : Json(nullptr)}}},
            {"prepare_ns", prepare_ns_},
            {"accounted", accounted},
            {"threads", threads},
            {"answers", answers_}};
  }

 private:
  template <class F>
  void for_queries(std::size_t step, F&& visit) {
    const std::size_t first = batch_ ? 0 : step;
    const std::size_t last = batch_ ? query_count_ : step + 1;
    for (std::size_t query = first; query < last && !wrong(); ++query) visit(query);
  }

  bool is_certified(std::size_t query, std::uint64_t digest) const {
    return std::ranges::count(certified_[query], digest) > 0;
  }

  std::optional<std::string> find_fault(std::size_t query) {
    seat_.take_all();
    auto fault = variant_->certify(query);
    if (variant_->certified_on_gpu()) ++gpu_certificate_count_;
    seat_.take_own();
    return fault;
  }

  std::uint64_t find_digest(std::size_t query) {
    seat_.take_all();
    const std::uint64_t digest = variant_->digest(query);
    seat_.take_own();
    return digest;
  }

  void keep_facts(std::size_t query) {
    const std::string key = std::to_string(query);
    if (answers_.contains(key)) return;
    for (const auto& [name, value] : variant_->answer_facts(query)) {
      answers_[key][name] = fact_json(value);
    }
  }

  void certify(std::size_t query) {
    ++certificate_count_;
    if (auto fault = find_fault(query)) {
      fault_ = "query " + std::to_string(query + 1) + ": " + *fault;
      return;
    }
    keep_facts(query);
    const std::uint64_t digest = find_digest(query);
    if (is_certified(query, digest)) return;
    if (certified_[query].empty() || many_answers_) {
      certified_[query].push_back(digest);
    } else {
      fault_ = "query " + std::to_string(query + 1) +
               ": passes its certificate, but differs from an answer that passed before";
    }
  }

  /// A digest differs: the certificate says what is wrong.
  void explain(std::size_t query) {
    ++certificate_count_;
    const auto fault = find_fault(query);
    fault_ = "query " + std::to_string(query + 1) + ": " +
             fault.value_or("the answer differs from a certified one");
  }

  std::string id_;
  std::string name_;
  std::size_t query_count_;
  bool many_answers_;
  bool batch_ = false;
  bool needs_cuda_ = false;
  Seat& seat_;
  std::unique_ptr<machine::ThreadPlaces> places_;
  RunContext context_;
  std::unique_ptr<BoundVariant> variant_;
  CertifiedDigests& certified_;
  std::optional<std::string> fault_;
  std::optional<std::size_t> last_step_;
  std::size_t certificate_count_ = 0;
  std::size_t gpu_certificate_count_ = 0;  ///< of those, by a GPU
  std::size_t digest_count_ = 0;
  std::int64_t prepare_ns_ = 0;
  std::int64_t validate_ns_ = 0;
  Json answers_ = Json::object();  ///< by query: what the result keeps of its answer
};

measure::StopRule stop_rule(const Json& json) {
  return {json.at("sample_count").get<std::size_t>(), json.at("seconds").get<double>(),
          json.at("half_width").get<double>()};
}

CertifiedDigests read_certified(const Json& json, std::size_t query_count) {
  CertifiedDigests certified(query_count);
  for (std::size_t query = 0; query < std::min(query_count, json.size()); ++query) {
    for (const Json& digest : json[query]) {
      certified[query].push_back(std::stoull(digest.get<std::string>(), nullptr, 16));
    }
  }
  return certified;
}

Json certified_json(const CertifiedDigests& certified) {
  Json json = Json::array();
  for (const auto& digests : certified) {
    Json& query = json.emplace_back(Json::array());
    for (const std::uint64_t digest : digests) query.push_back(hex64(digest));
  }
  return json;
}

Json samples_json(const measure::Samples& samples) {
  return {{"step_ns", samples.step_ns},
          {"pass_cpu_ns", samples.pass_cpu_ns},
          {"stop_reason", samples.stop_reason}};
}

Json phase_json(const measure::PhaseNode& node, double total_ns, double query_count) {
  Json notes = Json::object();
  for (const auto& [name, value] : node.notes) {
    notes[name] = static_cast<double>(value) / query_count;
  }
  Json children = Json::array();
  for (const auto& child : node.children) {
    children.push_back(phase_json(*child, total_ns, query_count));
  }
  return {{"name", node.name},
          {"count", node.count},
          {"wall_ns", static_cast<double>(node.wall_ns) / query_count},
          {"share_ratio", total_ns > 0 ? static_cast<double>(node.wall_ns) / total_ns : 0},
          {"notes", notes},
          {"children", children}};
}

/// The same work as while sampling, untimed, until the last of the processes has its samples: the
/// load on what they share is there for as long as any of them measures.
void keep_working(WorkerCell& cell, const Peers& peers) {
  for (std::size_t step = 0; !cell.wrong() && !peers.over();
       step = (step + 1) % cell.step_count()) {
    cell.run(step);
    cell.check(step);
  }
}

void measure_timed(std::vector<std::unique_ptr<WorkerCell>>& cells, const Json& request,
                   measure::Clock& clock, const std::function<void(const Json&)>& emit,
                   const Peers& peers, Json& result, Json& core_mhz) {
  std::vector<measure::Subject*> subjects;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i]->wrong()) continue;
    subjects.push_back(cells[i].get());
    index.push_back(i);
  }
  const auto progress = [&](std::span<const measure::Samples> samples) {
    Json estimates = Json::object();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::vector<double> sums;
      for (const auto& pass : samples[i].step_ns) {
        sums.push_back(std::accumulate(pass.begin(), pass.end(), 0.0));
      }
      if (!sums.empty()) estimates[cells[index[i]]->id()] = measure::median(sums);
    }
    emit({{"event", "progress"}, {"pass_ns", estimates}});
  };
  const bool together = request.at("process_count").get<std::size_t>() > 1;
  if (together) {
    emit({{"event", "ready"}});
    peers.wait();
  }
  const auto samples = measure::sample(subjects, stop_rule(request.at("stop_rule")),
                                       request.at("seed").get<std::uint64_t>(), clock, progress);
  // Still beside the others, whose load may lower the clock.
  if (const auto mhz = measure::estimated_core_mhz(clock)) core_mhz = *mhz;
  if (together) {
    emit({{"event", "sampled"}});
    for (const std::size_t i : index) keep_working(*cells[i], peers);
  }
  for (const std::size_t i : index) cells[i]->certify_last();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result[index[i]] = cells[index[i]]->json();
    result[index[i]].update(samples_json(samples[i]));
  }
}

void measure_phases(WorkerCell& cell, measure::Clock& clock, double query_count, Json& result) {
  measure::PhaseRecorder recorder(clock, sinks::nvtx_ranges());
  RunContext recorded(&recorder);
  double plain_ns = 0;
  double recorded_ns = 0;
  std::vector<QueryLog> logs;
  // The untimed pass has run before: what keeps a phase log has one by now.
  const bool keeps_log = cell.logs_phases();
  for (std::size_t step = 0; step < cell.step_count(); ++step) {
    QueryLog log{step, {}, {}};
    // Plain and recorded runs alternate, so that their ratio doesn't see the machine drift. Where a
    // log is kept the plain run is always first: a variant that decides by its own clock repeats
    // that run's decisions in the recorded one.
    const bool recorded_first = !keeps_log && step % 2 == 0;
    for (const bool with_phases : {recorded_first, !recorded_first}) {
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
    if (keeps_log) logs.push_back(std::move(log));
  }
  result = cell.json();
  Json phases = Json::array();
  for (const auto& child : recorder.root().children) {
    phases.push_back(phase_json(*child, recorded_ns, query_count));
  }
  result["phases"] = phases;
  result["phase_log"] = phase_log_json(std::move(logs));
  result["instrumented_ratio"] = plain_ns > 0 ? Json(recorded_ns / plain_ns) : Json(nullptr);
}

/// One pass over the queries with `begin` and `end` around every run of a query; `end` returns
/// false to have the same query run once more.
template <class Begin, class End>
void run_instrumented(WorkerCell& cell, Begin&& begin, End&& end) {
  RunContext instrumented;
  instrumented.set_instrumented(true);
  const bool plain_first = cell.logs_phases();
  for (std::size_t step = 0; step < cell.step_count() && !cell.wrong(); ++step) {
    if (plain_first) cell.run(step);
    do {
      begin();
      cell.run(step, instrumented);
    } while (!end());
    cell.check(step);
  }
}

/// A sink counts its own thread only; the share of one thread of several would mislead.
std::unique_ptr<sinks::CounterSink> open_sink(const std::string& name, std::size_t thread_count) {
  auto sink = sinks::open_group(name);
  if (thread_count == 1 || sink->unavailable()) return sink;
  return std::make_unique<sinks::Uncounted>(
      sink->name(), sinks::load_group(name),
      "counts the calling thread only, and the variant runs " + std::to_string(thread_count));
}

void measure_counters(WorkerCell& cell, const std::string& name, Json& result) {
  const auto sink = open_sink(name, cell.thread_count());
  std::vector<sinks::Reading> total;
  run_instrumented(
      cell, [&] { sink->start(); },
      [&] {
        const auto readings = sink->stop();
        if (!sink->is_complete()) return false;
        sinks::add_readings(total, readings);
        return true;
      });
  result = cell.json();
  Json counters = Json::array();
  const auto add = [&](const auto& reading, const std::string& unit) {
    counters.push_back({{"group", name},
                        {"name", reading.name},
                        {"unit", unit},
                        {"value", reading.value ? Json(*reading.value) : Json(nullptr)},
                        {"reason", reading.value ? Json(nullptr) : Json(reading.reason)}});
  };
  for (const auto& reading : total) add(reading, reading.unit);
  for (const auto& reading : sinks::ratio_readings(sinks::load_group(name), total)) {
    add(reading, "ratio");
  }
  result["counters"] = counters;
}

Json extent_json(const sinks::Extent& extent) {
  return {{"least", extent.least}, {"largest", extent.largest}};
}

/// A time that lacks some launches would look too short: then there is none.
Json gpu_time_json(std::uint64_t gpu_ns, std::uint64_t untimed_count) {
  if (untimed_count == 0) return {{"gpu_ns", gpu_ns}, {"reason", nullptr}};
  return {{"gpu_ns", nullptr},
          {"reason", "CUPTI could not time " + std::to_string(untimed_count) + " of them"}};
}

Json kernels_json(const sinks::ActivityTotals& totals) {
  Json kernels = Json::array();
  for (const sinks::KernelTotal& kernel : totals.kernels()) {
    Json json = {{"name", kernel.name}, {"launch_count", kernel.launch_count}};
    json.update(gpu_time_json(kernel.gpu_ns, kernel.untimed_count));
    json.update({{"registers_per_thread_count", kernel.registers_per_thread},
                 {"static_shared_bytes", kernel.static_shared_bytes},
                 {"dynamic_shared_bytes", extent_json(kernel.dynamic_shared_bytes)},
                 {"grid_block_count", extent_json(kernel.grid_blocks)},
                 {"block_thread_count", extent_json(kernel.block_threads)}});
    kernels.push_back(json);
  }
  return kernels;
}

Json copies_json(const sinks::ActivityTotals& totals) {
  Json copies = Json::array();
  for (const sinks::CopyTotal& copy : totals.copies()) {
    Json json = {{"kind", copy.kind}, {"count", copy.count}, {"bytes", copy.bytes}};
    json.update(gpu_time_json(copy.gpu_ns, copy.untimed_count));
    copies.push_back(json);
  }
  return copies;
}

void measure_kernels(WorkerCell& cell, Json& result) {
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
  result = cell.json();
  const bool known = reason.empty();
  result["gpu_kernels"] = known ? kernels_json(activity.totals()) : Json();
  result["gpu_copies"] = known ? copies_json(activity.totals()) : Json();
  result["gpu_kernels_reason"] = known ? Json() : Json(reason);
}

/// Peak resident growth over preparing and one pass. The certificates come afterwards, because
/// they hold memory of their own.
void measure_memory(WorkerCell& cell, measure::Clock& clock, Json& result) {
  // Freed memory of the reader would be reused, and the growth look too small.
  malloc_trim(0);
  // Where the peak can't be reset, what is resident at the end is the nearest figure.
  const auto read =
      machine::reset_peak_resident() ? machine::peak_resident_bytes : machine::resident_bytes;
  const std::uint64_t baseline = read();
  cell.prepare(clock);
  for (std::size_t step = 0; step < cell.step_count(); ++step) cell.run(step);
  const std::uint64_t peak = read();
  cell.check(cell.step_count() - 1);
  cell.certify_last();
  result = cell.json();
  result["resident_bytes"] = peak > baseline ? peak - baseline : 0;
}

void measure_energy(WorkerCell& cell, std::size_t query_count, measure::Clock& clock,
                    const std::optional<GpuWatch>& gpu, Json& result) {
  bool ran = false;
  const auto pass = [&] {
    for (std::size_t step = 0; step < cell.step_count(); ++step) cell.run(step);
    ran = true;
  };
  const auto energy_j = [&]() -> machine::Told<double> {
    // `auto` values may have become a variant for the CPU.
    if (!gpu) return {std::nullopt, "the variant needs no GPU on this input"};
    return gpu->energy_j();
  };
  const Json energy = energy_of_pass(pass, query_count, clock, energy_j);
  if (ran) cell.check(cell.step_count() - 1);
  cell.certify_last();
  result = cell.json();
  result["energy"] = energy;
}

}  // namespace

Json run_replicate(const Json& request, measure::Clock& clock,
                   const std::function<void(const Json&)>& emit, const Peers& peers) {
  const machine::Topology topology = machine::Topology::this_machine();
  const auto placements = machine::expand(topology, request.at("placement").get<std::string>());
  const machine::Placement& placement = placements.front();
  const bool force = request.at("force").get<bool>();
  const std::size_t pu_count = machine::pu_count(topology, placement);
  Seat seat(topology, placement, request.at("worker").get<std::size_t>(),
            request.at("process_count").get<std::size_t>(), force);
  seat.take_all();
  const std::int64_t open_begin = clock.now_ns();
  const auto workload = Registry::global().open_workload(request.at("problem").get<std::string>(),
                                                         request.at("graph").get<std::string>(),
                                                         request.at("queries").get<QueryRule>());
  const std::int64_t open_ns = clock.now_ns() - open_begin;
  seat.take_own();
  const double query_count = static_cast<double>(workload->query_count());
  CertifiedDigests certified = read_certified(request.at("certified"), workload->query_count());
  const bool first_process =
      std::ranges::none_of(certified, [](const auto& digests) { return !digests.empty(); });
  const std::string kind = request.at("kind").get<std::string>();

  std::vector<std::unique_ptr<WorkerCell>> cells;
  Json result = Json::array();
  Json core_mhz;
  // Made when the first cell that needs CUDA has been prepared: it chose the device.
  std::optional<GpuWatch> gpu;
  const auto watch = [&] {
    gpu.emplace(machine::Gpus::this_machine(), machine::cuda_bus_id());
    gpu->start();
  };
  const auto enter = [&](const std::string& id, const char* step) {
    emit({{"event", "cell"}, {"id", id}, {"step", step}});
  };
  for (const Json& cell : request.at("cells")) {
    const auto id = cell.at("id").get<std::string>();
    enter(id, "prepare");
    const auto selection = Registry::global().select(cell.at("variant").get<std::string>()).front();
    cells.push_back(std::make_unique<WorkerCell>(
        id, selection, *workload, certified, seat,
        std::make_unique<machine::ThreadPlaces>(topology, placement, force)));
    result.emplace_back();
    if (kind == "memory") {
      measure_memory(*cells.back(), clock, result.back());
      continue;
    }
    cells.back()->prepare(clock);
    if (kind == "simulated") {
      const auto step_count =
          request.at("pass_count").get<std::size_t>() * cells.back()->step_count();
      for (std::size_t step = 0; step < step_count; ++step) {
        cells.back()->run(step % cells.back()->step_count());
      }
      result.back() = cells.back()->json();
      continue;
    }
    if (cells.back()->needs_cuda() && !gpu) watch();
    enter(id, "validate");
    cells.back()->validate(clock, first_process);
    result.back() = cells.back()->json();
    if (cells.back()->wrong()) continue;
    if (kind != "timed") enter(id, kind.c_str());
    if (kind == "phases") measure_phases(*cells.back(), clock, query_count, result.back());
    if (kind == "kernels") measure_kernels(*cells.back(), result.back());
    if (kind == "counters") {
      measure_counters(*cells.back(), request.at("counter_group").get<std::string>(),
                       result.back());
    }
    if (kind == "energy") {
      measure_energy(*cells.back(), workload->query_count(), clock, gpu, result.back());
    }
  }
  if (kind == "timed") {
    enter("", "timed");
    if (gpu) gpu->start();  // again: validating left the GPU idle for a while
    measure_timed(cells, request, clock, emit, peers, result, core_mhz);
  }
  return {{"kind", kind},
          {"observed", machine::observed_text(machine::observe_this_thread(topology))},
          {"pu_count", pu_count},
          {"open_ns", open_ns},
          {"core_mhz", core_mhz},
          {"gpu", gpu ? gpu->finish() : Json()},
          {"certified", certified_json(certified)},
          {"cells", result}};
}

int worker_main(int event_fd) {
  const auto emit = [&](const Json& event) {
    const std::string line = event.dump() + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
      const ssize_t count = write(event_fd, line.data() + sent, line.size() - sent);
      if (count < 0) return;
      sent += static_cast<std::size_t>(count);
    }
  };
  const auto fail = [&](ExitCode code, const std::string& message) {
    emit({{"event", "error"}, {"code", static_cast<int>(code)}, {"message", message}});
    return static_cast<int>(code);
  };
  try {
    std::string line;
    std::getline(std::cin, line);
    // The supervisor says "begin" when all processes are ready, and "end" when all have their
    // samples. A supervisor that is gone closes the pipe: that ends the work too.
    const Peers peers{[&] { std::getline(std::cin, line); },
                      [] {
                        pollfd input{STDIN_FILENO, POLLIN, 0};
                        return poll(&input, 1, 0) != 0;
                      }};
    const Json replicate = run_replicate(Json::parse(line), measure::Clock::system(), emit, peers);
    emit({{"event", "done"}, {"replicate", replicate}});
    return 0;
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::machine, "no memory; use a smaller graph or fewer cells at once");
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, error.what());
  }
}

}  // namespace bellmark::run
