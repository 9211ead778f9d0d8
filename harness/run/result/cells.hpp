// The cells of a result.
#pragma once

#include <set>
#include <string>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"
#include "harness/run/supervise/probe.hpp"

namespace bellmark::run {

/// One entry of the result's `cells` (result.schema.json).
Json cell_json(const plan::Plan& plan, const Probe& probe, std::size_t index,
               const CellRecord& record, const machine::Topology& topology);

/// One entry of a list of timed blocks: the time of each query in each pass.
Json block_json(const Block& block, const measure::StepTimes& step_ns);

/// A text for each place that ranks of one host share: PUs with more threads than they can run, or
/// one GPU.
std::set<std::string> shared_places(const CellRecord& record);

}  // namespace bellmark::run
