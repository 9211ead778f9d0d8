// The worker: one process that measures one group of cells once (a replicate).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "harness/measure/clock.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// Runs one replicate. `request`:
///   kind        timed | phases | kernels | counters | energy | memory
///   problem, graph, queries (the rule), placement (a plain location word), force
///   seed        of the sampling order
///   stop_rule   {sample_count, seconds, half_width}
///   counter_group   for kind `counters`
///   cells       [{id, variant}], canonical names
///   certified   [hexadecimal digest or null], one a query: answers certified earlier in this run
/// Returns the replicate: per cell `status` (ok | wrong), its resolved name, validation and what
/// the kind measures; `certified` with what this process certified; the observed placement; `gpu`:
/// null when no cell needs CUDA, else the GPU's state `before` and `after` or the `reason` why not.
/// `emit` gets progress events as JSON objects. Throws bellmark::Error.
Json run_replicate(const Json& request, measure::Clock& clock,
                   const std::function<void(const Json&)>& emit);

/// The `bellmark worker` process: a request as one JSON line on standard input, events as JSON
/// lines on file descriptor `event_fd`, the last of them {"event":"done","replicate":...} or
/// {"event":"error","code":n,"message":...}. Returns the exit code.
int worker_main(int event_fd);

}  // namespace bellmark::run
