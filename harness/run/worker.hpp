// The worker: one process that measures one group of cells once (a replicate).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "harness/measure/clock.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// How a worker keeps in step with those that run beside it.
struct Peers {
  std::function<void()> wait;  ///< returns when all are ready to sample
  std::function<bool()> over;  ///< whether all have their samples; never blocks
};

/// Runs one replicate. `request`:
///   kind        simulated (prepares, and runs `pass_count` passes with no check) | timed | phases
///   | kernels | counters | energy | memory problem, graph, queries (the rule), placement (a plain
///   location word), force worker      index of the placement's worker that this process is
///   process_count   processes that run at once, each on a worker of the placement
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
/// `emit` gets progress events as JSON objects. Several processes at once need `peers`. Throws
/// bellmark::Error.
Json run_replicate(const Json& request, measure::Clock& clock,
                   const std::function<void(const Json&)>& emit, const Peers& peers = {});

/// The `bellmark worker` process: a request as one JSON line on standard input, events as JSON
/// lines on file descriptor `event_fd`, the last of them {"event":"done","replicate":...} or
/// {"event":"error","code":n,"message":...}. Returns the exit code.
int worker_main(int event_fd);

}  // namespace bellmark::run
