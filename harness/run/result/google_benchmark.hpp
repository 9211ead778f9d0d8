// The part of a result that Google Benchmark's tools read: `context` and `benchmarks`.
#pragma once

#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"
#include "harness/run/supervise/probe.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {

/// One entry an iteration, then aggregates; times are those of one query.
Json benchmarks_json(const plan::Plan& plan, const Probe& probe,
                     const std::vector<CellRecord>& records);

Json context_json(const Json& environment, const Json& topology, const RunFolder& folder);

}  // namespace bellmark::run
