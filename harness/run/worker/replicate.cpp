#include "harness/run/worker/replicate.hpp"

#include <algorithm>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "harness/external/family.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/pin.hpp"
#include "harness/machine/thread_places.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/worker/agree.hpp"
#include "harness/run/worker/probe.hpp"
#include "harness/run/worker/visits.hpp"

namespace bellmark::run {
namespace {

/// Works with the whole placement's threads, and returns to the own place afterwards.
template <class Work>
auto on_all_places(WorkerPlace& place, Work&& work) {
  place.take_all();
  auto made = work();
  place.take_own();
  return made;
}

/// The state of one replicate while it runs.
class ReplicateRun {
 public:
  ReplicateRun(const Request& request, measure::Clock& clock, const Emit& emit, const Peers& peers)
      : request_(request),
        clock_(clock),
        emit_(emit),
        peers_(peers),
        topology_(machine::Topology::this_machine()),
        placement_(placement_of(request, topology_)),
        pu_count_(machine::pu_count(topology_, placement_)),
        place_(topology_, placement_, request.worker, request.process_count, request.force) {
    machine::take_memory(topology_, request.memory, placement_);
    workload_ = on_all_places(place_, [&] {
      const std::int64_t begin = clock_.now_ns();
      auto workload =
          Registry::global().open_workload(request_.problem, request_.graph, request_.queries);
      open_ns_ = longest_ns(world(), clock_.now_ns() - begin);
      return workload;
    });
    certified_ = request.certified;
    certified_.resize(workload_->query_count());
    first_process_ =
        std::ranges::none_of(certified_, [](const auto& digests) { return !digests.empty(); });
  }

  Replicate run() {
    if (request_.pass == Pass::visits) {
      visit_in_rounds();
      return finish({});
    }
    for (const CellRequest& cell : request_.cells) {
      cells_.push_back(make(cell));
      replicates_.push_back(measure(*cells_.back()));
    }
    Surroundings surroundings;
    if (request_.pass == Pass::timed) {
      enter("", to_string(Pass::timed));
      gpus_.restart();  // validating left it idle for a while
      surroundings = measure_timed(cells_, request_, place_, clock_, emit_, peers_, replicates_);
    }
    return finish(surroundings);
  }

 private:
  void enter(const std::string& id, const std::string& step) { emit_(CellEntered{id, step}); }

  std::unique_ptr<WorkerCell> make(const CellRequest& cell) {
    enter(cell.id, "prepare");
    const auto selection = Registry::global().select(cell.variant).front();
    auto made = std::make_unique<WorkerCell>(
        cell.id, selection, *workload_, certified_, place_, peers_,
        std::make_unique<machine::ThreadPlaces>(topology_, placement_, request_.force));
    // Memory that emptied the caches would count as the variant's.
    const bool counts_memory = request_.pass == Pass::memory || request_.pass == Pass::visits;
    if (!counts_memory) made->set_start(cell.start, flush_);
    return made;
  }

  /// If there are few queries, each of them has several first visits, by new variants.
  void visit_in_rounds() {
    constexpr double kLongSeconds = 10;
    constexpr double kNsPerSecond = 1e9;
    const std::size_t query_count = workload_->query_count();
    const std::size_t round_count = (measure::kBlocksForInterval + query_count - 1) / query_count;
    const std::int64_t begin = clock_.now_ns();
    double seconds = 0;
    for (std::size_t round = 0; round < round_count && seconds < kLongSeconds; ++round) {
      Cells cells;
      for (const CellRequest& cell : request_.cells) {
        cells.push_back(make(cell));
        cells.back()->ask_singly();
        cells.back()->prepare(clock_);
      }
      add_visits(replicates_, measure_visits(cells, clock_, emit_));
      seconds = static_cast<double>(longest_ns(world(), clock_.now_ns() - begin)) / kNsPerSecond;
    }
  }

  /// Prepares, validates and measures the cell. Timed samples are not taken here, but of all cells
  /// together.
  CellReplicate measure(WorkerCell& cell) {
    if (request_.pass == Pass::memory) return measure_memory(cell, clock_);
    cell.prepare(clock_);
    if (request_.pass == Pass::simulated) {
      const std::size_t step_count = request_.pass_count * cell.step_count();
      for (std::size_t step = 0; step < step_count; ++step) cell.run(step % cell.step_count());
      return cell.replicate();
    }
    // CUDA chose the device when the cell prepared. A rank sees only its own GPUs, and may use all
    // of them.
    if (cell.needs_cuda()) gpus_.open(request_.ranks && placement_.gpus.size() > 1);
    enter(cell.id(), "validate");
    cell.validate(clock_, first_process_);
    if (cell.wrong() || request_.pass == Pass::timed) return cell.replicate();
    enter(cell.id(), to_string(request_.pass));
    switch (request_.pass) {
      case Pass::phases:
        return measure_phases(cell, clock_, workload_->query_count());
      case Pass::kernels:
        return measure_kernels(cell);
      case Pass::counters:
        return measure_counters(cell, request_.counter_group);
      case Pass::energy:
        return measure_energy(cell, workload_->query_count(), clock_, gpus_);
      default:
        return cell.replicate();
    }
  }

  Replicate finish(Surroundings surroundings) {
    Replicate replicate;
    replicate.pass = request_.pass;
    replicate.observed = {machine::observed_text(machine::observe_this_thread(topology_))};
    replicate.pu_count = pu_count_;
    replicate.open_ns = open_ns_;
    const std::vector<GpuReading> gpus = gpus_.finish();
    if (!gpus.empty()) replicate.gpu = gpus.front();
    if (request_.ranks) {
      const RankPlace own{0,         machine::host_name(),       placement_.resolved,
                          pu_count_, replicate.observed.front(), gpus};
      replicate.ranks = places_of_ranks(own, surroundings);
    }
    replicate.core_mhz = surroundings.core_mhz;
    replicate.steal_ratio = surroundings.steal_ratio;
    replicate.pages = surroundings.pages;
    replicate.certified = std::move(certified_);
    replicate.cells = std::move(replicates_);
    return replicate;
  }

  const Request& request_;
  measure::Clock& clock_;
  const Emit& emit_;
  const Peers& peers_;
  machine::Topology topology_;
  machine::Placement placement_;
  std::size_t pu_count_;
  WorkerPlace place_;
  machine::CacheFlush flush_{topology_, {place_.pus()}};
  std::unique_ptr<Workload> workload_;
  std::int64_t open_ns_ = 0;
  CertifiedDigests certified_;
  bool first_process_ = true;
  Cells cells_;
  std::vector<CellReplicate> replicates_;
  GpuWatches gpus_;
};

}  // namespace

Replicate run_replicate(const Request& request, measure::Clock& clock, const Emit& emit,
                        const Peers& peers) {
  return ReplicateRun(request, clock, emit, peers).run();
}

Event run_request(const Request& request, measure::Clock& clock, const Emit& emit,
                  const Peers& peers) {
  machine::take_pages(request.pages);
  external::define(request.programs);
  prepared::use_folder(request.prepared);
  if (request.pass != Pass::probe) return Done{run_replicate(request, clock, emit, peers)};
  const machine::Topology topology = machine::Topology::this_machine();
  const machine::Placement placement = placement_of(request, topology);
  WorkerPlace place(topology, placement, 0, 1, request.force);
  place.take_all();
  emit(CellEntered{"", to_string(Pass::probe)});
  return probe_workload(request);
}

}  // namespace bellmark::run
