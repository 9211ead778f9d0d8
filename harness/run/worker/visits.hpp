// The pass of visits: is a query that a variant has seen before faster than a new one?
#pragma once

#include <vector>

#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/passes.hpp"

namespace bellmark::run {

/// Asks every query of all cells in turn, and then all once more. Cells must be fresh: prepared,
/// and asked nothing yet. Every answer is checked. `emit` is told of each query, so that a long one
/// is not taken for a hang.
std::vector<CellReplicate> measure_visits(const Cells& cells, measure::Clock& clock,
                                          const Emit& emit);

/// Adds the visits of one round to those of the rounds before.
void add_visits(std::vector<CellReplicate>& sum, std::vector<CellReplicate> round);

}  // namespace bellmark::run
