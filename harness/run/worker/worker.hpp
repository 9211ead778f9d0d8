// The worker: one process that measures one group of cells once (a replicate).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/measure/clock.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// How a worker keeps in step with those that run beside it.
struct Peers {
  std::function<void()> wait = {};  ///< returns when all are ready to sample
  std::function<bool()> over = {};  ///< whether all have their samples; never blocks
  /// Told of each query (from 1) before it runs; untimed.
  std::function<void(std::size_t)> at_query = {};
};

/// Runs one replicate. `request`:
///   kind        simulated (prepares, and runs `pass_count` passes with no check) | timed | phases
///   | kernels | counters | energy | memory
///   problem, graph, queries (the rule), placement (a plain location word), force
///   worker      index of the placement's worker that this process is
///   process_count   processes that run at once, each on a worker of the placement
///   rank_count  ranks that were asked for, which world() must be; absent: this process is no rank
///   local_rank, local_rank_count    this rank among those of its host (0 of 1 unless said)
///   needs_cuda  whether a rank needs GPUs of its own; false unless said
///   seed        of the sampling order
///   stop_rule   {sample_count, seconds, half_width}
///   counter_group   for kind `counters`
///   cells       [{id, variant}], canonical names
///   certified   [[hexadecimal digest]], a list a query: answers certified earlier in this run
/// Returns the replicate: per cell `status` (ok | wrong), its resolved name, validation and what
/// the kind measures; `certified` with what this process certified; the observed placement; what
/// opening the workload (`open_ns`) and preparing each cell (`prepare_ns`) took;
/// `core_mhz`, estimated after timed samples (null when unknown); `gpu`: null when no cell needs
/// CUDA, else the GPU's state `before` and `after` or the `reason` why not.
/// Ranks run it together and get the same but for what is their own: times are the longest of all
/// ranks, and rank 0's replicate is the group's. It also holds `ranks` (host, place, GPUs of each),
/// and of each timed cell `rank_pass_ns`, the median time of a pass of each rank.
/// `emit` gets progress events as JSON objects. Several processes at once need `peers`. Throws
/// bellmark::Error.
Json run_replicate(const Json& request, measure::Clock& clock,
                   const std::function<void(const Json&)>& emit, const Peers& peers = {});

/// What a worker does with a request: run_replicate(), or with kind `probe` what is known of the
/// workload and its cells (probe_workload()).
Json run_request(const Json& request, measure::Clock& clock,
                 const std::function<void(const Json&)>& emit, const Peers& peers = {});

/// While it lives, this process ends when its standard input does: a supervisor that is gone,
/// however it went, closes that, through any launcher.
class EndWithSupervisor {
 public:
  EndWithSupervisor();
  EndWithSupervisor(const EndWithSupervisor&) = delete;
  EndWithSupervisor& operator=(const EndWithSupervisor&) = delete;
  ~EndWithSupervisor() { *armed_ = false; }

 private:
  std::shared_ptr<std::atomic<bool>> armed_ = std::make_shared<std::atomic<bool>>(true);
};

/// Writes an event as a JSON line. One that nobody reads any more is dropped.
void write_event(int event_fd, const Json& event);

/// Runs `work` and returns the exit code; what it throws becomes an event {"event":"error",
/// "code":n,"message":...} for `emit`.
int report_errors(const std::function<void()>& work, const std::function<void(const Json&)>& emit);

/// The `bellmark worker` process: a request as one JSON line on standard input, events as JSON
/// lines on file descriptor `event_fd`, the last of them {"event":"done","replicate":...} or
/// {"event":"error","code":n,"message":...}. Returns the exit code.
int worker_main(int event_fd);

}  // namespace bellmark::run
