// Answers one request: a group of cells measured once, or probed.
#pragma once

#include <functional>
#include <variant>

#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/cell.hpp"
#include "harness/run/worker/passes.hpp"

namespace bellmark::run {

/// Runs one replicate. Ranks run it together, and their replicates differ only in each rank's own
/// facts. Times are the longest of all ranks, and rank 0's replicate is the group's. `emit` gets
/// all events except the last. Several processes at once need `peers`. Throws bellmark::Error.
Replicate run_replicate(const Request& request, measure::Clock& clock, const Emit& emit,
                        const Peers& peers = {});

/// Answers a request: run_replicate(), or with Pass::probe probe_workload(). Returns the last
/// event, Done or Probed.
Event run_request(const Request& request, measure::Clock& clock, const Emit& emit,
                  const Peers& peers = {});

}  // namespace bellmark::run
