// The passes that measure a cell after it was prepared and validated.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/cell.hpp"
#include "harness/run/worker/gpu_watch.hpp"
#include "harness/run/worker/place.hpp"

namespace bellmark::run {

using Cells = std::vector<std::unique_ptr<WorkerCell>>;
using Emit = std::function<void(const Event&)>;

/// Samples all right cells alternately. Each of them gets a new entry in `replicates`, in the order
/// of `cells`.
Surroundings measure_timed(const Cells& cells, const Request& request, const WorkerPlace& place,
                           measure::Clock& clock, const Emit& emit, const Peers& peers,
                           std::vector<CellReplicate>& replicates);

CellReplicate measure_phases(WorkerCell& cell, measure::Clock& clock, std::size_t query_count);
CellReplicate measure_counters(WorkerCell& cell, const std::string& group);
CellReplicate measure_kernels(WorkerCell& cell);
/// The growth of peak resident memory over preparing and one pass. The cell must not be prepared
/// yet.
CellReplicate measure_memory(WorkerCell& cell, measure::Clock& clock);
CellReplicate measure_energy(WorkerCell& cell, std::size_t query_count, measure::Clock& clock,
                             const GpuWatches& gpus);

}  // namespace bellmark::run
