#include "harness/run/worker/worker.hpp"

#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <thread>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "harness/machine/cuda.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/location.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/pin.hpp"
#include "harness/machine/rank_places.hpp"
#include "harness/machine/thread_places.hpp"
#include "harness/measure/core_clock.hpp"
#include "harness/measure/phase_recorder.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/run/protocol/query_rule_json.hpp"
#include "harness/run/protocol/reasons.hpp"
#include "harness/run/worker/agree.hpp"
#include "harness/run/worker/gpu_watch.hpp"
#include "harness/run/worker/phase_log.hpp"
#include "harness/run/worker/probe_workload.hpp"
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
             CertifiedDigests& certified, Seat& seat, const Peers& peers,
             std::unique_ptr<machine::ThreadPlaces> places)
      : id_(std::move(id)),
        query_count_(workload.query_count()),
        many_answers_(workload.many_answers()),
        ranks_(world()),
        peers_(peers),
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
  /// Collective.
  void prepare(measure::Clock& clock) {
    seat_.take_all();
    const std::int64_t begin = clock.now_ns();
    variant_->prepare(context_);
    prepare_ns_ = agreed_ns(clock.now_ns() - begin);
    seat_.take_own();
  }

  /// Of one process alone nothing is asked here: a step begins as the one before left the caches.
  void approach(std::size_t step) override {
    if (peers_.at_query) peers_.at_query(step + 1);
    if (ranks_.size() > 1) ranks_.barrier();
  }

  std::int64_t agreed_ns(std::int64_t own_ns) override { return longest_ns(ranks_, own_ns); }

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
      const auto digest = find_digest(query);
      ++digest_count_;
      if (!digest) return;
      if (!is_certified(query, *digest)) {
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
    std::int64_t running = 0;
    for (std::size_t step = 0; step < step_count() && !wrong(); ++step) {
      approach(step);
      const std::int64_t run_begin = clock.now_ns();
      run(step);
      running += agreed_ns(clock.now_ns() - run_begin);
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
  }

  /// The whole certificate on the last answer that this process computed.
  void certify_last() {
    if (wrong() || !last_step_) return;
    for_queries(*last_step_, [&](std::size_t query) {
      if (query + 1 == query_count_ || !batch_) certify(query);
    });
  }

  /// Collective: what the ranks account is compared.
  Json json() const {
    Json own = Json::object();
    for (const auto& [what, bytes] : context_.accounted()) own[what] = bytes;
    // Of several ranks the one that holds most.
    Json accounted = Json::object();
    for (const std::string& text : texts_of_all(ranks_, own.dump())) {
      const Json of_rank = Json::parse(text);
      for (const auto& [what, bytes] : of_rank.items()) {
        accounted[what] =
            std::max(accounted.value(what, std::uint64_t{0}), bytes.get<std::uint64_t>());
      }
    }
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

  /// One that any of the ranks finds is every rank's.
  std::optional<std::string> find_fault(std::size_t query) {
    seat_.take_all();
    auto fault = variant_->certify(query);
    if (variant_->certified_on_gpu()) ++gpu_certificate_count_;
    seat_.take_own();
    if (ranks_.size() == 1) return fault;
    if (fault && fault->empty()) fault = "the certificate refuses it";
    std::string agreed = agreed_text(ranks_, fault.value_or(""));
    if (agreed.empty()) return std::nullopt;
    return agreed;
  }

  /// Nothing, and a fault, when the ranks have unlike digests of what should be one answer.
  std::optional<std::uint64_t> find_digest(std::size_t query) {
    seat_.take_all();
    const std::uint64_t digest = variant_->digest(query);
    seat_.take_own();
    if (ranks_.size() == 1) return digest;
    std::array<std::uint64_t, 2> extremes{digest, ~digest};
    ranks_.all_reduce(extremes, Reduction::largest);
    if (extremes[0] == ~extremes[1]) return digest;
    fault_ = "query " + std::to_string(query + 1) + ": the ranks' digests of its answer differ";
    return std::nullopt;
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
    const auto digest = find_digest(query);
    if (!digest || is_certified(query, *digest)) return;
    if (certified_[query].empty() || many_answers_) {
      certified_[query].push_back(*digest);
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
  Communicator& ranks_;
  const Peers& peers_;
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
    Json& cell = result[index[i]];
    cell = cells[index[i]]->json();
    cell.update(samples_json(samples[i]));
    if (!request.contains("rank_count")) continue;
    cell["rank_pass_ns"] = world().all_gather(measure::median(samples[i].pass_own_ns));
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
  for (std::size_t step = 0; step < cell.step_count(); ++step) {
    cell.approach(step);
    cell.run(step);
  }
  const std::uint64_t peak = read();
  cell.check(cell.step_count() - 1);
  cell.certify_last();
  result = cell.json();
  const std::uint64_t grown = peak > baseline ? peak - baseline : 0;
  result["resident_bytes"] = world().all_reduce(grown, Reduction::largest);
}

void measure_energy(WorkerCell& cell, std::size_t query_count, measure::Clock& clock,
                    const std::vector<GpuWatch>& gpus, Json& result) {
  bool ran = false;
  const auto pass = [&] {
    for (std::size_t step = 0; step < cell.step_count(); ++step) cell.run(step);
    ran = true;
  };
  const auto energy_j = [&]() -> machine::Told<double> {
    // `auto` values may have become a variant for the CPU.
    if (gpus.empty()) return {std::nullopt, "the variant needs no GPU on this input"};
    return gpus.front().energy_j();
  };
  const Json energy = energy_of_pass(pass, query_count, clock, energy_j);
  if (ran) cell.check(cell.step_count() - 1);
  cell.certify_last();
  result = cell.json();
  result["energy"] = energy;
}

/// Where the cells of a request run: the placement, or a rank's part of it. A rank's GPUs are
/// chosen here, before anything calls CUDA.
machine::Placement place_of(const Json& request, const machine::Topology& topology) {
  auto placement = machine::expand(topology, request.at("placement").get<std::string>()).front();
  const Json rank_count = request.value("rank_count", Json());
  if (rank_count.is_null()) return placement;
  if (rank_count != world().size()) {
    throw InputError("ranks",
                     "this is one of " + std::to_string(world().size()) + ", and " +
                         rank_count.dump() + " were asked for",
                     "use the launcher of the MPI library that bellmark-worker-mpi was built "
                     "with, and say {ranks} in it");
  }
  const machine::LocalRank rank{request.value("local_rank", std::size_t{0}),
                                request.value("local_rank_count", std::size_t{1})};
  const bool force = request.at("force").get<bool>();
  if (request.value("needs_cuda", false)) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const std::string gpus =
        machine::rank_gpus(placement, machine::Gpus::this_machine(), visible, rank, force);
    if (!gpus.empty()) setenv("CUDA_VISIBLE_DEVICES", gpus.c_str(), 1);
  }
  return machine::rank_part(topology, placement, rank, force);
}

/// Who sits where; and the slowest of the ranks' clocks, which is what a reader must know of.
Json seats_json(const machine::Placement& placement, std::size_t pu_count,
                const std::string& observed, const Json& gpus, Json& core_mhz) {
  const Json own = {{"host", machine::host_name()},
                    {"resolved", placement.resolved},
                    {"pu_count", pu_count},
                    {"observed", observed},
                    {"gpus", gpus},
                    {"core_mhz", core_mhz}};
  Json seats = Json::array();
  for (const std::string& text : texts_of_all(world(), own.dump())) {
    Json seat = {{"rank", seats.size()}};
    seat.update(Json::parse(text));
    const Json mhz = seat.at("core_mhz");
    if (!mhz.is_null() && (core_mhz.is_null() || mhz < core_mhz)) core_mhz = mhz;
    seat.erase("core_mhz");
    seats.push_back(std::move(seat));
  }
  return seats;
}

}  // namespace

Json run_replicate(const Json& request, measure::Clock& clock,
                   const std::function<void(const Json&)>& emit, const Peers& peers) {
  const machine::Topology topology = machine::Topology::this_machine();
  const machine::Placement placement = place_of(request, topology);
  const bool force = request.at("force").get<bool>();
  const std::size_t pu_count = machine::pu_count(topology, placement);
  Seat seat(topology, placement, request.at("worker").get<std::size_t>(),
            request.at("process_count").get<std::size_t>(), force);
  seat.take_all();
  const std::int64_t open_begin = clock.now_ns();
  const auto workload = Registry::global().open_workload(request.at("problem").get<std::string>(),
                                                         request.at("graph").get<std::string>(),
                                                         request.at("queries").get<QueryRule>());
  const std::int64_t open_ns = longest_ns(world(), clock.now_ns() - open_begin);
  seat.take_own();
  const double query_count = static_cast<double>(workload->query_count());
  CertifiedDigests certified = read_certified(request.at("certified"), workload->query_count());
  const bool first_process =
      std::ranges::none_of(certified, [](const auto& digests) { return !digests.empty(); });
  const std::string kind = request.at("kind").get<std::string>();
  const bool is_rank = request.contains("rank_count");

  std::vector<std::unique_ptr<WorkerCell>> cells;
  Json result = Json::array();
  Json core_mhz;
  // Made when the first cell that needs CUDA has been prepared: it chose the device.
  std::vector<GpuWatch> gpus;
  const auto watch = [&] {
    const auto bus_id = machine::cuda_bus_id();
    gpus.emplace_back(machine::Gpus::this_machine(), bus_id);
    if (is_rank && placement.gpus.size() > 1) {
      // It sees no GPU but its own (place_of()), and may use them all.
      for (const std::string& other : machine::cuda_bus_ids()) {
        if (other == bus_id.value) continue;
        gpus.emplace_back(machine::Gpus::this_machine(), machine::Told<std::string>{other, ""});
      }
    }
    for (GpuWatch& gpu : gpus) gpu.start();
  };
  const auto enter = [&](const std::string& id, const char* step) {
    emit({{"event", "cell"}, {"id", id}, {"step", step}});
  };
  for (const Json& cell : request.at("cells")) {
    const auto id = cell.at("id").get<std::string>();
    enter(id, "prepare");
    const auto selection = Registry::global().select(cell.at("variant").get<std::string>()).front();
    cells.push_back(std::make_unique<WorkerCell>(
        id, selection, *workload, certified, seat, peers,
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
    if (cells.back()->needs_cuda() && gpus.empty()) watch();
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
      measure_energy(*cells.back(), workload->query_count(), clock, gpus, result.back());
    }
  }
  if (kind == "timed") {
    enter("", "timed");
    for (GpuWatch& gpu : gpus) gpu.start();  // again: validating left it idle for a while
    measure_timed(cells, request, clock, emit, peers, result, core_mhz);
  }
  const std::string observed = machine::observed_text(machine::observe_this_thread(topology));
  Json gpus_json = Json::array();
  for (GpuWatch& gpu : gpus) gpus_json.push_back(gpu.finish());
  Json ranks;
  if (is_rank) ranks = seats_json(placement, pu_count, observed, gpus_json, core_mhz);
  const Json gpu_json = gpus.empty() ? Json() : gpus_json.front();
  return {{"kind", kind},         {"observed", observed},
          {"pu_count", pu_count}, {"open_ns", open_ns},
          {"core_mhz", core_mhz}, {"gpu", gpu_json},
          {"ranks", ranks},       {"certified", certified_json(certified)},
          {"cells", result}};
}

Json run_request(const Json& request, measure::Clock& clock,
                 const std::function<void(const Json&)>& emit, const Peers& peers) {
  if (request.at("kind") != "probe") return run_replicate(request, clock, emit, peers);
  const machine::Topology topology = machine::Topology::this_machine();
  const machine::Placement placement = place_of(request, topology);
  Seat seat(topology, placement, 0, 1, request.at("force").get<bool>());
  seat.take_all();
  emit({{"event", "cell"}, {"id", ""}, {"step", "probe"}});
  return probe_workload(request);
}

EndWithSupervisor::EndWithSupervisor() {
  std::thread([armed = armed_] {
    char byte;
    for (;;) {
      const ssize_t count = read(STDIN_FILENO, &byte, 1);
      if (count > 0 || (count < 0 && errno == EINTR)) continue;
      if (*armed) _exit(static_cast<int>(ExitCode::interrupted));
      return;
    }
  }).detach();
}

void write_event(int event_fd, const Json& event) {
  const std::string line = event.dump() + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = write(event_fd, line.data() + sent, line.size() - sent);
    if (count < 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

int worker_main(int event_fd) {
  const auto emit = [&](const Json& event) { write_event(event_fd, event); };
  return report_errors(
      [&] {
        std::string line;
        std::getline(std::cin, line);
        // The supervisor says "begin" when all processes are ready, and "end" when all have their
        // samples. A supervisor that is gone closes the pipe: that ends the work too.
        const Peers peers{[&] { std::getline(std::cin, line); },
                          [] {
                            pollfd input{STDIN_FILENO, POLLIN, 0};
                            return poll(&input, 1, 0) != 0;
                          }};
        const Json request = Json::parse(line);
        std::optional<EndWithSupervisor> ends_with_supervisor;
        if (request.contains("rank_count")) ends_with_supervisor.emplace();
        const Json done = run_request(request, measure::Clock::system(), emit, peers);
        ends_with_supervisor.reset();
        emit({{"event", "done"}, {"replicate", done}});
      },
      emit);
}

int report_errors(const std::function<void()>& work, const std::function<void(const Json&)>& emit) {
  const auto fail = [&](ExitCode code, const std::string& message) {
    emit({{"event", "error"}, {"code", static_cast<int>(code)}, {"message", message}});
    return static_cast<int>(code);
  };
  try {
    work();
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
