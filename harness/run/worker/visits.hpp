// The pass of visits: is a query that a variant has seen before faster than a new one?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/machine/cuda.hpp"
#include "harness/machine/memory.hpp"
#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/passes.hpp"

namespace bellmark::run {

/// The memory in use at one moment.
struct MemoryCounts {
  std::function<std::uint64_t()> resident = machine::resident_bytes;
  std::function<std::optional<std::uint64_t>()> gpu = machine::cuda_used_bytes;
};

/// Asks every query of all cells in turn, and then all queries again. Cells must be fresh:
/// prepared, and not asked yet. Every answer is checked. `emit` gets each query, so that a long one
/// doesn't look like a hang. Of the ranks, the one whose memory grows most counts. Collective.
std::vector<CellReplicate> measure_visits(const Cells& cells, measure::Clock& clock,
                                          const Emit& emit, const MemoryCounts& counts = {});

/// Adds the visits of one round to those of the rounds before.
void add_visits(std::vector<CellReplicate>& sum, std::vector<CellReplicate> round);

}  // namespace bellmark::run
