// The comparisons of a result: paired ratios of cells over their blocks.
#pragma once

#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"

namespace bellmark::run {

/// Compares each cell with its baseline, and every pair that a claim or the diagnosis needs.
/// `cells` are the result's. Failed cells are in no comparison.
Json comparisons_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                      const Json& cells);

}  // namespace bellmark::run
